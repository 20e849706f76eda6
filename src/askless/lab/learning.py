"""Label a pool with a predictor that learns from the answers, from one label on.

The loop of a labelling session on one screen: predict, plan, answer, learn, fit. One item, drawn
at random, is labelled to start with and counted as a question.

What to ask while still learning: the surest items teach least, and a run that asks
easy items only may crawl along one corner of the pool. So the pool is first asked in
random rounds, each half as large again as all before it (`Probs.first`), up to the share
`explore` of the items; then the planner chooses among all. Inside a round the planner groups
as it likes. The rounds also keep the probs fair: the surest items of a pool are those
the predictor is most deceived about, and whole clusters of wrong guesses are met there at once.
Exploring all of the pool needs the fewest questions, a per cent gives the first labels soonest.

The truth is used by the annotator, and to count right labels and bits. ``prequential_bits``
is the code length of the labels under the probs they were asked with: a planner that priced
groups perfectly would need about as many questions.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.bounds import code_length_bits
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.errors import InvalidInput
from askless.lab.known_pool import as_labels
from askless.lab.simulate import Run
from askless.lab.trace import Step, Trace
from askless.lab.truthful import TruthfulAnnotator
from askless.seams import Planner, Predictor

EXPLORE = {"questions": 1.0, "labels": 0.01, "seconds": 0.01}
"""The share explored at random, by objective."""

_FIRST_ROUND = 16
_GROWTH = 1.5
_LEFT = 0.1  # a round may leave so many of its items open


@dataclass(frozen=True, eq=False, slots=True)
class LearningRun:
    """What came of a simulation with a learning predictor.

    Parameters
    ----------
    run
        Questions, answers and labels; `Run.calibrating_s` is the time spent fitting.
    prequential_bits
        Code length of the labels under the probs they were settled with, the first left out.
    fit_s
        Seconds of every fit and prediction.
    found
        How many positives were settled after each question.
    ece
        Expected calibration error of those probs, in ten bins.
    """

    run: Run
    prequential_bits: float
    fit_s: NDArray[np.float64]
    found: NDArray[np.int64]
    ece: float


def simulate_learning(
    planner: Planner,
    predictor: Predictor,
    x: NDArray[Any],
    labels: ArrayLike,
    *,
    explore: float = EXPLORE["questions"],
    seed: int = 0,
    max_questions: int | None = None,
    watch: Callable[[Step], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> LearningRun:
    """Label a pool whose labels are known, learning on the way.

    Parameters
    ----------
    planner
        Chooses the questions.
    predictor
        Is fitted after every answer.
    x
        Its features, shape (n, columns).
    labels
        The right label of every item.
    explore
        The share of the pool asked in random rounds before the planner may choose among all.
    seed
        Fixes the first item and the rounds.
    max_questions
        Stop after so many questions even if labels are still open.
    watch
        Called with every question once it is answered.
    clock
        Gives the time in seconds.
    """
    truth = as_labels(labels)
    if len(truth) != len(x) or not len(truth):
        raise InvalidInput(
            "A pool needs features and a label for each of its items, one at least; "
            f"got {len(x)} rows of features and {len(truth)} labels."
        )
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(truth))
    annotator = TruthfulAnnotator(truth)
    state = State.blank(len(truth))
    question: Question | None = Question((int(order[0]),), (True,))
    steps, fit_s, found = list[Step](), list[float](), list[int]()
    said = np.full(len(truth), np.nan)  # the probs each label was settled with
    probs = Probs(np.full(len(truth), 0.5))
    planning_s = 0.0
    while question is not None:
        before = state.labels()
        state = learn(state, annotator.answer(question))
        now = state.labels()
        settled = np.flatnonzero(now != before)
        said[settled] = probs.values[settled]
        step = Step(len(steps) + 1, annotator.answer(question), state.n_settled, len(steps))
        steps.append(step)
        found.append(int(np.count_nonzero(now == 1)))
        if watch is not None:
            watch(step)
        if state.done or len(steps) == max_questions:
            break
        began = clock()
        predictor.fit(x, now, state.clauses)
        values = predictor.predict(x)
        fit_s.append(clock() - began)
        probs = Probs(values, first=_round(order, now, explore))
        began = clock()
        question = planner.plan(probs, state)
        planning_s += clock() - began
    final = state.labels()
    right = int(np.count_nonzero(final == truth))
    told = np.flatnonzero(final >= 0)
    told = told[told != order[0]]
    trace = Trace(len(truth), tuple(steps))
    return LearningRun(
        Run(trace, final, right, planning_s, float(np.sum(fit_s))),
        code_length_bits(said[told], truth[told]) if len(told) else 0.0,
        np.array(fit_s),
        np.array(found),
        _calibration_error(said[told], truth[told]),
    )


def _round(
    order: NDArray[np.intp], labels: NDArray[np.int8], explore: float
) -> NDArray[np.bool_] | None:
    """The items of the round that is on; None when all have been explored."""
    still = np.cumsum(labels[order] == -1)
    size = float(_FIRST_ROUND)
    while size <= explore * len(order):
        end = int(size)
        if still[end - 1] > _LEFT * end:
            wish = np.zeros(len(order), np.bool_)
            wish[order[:end]] = True
            return wish
        size *= _GROWTH
    return None


def _calibration_error(probs: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """The mean distance between what was said and what came, over ten bins of probability."""
    if not len(probs):
        return 0.0
    bins = np.minimum((10 * probs).astype(np.intp), 9)
    gaps = np.bincount(bins, probs - labels, 10)
    return float(np.abs(gaps).sum() / len(probs))
