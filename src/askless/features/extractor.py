"""What a feature extractor must offer: one feature set of a pool, computed block by block.

An extractor is a class with keyword-only options that have defaults. It sees the pool through
`askless.seams.Pool`, keeps what is half done in a `PartialWork`, and what several extractors need
in the `FeatureCache` (`askless.features.cache`). It never sees a label.
Tested in tests/features/test_make_features.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final

from askless.errors import InvalidInput
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.seams import Pool, PoolKind

MOST_SEED: Final = 2**32 - 1


def check_seed(seed: int) -> None:
    """Refuse a seed that a generator of random numbers would not take."""
    if not 0 <= seed <= MOST_SEED:
        raise InvalidInput(f"A seed is from 0 to {MOST_SEED}; got {seed}.")


class FeatureExtractor(ABC):
    """Computes one feature set: a row of single-precision numbers for every item.

    Attributes
    ----------
    kind
        The kind of pool it is for.
    version
        Is raised whenever its numbers change, so that old ones are not used.
    cost_ms
        Milliseconds for an item on one thread, roughly; for progress bars.
    """

    kind: PoolKind
    version: int
    cost_ms: float

    def lacks(self) -> str | None:
        """Why it cannot work on this machine, as a sentence; None if it can."""
        return None

    def quick(self) -> bool:
        """Whether it is fast enough on this machine to run by default; called if it can work."""
        return True

    @abstractmethod
    def about(self) -> Mapping[str, Any]:
        """Its options, as far as they change its numbers; plain JSON values."""

    @abstractmethod
    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows in the order of the items."""
