"""Everything that can be done to a session, in any order, beside a simple model of it.

The model knows which answers stand, which items are unsure, and what each person did last.
What must follow from that is in test_session_machine.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from askless.calibration import choose_calibrator
from askless.core.clause import Clause
from askless.core.event import Event
from askless.core.events import Asked, Unsure
from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.errors import NotWritten, Refused
from askless.planners import make_planner
from askless.planners.schedule import choose_schedule
from askless.seams import Checkpoint, TrainerStatus
from askless.session.session import Session, SessionOptions
from tests.stores.memory_store import MemoryStore

PLANNERS = ["auto", "fill", "grid", "lookahead", "nested", "one-by-one"]
WINDOWS = [("ann", ""), ("ann", "2"), ("bob", "")]


def drawn_probs(n: int, seed: int) -> Probs:
    """Any numbers from 0 to 1, the odd ones often."""
    rng = np.random.default_rng(seed)
    odd = rng.choice([0.0, 5e-324, 0.3, 0.5, 0.9, 1.0], n)
    return Probs(np.where(rng.random(n) < 0.5, odd, rng.random(n)))


class FlakyStore(MemoryStore):
    """A memory store that can be told to fail."""

    failing = False

    def append(self, events: Sequence[Event]) -> int:
        if self.failing:
            raise NotWritten("The disk is full; free some space and answer again.", reopen=False)
        return super().append(events)


class FakeTime:
    now = 0.0

    def wall_s(self) -> float:
        return -self.now  # a clock that runs backwards decides nothing

    def steady_s(self) -> float:
        return self.now


class Mailbox:
    """A trainer whose fresh probabilities the machine posts itself."""

    free = True

    def __init__(self) -> None:
        self.fresh: Checkpoint | None = None

    def submit(self, labels: Any, clauses: Sequence[Clause], answers: int) -> None:
        assert not any(set(clause.items) - set(np.flatnonzero(labels == -1)) for clause in clauses)

    def poll(self) -> Checkpoint | None:
        fresh, self.fresh = self.fresh, None
        return fresh

    def status(self) -> TrainerStatus:
        return TrainerStatus("idle")

    def close(self) -> None:
        pass


class Deeds(RuleBasedStateMachine):
    """The model: which answers stand and which items are unsure. The rest must follow."""

    @initialize(
        n=st.integers(1, 24) | st.just(70),  # enough for rounds of recalibration
        test_sample=st.integers(0, 5),
        planner=st.sampled_from(PLANNERS),
        recalibrate=st.booleans(),
        seed=st.integers(0, 999),
    )
    def begin(self, n: int, test_sample: int, planner: str, recalibrate: bool, seed: int) -> None:
        self.n = n
        self.planner, self.recalibrate = planner, recalibrate
        self.options = SessionOptions(lease_s=100, audit_every=2, test_sample=test_sample)
        self.truth = np.random.default_rng(seed).random(n) < 0.5
        self.store = FlakyStore()
        self.clock = FakeTime()
        self.mailbox = Mailbox()
        self.probs = drawn_probs(n, seed)
        self.standing: dict[int, Answer] = {}
        self.told: dict[str, tuple[Asked, Answer, int]] = {}
        self.undone: dict[str, tuple[str, str]] = {}  # by key: the window
        self.checkpoints: list[Checkpoint] = []
        self.corrected: dict[int, dict[int, Answer]] = {}  # what each correction replaced
        self.unsure: set[int] = set()
        self.steps: dict[int, tuple[bool, dict[int, Unsure | None], dict[int, Answer]]] = {}
        self.seen: list[Asked] = []
        # The number of every event that undo can take back: what it was, who did it and where.
        self.done: dict[int, tuple[str, int, tuple[str, str]]] = {}
        self.reopen()

    @rule()
    def reopen(self) -> None:
        """As after a kill: nothing is left but the store."""
        self.replayed = -1
        self.session = Session(
            self.store,
            {"n": self.n},
            make_planner(self.planner, max_n=3, seed=0),
            self.probs,
            self.clock,
            trainer=self.mailbox,
            calibrator=choose_calibrator(self.probs) if self.recalibrate else None,
            schedule=choose_schedule(self.probs) if self.recalibrate else None,
            options=self.options,
            checkpoint=self.checkpoints[-1] if self.checkpoints else None,
        )

    @rule(planner=st.sampled_from(PLANNERS))
    def go_on_with(self, planner: str) -> None:
        self.session.use(planner=make_planner(planner, max_n=4, seed=1))

    @rule()
    def look_how_far_it_is(self) -> None:
        progress = self.session.progress()
        assert progress.disputes == len(self.session.history.disputes)
        assert progress.settled + progress.open + progress.unsure == self.n
        if (left := progress.questions_left) is not None:
            most = max(1, 2 * progress.open)  # every other question may be an audit
            assert 0 <= left.low <= left.expected <= left.high <= most
        if progress.seconds_left is not None:
            seconds = progress.seconds_left
            assert 0 <= seconds.low <= seconds.expected <= seconds.high < float("inf")

    @rule(window=st.sampled_from(WINDOWS))
    def ask(self, window: tuple[str, str]) -> None:
        asked = self.session.ask(*window)
        if asked is not None:
            assert (asked.annotator, asked.tab) == window
            self._saw(asked)

    @rule(data=st.data())
    def plan_ahead(self, data: st.DataObject) -> None:
        if self.seen:
            self.session.queue.plan_ahead(data.draw(st.sampled_from(self.seen)).id)

    @rule(data=st.data(), lying=st.booleans())
    def tell(self, data: st.DataObject, lying: bool) -> None:
        """Answer any question that was ever asked and has no answer; late ones too."""
        waiting = [asked for asked in self.seen if not self._is_answered(asked)]
        if waiting:
            self._tell(data, data.draw(st.sampled_from(waiting)), lying)

    @rule(data=st.data())
    def tell_another_answer(self, data: st.DataObject) -> None:
        """Also one that was corrected is an answer, since it may come back."""
        answered = [asked for asked in self.seen if self._is_answered(asked)]
        if answered:
            asked = data.draw(st.sampled_from(answered))
            self._is_refused(asked.id, asked.question.no(), "another")

    @rule(data=st.data(), count=st.integers(2, 8), window=st.sampled_from(WINDOWS))
    def work(self, data: st.DataObject, count: int, window: tuple[str, str]) -> None:
        """Go on for a while, as people do."""
        for _ in range(count):
            asked = self.session.ask(*window)
            self._saw(asked)
            if asked is not None and not self._is_answered(asked):
                self._tell(data, asked, lying=False)

    @rule(data=st.data())
    def quarrel(self, data: st.DataObject) -> None:
        """Two people answer the same question, one of them after the lease, and disagree."""
        first = self.session.ask("ann")
        self.clock.now += 101
        second = self.session.ask("bob")
        for asked, lying in ((first, False), (second, True)):
            if asked is not None and not self._is_answered(asked):
                self._saw(asked)
                self._tell(data, asked, lying)

    def _tell(self, data: st.DataObject, asked: Asked, lying: bool) -> None:
        question = asked.question
        pairs = zip(question.items, question.guess, strict=True)
        wrong = [item for item, guess in pairs if self.truth[item] != guess]
        if not lying and data.draw(st.booleans()):
            answer = question.pointed(wrong, rest_right=True)
        else:
            answer = question.no() if bool(wrong) != lying else question.yes()
        key = f"key {len(self.told)}"
        if asked.id < 0:
            told = self.session.tell(None, answer, key, asked.annotator, tab=asked.tab)
            asked = self.session.history.asked[
                self.session.history.answers[told.number].question_id
            ]
        else:
            told = self.session.tell(asked.id, answer, key, then=data.draw(self._next_shown()))
        self.told[key] = (asked, answer, told.number)
        if question.purpose != "audit":
            self.standing[told.number] = answer
        self.done[told.number] = ("answer", told.number, (asked.annotator, asked.tab))

    def _next_shown(self) -> st.SearchStrategy[Question | None]:
        return st.sampled_from([None, *self.session.queue.spare("ann", 1)])

    @rule(data=st.data())
    def tell_again(self, data: st.DataObject) -> None:
        """A retry after a lost acknowledgement."""
        if self.told:
            key = data.draw(st.sampled_from(sorted(self.told)))
            asked, answer, number = self.told[key]
            told = self.session.tell(asked.id, answer, key)
            assert (told.number, told.settled) == (number, 0)

    @rule(data=st.data())
    def forge(self, data: st.DataObject) -> None:
        self._is_refused(10_000, Question((0,), (True,)).yes(), "forged")
        if self.seen:
            asked = data.draw(st.sampled_from(self.seen))
            self._is_refused(asked.id, asked.question.yes(), "forged", "mallory")
            stranger = Question((self.n - 1,), (True,)).yes()
            if stranger.question != asked.question:
                self._is_refused(asked.id, stranger, "forged")

    def _is_refused(self, *told: Any) -> None:
        before, events = self.session.state, len(list(self.store.read()))
        with pytest.raises(Refused):
            self.session.tell(*told)
        assert len(list(self.store.read())) == events
        assert self.session.state is before

    @rule(data=st.data())
    def full_disk(self, data: st.DataObject) -> None:
        waiting = [asked for asked in self.seen if not self._is_answered(asked)]
        if not waiting:
            return
        asked = data.draw(st.sampled_from(waiting))
        before = self.session.state
        self.store.failing = True
        with pytest.raises(NotWritten):
            self.session.tell(asked.id, asked.question.yes(), "never")
        self.store.failing = False
        assert self.session.state is before

    @rule(window=st.sampled_from(WINDOWS), here=st.booleans(), keyed=st.booleans())
    def undo(self, window: tuple[str, str], here: bool = False, keyed: bool = False) -> None:
        mine = [
            number
            for number, (_, _, (who, tab)) in self.done.items()
            if who == window[0] and (not here or tab == window[1])
        ]
        key = f"undo {self.session.history.last}" if keyed else None
        self._saw(self.session.undo(*window, key, here=here))
        if key is not None:
            self.undone[key] = window
        if not mine:
            return
        what, which, _ = self.done.pop(max(mine))
        self._take_back(what, which)

    def _take_back(self, what: str, which: int) -> None:
        if what == "unsure":
            self.unsure.discard(which)
            return
        self.standing.pop(which, None)  # an audit never stood among them
        for number, answer in self.corrected.get(which, {}).items():
            self.standing[number] = answer
            given = self.session.history.answers[number]
            tab = self.session.history.asked[given.question_id].tab
            self.done[number] = ("answer", number, (given.annotator, tab))

    @rule(data=st.data())
    def undo_again(self, data: st.DataObject) -> None:
        """A retry after a lost acknowledgement; whatever was said since stays."""
        if self.undone:
            key = data.draw(st.sampled_from(sorted(self.undone)))
            self._saw(self.session.undo(*self.undone[key], key))

    @rule(data=st.data())
    def retract(self, data: st.DataObject) -> None:
        if not self.standing:
            return
        number = data.draw(st.sampled_from(sorted(self.standing)))
        self.session.retract(number)
        self._gone(number)
        if self.session.history.answers[number].corrects is not None:
            self._take_back("answer", number)  # what it replaced stands again

    @rule(data=st.data(), window=st.sampled_from(WINDOWS))
    def correct(self, data: st.DataObject, window: tuple[str, str]) -> None:
        annotator, tab = window
        item, label = data.draw(st.integers(0, self.n - 1)), data.draw(st.booleans())
        events = len(list(self.store.read()))
        if item in self.unsure:
            with pytest.raises(Refused):
                self.session.correct(item, label, annotator)
            return
        told = self.session.correct(item, label, annotator, f"correction {events}", tab=tab)
        assert self.session.state.label(item) is label
        if not self.session.history.keys.changed_something(f"correction {events}"):
            return  # it had that label
        given = self.session.history.answers[told.number]
        self.corrected[told.number] = {number: self.standing[number] for number in given.replaces}
        for number in given.replaces:
            self._gone(number)
        self.standing[told.number] = given.answer
        self.done[told.number] = ("answer", told.number, window)

    @rule(data=st.data(), window=st.sampled_from(WINDOWS))
    def put(self, data: st.DataObject, window: tuple[str, str]) -> None:
        """A question that was handed out ahead, shown in this window now if it still may be."""
        spare = self.session.queue.spare(window[0], 2)
        live = [shown.asked for shown in self.session.queue.leases]
        for asked in live:
            spare += self.session.queue.plan_ahead(asked.id, depth=2).values()
        if not spare:
            return
        question = data.draw(st.sampled_from(spare))
        try:
            asked = self.session.queue.put(question, *window)
        except Refused:
            return
        assert (asked.question, asked.annotator, asked.tab) == (question, *window)
        self._saw(asked)

    @rule(data=st.data(), window=st.sampled_from(WINDOWS), lying=st.booleans())
    def tell_what_was_planned_ahead(
        self, data: st.DataObject, window: tuple[str, str], lying: bool
    ) -> None:
        for question in self.session.queue.spare(window[0], 1):
            self._tell(data, Asked(question, annotator=window[0], tab=window[1]), lying)

    @rule(data=st.data(), window=st.sampled_from(WINDOWS))
    def think_better_of_a_correction(self, data: st.DataObject, window: tuple[str, str]) -> None:
        before, numbers = self.session.state.labels(), set(self.corrected)
        self.session.define("Something else.")
        self.correct(data, window)
        self.undo(window)
        if set(self.corrected) != numbers and not self.session.history.disputes:
            assert np.array_equal(self.session.state.labels(), before)

    def _gone(self, number: int) -> None:
        del self.standing[number]
        self.done.pop(number, None)

    def _saw(self, asked: Asked | None) -> None:
        if asked is not None and asked.id not in [other.id for other in self.seen]:
            self.seen.append(asked)

    @rule(
        data=st.data(),
        window=st.sampled_from(WINDOWS),
        note=st.sampled_from(["why", "blurred"]),
    )
    def mark_unsure(self, data: st.DataObject, window: tuple[str, str], note: str) -> None:
        item = data.draw(st.integers(0, self.n - 1))
        before = self.session.history.unsure.get(item)
        self.session.unsure(item, note, window[0], tab=window[1])
        if before is None or before.note != note:
            self.done = {k: deed for k, deed in self.done.items() if deed[:2] != ("unsure", item)}
            self.done[self.session.history.last] = ("unsure", item, window)
        said = self.session.history.unsure.get(item)
        assert said is not None
        assert said.note == note
        self.unsure.add(item)

    @rule(seconds=st.sampled_from([1.0, 101.0]))
    def wait(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule(seed=st.integers(0, 999))
    def train(self, seed: int) -> None:
        number = len(self.checkpoints) + 1
        self.checkpoints.append(Checkpoint(number, drawn_probs(self.n, seed), 0, f"sum {number}"))
        self.mailbox.fresh = self.checkpoints[-1]

    def _is_answered(self, asked: Asked) -> bool:
        """Whether its answer stands, or has been corrected by one that does."""
        replaced = {old: new for new, olds in self.corrected.items() for old in olds}
        history = self.session.history
        given = {**history.answers, **history.audits.answers}
        number = max((n for n, told in given.items() if told.question_id == asked.id), default=None)
        while number is not None and not history.stands(number):
            number = replaced.get(number)
        assert history.answer_to(asked.id) == number
        return number is not None
