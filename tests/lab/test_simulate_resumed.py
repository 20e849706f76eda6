"""A simulated run through a real session says the same as one without."""

from __future__ import annotations

import numpy as np

from askless.calibration.online import OnlineRecalibration
from askless.core.probability import Probs
from askless.lab.simulate import Run, simulate, simulate_planner
from askless.planners import make_planner
from askless.planners.schedule import RandomRounds
from askless.session.session import Session
from tests.stores.memory_store import MemoryStore

N = 150
VALUES = np.random.default_rng(0).beta(0.3, 0.3, N)
TRUTH = np.random.default_rng(1).random(N) < VALUES


class StoppedClock:
    def wall_s(self) -> float:
        return 0.0

    def steady_s(self) -> float:
        return 0.0


def session(store: MemoryStore) -> Session:
    planner = make_planner("nested", max_n=8)
    return Session(
        store,
        {"n": N},
        planner,
        Probs(VALUES),
        StoppedClock(),
        calibrator=OnlineRecalibration(),
        schedule=RandomRounds(N),
    )


def played(store: MemoryStore) -> Run:
    ticks = iter(range(10**9))
    return simulate(session(store), TRUTH, clock=lambda: float(next(ticks)))


def test_changes_of_the_probabilities_are_told_as_without_a_session() -> None:
    plain = simulate_planner(
        make_planner("nested", max_n=8),
        VALUES,
        TRUTH,
        calibrator=OnlineRecalibration(),
        schedule=RandomRounds(N),
    )
    through = played(MemoryStore())
    assert through.trace.steps == plain.trace.steps
    assert through.trace.steps[-1].probs > 2
    assert through.calibrating_s > 0
    assert through.planning_s > 0


def test_a_run_that_is_taken_up_remembers_what_earlier_questions_were_planned_with() -> None:
    store = MemoryStore()
    first = session(store)
    for _ in range(25):
        asked = first.ask("simulated")
        assert asked is not None
        question = asked.question
        right = bool(np.all(TRUTH[list(question.items)] == np.array(question.guess)))
        first.tell(asked.id, question.yes() if right else question.no(), f"simulated {asked.id}")
    whole = played(store)
    earlier = [asked.probs for asked in first.history.asked.values()]
    told = [step.probs for step in whole.trace.steps]
    assert told[:25] == earlier
    assert told == sorted(told)
    assert earlier[-1] > 0
    assert np.array_equal(whole.labels, TRUTH)
