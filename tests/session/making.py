"""Sessions for tests: a store in memory, a planner of the house, a clock moved by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from askless.core.clause import Clause
from askless.core.events import Asked
from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.planners import make_planner
from askless.seams import Checkpoint, TrainerStatus
from askless.session.session import Session
from tests.stores.memory_store import MemoryStore


class HandClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def wall_s(self) -> float:
        return self.now

    def steady_s(self) -> float:
        return self.now


class ReadyTrainer:
    """Hands over one set of probabilities; remembers what it was taught."""

    def __init__(self, probs: Probs) -> None:
        self._probs: Probs | None = probs
        self.taught: list[int] = []

    @property
    def free(self) -> bool:
        return True

    def submit(self, labels: Any, clauses: Sequence[Clause], answers: int) -> None:
        self.taught.append(int(np.sum(labels >= 0)))

    def poll(self) -> Checkpoint | None:
        probs, self._probs = self._probs, None
        return None if probs is None else Checkpoint(1, probs, 0)

    def status(self) -> TrainerStatus:
        return TrainerStatus("idle")

    def close(self) -> None:
        pass


def make_session(
    n: int = 6, store: MemoryStore | None = None, **options: Any
) -> tuple[Session, MemoryStore, HandClock]:
    store = MemoryStore() if store is None else store
    clock = HandClock()
    probs = Probs(np.linspace(0.55, 0.95, n))
    planner = options.pop("planner", None) or make_planner("lookahead", max_n=3, seed=0)
    return Session(store, {"n": n}, planner, probs, clock, **options), store, clock


def ask(session: Session, annotator: str = "ann", tab: str = "") -> Asked:
    asked = session.ask(annotator, tab)
    assert asked is not None
    return asked


def audited(session: Session) -> list[Asked]:
    record = session.history
    return [record.asked[audit.question_id] for audit in record.audits.answers.values()]


def truthful(question: Question, truth: Sequence[bool]) -> Answer:
    right = all(truth[i] == g for i, g in zip(question.items, question.guess, strict=True))
    return question.yes() if right else question.no()


def kinds(store: MemoryStore) -> list[str]:
    return [event.kind for event in store.read()]
