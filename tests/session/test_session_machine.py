"""A machine that does everything to a session, in any order, beside a simple model of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from askless.core.clause import Clause
from askless.core.event import Event
from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import replay, undecided
from askless.core.verify import unproved_items
from askless.errors import Contradiction, NotWritten, Refused
from askless.planners import make_planner
from askless.seams import Checkpoint, TrainerStatus
from askless.session.record import Asked, Record
from askless.session.session import Manners, Session
from askless.stores.memory import MemoryStore

WINDOWS = [("ann", ""), ("ann", "2"), ("bob", "")]


class FlakyStore(MemoryStore):
    """A memory store that can be told to fail."""

    failing = False

    def append(self, events: Sequence[Event]) -> tuple[Event, ...]:
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


class SessionMachine(RuleBasedStateMachine):
    """The model: which answers stand and which items are set aside. The rest must follow."""

    @initialize(n=st.integers(1, 24), draw=st.integers(0, 5), data=st.data())
    def begin(self, n: int, draw: int, data: st.DataObject) -> None:
        self.n = n
        self.manners = Manners(lease_s=100, audit_every=2, draw=draw)
        self.truth = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
        self.store = FlakyStore()
        self.clock = FakeTime()
        self.mailbox = Mailbox()
        self.probs = Probs(np.array(data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))))
        self.standing: dict[int, Answer] = {}
        self.told: dict[str, tuple[Asked, Answer, int]] = {}
        self.corrected: dict[int, dict[int, Answer]] = {}  # what each correction replaced
        self.unsure: set[int] = set()
        self.seen: list[Asked] = []
        # By annotator: the number of every event that undo can take back, and what it was.
        self.done: dict[str, dict[int, tuple[str, int]]] = {"ann": {}, "bob": {}}
        self.reopen()

    @rule()
    def reopen(self) -> None:
        """As after a kill: nothing is left but the store."""
        self.session = Session(
            self.store,
            {"n": self.n},
            make_planner("lookahead", max_n=3, seed=0),
            self.probs,
            self.clock,
            trainer=self.mailbox,
            manners=self.manners,
        )

    @rule(window=st.sampled_from(WINDOWS))
    def ask(self, window: tuple[str, str]) -> None:
        asked = self.session.ask(*window)
        if asked is not None:
            assert (asked.annotator, asked.tab) == window
            self._saw(asked)

    @rule(data=st.data())
    def prepare(self, data: st.DataObject) -> None:
        if self.seen:
            self.session.prepare(data.draw(st.sampled_from(self.seen)).id)

    @rule(data=st.data(), lying=st.booleans())
    def tell(self, data: st.DataObject, lying: bool) -> None:
        """Answer any question that was ever asked and has no answer; late ones too."""
        waiting = [asked for asked in self.seen if self._standing_answer(asked) is None]
        if waiting:
            self._tell(data, data.draw(st.sampled_from(waiting)), lying)

    @rule(data=st.data(), count=st.integers(2, 8), window=st.sampled_from(WINDOWS))
    def work(self, data: st.DataObject, count: int, window: tuple[str, str]) -> None:
        """Go on for a while, as people do."""
        for _ in range(count):
            asked = self.session.ask(*window)
            self._saw(asked)
            if asked is not None and self._standing_answer(asked) is None:
                self._tell(data, asked, lying=False)

    @rule(data=st.data())
    def quarrel(self, data: st.DataObject) -> None:
        """Two people answer the same question, one of them after the lease, and disagree."""
        first = self.session.ask("ann")
        self.clock.now += 101
        second = self.session.ask("bob")
        for asked, lying in ((first, False), (second, True)):
            if asked is not None and self._standing_answer(asked) is None:
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
            asked = self.session.record.asked[self.session.record.given[told.number].question_id]
        else:
            told = self.session.tell(asked.id, answer, key, then=data.draw(self._next_shown()))
        self.told[key] = (asked, answer, told.number)
        if question.purpose == "label":
            self.standing[told.number] = answer
        self.done[asked.annotator][told.number] = ("answer", told.number)

    def _next_shown(self) -> st.SearchStrategy[Question | None]:
        return st.sampled_from([None, *self.session.spare("ann", 1)])

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
        before = len(list(self.store.read()))
        question = Question((0,), (True,))
        with pytest.raises(Refused):
            self.session.tell(10_000, question.yes(), "forged")
        if self.seen:
            asked = data.draw(st.sampled_from(self.seen))
            with pytest.raises(Refused):
                self.session.tell(asked.id, asked.question.yes(), "forged", "mallory")
        assert len(list(self.store.read())) == before

    @rule(data=st.data())
    def full_disk(self, data: st.DataObject) -> None:
        waiting = [asked for asked in self.seen if self._standing_answer(asked) is None]
        if not waiting:
            return
        asked = data.draw(st.sampled_from(waiting))
        before = self.session.state
        self.store.failing = True
        with pytest.raises(NotWritten):
            self.session.tell(asked.id, asked.question.yes(), "never")
        self.store.failing = False
        assert self.session.state is before

    @rule(window=st.sampled_from(WINDOWS))
    def undo(self, window: tuple[str, str]) -> None:
        done = self.done[window[0]]
        self._saw(self.session.undo(*window))
        if done:
            what, which = done.pop(max(done))
            if what == "unsure":
                self.unsure.discard(which)
                return
            self.standing.pop(which, None)  # an audit never stood among them
            for number, answer in self.corrected.get(which, {}).items():
                self.standing[number] = answer
                self.done[self.session.record.given[number].annotator][number] = ("answer", number)

    @rule(data=st.data())
    def retract(self, data: st.DataObject) -> None:
        if not self.standing:
            return
        number = data.draw(st.sampled_from(sorted(self.standing)))
        self.session.retract(number)
        self._gone(number)

    @rule(data=st.data(), annotator=st.sampled_from(["ann", "bob"]))
    def correct(self, data: st.DataObject, annotator: str) -> None:
        item, label = data.draw(st.integers(0, self.n - 1)), data.draw(st.booleans())
        events = len(list(self.store.read()))
        if item in self.unsure:
            with pytest.raises(Refused):
                self.session.correct(item, label, annotator)
            return
        told = self.session.correct(item, label, annotator, f"correction {events}")
        assert self.session.state.label(item) is label
        if len(list(self.store.read())) == events:
            return  # it had that label
        given = self.session.record.given[told.number]
        self.corrected[told.number] = {number: self.standing[number] for number in given.replaces}
        for number in given.replaces:
            self._gone(number)
        self.standing[told.number] = given.answer
        self.done[annotator][told.number] = ("answer", told.number)

    @rule(data=st.data(), window=st.sampled_from(WINDOWS))
    def put(self, data: st.DataObject, window: tuple[str, str]) -> None:
        """A question that was handed out ahead, shown in this window now if it still may be."""
        spare = self.session.spare(window[0], 2)
        live = [shown.asked for shown in self.session._leases]
        for asked in live:
            spare += self.session.prepare(asked.id, depth=2).values()
        if not spare:
            return
        question = data.draw(st.sampled_from(spare))
        try:
            asked = self.session.put(question, *window)
        except Refused:
            return
        assert (asked.question, asked.annotator, asked.tab) == (question, *window)
        self._saw(asked)

    @rule(data=st.data(), window=st.sampled_from(WINDOWS), lying=st.booleans())
    def tell_what_was_foretold(
        self, data: st.DataObject, window: tuple[str, str], lying: bool
    ) -> None:
        for question in self.session.spare(window[0], 1):
            self._tell(data, Asked(-1, question, *window), lying)

    @rule(data=st.data(), annotator=st.sampled_from(["ann", "bob"]))
    def think_better_of_a_correction(self, data: st.DataObject, annotator: str) -> None:
        before, numbers = self.session.state.labels(), set(self.corrected)
        self.session.define("Something else.")
        self.correct(data, annotator)
        self.undo((annotator, ""))
        if set(self.corrected) != numbers and not self.session.record.disputes:
            assert np.array_equal(self.session.state.labels(), before)

    def _gone(self, number: int) -> None:
        del self.standing[number]
        for done in self.done.values():
            done.pop(number, None)

    def _saw(self, asked: Asked | None) -> None:
        if asked is not None and asked.id not in [other.id for other in self.seen]:
            self.seen.append(asked)

    @rule(
        data=st.data(),
        annotator=st.sampled_from(["ann", "bob"]),
        note=st.sampled_from(["why", "blurred"]),
    )
    def set_aside(self, data: st.DataObject, annotator: str, note: str) -> None:
        item = data.draw(st.integers(0, self.n - 1))
        before = self.session.record.notes.get(item)
        self.session.unsure(item, note, annotator)
        if before != note:
            for done in self.done.values():
                for number in [k for k, deed in done.items() if deed == ("unsure", item)]:
                    del done[number]
            self.done[annotator][self.session.record.last] = ("unsure", item)
        assert self.session.record.notes[item] == note
        self.unsure.add(item)

    @rule(seconds=st.sampled_from([1.0, 101.0]))
    def wait(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule(data=st.data())
    def train(self, data: st.DataObject) -> None:
        chances = st.sampled_from([0.0, 5e-324, 0.3, 0.5, 0.9, 1.0])
        values = data.draw(st.lists(chances, min_size=self.n, max_size=self.n))
        self.mailbox.fresh = Checkpoint(1, Probs(np.array(values)), 0)

    @invariant()
    def the_events_say_the_same(self) -> None:
        record = Record.of(self.n, self.store.read())
        assert record.state == self.session.state
        assert record.disputes == self.session.record.disputes
        assert record.agreement == self.session.progress().agreement
        assert record.kinds() == Counter(answer.kind for answer in self.standing.values())

    @invariant()
    def every_acknowledged_answer_is_there_exactly_once(self) -> None:
        kept = [e.number for e in self.store.read() if e.kind in ("answered", "audited")]
        told = [number for _, _, number in self.told.values()]
        assert sorted(kept) == sorted([*told, *self.corrected])

    @invariant()
    def labels_follow_from_answers_that_stand(self) -> None:
        state = self.session.state
        assert unproved_items(state) == []
        assert set(state.answers) <= set(self.standing)
        assert set(state.unsure_items().tolist()) == self.unsure

    @invariant()
    def undisputed_answers_all_count(self) -> None:
        try:
            expected = replay(self.n, self.standing, self.unsure)
        except Contradiction:
            assert self.session.progress().disputes > 0
            return
        if self.session.progress().disputes == 0:
            assert self.session.state == expected

    @invariant()
    def disputed_answers_count_for_nothing(self) -> None:
        record = self.session.record
        assert record.disputed.isdisjoint(self.session.state.answers)
        for dispute in record.disputes:
            disputed = {k: a for k, a in self.standing.items() if k in dispute.answers}
            assert len(disputed) == len(dispute.answers) >= 2

    @invariant()
    def drawn_items_are_drawn_whatever_happens(self) -> None:
        order = np.random.default_rng(self.manners.seed).permutation(self.n)
        assert self.session.record.drawn <= set(order[: self.manners.draw].tolist())
        for asked in self.seen:
            if asked.drawn:
                assert len(asked.question) == 1

    @invariant()
    def audits_are_compared_with_labels_that_were_known(self) -> None:
        for audit in self.session.record.audits.values():
            asked = self.session.record.asked[audit.question_id]
            assert set(asked.planted) < set(asked.question.items) or len(asked.question) == 1

    @invariant()
    def what_is_asked_next_is_undecided(self) -> None:
        for live in self.session._leases:
            shown = self.session.ask(live.asked.annotator, live.asked.tab)
            assert (
                shown is None
                or shown.question.purpose == "audit"
                or undecided(self.session.state, shown.question)
            )
            self._saw(shown)
            break

    @invariant()
    def live_questions_share_no_item(self) -> None:
        held = [live.asked.question for live in self.session._leases]
        items = [
            item for question in held if question.purpose == "label" for item in question.items
        ]
        assert len(items) == len(set(items))

    def _standing_answer(self, asked: Asked) -> int | None:
        number = self.session.record.answer_to.get(asked.id)
        return None if number in self.session.record.retracted else number


SessionMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestSessionMachine = SessionMachine.TestCase
