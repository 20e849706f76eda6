"""Play a planner against an annotator until every label is settled.

The loop of a labelling session with nothing around it: no store, no refitting,
no leases. The probs may be calibrated between questions by what the answers have
shown. The truth is used twice, by the annotator and to count the right
labels at the end; planner, calibrator and schedule never see it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.probability import Probs
from askless.core.question import Answer
from askless.core.state import State, learn
from askless.errors import InvalidInput
from askless.lab.known_pool import KnownPool, as_labels, as_probs
from askless.lab.trace import Step, Trace
from askless.lab.truthful import TruthfulAnnotator
from askless.seams import Annotator, Calibrator, Planner, Schedule
from askless.session.projections import AskedQuestion
from askless.session.session import Session


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """What came of a simulation.

    Parameters
    ----------
    trace
        Every question and answer.
    labels
        The labels settled: 1, 0, or -1 for an item still open.
    labels_right
        How many of them are settled and right.
    planning_s
        Seconds the planner took, over all questions.
    calibrating_s
        Seconds it took to correct the probs, over all questions.
    """

    trace: Trace
    labels: NDArray[np.int8]
    labels_right: int
    planning_s: float
    calibrating_s: float = 0.0

    @property
    def questions(self) -> int:
        """The number of questions asked."""
        return len(self.trace.steps)

    @property
    def items_shown(self) -> int:
        """Items shown over all questions; an item asked about twice counts twice."""
        return sum(len(step.answer) for step in self.trace.steps)


def simulate(
    planner: Planner,
    probs: Probs | ArrayLike,
    labels: ArrayLike,
    *,
    annotator: Annotator | None = None,
    calibrator: Calibrator | None = None,
    schedule: Schedule | None = None,
    max_questions: int | None = None,
    watch: Callable[[Step], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Run:
    """Label a pool whose labels are known, and see how many questions it takes.

    Parameters
    ----------
    planner
        Chooses the questions.
    probs
        P(label is True) for every item.
    labels
        The right label of every item.
    annotator
        Answers the questions; by default one who always tells the truth.
    calibrator
        Given the probs and the state before every question, gives the probs to plan with.
    schedule
        Given the same, says which items to ask about first.
    max_questions
        Stop after so many questions even if labels are still open.
    watch
        Called with every question once it is answered.
    clock
        Gives the time in seconds, for `Run.planning_s` and `Run.calibrating_s`.
    """
    pool = KnownPool(probs if isinstance(probs, Probs) else as_probs(probs), as_labels(labels))
    if max_questions is not None and max_questions < 0:
        raise InvalidInput(f"A run asks 0 questions or more; got max_questions={max_questions}.")
    annotator = annotator or TruthfulAnnotator(pool.labels)
    state = State.blank(len(pool))
    steps: list[Step] = []
    planning_s = calibrating_s = 0.0
    now, changes = pool.probs, 0
    while not state.done and len(steps) != max_questions:
        if calibrator is not None:
            began = clock()
            latest = calibrator(pool.probs, state)
            calibrating_s += clock() - began
            changes += bool(steps) and latest is not now
            now = latest
        began = clock()
        priority = None if schedule is None else schedule(pool.probs, state)
        question = planner.plan(now, state, priority=priority)
        planning_s += clock() - began
        if question is None:
            break
        answer = annotator.answer(question)
        state = learn(state, answer)
        step = Step(len(steps) + 1, answer, state.n_settled, changes)
        steps.append(step)
        if watch is not None:
            watch(step)
    return _run(state, pool.labels, steps, planning_s, calibrating_s)


def simulate_session(
    session: Session,
    labels: ArrayLike,
    *,
    annotator: Annotator | None = None,
    watch: Callable[[Step], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Run:
    """The same through a real session, which may have begun earlier and is taken up.

    Parameters
    ----------
    session
        Asks the questions and keeps the answers.
    labels, annotator, watch, clock
        As for `simulate`; `watch` is called with the earlier answers first. Choosing a question
        counts as planning with everything a session does to ask it.
    """
    truth = as_labels(labels)
    annotator = annotator or TruthfulAnnotator(truth)
    history = session.history
    steps: list[Step] = []
    planning_s = 0.0
    timed = _Timed(session.calibrator, clock)
    session.use(calibrator=timed if session.calibrator else None)
    session.refresh()  # what was believed when it was stopped, also if nothing is left to ask

    def note(answer: Answer, settled: int, asked: AskedQuestion) -> None:
        steps.append(Step(len(steps) + 1, answer, settled, asked.probs))
        if watch is not None:
            watch(steps[-1])

    earlier = State.blank(session.state.n)
    for number, answer in sorted(session.state.answers.items()):
        earlier = learn(earlier, answer, number)
        note(answer, earlier.n_settled, history.answered(number))
    while not session.state.done:
        began, calibrated_s = clock(), timed.seconds
        asked = session.ask("simulated")
        planning_s += clock() - began - (timed.seconds - calibrated_s)
        if asked is None:
            break
        answer = annotator.answer(asked.question)
        session.tell(asked.id, answer, key=f"simulated {asked.id}")
        note(answer, session.state.n_settled, asked)
    return _run(session.state, truth, steps, planning_s, timed.seconds)


class _Timed:
    """Calibrates as another does, and counts the seconds."""

    def __init__(self, calibrator: Calibrator | None, clock: Callable[[], float]) -> None:
        self._calibrator, self._clock = calibrator, clock
        self.seconds = 0.0

    def __call__(self, probs: Probs, state: State) -> Probs:
        assert self._calibrator is not None
        began = self._clock()
        try:
            return self._calibrator(probs, state)
        finally:
            self.seconds += self._clock() - began


def _run(
    state: State,
    labels: NDArray[np.bool_],
    steps: list[Step],
    planning_s: float,
    calibrating_s: float,
) -> Run:
    found = state.labels()
    right = int(np.count_nonzero(found == labels))
    return Run(Trace(state.n, tuple(steps)), found, right, planning_s, calibrating_s)
