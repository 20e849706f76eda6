"""What a promise costs from here: settling doubtful items, then checking the rest.

    prices = Prices("yes-no", max_n=8)
    cheapest(prices, wrong, allowed=60, nats=3.7)      # how many to settle first, and what it costs

`wrong` holds, for each open item, the chance that its guess is wrong. Settling an item costs
max(H(e), 1 / cap) questions, or a share of one by pointing, or the seconds of either. A check of g
items of which a share K / m is expected to be wrong brings, against k + 1 wrong ones,

    yes or no    KL(P(yes | K) || P(yes | k + 1))
    pointed      g KL(K / m || (k + 1) / m)              nats,

and it is enough once log(1 / alpha) and a little more are together. So the u most doubtful items
are settled that make  settling + nats / (nats for its price)  least. All of it guides and promises
nothing. Cost: O(n log n) for the sort, then some hundred numbers.
Imported by the session room and by whoever shows what a promise costs; tested in
tests/certificates/test_price.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.claim import Form
from askless.core.entropy import binary_entropy_bits
from askless.core.question import GRID
from askless.seams import Objective

Floats = NDArray[np.float64]

MORE_NATS: Final = 0.5
"""What a prior over the number of wrong labels costs, beside log(1 / alpha)."""
_FULL_S: Final = 20.0
"""A grid is full when its items take so many times as long as the asking."""
_LEAST_POINTED: Final = 8
"""No check that is answered by pointing is smaller, where that may be."""
_STEPS: Final = 32
"""Sizes, and numbers of items to settle, that are compared."""
_SIZES: Final = np.linspace(0.0, 1.0, _STEPS)
"""These sizes, as logarithms beside that of the largest."""
_SPREAD: Final = (0.6, 1.0, 1.7)
"""So many times as many wrong labels as expected, each as likely."""
_IN_VAIN: Final = 6
"""So many checks are asked before it is seen that they prove nothing."""
_BINS: Final = 4096
"""More items than this are taken together by their chance to be wrong."""
_SORTED: Final = 1 << 16
"""More than this are not sorted for that but counted by their first bits, which is quicker."""
_BITS: Final = 15
"""Of a number in 32 bits, the last ones that are left out then."""


@dataclass(frozen=True)
class Prices:
    """What answers cost.

    Parameters
    ----------
    form
        How they are given.
    max_n
        The most items a question shows; None for no cap.
    objective
        What to save: seconds, or else questions.
    pace
        What a question, an item shown and an item pointed at take.
    """

    form: Form = "yes-no"
    max_n: int | None = 8
    objective: Objective = "questions"
    pace: AnnotationCost = DEFAULT_COST

    @property
    def grid(self) -> int:
        """The most items of a question that is answered by pointing, or of a check in seconds."""
        a, b, _ = self.pace
        full = _FULL_S * a / b if b > 0 else math.inf
        return int(max(1, min(self.max_n or math.inf, full if self._timed else math.inf, 10_000)))

    def settling(self, wrong: Floats) -> Floats:
        """What it costs to settle each of many items."""
        a, b, c = self.pace
        if self.form == "pointed":
            size = self.grid if self.max_n or self._timed else GRID
            if not self._timed:
                return np.full(len(wrong), 1.0 / size)
            return np.minimum(a / size + b + c * wrong, a + b)
        bits = np.maximum(binary_entropy_bits(np.minimum(wrong, 1 - wrong)), 1.0 / self.grid)
        if not self._timed:
            return bits
        return np.minimum(a * bits + b * (1 + bits), a + b)

    def checking(self, sizes: Floats, share_wrong: Floats) -> Floats:
        """What checks of these sizes cost."""
        if not self._timed:
            return np.ones(sizes.shape)
        a, b, c = self.pace
        pointed = c * share_wrong * sizes if self.form == "pointed" else 0.0
        return a + b * sizes + pointed

    @property
    def _timed(self) -> bool:
        return self.objective == "seconds"


def nats_needed(alpha: float) -> float:
    """How much evidence a claim with this share of alpha takes."""
    return math.log(1 / alpha) + MORE_NATS


class Size(NamedTuple):
    """A size of checks.

    Parameters
    ----------
    items
        How many each shows.
    nats_per_cost
        What they bring for their price; 0 where more are wrong than allowed.
    """

    items: int
    nats_per_cost: float


def check_size(prices: Prices, left: int, expected: float, allowed: float, nats: float) -> Size:
    """The best size of the next check.

    Parameters
    ----------
    prices
        What answers cost.
    left, expected, allowed
        Items to draw from; how many are expected to be wrong, and may be.
    nats
        What is still needed: where items cost, no check is larger than one yes would take.
    """
    items, worth = _best_sizes(prices, np.array([float(left)]), np.array([expected]), allowed, nats)
    return Size(int(items[0]), float(worth[0]))


def _best_sizes(
    prices: Prices, left: Floats, expected: Floats, allowed: float, nats: float
) -> tuple[Floats, Floats]:
    """`check_size` of many situations at once: the sizes, and nats for their price."""
    too_many = np.minimum(allowed + 1, left)
    rest = np.minimum(too_many / left, 1 - 1e-12)
    last = np.where(too_many >= left, left, np.ceil(-nats / np.log1p(-rest)))
    if prices.form == "pointed":  # one that is pointed at takes some evidence back
        last = np.maximum(_LEAST_POINTED, np.ceil(1.3 * last))
    elif prices.objective != "seconds" and prices.max_n is not None:
        last = np.maximum(last, prices.max_n)  # what a question shows costs nothing
    most = np.maximum(1, np.minimum(np.minimum(prices.max_n or left, left), last))
    if prices.form == "pointed":
        known = prices.max_n or prices.objective == "seconds"
        most = np.minimum(most, prices.grid if known else GRID)
    sizes = np.rint(np.exp(np.log(most)[:, None] * _SIZES))
    share = np.minimum(expected, 0.999 * left) / left
    growth = _growth(prices.form, sizes, share, np.minimum(too_many / left, 0.999))
    worth = growth / prices.checking(sizes, share[:, None])
    best = np.argmax(worth, axis=1)
    rows = np.arange(len(left))
    return sizes[rows, best], worth[rows, best]


class Course(NamedTuple):
    """What to do from here.

    Parameters
    ----------
    settle
        How many of the most doubtful items to settle before the rest is checked.
    settling, checking
        What the two cost.
    at_once
        What it costs to check without settling any; infinite where too many are expected wrong.
    everything
        What it costs to settle every item.
    """

    settle: int
    settling: float
    checking: float
    at_once: float
    everything: float

    @property
    def cost(self) -> float:
        """All of it."""
        return self.settling + self.checking


def cheapest(
    prices: Prices, wrong: Floats, allowed: float, nats: float, weight: float = 1.0
) -> Course:
    """The cheapest way to a promise from here.

    Parameters
    ----------
    prices
        What answers cost.
    wrong
        For each open item, the chance that its guess is wrong, in any order.
    allowed
        How many may be.
    nats
        What checks must bring.
    weight
        How many items each of these stands for.
    """
    if not len(wrong):
        return Course(0, 0.0, 0.0, 0.0, 0.0)
    line = _Line(prices, wrong, weight)
    count = len(line.falling)
    tried = np.append(0, np.rint(np.exp(math.log(count) * _SIZES))).astype(int)
    checks = line.checks(tried, allowed, nats)
    settling = line.settled[tried]
    best = int(np.argmin(settling + checks))
    settle = round(float(tried[best]) * line.weight)
    found = (settling[best], checks[best], checks[0], line.settled[-1])
    return Course(settle, *map(float, found))


def priced(
    prices: Prices, wrong: Floats, settle: int, allowed: float, nats: float, weight: float = 1.0
) -> float:
    """What it costs to settle so many of the most doubtful items, and to check the rest."""
    if not len(wrong):
        return 0.0
    line = _Line(prices, wrong, weight)
    at = min(len(line.falling), round(settle / line.weight))
    return float(line.settled[at] + line.checks(np.array([at]), allowed, nats)[0])


def reduced(wrong: Floats) -> tuple[Floats, float]:
    """The chances, highest first, of at most `_BINS` items, and how many each stands for."""
    n = len(wrong)
    edges = np.linspace(0, n, _BINS + 1).astype(int)
    if n <= _BINS:
        return -np.sort(-wrong), 1.0
    if n <= _SORTED:
        falling = -np.sort(-wrong)
        return np.add.reduceat(falling, edges[:-1]) / np.diff(edges), n / _BINS
    counts = np.bincount(wrong.astype(np.float32).view(np.uint32) >> _BITS)[::-1]
    bits = np.arange(len(counts), dtype=np.uint32)[::-1] << _BITS
    middle = (bits + (1 << _BITS - 1)).view(np.float32).astype(np.float64)  # to a quarter of 1 %
    sums = np.append(0.0, np.cumsum(counts * middle))
    so_far = np.interp(edges, np.append(0, np.cumsum(counts)), sums)
    return np.diff(so_far) / np.diff(edges), n / _BINS


class _Line:
    """Items, likeliest wrong first, with what it costs to settle the first of them."""

    def __init__(self, prices: Prices, wrong: Floats, weight: float) -> None:
        self.prices = prices
        self.falling, each_is = reduced(wrong)
        self.weight = weight * each_is
        each = prices.settling(self.falling)
        self.settled = np.concatenate([[0.0], np.cumsum(each)]) * self.weight
        self.rest = np.concatenate([np.cumsum(self.falling[::-1])[::-1], [0.0]]) * self.weight

    def checks(self, settled: NDArray[np.intp], allowed: float, nats: float) -> Floats:
        """What it costs to check all but the first so many, for each of these numbers."""
        left: Floats = np.multiply(len(self.falling) - settled, self.weight)
        instead = self.settled[-1] - self.settled[settled]
        return _checks(self.prices, left, self.rest[settled], allowed, nats, instead)


def _checks(
    prices: Prices, left: Floats, expected: Floats, allowed: float, nats: float, instead: Floats
) -> Floats:
    """What it costs to check so many items, of which so many are expected to be wrong.

    How many are wrong is not known so well, and the cost rises steeply with it; where there are too
    many, the rest is settled `instead`.
    """
    needed = (left >= 1) & (left > allowed)
    cost = np.where(needed & (expected >= allowed + 1), math.inf, 0.0)
    priced = np.flatnonzero(needed & (expected < allowed + 1))
    left, expected, instead = left[priced], expected[priced], instead[priced]
    times = np.repeat(_SPREAD, len(left))
    many = np.tile(np.rint(left), len(_SPREAD))
    _, worth = _best_sizes(prices, many, times * np.tile(expected, len(_SPREAD)), allowed, nats)
    in_vain = instead + _IN_VAIN * prices.checking(np.minimum(prices.grid, left), expected / left)
    in_vain = np.tile(in_vain, len(_SPREAD))
    once = np.divide(nats, worth, out=in_vain.copy(), where=worth > 0)
    once = once if prices.objective == "seconds" else np.maximum(1.0, once)
    cost[priced] = np.minimum(once, in_vain).reshape(len(_SPREAD), -1).mean(axis=0)
    return cost


def _growth(form: Form, sizes: Floats, share: Floats, too_many: Floats) -> Floats:
    """Nats that a check brings against a share of `too_many`, if `share` is wrong: a row each."""
    share, too_many = share[:, None], too_many[:, None]
    if form == "pointed":
        growth = sizes * _divergence(share, too_many)
    else:
        yes, yes_then = np.exp(sizes * np.log1p(-share)), np.exp(sizes * np.log1p(-too_many))
        growth = _divergence(yes, yes_then)
    found: Floats = np.where(share >= too_many, 0.0, growth)
    return found


def _divergence(p: Floats, q: Floats) -> Floats:
    """KL between two coins."""
    p, q = np.clip(p, 1e-12, 1 - 1e-12), np.clip(q, 1e-12, 1 - 1e-12)
    result: Floats = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    return result
