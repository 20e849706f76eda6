"""A machine that does everything to a session, and what must hold after every step."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import settings
from hypothesis.stateful import invariant

from askless.certificates.standing import standing_of
from askless.core.event import Event
from askless.core.events import Asked
from askless.core.interval import Share
from askless.core.question import Answer
from askless.core.state import replay, undecided
from askless.core.verify import unproved_items
from askless.errors import Contradiction
from askless.history.history import History
from tests.session.checking import recount
from tests.session.claim_machine import Claiming


def _agrees(asked: Asked, answer: Answer) -> bool:
    if answer.kind == "pointed":
        return sorted(answer.wrong) == sorted(asked.planted)
    return (answer.kind == "yes") == (asked.planted == ())


class SessionMachine(Claiming):
    """What must hold."""

    @invariant()
    def the_events_say_the_same(self) -> None:
        events = list(self.store.read())
        if len(events) == self.replayed:
            return  # what was so stays so
        self.replayed = len(events)
        record = History.of(self.n, events)
        assert record.state == self.session.state
        assert record.disputes == self.session.history.disputes
        assert record.audits.agreement == self.session.history.audits.agreement
        assert record.tally.kinds() == Counter(answer.kind for answer in self.standing.values())
        assert standing_of(record) == standing_of(self.session.history)
        claim = self.session.history.claims.current
        if claim is not None:
            look = claim.look(self.session.state)
            assert list(look.counted) == recount(self.session, events)
        self._answers_are_there_once(events)
        self._versions_name_one_set_of_probabilities(events)

    def _answers_are_there_once(self, events: list[Event]) -> None:
        kept = [event.number for event in events if event.kind in ("answered", "audited")]
        told = [number for _, _, number in self.told.values()]
        assert sorted(kept) == sorted([*told, *self.corrected])

    def _versions_name_one_set_of_probabilities(self, events: list[Event]) -> None:
        named: dict[int, set[int]] = {}
        for event in events:
            if event.kind == "asked":
                version = event.payload.get("probs", 0)
                named.setdefault(version, set()).add(event.payload["probs_version"])
        assert all(len(checkpoints) == 1 for checkpoints in named.values())
        assert set().union(*named.values()) <= set(range(len(self.checkpoints) + 1))

    @invariant()
    def labels_follow_from_answers_that_stand(self) -> None:
        state = self.session.state
        assert unproved_items(state) == []
        assert set(state.answers) <= set(self.standing)
        assert set(state.unsure_items().tolist()) == self.unsure

    @invariant()
    def progress_counts_what_is_there(self) -> None:
        progress, labels = self.session.progress(), self.session.state.labels()
        counted = (progress.positives, progress.negatives, progress.open, progress.unsure)
        assert counted == tuple(int(np.sum(labels == code)) for code in (1, 0, -1, -2))
        assert progress.settled == progress.positives + progress.negatives
        assert progress.answers == Counter(answer.kind for answer in self.standing.values())
        history = self.session.history
        audits = [audit for n, audit in history.audits.answers.items() if history.stands(n)]
        agreed = [_agrees(history.asked[audit.question_id], audit.answer) for audit in audits]
        assert progress.agreement == Share(sum(agreed), len(agreed))
        planted = [len(history.asked[audit.question_id].planted) for audit in audits]
        by_size = [
            counts
            for who in {audit.annotator for audit in audits}
            for counts in history.audits.misses(who).values()
        ]
        assert sum(shown for shown, _ in by_size) == sum(planted)
        assert history.tally.shown == sum(map(len, self.standing.values()))

    @invariant()
    def undisputed_answers_all_count(self) -> None:
        try:
            expected = replay(self.n, self.standing, self.unsure)
        except Contradiction:
            assert len(self.session.history.disputes) > 0
            return
        if len(self.session.history.disputes) == 0:
            assert self.session.state == expected

    @invariant()
    def disputed_answers_count_for_nothing(self) -> None:
        record = self.session.history
        assert record.disputed.isdisjoint(self.session.state.answers)
        for dispute in record.disputes:
            disputed = {k: a for k, a in self.standing.items() if k in dispute.answers}
            assert len(disputed) == len(dispute.answers) >= 2

    @invariant()
    def the_test_sample_is_random_whatever_happens(self) -> None:
        order = np.random.default_rng(self.options.seed).permutation(self.n)
        assert self.session.history.test_sample <= set(order[: self.options.test_sample].tolist())
        for asked in self.seen:
            if asked.in_test_sample:
                assert len(asked.question) == 1

    @invariant()
    def audits_are_compared_with_labels_that_were_known(self) -> None:
        for audit in self.session.history.audits.answers.values():
            asked = self.session.history.asked[audit.question_id]
            assert set(asked.planted) < set(asked.question.items) or len(asked.question) == 1

    @invariant()
    def what_is_asked_next_is_undecided(self) -> None:
        for live in self.session.queue.leases:
            shown = self.session.ask(live.asked.annotator, live.asked.tab)
            assert (
                shown is None
                or shown.question.purpose == "audit"
                or undecided(self.session.state, shown.question)
                or shown.check is not None  # drawn, whatever follows already
            )
            self._saw(shown)
            break

    @invariant()
    def leased_questions_share_no_item_but_for_checks(self) -> None:
        live = [lease.asked for lease in self.session.queue.leases]
        held = [asked.question for asked in live if asked.check is None]
        items = [item for question in held for item in question.items]
        assert len(items) == len(set(items))


SessionMachine.TestCase.settings = settings(max_examples=50, stateful_step_count=30, deadline=None)
TestSessionMachine = SessionMachine.TestCase
