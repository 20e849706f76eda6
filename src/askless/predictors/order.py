"""What to ask while still learning: which items the planner should take first.

The surest items teach least, and a run that asks easy items only may crawl along one corner of
the pool; the least sure teach most, and save no question. An order marks items as a wish
(`Probs.first`), and the planner groups among them as it likes.

| order | asks first |
|---|---|
| easy | whatever the planner likes, from the first question on |
| rounds | random rounds through the whole pool, each half as large again as all before |
| rounds-then-easy | such rounds through three per cent of the pool |
| uncertain | the least sure items, all along |
| variance | the items whose score is least known, weighted by how unsure they are, all along |
| variance-then-easy | such items until three per cent of the pool are labelled |

Rounds keep the probs fair, too: the surest items of a pool are those the predictor is most deceived
about, and whole clusters of wrong guesses are met there at once. With all of the pool in
rounds the fewest questions are needed; three per cent give the first labels soonest. Pure: what it
wishes follows from probs and labels. Cost: O(n). The measured comparison is in
experiments/scratch.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from askless.errors import UnknownPart

OrderName = Literal[
    "easy", "rounds", "rounds-then-easy", "uncertain", "variance", "variance-then-easy"
]
DEFAULT_ORDER: Final[dict[str, OrderName]] = {
    "questions": "rounds",
    "labels": "rounds-then-easy",
    "seconds": "rounds-then-easy",
}
"""The best order for each objective."""

_TASTE: Final = 0.03  # the share that is asked before easy items
_FIRST_ROUND: Final = 16
_GROWTH: Final = 1.5
_LEFT: Final = 0.1  # a round may leave so many of its items open
_WISH: Final = 0.01  # the share of the pool wished for at once, where not in rounds
_LEAST_WISH: Final = 8


def order_names() -> tuple[str, ...]:
    """Every order, by name."""
    return get_args(OrderName)


class Order:
    """Which items to take first, by what is known.

    Parameters
    ----------
    name
        One of `order_names`.
    n
        How many items the pool has.
    seed
        Fixes the rounds.
    share
        How much of the pool is asked this way; None for what the name says.

    Raises
    ------
    UnknownPart
        There is no such order.
    """

    def __init__(self, name: str, n: int, *, seed: int = 0, share: float | None = None) -> None:
        if name not in order_names():
            raise UnknownPart("order", name, order_names())
        self.name = name
        self.line = np.random.default_rng(seed).permutation(n)
        """The items in random order: the rounds follow it."""
        usual = _TASTE if name.endswith("-then-easy") else 1.0
        self.share = usual if share is None else share

    def first(
        self,
        values: NDArray[np.float64],
        labels: NDArray[np.int8],
        doubt: NDArray[np.float64] | None = None,
    ) -> NDArray[np.bool_] | None:
        """The items to take first, as a mask; None if the planner may choose among all.

        Parameters
        ----------
        values
            P(label is True) for every item.
        labels
            1 and 0 for settled labels, below 0 for others (`State.labels`).
        doubt
            How unknown every item's score is, 0 to 1 (`Kernel.doubt`); None where the predictor
            does not say, and then only how unsure the items are counts.
        """
        if self.name == "easy":
            return None
        if self.name.startswith("rounds"):
            return self._round(labels)
        open_items = np.flatnonzero(labels == -1)
        told = int(np.count_nonzero(labels >= 0))
        if told >= self.share * len(labels) or not len(open_items):
            return None
        worth = values[open_items] * (1 - values[open_items])
        if self.name.startswith("variance") and doubt is not None:
            worth = worth * doubt[open_items]
        count = min(len(open_items), max(_LEAST_WISH, int(_WISH * len(labels))))
        wish = np.zeros(len(labels), np.bool_)
        wish[open_items[np.argpartition(-worth, count - 1)[:count]]] = True
        return wish

    def _round(self, labels: NDArray[np.int8]) -> NDArray[np.bool_] | None:
        """The items of the round that is on; None when all rounds are over."""
        still = np.cumsum(labels[self.line] == -1)
        size = float(_FIRST_ROUND)
        while size <= self.share * len(labels):
            end = int(size)
            if still[end - 1] > _LEFT * end:
                wish = np.zeros(len(labels), np.bool_)
                wish[self.line[:end]] = True
                return wish
            size *= _GROWTH
        return None
