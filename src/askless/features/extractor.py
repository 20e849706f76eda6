"""What a feature extractor must offer: one feature set of a pool, computed block by block.

An extractor is a class with keyword-only options that have defaults, best a dataclass: the options
are its fields, and their annotations say which values are allowed. It sees the pool through
`askless.seams.Pool`, keeps what is half done in a `PartialWork`, and what several extractors need
in the `FeatureCache` (`askless.features.cache`). It never sees a label.
Tested in tests/features/test_make_features.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, get_args

import numpy as np
from annotated_types import Ge, Interval  # what pydantic checks, without loading pydantic

from askless.errors import InvalidInput
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.seams import Pool, PoolKind

Count = Annotated[int, Ge(1)]
"""An option that is a whole number from 1 on."""
Seed = Annotated[int, Interval(ge=0, le=2**32 - 1)]
"""A seed that every generator of random numbers takes."""
ANY_KIND: Final[tuple[PoolKind, ...]] = get_args(PoolKind)
"""For a feature set that pools of every kind can have."""


class FeatureExtractor(ABC):
    """Computes one feature set: a row of single-precision numbers for every item.

    Attributes
    ----------
    kind
        The kind of pool it is for, or several.
    version
        Is raised whenever its numbers change, so that old ones are not used.
    cost_ms
        Milliseconds for an item on one thread, roughly; for progress bars.
    row_by_row
        Whether a row depends on its item alone, so that it stays when the pool grows.
    """

    kind: ClassVar[PoolKind | tuple[PoolKind, ...]]
    version: ClassVar[int]
    cost_ms: ClassVar[float]
    row_by_row: ClassVar[bool] = False

    def lacks(self) -> str | None:
        """Why it cannot work on this machine, as a sentence; None if it can."""
        return None

    def quick(self) -> bool:
        """Whether it is fast enough on this machine to run by default; called if it can work."""
        return True

    def about(self) -> Mapping[str, Any]:
        """Its options, as far as they change its numbers; plain JSON values."""
        return dict(vars(self))

    def beside(self, pool: Pool) -> Mapping[str, Any]:
        """What else of the pool its numbers depend on, beside the items; plain JSON values."""
        return {}

    def misfit(self, pool: Pool) -> str | None:
        """Why it cannot describe this pool, as a sentence, if that is soon told; None if it can."""
        return None

    @abstractmethod
    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows in the order of the items.

        A list of arrays of floating-point numbers, each of shape (rows, columns).
        """


def checked_rows(name: str, blocks: object, n: int) -> Rows:
    """What an extractor gave, if it is a feature set; `InvalidInput` says what it is instead.

    Parameters
    ----------
    name
        What the feature set is called.
    blocks
        What `extract` returned.
    n
        How many items there are.
    """
    if not isinstance(blocks, list):
        got = f"{type(blocks).__name__}, which is no list"
    elif strange := [block for block in blocks if not _is_block(block)]:
        got = f"{type(strange[0]).__name__}"
        if isinstance(strange[0], np.ndarray):
            got = f"an array of {strange[0].dtype} of shape {strange[0].shape}"
    elif len(widths := {block.shape[1] for block in blocks}) > 1:
        got = f"blocks of {' and '.join(map(str, sorted(widths)))} columns"
    elif (rows := sum(map(len, blocks))) != n:
        got = f"{rows} rows"
    elif not all(np.isfinite(block).all() for block in blocks):
        got = "numbers that are not finite"
    else:
        return blocks
    raise InvalidInput(
        f"The feature set {name!r} must extract a list of arrays of finite floating-point numbers, "
        f"(rows, columns) each, with one row for each of the {n} items in all; got {got}. Mend "
        "its extract."
    )


def _is_block(block: object) -> bool:
    return isinstance(block, np.ndarray) and block.ndim == 2 and block.dtype.kind == "f"
