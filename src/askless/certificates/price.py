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
_SPREAD: Final = (0.6, 1.0, 1.7)
"""So many times as many wrong labels as expected, each as likely."""
_IN_VAIN: Final = 6
"""So many checks are asked before it is seen that they prove nothing."""
_BINS: Final = 4096
"""More items than this are taken together by their chance to be wrong."""


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

    def checking(self, sizes: Floats, share_wrong: float) -> Floats:
        """What checks of these sizes cost."""
        if not self._timed:
            return np.ones(len(sizes))
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
    too_many = min(allowed + 1, left)
    last = left if too_many >= left else math.ceil(-nats / math.log1p(-too_many / left))
    if prices.form == "pointed":
        last = max(_LEAST_POINTED, math.ceil(1.3 * last))  # one that is pointed at takes some back
    elif prices.objective != "seconds" and prices.max_n is not None:
        last = max(last, prices.max_n)  # what a question shows costs nothing
    most = max(1, min(prices.max_n or left, left, last))
    if prices.form == "pointed":
        most = min(most, prices.grid if prices.max_n or prices.objective == "seconds" else GRID)
    sizes = np.unique(np.rint(np.geomspace(1, most, _STEPS)))
    share = min(expected, 0.999 * left) / left
    growth = _growth(prices.form, sizes, share, min(too_many / left, 0.999))
    worth = growth / prices.checking(sizes, share)
    best = int(np.argmax(worth))
    return Size(int(sizes[best]), float(worth[best]))


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
    tried = np.unique(np.rint(np.concatenate([[0], np.geomspace(1, count, _STEPS)]))).astype(int)
    checks = [line.checks(at, allowed, nats) for at in tried.tolist()]
    costs = line.settled[tried] + np.array(checks)
    best, everything = int(np.argmin(costs)), float(line.settled[-1])
    settle = round(float(tried[best]) * line.weight)
    return Course(settle, float(costs[best]) - checks[best], checks[best], checks[0], everything)


def priced(
    prices: Prices, wrong: Floats, settle: int, allowed: float, nats: float, weight: float = 1.0
) -> float:
    """What it costs to settle so many of the most doubtful items, and to check the rest."""
    if not len(wrong):
        return 0.0
    line = _Line(prices, wrong, weight)
    at = min(len(line.falling), round(settle / line.weight))
    return float(line.settled[at]) + line.checks(at, allowed, nats)


def reduced(wrong: Floats) -> tuple[Floats, float]:
    """The chances, highest first, of at most `_BINS` items, and how many each stands for."""
    falling, n = -np.sort(-wrong), len(wrong)
    if n <= _BINS:
        return falling, 1.0
    edges = np.linspace(0, n, _BINS + 1).astype(int)
    return np.add.reduceat(falling, edges[:-1]) / np.diff(edges), n / _BINS


class _Line:
    """Items, likeliest wrong first, with what it costs to settle the first of them."""

    def __init__(self, prices: Prices, wrong: Floats, weight: float) -> None:
        self.prices = prices
        self.falling, each_is = reduced(wrong)
        self.weight = weight * each_is
        each = prices.settling(self.falling)
        self.settled = np.concatenate([[0.0], np.cumsum(each)]) * self.weight
        self.rest = np.concatenate([np.cumsum(self.falling[::-1])[::-1], [0.0]]) * self.weight

    def checks(self, at: int, allowed: float, nats: float) -> float:
        """What it costs to check all but the first of them."""
        left = (len(self.falling) - at) * self.weight
        instead = float(self.settled[-1] - self.settled[at])
        return _checks(self.prices, left, float(self.rest[at]), allowed, nats, instead)


def _checks(
    prices: Prices, left: float, expected: float, allowed: float, nats: float, instead: float
) -> float:
    """What it costs to check so many items, of which so many are expected to be wrong.

    How many are wrong is not known so well, and the cost rises steeply with it; where there are too
    many, the rest is settled `instead`.
    """
    if left < 1 or left <= allowed:
        return 0.0
    if expected >= allowed + 1:
        return math.inf
    cost = 0.0
    for times in _SPREAD:
        size = check_size(prices, round(left), times * expected, allowed, nats)
        most = np.array([float(min(prices.grid, left))])
        in_vain = instead + _IN_VAIN * float(prices.checking(most, expected / left)[0])
        once = nats / size.nats_per_cost if size.nats_per_cost > 0 else in_vain
        once = once if prices.objective == "seconds" else max(1.0, once)
        cost += min(once, in_vain) / len(_SPREAD)
    return cost


def _growth(form: Form, sizes: Floats, share: float, too_many: float) -> Floats:
    """Nats that one check brings against a share of `too_many`, if `share` is wrong."""
    if share >= too_many:
        return np.zeros(len(sizes))
    if form == "pointed":
        return sizes * _divergence(np.array([share]), np.array([too_many]))
    yes, yes_then = np.exp(sizes * math.log1p(-share)), np.exp(sizes * math.log1p(-too_many))
    return _divergence(yes, yes_then)


def _divergence(p: Floats, q: Floats) -> Floats:
    """KL between two coins."""
    p, q = np.clip(p, 1e-12, 1 - 1e-12), np.clip(q, 1e-12, 1 - 1e-12)
    result: Floats = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    return result
