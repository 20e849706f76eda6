"""Open items in a fixed order, read from either end.

A planner that sorts once per version of the probs needs, for every state, the
first few open items of that order, or the last, or a random one. A `Line` keeps
the order and how far its two ends have closed in. `follow` moves the ends on to a
state learnt from the line's own; over a whole run that costs O(n) steps, however
many questions there are. An item that an open clause holds may stay at an end long after its
neighbours are gone: such stragglers are kept in a list, so that a look past them stays short.
When most items in between are gone the line is copied without them, so that a random draw
stays quick.

`Lines` are several such orders at once, followed from state to state; `Recent` remembers the few
latest things worked out for a state, by its key; `Inputs` tells when to sort again.
Tested in tests/planners/test_line.py.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.core.state import State
from askless.seams import Priority

_TRIES = 32
_SHORT = 64

T = TypeVar("T")


class Line:
    """Items in order, the open ones among them; its length is what lies between its ends.

    Parameters
    ----------
    items
        The order, as an array of indices into the pool.
    state
        Where the line starts; only items open in it are kept.
    """

    __slots__ = ("_array", "_early", "_hi", "_items", "_late", "_lo", "_next", "_stop")

    def __init__(self, items: NDArray[np.intp], state: State) -> None:
        self._array = items[state.labels()[items] == -1]
        self._items = self._array.data  # indexing it gives plain ints, quickly
        self._lo = self._next = 0
        self._hi = self._stop = len(self._array)
        # Stragglers: before place `_next`, and, last to first, from place `_stop` on.
        self._early: list[int] = []
        self._late: list[int] = []

    def follow(self, state: State) -> Line:
        """The same line for a state reached from this line's by learning answers."""
        items, lo, hi = self._items, self._lo, self._hi
        is_open = state.is_open
        while lo < hi and not is_open(items[lo]):
            lo += 1
        while lo < hi and not is_open(items[hi - 1]):
            hi -= 1
        if hi - lo > _SHORT and 2 * state.n_open < hi - lo:
            return Line(self._array[lo:hi], state)
        line = Line.__new__(Line)
        line._array, line._items, line._lo, line._hi = self._array, items, lo, hi
        held = state.held
        line._early = [item for item in self._early if is_open(item)]
        line._late = [item for item in self._late if is_open(item)]
        at, stop = max(lo, self._next), min(hi, self._stop)
        while at < stop and (not is_open(item := items[at]) or item in held):
            if is_open(item):
                line._early.append(item)
            at += 1
        while at < stop and (not is_open(item := items[stop - 1]) or item in held):
            if is_open(item):
                line._late.append(item)
            stop -= 1
        line._next, line._stop = at, stop
        return line

    def front(self, state: State, leased: AbstractSet[int]) -> Iterator[int]:
        """The free items, first to last."""
        items, is_open = self._items, state.is_open
        middle = (items[at] for at in range(self._next, self._stop))
        for item in chain(self._early, middle, reversed(self._late)):
            if is_open(item) and item not in leased:
                yield item

    def back(self, state: State, leased: AbstractSet[int]) -> Iterator[int]:
        """The free items, last to first."""
        items, is_open = self._items, state.is_open
        middle = (items[at] for at in range(self._stop - 1, self._next - 1, -1))
        for item in chain(self._late, middle, reversed(self._early)):
            if is_open(item) and item not in leased:
                yield item

    def draw(
        self,
        rng: np.random.Generator,
        state: State,
        leased: AbstractSet[int],
        gone: AbstractSet[int],
    ) -> int:
        """One item, each with the same chance, that is free and not in `gone`.

        There must be one. A draw tries random places; only when hardly any item on the line
        will do does it list them.
        """
        items, is_open = self._items, state.is_open
        for _ in range(_TRIES):
            item: int = items[rng.integers(self._lo, self._hi)]
            if is_open(item) and item not in leased and item not in gone:
                return item
        free = [item for item in self.front(state, leased) if item not in gone]
        return free[rng.integers(len(free))]


class Recent(Generic[T]):
    """The latest few things remembered under a state's key.

    Parameters
    ----------
    size
        How many are kept; the least recently used goes first.
    """

    def __init__(self, size: int = 32) -> None:
        self._size = size
        self._kept: OrderedDict[int, T] = OrderedDict()

    def get(self, key: int | None) -> T | None:
        """What was remembered under `key`, if it still is."""
        if key is None or key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def put(self, key: int, thing: T) -> None:
        """Remember `thing` under `key`."""
        self._kept[key] = thing
        self._kept.move_to_end(key)
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()


class Lines:
    """Several orders of the items, and the line of each in one state after another."""

    def __init__(self) -> None:
        self._orders: Sequence[NDArray[np.intp]] = ()
        self._known: Recent[list[Line]] = Recent()

    def renew(self, orders: Sequence[NDArray[np.intp]]) -> None:
        """Have other orders from now on."""
        self._orders = orders
        self._known.clear()

    def of(self, state: State) -> list[Line]:
        """The lines of the state; cheap for one learnt from a state seen before."""
        lines = self._known.get(state.key)
        if lines is None:
            before = self._known.get(state.parent_key)
            if before is None:
                lines = [Line(order, state) for order in self._orders]
            else:
                lines = [line.follow(state) for line in before]
            self._known.put(state.key, lines)
        return lines


class Inputs:
    """The probabilities and the priority that a planner has sorted for."""

    def __init__(self) -> None:
        self._probs: Probs | None = None
        self._priority: Priority | None = None

    def change_to(self, probs: Probs, priority: Priority | None) -> bool:
        """Have these from now on; says whether they differ from those before."""
        before, mask = self._probs, self._priority
        self._probs, self._priority = probs, priority
        # Versions alone would do if nobody ever gave two pools the same one by hand.
        same = before is probs or (
            before is not None
            and before.version == probs.version
            and np.array_equal(before.values, probs.values)
        )
        if mask is None or priority is None:
            return not (same and mask is priority)
        return not (same and np.array_equal(mask, priority))
