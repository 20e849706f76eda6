"""Label a pool with a predictor that learns from the answers, from one label on.

The loop of a labelling session on one screen: predict, plan, answer, learn, fit. The first item,
or the first `start` items, drawn at random, are asked one by one and counted as questions. What
to ask while still learning is for a schedule to say (`askless.planners.schedule`).

The truth is used by the annotator, and to count right labels and bits:

prequential bits
    The code length of the labels under the probs they were asked with, those of the first items
    too. A planner that prices groups by products of these marginals would need about as many
    questions.
sequential bits
    The same, were every label foretold with all others before it known, also those of its own
    group (only from a predictor that tells, as `kernel` does). The difference is what
    products of marginals leave on the table.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.bounds import code_length_bits
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.errors import InvalidInput
from askless.lab.calibration import Reliability, reliability
from askless.lab.known_pool import as_labels
from askless.lab.simulate import Run
from askless.lab.trace import Step, Trace
from askless.lab.truthful import TruthfulAnnotator
from askless.planners.schedule import DEFAULT_SCHEDULE, make_schedule, random_order
from askless.seams import Annotator, Planner, Predictor, ReportsCodeLength

_LOOK_EVERY: Final = 25  # questions between two looks at the accuracy


@dataclass(frozen=True, slots=True)
class Look:
    """How good the probs of the open items are at some moment.

    Parameters
    ----------
    question
        Questions asked so far.
    settled
        Labels settled so far.
    accuracy
        Share of the open items whose likelier label is right.
    bits
        Code length of the open labels under the probs.
    ece
        Expected calibration error of these probs.
    """

    question: int
    settled: int
    accuracy: float
    bits: float
    ece: float


@dataclass(frozen=True, eq=False, slots=True)
class LearningRun:
    """What came of a simulation with a learning predictor.

    Parameters
    ----------
    run
        Questions, answers and labels; `Run.calibrating_s` is the time spent fitting.
    prequential_bits
        Code length of all labels settled, under the probs they were settled with.
    one_by_one_bits
        Code length were they foretold one after the other; None if the predictor does not tell.
    fit_s
        Seconds of every fit and prediction.
    found
        How many positives were settled after each question.
    reliability
        What was said about those labels against what came, the first ones left out.
    looks
        Accuracy, code length and calibration of what is still open, along the way.
    """

    run: Run
    prequential_bits: float
    one_by_one_bits: float | None
    fit_s: NDArray[np.float64]
    found: NDArray[np.int64]
    reliability: Reliability
    looks: tuple[Look, ...]

    @property
    def ece(self) -> float:
        """Expected calibration error of the probs that labels were settled with."""
        return self.reliability.ece

    def figures(self) -> dict[str, Any]:
        """What learning adds to the report of a run, in JSON values."""
        spent = self.fit_s if len(self.fit_s) else np.zeros(1)
        one_by_one = self.one_by_one_bits
        return {
            "prequential_bits": round(self.prequential_bits, 1),
            "one_by_one_bits": None if one_by_one is None else round(one_by_one, 1),
            "refits": len(self.fit_s),
            "refit_s": {
                "median": round(float(np.median(spent)), 4),
                "max": round(float(np.max(spent)), 4),
            },
            "calibration_error": round(self.ece, 4),
            "reliability": self.reliability.plain(),
        }


def simulate_learning(
    planner: Planner,
    predictor: Predictor,
    x: NDArray[Any],
    labels: ArrayLike,
    *,
    annotator: Annotator | None = None,
    start: int = 1,
    schedule: str | None = None,
    objective: str = "questions",
    seed: int = 0,
    max_questions: int | None = None,
    enough: int | None = None,
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
    annotator
        Who answers; None for a truthful one who says yes or no.
    start
        How many items, drawn at random, are asked one by one before anything is planned.
    schedule
        One of `askless.planners.schedule.schedule_names`; None for the best for `objective`.
    objective
        ``questions``, ``labels`` or ``seconds``: what the planner saves.
    seed
        Fixes the first item and the rounds.
    max_questions
        Stop after so many questions even if labels are still open.
    enough
        Stop once so many labels are settled.
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
    if not 0 <= start <= len(truth):
        raise InvalidInput(f"start is between 0 and the {len(truth)} items; got {start}.")
    rounds = make_schedule(schedule or DEFAULT_SCHEDULE[objective], len(truth), seed=seed)
    annotator = annotator or TruthfulAnnotator(truth)
    state = State.blank(len(truth))
    drawn = random_order(len(truth), seed)[:start].tolist()
    steps, fit_s, found, looks = list[Step](), list[float](), list[int](), list[Look]()
    said = np.full(len(truth), np.nan)  # the probs each label was settled with
    planning_s = 0.0
    while not state.done and len(steps) != max_questions:
        if enough is not None and state.n_settled >= enough:
            break
        now = state.labels()
        began = clock()
        if steps:
            predictor.fit(x, now, state.clauses)
        values = predictor.predict(x)
        if steps:
            fit_s.append(clock() - began)
        question: Question | None
        if len(steps) < start:
            question = Question((int(drawn[len(steps)]),), (True,))
        else:
            probs = Probs(values)
            priority = None if rounds is None else rounds(probs, state)
            began = clock()
            question = planner.plan(probs, state, priority=priority)
            planning_s += clock() - began
        if question is None:
            break
        answer = annotator.answer(question)
        state = learn(state, answer)
        settled = np.flatnonzero(state.labels() != now)
        said[settled] = values[settled]
        step = Step(len(steps) + 1, answer, state.n_settled, len(steps))
        steps.append(step)
        found.append(int(np.count_nonzero(state.labels() == 1)))
        if watch is not None:
            watch(step)
        if len(steps) % _LOOK_EVERY == 0:
            looks.append(_look(step, values, state.labels(), truth))
    final = state.labels()
    if steps and isinstance(predictor, ReportsCodeLength):  # of all labels, the last ones too
        predictor.fit(x, final, state.clauses)
    right = int(np.count_nonzero(final == truth))
    known = np.flatnonzero(final >= 0)
    told = np.setdiff1d(known, np.array(drawn, dtype=np.intp))
    return LearningRun(
        Run(Trace(len(truth), tuple(steps)), final, right, planning_s, float(np.sum(fit_s))),
        code_length_bits(said[known], truth[known]) if len(known) else 0.0,
        predictor.one_by_one_bits if isinstance(predictor, ReportsCodeLength) else None,
        np.array(fit_s),
        np.array(found),
        reliability(said[told], truth[told]),
        tuple(looks),
    )


def _look(
    step: Step, values: NDArray[np.float64], labels: NDArray[np.int8], truth: NDArray[np.bool_]
) -> Look:
    left = np.flatnonzero(labels < 0)
    right = (values[left] > 0.5) == truth[left]
    accuracy = float(right.mean()) if len(left) else 1.0
    bits = code_length_bits(values[left], truth[left]) if len(left) else 0.0
    ece = reliability(values[left], truth[left]).ece
    return Look(step.number, step.settled, accuracy, bits, ece)
