"""The chance of a guess, given the refuted ones.

Labels are independent a priori: item i is True with probability p_i. Refuted
guesses tie items together: P(labels | clauses) is proportional to P(labels) wherever every
clause holds. All we ever need is one sum over the labellings of a connected
component, and `weigh` computes it item by item, carrying the weight of every set
of clauses that still waits for a wrong item:

    weight[waiting] -> weight[waiting] * P(right)   and
    weight[waiting minus the clauses this item satisfies] += weight[waiting] * P(wrong)

Only sums of positive terms, so no cancellation, and exact. Nested and
disjoint clauses need a handful of sets; k clauses that overlap in every way need 2^k. Up to
`EXACT_SETS` sets the result is exact. Beyond, the component's clauses are taken as
independent of one another, P(all hold) = product of P(each holds): a lower bound, since
clauses that agree on their guesses are positively associated (Harris 1960).
Probability guides only; labels never rest on this. Tested in tests/core/test_probability.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.clause import Clause, components
from askless.core.guess import Guess
from askless.doors import shown
from askless.errors import InvalidInput

EXACT_SETS: Final = 4096
"""How many sets of waiting clauses a component may need for an exact result."""

_versions = itertools.count(1)


@dataclass(frozen=True, eq=False)
class Probs:
    """P(label is True) for every item, as one unchangeable version.

    Parameters
    ----------
    values
        Shape (n,), finite, between 0 and 1; copied and made read-only.
    version
        Different values have different versions; by default a new one.
    kinds
        Which class each item's guess is about, shape (n,); None if there are two classes, and all
        are about the same (`askless.planners.binary_reduction`).
    """

    values: NDArray[np.float64]
    version: int = field(default_factory=lambda: next(_versions))
    kinds: NDArray[np.intp] | None = None

    def __post_init__(self) -> None:
        try:
            values = np.array(self.values, dtype=np.float64)
        except Exception as error:  # whatever holds them says so in its own way
            raise InvalidInput(
                f"Probs are numbers between 0 and 1; got {shown(self.values)}."
            ) from error
        if values.ndim != 1:
            raise InvalidInput(
                f"Probs hold one number per item, shape (n,); got shape {values.shape}."
            )
        if not np.all((values >= 0) & (values <= 1)):  # NaN fails both
            at = int(np.flatnonzero(~((values >= 0) & (values <= 1)))[0])
            raise InvalidInput(f"Probs lie between 0 and 1; got {values[at]} for item {at}.")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def __len__(self) -> int:
        return len(self.values)


class Weight(NamedTuple):
    """What the labellings of some clauses amount to, the clauses being given.

    Parameters
    ----------
    chance
        P(every clause holds), before anything was asked.
    surprise_bits
        Mean of -log2 P(labels of the clauses' items) over the labellings in which they hold.
    """

    chance: float
    surprise_bits: float


def chance(
    probs: ArrayLike, items: Sequence[int], guess: Sequence[Guess], clauses: Sequence[Clause]
) -> float:
    """P(every guess is right | every clause holds).

    Parameters
    ----------
    probs
        P(label is True) for every item of the pool.
    items, guess
        What is asked: these open items have these labels.
    clauses
        The open clauses, `State.clauses`; those tied to `items` by no chain of
        shared items make no difference.
    """
    probs = np.asarray(probs, dtype=np.float64)
    guessed = {item: label == 1 for item, label in zip(items, guess, strict=True)}
    result = math.prod(_right(probs, item, label) for item, label in guessed.items())
    for group in components(clauses):
        if result == 0.0:
            break
        if not any(item in guessed for clause in group for item in clause.items):
            continue
        remaining = _given(group, guessed)
        if remaining is None:
            return 0.0
        before = _mass(probs, group)
        # All clauses impossible under these probs: the probs are wrong, not the answers.
        result *= _mass(probs, remaining) / before if before > 0 else 1.0
    return min(result, 1.0)


def weigh(probs: ArrayLike, clauses: Sequence[Clause]) -> Weight:
    """Sum over all labellings of the clauses' items in which every clause holds.

    Parameters
    ----------
    probs
        P(label is True) for every item of the pool.
    clauses
        One connected component, or several: then the work is the product of theirs.
    """
    probs = np.asarray(probs, dtype=np.float64)
    steps = _steps(clauses)
    # waiting clauses (bits) -> (probability, probability * surprise so far)
    table: dict[int, tuple[float, float]] = {(1 << len(clauses)) - 1: (1.0, 0.0)}
    for item, satisfied, closing in steps:
        p = probs.item(item)
        following: dict[int, tuple[float, float]] = {}
        for label, share in ((True, p), (False, 1.0 - p)):
            if share == 0.0:
                continue
            bits = -math.log2(share)
            for waiting, (mass, surprise) in table.items():
                left = waiting & ~satisfied[label]
                if left & closing:
                    continue  # a clause's last item was right too: this cannot be
                old = following.get(left, (0.0, 0.0))
                following[left] = (
                    old[0] + mass * share,
                    old[1] + (surprise + mass * bits) * share,
                )
        if len(following) > EXACT_SETS:
            return _independently(probs, clauses)
        table = following
    mass, surprise = table.get(0, (0.0, 0.0))
    return Weight(mass, surprise / mass if mass > 0 else 0.0)


def _mass(probs: NDArray[np.float64], clauses: Sequence[Clause]) -> float:
    """`weigh(probs, clauses).chance` alone, to the last bit, in half the time."""
    table = {(1 << len(clauses)) - 1: 1.0}
    for item, satisfied, closing in _steps(clauses):
        p = probs.item(item)
        following: dict[int, float] = {}
        for label, share in ((True, p), (False, 1.0 - p)):
            if share != 0.0:
                waiting_still = ~satisfied[label]
                for waiting, mass in table.items():
                    left = waiting & waiting_still
                    if not left & closing:
                        following[left] = following.get(left, 0.0) + mass * share
        if len(following) > EXACT_SETS:
            return _independently(probs, clauses).chance
        table = following
    return table.get(0, 0.0)


def _independently(probs: NDArray[np.float64], clauses: Sequence[Clause]) -> Weight:
    """As if each clause stood alone; marginals of shared items are averaged over theirs."""
    mass, bits = 1.0, dict[int, list[float]]()
    for clause in clauses:
        right = [_right(probs, item, guess == 1) for item, guess in clause.pairs]
        all_right = float(np.prod(right))
        holds = 1.0 - all_right
        mass *= holds
        for item, share in zip(clause.items, right, strict=True):
            # P(this item is right | its clause holds)
            given = (share - all_right) / holds if holds > 0 else share
            surprise = _cross_bits(given, share) + _cross_bits(1.0 - given, 1.0 - share)
            bits.setdefault(item, []).append(surprise)
    return Weight(mass, sum(float(np.mean(each)) for each in bits.values()))


def _steps(clauses: Sequence[Clause]) -> list[tuple[int, dict[bool, int], int]]:
    """For each item: which clauses each label satisfies, and which have it as their last item.

    Items come clause by clause, so that few clauses wait at any time.
    """
    last: dict[int, int] = {}
    satisfied: dict[int, dict[bool, int]] = {}
    for bit, clause in enumerate(clauses):
        for item, guess in clause.pairs:
            satisfied.setdefault(item, {True: 0, False: 0})[not guess] |= 1 << bit
    order = list(satisfied)
    position = {item: at for at, item in enumerate(order)}
    for bit, clause in enumerate(clauses):
        final = max(clause.items, key=position.__getitem__)
        last[final] = last.get(final, 0) | 1 << bit
    return [(item, satisfied[item], last.get(item, 0)) for item in order]


def _given(clauses: Sequence[Clause], right: dict[int, bool]) -> list[Clause] | None:
    """The clauses once these items have these labels; None when one cannot hold any more."""
    remaining = []
    for clause in clauses:
        left = []
        for item, guess in clause.pairs:
            if item not in right:
                left.append((item, guess))
            elif right[item] != guess:
                break  # satisfied
        else:
            if not left:
                return None
            items, guesses = zip(*left, strict=True)
            remaining.append(Clause(items, guesses, clause.answer))
    return remaining


def _right(probs: NDArray[np.float64], item: int, label: bool) -> float:
    return probs.item(item) if label else 1.0 - probs.item(item)


def _cross_bits(weight: float, share: float) -> float:
    return 0.0 if weight <= 0.0 or share <= 0.0 else -weight * float(np.log2(share))
