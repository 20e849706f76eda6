"""What a maker of features must offer: one feature set of a pool, made block by block.

A maker is a class with keyword-only options that have defaults. It sees the pool
through `askless.seams.Pool`, keeps half-finished work on a `Bench`, and puts aside what several
makers need on the `Shelf` (`askless.features.shelf`). It never sees a label.
Tested in tests/features/test_make_features.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final

from askless.errors import InvalidInput
from askless.features.shelf import Bench, Rows, Shelf
from askless.seams import Pool, PoolKind

MOST_SEED: Final = 2**32 - 1


def check_seed(seed: int) -> None:
    """Refuse a seed that a generator of random numbers would not take."""
    if not 0 <= seed <= MOST_SEED:
        raise InvalidInput(f"A seed is from 0 to {MOST_SEED}; got {seed}.")


class Maker(ABC):
    """Makes one feature set: a row of numbers for every item, of single precision.

    Attributes
    ----------
    kind
        The pools it is for.
    version
        Counts up whenever its numbers change, so that old ones are not used.
    cost_ms
        What an item takes on one thread, roughly; for progress bars.
    """

    kind: PoolKind
    version: int
    cost_ms: float

    def lacks(self) -> str | None:
        """Why it cannot work on this machine, as a sentence; None if it can."""
        return None

    def quick(self) -> bool:
        """Whether nobody minds waiting for it on this machine; asked if it lacks nothing."""
        return True

    @abstractmethod
    def about(self) -> Mapping[str, Any]:
        """Its options as far as they change its numbers; plain JSON values."""

    @abstractmethod
    def make(self, pool: Pool, bench: Bench, shelf: Shelf) -> Rows:
        """The feature set, as blocks of rows in the order of the items."""
