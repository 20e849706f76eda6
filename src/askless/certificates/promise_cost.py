"""What each promise will cost from here, beside labelling everything.

    for each in project(policy, session.probs, session.state):
        each.promise.text, each.questions, each.seconds, each.worthwhile

It is asked before one begins, and again as the session learns. It follows the course that
`askless.certificates.enough` would take: so many labels at random, the most doubtful items, checks.
While nothing is known of a pool it rests on what is typical, and says so: the share of wrong
guesses after L labels is then taken as 0.5 L^-0.4, most of them among the doubtful. A guess at
what will be, it promises nothing. Cost: O(n log n) a promise.
Imported by whoever shows it; tested in tests/certificates/test_promise_cost.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from askless.certificates.enough import LEAST, MORE_LABELS, WORTH, PromisePolicy
from askless.certificates.price import Prices, cheapest, nats_needed, priced
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.history.claims import alpha_of

Floats = NDArray[np.float64]

OFFERED: Final = tuple(Promise("all", share) for share in (0.05, 0.02, 0.01, 0.005))
"""The promises that people are offered."""
_TYPICAL: Final = (0.5, 0.4)
_DOUBTFUL: Final = 4
"""Among typical items the chance to be wrong rises with the rank to this power."""


class Known(Protocol):
    """What a projection has to know of a state."""

    @property
    def n(self) -> int:
        """How many items there are."""
        ...

    @property
    def n_open(self) -> int:
        """How many of them are open."""
        ...

    def labels(self) -> NDArray[np.int8]:
        """The labels of all items, as `State.labels` gives them."""
        ...


@dataclass(frozen=True, slots=True)
class Projection:
    """What a promise will cost from here.

    Parameters
    ----------
    promise
        What is to hold.
    questions, seconds
        Still to come until it does.
    full_questions, full_seconds
        Still to come until every item is labelled.
    worthwhile
        Whether the promise costs less than labelling everything, by enough to count.
    typical
        Whether it rests on what is typical, since nothing is known of the pool yet.
    """

    promise: Promise
    questions: float
    seconds: float
    full_questions: float
    full_seconds: float
    worthwhile: bool
    typical: bool = False


def project(
    policy: PromisePolicy, probs: Probs, state: Known, promises: Sequence[Promise] = OFFERED
) -> tuple[Projection, ...]:
    """What each of these promises will cost from here.

    Parameters
    ----------
    policy
        Knows the pace, the cap and how questions are answered; its own promise does not matter.
    probs
        What is believed about the open items.
    state
        What is known: a `State`, or what was known at one moment.
    promises
        Which; recall is not projected.
    """
    known, n = state.n - state.n_open, state.n
    values = probs.values[state.labels() == -1]
    wrong = np.minimum(values, 1 - values)
    typical = known < LEAST * n or not len(wrong) or bool(np.all(wrong > 0.45))
    slope, labels = policy.record.slope(), max(1, known)
    if typical:
        labels = max(labels, int(LEAST * n), 16)
        scale, slope = _TYPICAL
        ranks = (np.arange(len(wrong)) + 0.5) / max(1, len(wrong))
        share = scale * labels**-slope
        wrong = np.minimum(0.5, share * (_DOUBTFUL + 1) * ranks**_DOUBTFUL)
    first = max(0, min(len(wrong), labels - known))
    return tuple(
        _project(policy, promise, wrong, labels, slope, first, typical)
        for promise in promises
        if promise.kind != "recall"
    )


def _project(
    policy: PromisePolicy,
    promise: Promise,
    wrong: Floats,
    labels: int,
    slope: float,
    first: int,
    typical: bool,
) -> Projection:
    """One of them: the best number of labels to learn from, then the best course."""
    by_questions = replace(policy.prices, objective="questions")
    by_seconds = replace(policy.prices, objective="seconds")
    nats = nats_needed(alpha_of(promise, 0))
    allowed = promise.allowed(labels - first + len(wrong), len(wrong))
    best: tuple[float, float, float] | None = None
    for more in MORE_LABELS:
        added = (more - 1) * labels + first
        if added >= len(wrong):
            break
        less, weight = more**-slope, 1 - added / len(wrong)
        course = cheapest(policy.prices, wrong * less, allowed, nats, weight)
        settle, learn = course.settle, wrong * (1 + less) / 2
        costs = [
            added * _mean(prices, learn)
            + priced(prices, wrong * less, settle, allowed, nats, weight)
            for prices in (policy.prices, by_questions, by_seconds)
        ]
        if best is None or costs[0] < best[0]:
            best = costs[0], costs[1], costs[2]
    full = [
        _mean(prices, wrong) * len(wrong) for prices in (policy.prices, by_questions, by_seconds)
    ]
    worthwhile = best is not None and best[0] < WORTH * full[0]
    questions, seconds = best[1:] if best is not None and worthwhile else full[1:]
    return Projection(promise, questions, seconds, full[1], full[2], worthwhile, typical)


def _mean(prices: Prices, wrong: Floats) -> float:
    return float(prices.settling(wrong).mean()) if len(wrong) else 0.0
