"""Which probabilities a question was planned with: a version never names two sets of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.core.clause import Clause
from askless.core.probability import Probs
from askless.core.state import State
from askless.seams import Checkpoint, TrainerStatus
from askless.session.session import Session
from tests.session.making import ReadyTrainer, ask, make_session, truthful
from tests.stores.memory_store import MemoryStore

N = 12
TRUTH = [item % 3 != 0 for item in range(N)]


class HandTrainer:
    """Fits when it is told to; what it hands over is told apart by its values."""

    def __init__(self, last: int = 0) -> None:
        self.number = last
        self.busy = False
        self.taught: list[list[int]] = []
        self._fresh: Checkpoint | None = None

    @property
    def free(self) -> bool:
        return not self.busy

    def submit(self, labels: Any, clauses: Sequence[Clause], answers: int) -> None:
        self.taught.append(labels.tolist())

    def finish(self, answers: int = 0) -> Checkpoint:
        self.busy = False
        self.number += 1
        values = np.full(N, 0.5 + self.number / 1000)
        self._fresh = Checkpoint(self.number, Probs(values), answers, f"sum {self.number}")
        return self._fresh

    def poll(self) -> Checkpoint | None:
        fresh, self._fresh = self._fresh, None
        return fresh

    def status(self) -> TrainerStatus:
        return TrainerStatus("idle")

    def close(self) -> None:
        pass


def drifting(probs: Probs, state: State) -> Probs:
    """Corrects by how many labels are settled, a little more with every call."""
    return Probs(np.clip(probs.values + state.n_settled / 500 + next(_calls) * 1e-5, 0, 1))


_calls: Iterator[int] = iter(range(10**9))


def answer(session: Session) -> None:
    asked = ask(session)
    session.tell(asked.id, truthful(asked.question, TRUTH), f"k{asked.id}")


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(["answer", "fit", "prepare", "correct", "undo", "reopen"])))
def test_a_version_names_one_set_of_probabilities_however_often_it_is_taken_up(
    happenings: list[str],
) -> None:
    store = MemoryStore()
    trainer = HandTrainer()
    last: Checkpoint | None = None
    seen: dict[int, bytes] = {}
    versions: list[int] = []
    session, _, _ = make_session(N, store, trainer=trainer, calibrator=drifting)
    known = 0
    for happening in [*happenings, "answer"]:
        match happening:
            case "answer" if not session.state.done:
                answer(session)
            case "fit":
                last = trainer.finish()
            case "prepare" if (live := session.ask("ann")) is not None:
                session.queue.plan_ahead(live.id)
            case "correct":
                session.correct(0, not session.state.label(0), "ann")
            case "undo":
                session.undo("ann")
            case "reopen":
                trainer = HandTrainer(trainer.number)
                session, _, _ = make_session(
                    N, store, trainer=trainer, calibrator=drifting, checkpoint=last
                )
        events = list(store.read())
        for event in events[known:]:
            if event.kind == "asked" and happening != "prepare":
                version = event.payload.get("probs", 0)
                versions.append(version)
                now = session.probs.values.tobytes()
                if version == session.progress().probs_version:
                    assert seen.setdefault(version, now) == now
        known = len(events)
    assert len(set(versions)) <= session.progress().probs_version + 1


def test_fixed_probabilities_are_one_version_also_after_a_restart() -> None:
    store = MemoryStore()
    for _ in range(3):
        session, _, _ = make_session(N, store)
        answer(session)
    assert [asked.probs for asked in session.history.asked.values()] == [0, 0, 0]


def test_a_correction_names_the_version_and_numbering_goes_on_after_it() -> None:
    store = MemoryStore()
    trainer = HandTrainer()
    session, _, _ = make_session(N, store, trainer=trainer)
    answer(session)
    trainer.finish()
    answer(session)
    session.correct(0, not session.state.label(0), "ann")
    assert [asked.probs for asked in session.history.asked.values()] == [0, 1, 1]
    again, _, _ = make_session(N, store, trainer=HandTrainer(1))
    answer(again)
    assert list(again.history.asked.values())[-1].probs == 2


def test_a_checkpoint_that_nobody_took_before_the_restart_is_another_version_and_noted() -> None:
    store = MemoryStore()
    trainer = HandTrainer()
    session, _, _ = make_session(N, store, trainer=trainer)
    trainer.finish()
    answer(session)
    untaken = trainer.finish()
    again, _, _ = make_session(N, store, checkpoint=untaken)
    answer(again)
    first, second = again.history.asked.values()
    assert (first.probs, second.probs) == (1, 2)
    assert (again.history.checkpoint, again.history.checksum) == (2, "sum 2")
    noted = [event.payload["number"] for event in store.read() if event.kind == "checkpoint"]
    assert noted == [1, 2]


def test_what_a_session_was_opened_with_is_the_only_version_0() -> None:
    checkpoint = HandTrainer().finish()
    taken_up, _, _ = make_session(N, checkpoint=checkpoint)
    trainer = HandTrainer()
    handed_over, _, _ = make_session(N, trainer=trainer)
    trainer.finish()
    for session in (taken_up, handed_over):
        answer(session)
        assert [asked.probs for asked in session.history.asked.values()] == [1]


def test_checkpoints_are_noted_also_when_their_numbers_begin_again() -> None:
    store = MemoryStore()
    for _ in range(2):
        trainer = HandTrainer()
        session, _, _ = make_session(N, store, trainer=trainer)
        fresh = trainer.finish()
        trainer._fresh = Checkpoint(1, fresh.probs, 0, f"{len(list(store.read()))}")
        answer(session)
    assert [event.kind for event in store.read()].count("checkpoint") == 2


def test_the_trainer_hears_what_was_undone_retracted_and_unsure_while_it_was_at_work() -> None:
    trainer = HandTrainer()
    session, _, _ = make_session(N, trainer=trainer)
    session.unsure(3, "", "ann")
    trainer.busy = True
    session.undo("ann")
    assert [labels[3] for labels in trainer.taught] == [-2, -1]  # it replaces what still waits
    trainer.finish(answers=0)
    session.refresh()
    assert len(trainer.taught) == 2  # it has been told everything


def test_undoing_unsure_teaches_and_opens_the_item_again() -> None:
    trainer = ReadyTrainer(Probs(np.full(N, 0.5)))
    session, _, _ = make_session(N, trainer=trainer)
    session.unsure(3, "blurred", "ann")
    taught = len(trainer.taught)
    undone = session.undo("ann")
    shown = set(undone.question.items if undone else ())
    assert len(trainer.taught) == taught + 1
    assert session.state.is_open(3)
    while (asked := session.ask(f"w{len(shown)}")) is not None:
        shown.update(asked.question.items)
    assert 3 in shown
