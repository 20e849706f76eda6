"""Everything the events of a session say, folded into one place.

`take` takes in what the next event says, and there is no other way to change a `History`. The live
session and a replay after a crash (`apply`) both go through it, so they cannot disagree. Whether an
event may happen is decided before it is stored (`askless.session.session`); an event that no
session can have written is refused here as damage.

An answer that contradicts earlier ones is not learnt. It and the answers it clashes with form a
`Dispute`: they are kept as evidence, settle nothing, and their items are open again.
Tested in tests/history/test_history.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from askless.core.claimed import Claimed
from askless.core.content import Content
from askless.core.event import Event
from askless.core.events import (
    Answered,
    Asked,
    Audited,
    CheckpointTaken,
    Defined,
    Opened,
    Planned,
    Restored,
    Retracted,
    Revised,
    TakenBack,
    Unsure,
    content_of,
)
from askless.core.growing import grow
from askless.core.question import Answer
from askless.core.reasking import Reasking
from askless.core.state import State, clear_unsure, learn, mark_unsure, retract
from askless.core.updated import Updated
from askless.errors import Contradiction, Damaged, InvalidInput
from askless.history.claims import Claims
from askless.history.consistency import Reasks
from askless.history.projections import Audits, Definitions, Dispute, Keys, Revisions, Tally
from askless.history.source_record import SourceRecord


class History:
    """What has happened so far; made by `History.of`, changed by `take` alone.

    Attributes
    ----------
    state
        What the answers imply.
    asked, answers
        Every question that was put to somebody, and every answer that is learnt from, by number.
        Answers to audits are in `audits`.
    disputes
        Sets of answers that contradict one another.
    unsure
        The items that are unsure now, with what was said about them.
    keys, audits, tally, revisions
        What each of these has to say (`askless.history.projections`).
    source, claims, reasks
        Items added and gone; what is claimed about open items; which labels are asked again.
    definitions
        What a True label meant, the newest last.
    test_sample
        The items of the test sample that were asked.
    opening, method
        What the session was opened with, and how questions are chosen now; None if nothing said.
    checkpoint, checksum
        The checkpoint that was noted last; 0 for none.
    version
        The highest version of the probabilities that a question names.
    last
        Number of the last event; -1 before the first.
    """

    def __init__(self, n: int) -> None:
        self.state = State.blank(n)
        self.asked: dict[int, Asked] = {}
        self.answers: dict[int, Answered] = {}
        self.disputes: list[Dispute] = []
        self.keys = Keys()
        self.unsure: dict[int, Unsure] = {}
        self.audits = Audits()
        self.tally = Tally()
        self.revisions = Revisions()
        self.source = SourceRecord([n])
        self.claims, self.reasks = Claims(), Reasks()
        self.definitions = Definitions()
        self.test_sample: set[int] = set()
        self.opening: dict[str, Any] | None = None
        self.method: dict[str, Any] | None = None
        self.checkpoint, self.checksum = 0, ""
        self.version, self.last = 0, -1
        self._answer_to: dict[int, int] = {}
        self._retracted: set[int] = set()
        self._corrected_by: dict[int, int] = {}
        self._states_ahead: dict[tuple[int, int, Answer], State] = {}

    @classmethod
    def of(cls, n: int, events: Iterable[Event]) -> History:
        """The fold of `events` over a pool of `n` items.

        Raises
        ------
        Damaged
            An event is none that a session over this pool can have stored.
        """
        history = cls(n)
        for event in events:
            history.apply(event)
        return history

    def apply(self, event: Event) -> None:
        """Take in the next event, as a store gives it."""
        try:
            self.take(content_of(event, self.asked), event.key)
        except InvalidInput as error:
            raise Damaged(
                f"Event {event.number} is damaged, or was not written by askless: {error} "
                "Put back a good copy to go on.",
                max(event.number, 0),
            ) from None

    def take(self, content: Content, key: str | None) -> None:
        """Take in what the next event says, and its key; it is stored already."""
        self._take(content)
        if key is not None:
            self.keys.note(key, content.number, content.requests(content.annotator))
        self.last = content.number

    def state_after(self, answer: Answer, number: int) -> State | None:
        """The state after an answer that has not been given yet; None if it would contradict.

        If the answer comes next, with this number, this very state will be the history's, so what
        a planner has worked out for it is not lost.
        """
        if self._states_ahead and next(iter(self._states_ahead))[0] != self.state.key:
            self._states_ahead.clear()
        try:
            after = learn(self.state, answer, number)
        except Contradiction:
            return None
        self._states_ahead[self.state.key, number, answer] = after
        return after

    @property
    def disputed(self) -> frozenset[int]:
        """Numbers of the answers that are evidence only, until the dispute is settled."""
        return frozenset(number for dispute in self.disputes for number in dispute.answers)

    def answer(self, number: int) -> Answered | None:
        """The answer with this number, to whatever kind of question."""
        return self.answers.get(number) or self.audits.answers.get(number)

    def stands(self, number: int) -> bool:
        """Whether an answer was given by this number, and not retracted since."""
        return self.answer(number) is not None and number not in self._retracted

    def answer_to(self, question_id: int) -> int | None:
        """The answer to a question that stands, or the correction that stands in its place."""
        number = self._answer_to.get(question_id)
        while number is not None and not self.stands(number):
            number = self._corrected_by.get(number)
        return number

    def latest_of(self, annotator: str, tab: str | None = None) -> tuple[str, int] | None:
        """What `undo` would undo: an 'answer' or a 'revision', by number, or an 'unsure' item.

        None for nothing. With a `tab`, only what was done in that window.
        """
        latest = -1
        for answers in (self.answers, self.audits.answers):
            for number in reversed(answers):
                given = answers[number]
                where = self.asked[given.question_id].tab
                if given.annotator == annotator and self.stands(number) and tab in (None, where):
                    latest = max(latest, number)
                    break
        marked, item = max(
            (
                (said.number, item)
                for item, said in self.unsure.items()
                if said.annotator == annotator and tab in (None, said.tab)
            ),
            default=(-1, -1),
        )
        revised = self.revisions.latest_of(annotator, tab)
        if latest in self.answers and self.answers[latest].revision in self.revisions:
            latest = -1  # it was said again by that step, and is undone with it
        newest = max(latest, marked, revised)
        if newest < 0:
            return None
        if newest == revised:
            return "revision", revised
        return ("answer", latest) if newest == latest else ("unsure", item)

    def _take(self, content: Content) -> None:
        """Refuse what refers to something there is not; otherwise it has happened."""
        if isinstance(content, Answered):
            self._take_answer(content)
        elif isinstance(content, Asked):
            self._take_question(content)
        elif isinstance(content, Unsure):
            self._check_items((content.item,))
            self._mark_unsure(content)
        elif isinstance(content, TakenBack):
            self._take_back(content.item)
        elif isinstance(content, Retracted):
            self._take_retraction(content)
        elif isinstance(content, Revised):
            self._take_revision(content)
        elif isinstance(content, Restored):
            self._take_restoring(content)
        elif isinstance(content, Updated):
            self._take_update(content)
        elif isinstance(content, CheckpointTaken):
            self.checkpoint, self.checksum = content.checkpoint, content.checksum
        elif isinstance(content, Defined):
            if self.definitions.note(content):
                self.claims.void()
                self.reasks.void()
        elif isinstance(content, Claimed):
            self.claims.freeze(content, self.state, self.source.count(self.state))
        elif isinstance(content, Reasking):
            self.reasks.begin(content, self.state, self.answers, self.source.gone)
        elif isinstance(content, Planned):
            self.method = dict(content.method)
        elif isinstance(content, Opened):
            if self.opening is not None:
                raise InvalidInput("A session is opened once; this opens it again.")
            self.opening = dict(content.about)

    def _check_items(self, items: Iterable[int]) -> None:
        most = max(items)
        if most >= self.state.n:
            raise InvalidInput(f"Items of this pool are 0 to {self.state.n - 1}; got {most}.")

    def _check_answers(self, numbers: Iterable[int], *, standing: bool) -> None:
        for number in numbers:
            known = number in self.answers or (standing and number in self.audits.answers)
            if not known or self.stands(number) is not standing:
                what = "stands" if standing else "was retracted"
                raise InvalidInput(f"Answer {number} is not one that {what}.")

    def _take_question(self, asked: Asked) -> None:
        items = asked.question.items
        self._check_items(items + asked.draw)
        if asked.planted and not set(asked.planted).issubset(items):
            raise InvalidInput("Only an item of the question can be planted in it.")
        if asked.is_reask:
            self.reasks.note_reask(asked, self.state)
        else:
            if asked.check is not None:
                self.claims.note_check(asked, self.state)
            self.reasks.note_question(asked)
            self.audits.note_question(asked)
        self.asked[asked.number] = asked
        self.version = max(self.version, asked.probs)
        if asked.in_test_sample:
            self.test_sample.update(items)

    def _take_answer(self, given: Answered) -> None:
        number, question_id = given.number, given.question_id
        audit = given.answer.question.purpose == "audit"
        if audit != isinstance(given, Audited):
            raise InvalidInput("Answers to audits, and no others, are stored as audited.")
        if given.corrects is not None:
            self._check_items((given.corrects, *given.also))
        self._check_answers(given.replaces, standing=False)
        self._answer_to[question_id] = number
        for replaced in given.replaces:
            self._corrected_by[replaced] = number
        if audit:
            self.audits.note_answer(self.asked[question_id], given)
            self.reasks.note_answer(self.asked[question_id], given)
        else:
            self.answers[number] = given
            self.tally.count(given, 1)
            self._learn(number)

    def _learn(self, number: int) -> None:
        answer = self.answers[number].answer
        if self._states_ahead:
            ahead = self._states_ahead.get((self.state.key, number, answer))
            self._states_ahead.clear()
            if ahead is not None:
                self.state = ahead
                return
        clashing: set[int] = set()
        while True:
            try:
                after = learn(self.state, answer, number)
            except Contradiction as clash:
                # Whatever speaks against the answer is in dispute, not just the first found.
                clashing.update(clash.answers)
                for other in clash.answers:
                    if other != number:
                        self.state = retract(self.state, other)
            else:
                break
        if clashing:
            self.disputes.append(Dispute(tuple(sorted(clashing))))
            self.state = self.source.close(self.state)
        else:
            self.state = after

    def _retract(self, number: int) -> None:
        self._retracted.add(number)
        if number in self.audits.answers:
            self.audits.retract(number)
            self.reasks.retract(number)
            return
        self.tally.count(self.answers[number], -1)
        if number in self.disputed:
            self._learn_all_again()
        else:
            self.state = self.source.close(retract(self.state, number))

    def _reinstate(self, numbers: Iterable[int]) -> None:
        """Let answers stand again whose correction was undone."""
        for number in numbers:
            self._retracted.discard(number)
            self.tally.count(self.answers[number], 1)
            self._learn(number)

    def _take_retraction(self, content: Retracted) -> None:
        if content.answer is None:
            self.keys.note_noop(content.number, content.stands)
            return
        self._check_answers((content.answer,), standing=True)
        self._check_answers(content.reinstates, standing=False)
        self._retract(content.answer)
        self._reinstate(content.reinstates)

    def _take_revision(self, step: Revised) -> None:
        self._check_items(step.items)
        self._check_answers(step.answers, standing=True)
        self.revisions.note(step, {item: self.unsure.get(item) for item in step.items})
        for number in step.answers:
            self._retract(number)
        for item in step.items:
            if step.unsure:
                self._mark_unsure(step.said_of(item))
            elif item in self.unsure:
                self._take_back(item)

    def _take_restoring(self, content: Restored) -> None:
        step, before = self.revisions.take(content.revision)
        self._check_answers(step.answers, standing=False)
        for item, earlier in before.items():
            said = self.unsure.get(item)
            if (said and said.number) != (step.number if step.unsure else None):
                continue  # something else was said about it since
            if earlier is not None:
                self._mark_unsure(earlier)
            elif said is not None:
                self._take_back(item)
        self._reinstate(step.answers)

    def _take_update(self, update: Updated) -> None:
        self.source.note(update)
        if update.ids or update.gone or update.back:
            self.claims.void()
            self.reasks.void()
        self.state = self.source.close(grow(self.state, len(update.ids)))
        for item in update.back:
            if self.state.is_unsure(item) and item not in self.unsure:
                self._clear(item)

    def _mark_unsure(self, said: Unsure) -> None:
        self.state = mark_unsure(self.state, said.item)
        self.unsure[said.item] = said
        self.source.closed.discard(said.item)

    def _take_back(self, item: int) -> None:
        if item not in self.unsure:
            raise InvalidInput(f"Only an unsure item is taken back; item {item} is not.")
        del self.unsure[item]
        self._clear(item)

    def _clear(self, item: int) -> None:
        try:
            self.state = self.source.close(clear_unsure(self.state, item))
        except Contradiction:
            self._learn_all_again()

    def _learn_all_again(self) -> None:
        """From nothing, in order: the rare way out when disputes have to be judged again."""
        state = State.blank(self.state.n)
        for item in self.unsure:
            state = mark_unsure(state, item)
        self.state, self.disputes = state, []
        for number in self.answers:
            if number not in self._retracted:
                self._learn(number)
        self.state = self.source.close(self.state)
