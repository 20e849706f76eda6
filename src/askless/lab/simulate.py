"""Play an annotator who knows every label against a session, until nothing is left to ask.

    with open_session(pool, method) as opened:
        run = simulate(opened.session, pool.labels)

This is the only loop of the lab. It asks and tells as a person would, so whatever a session does,
calibrating, learning, drawing a test sample, checking, storing, is part of the run. A session that
promises something is asked until that holds. The truth is used by the
annotator and to count the right labels at the end; nothing that plans or predicts sees it.
`simulate_planner` does the same with a bare planner and given probabilities.

May be imported by `askless.assemble` and above. Tested in tests/lab/test_simulate.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.probability import Probs
from askless.core.question import Answer
from askless.core.state import State, learn
from askless.doors import of_kind, shown, whole
from askless.errors import InvalidInput
from askless.lab.known_pool import KnownPool, as_labels, as_probs
from askless.lab.trace import Step, Trace
from askless.lab.truthful import TruthfulAnnotator
from askless.seams import Annotator, Calibrator, Planner, Schedule
from askless.session.session import Session

SIMULATED = "simulated"
"""The name that a session knows the annotator by."""


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """What came of a simulation.

    Parameters
    ----------
    trace
        Every question and answer.
    labels
        The labels settled: 1, 0, or -1 for an item still open.
    labels_right, labels_wrong
        How many of them are settled and right, and settled and wrong.
    planning_s
        Seconds it took to choose the questions.
    calibrating_s
        Seconds it took to bring the probabilities up to date before each question.
    """

    trace: Trace
    labels: NDArray[np.int8]
    labels_right: int
    labels_wrong: int
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
    session: Session,
    labels: ArrayLike,
    *,
    annotator: Annotator | None = None,
    max_questions: int | None = None,
    enough: int | None = None,
    watch: Callable[[Step], None] | None = None,
    record: Callable[[Step], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Run:
    """Label a pool whose labels are known, and see how many questions it takes.

    Parameters
    ----------
    session
        Asks the questions and keeps the answers. One that began earlier goes on, and what was
        answered before is part of the run.
    labels
        The right label of every item.
    annotator
        Answers the questions; by default one who always tells the truth.
    max_questions
        Stop after this many questions even if labels are still open.
    enough
        Stop once this many labels are settled.
    watch
        Called with every question once it is answered, earlier ones first.
    record
        The same for questions asked now, while `Session.probs` is still what they were planned
        with; for `askless.lab.prequential.PrequentialRecorder`.
    clock
        Gives the time in seconds, for `Run.planning_s` and `Run.calibrating_s`.
    """
    truth = as_labels(labels)
    of_kind("What is simulated", session, Session, "a Session, as open_session gives one")
    _check(annotator, max_questions, enough, watch=watch, record=record, clock=clock)
    if len(truth) != session.state.n:
        raise InvalidInput(
            f"A simulation needs the label of each of the {session.state.n} items; "
            f"got {len(truth)} labels."
        )
    annotator = annotator or TruthfulAnnotator(truth)
    steps: list[Step] = []
    planning_s = calibrating_s = 0.0

    def note(answer: Answer, settled: int, probs: int) -> None:
        steps.append(Step(len(steps) + 1, answer, settled, probs))
        if watch is not None:
            watch(steps[-1])

    earlier, history = State.blank(len(truth)), session.history
    for number, given in sorted([*history.answers.items(), *history.audits.answers.items()]):
        if number in session.state.answers:
            earlier = learn(earlier, given.answer, number)
        annotator.answer(given.answer.question)  # so that it draws on from where it stopped
        note(given.answer, earlier.n_settled, history.asked[given.question_id].probs)
    while not session.state.done and len(steps) != max_questions:
        if enough is not None and session.state.n_settled >= enough:
            break
        if (standing := session.standing()) is not None and standing.enough:
            break
        began = clock()
        session.refresh()
        calibrated = clock()
        asked = session.ask(SIMULATED)
        calibrating_s += calibrated - began
        planning_s += clock() - calibrated
        if asked is None:
            break
        answer = annotator.answer(asked.question)
        session.tell(asked.id, answer, f"{SIMULATED} {asked.id}")
        note(answer, session.state.n_settled, asked.probs)
        if record is not None:
            record(steps[-1])
    found = session.state.labels()
    right = int(np.count_nonzero(found == truth))
    wrong = session.state.n_settled - right
    return Run(Trace(len(truth), tuple(steps)), found, right, wrong, planning_s, calibrating_s)


def _check(annotator: Any, max_questions: Any, enough: Any, **called: Any) -> None:
    """Refuse what cannot be meant."""
    for name, value in (("max_questions", max_questions), ("enough", enough)):
        if value is not None:
            whole(name, value)
    for name, value in called.items():
        if (value is not None or name == "clock") and (
            not callable(value) or isinstance(value, type)
        ):
            raise InvalidInput(f"{name} is a function; got {shown(value)}.")
    if not isinstance(called["clock"](), int | float):
        raise InvalidInput(f"clock gives seconds; got {shown(called['clock']())}.")
    if annotator is not None and not callable(getattr(annotator, "answer", None)):
        raise InvalidInput(f"An annotator has a method, answer; got {shown(annotator)}.")


def simulate_planner(
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
    """`simulate` a planner with given probabilities, in a session with nothing else.

    Parameters
    ----------
    planner
        Chooses the questions.
    probs
        P(label is True) for every item.
    calibrator
        Corrects them before each question; None to take them as they are.
    schedule
        Says which items to ask about first; None to let the planner choose.
    labels, annotator, max_questions, watch, clock
        As for `simulate`.
    """
    pool = KnownPool(probs if isinstance(probs, Probs) else as_probs(probs), as_labels(labels))
    session = Session(
        None,
        {"n": len(pool)},
        planner,
        pool.probs,
        _StoppedClock(),
        calibrator=calibrator,
        schedule=schedule,
    )
    return simulate(
        session,
        pool.labels,
        annotator=annotator,
        max_questions=max_questions,
        watch=watch,
        clock=clock,
    )


class _StoppedClock:
    """For a run that depends on no time."""

    def wall_s(self) -> float:
        """Always 0."""
        return 0.0

    def steady_s(self) -> float:
        """Always 0."""
        return 0.0
