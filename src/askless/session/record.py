"""Everything the events say, folded into one place.

A `Record` is the fold of a session's events: `apply` takes the next one, and there is no
other way to change it. The live session and a replay after a crash both go through `apply`,
so they cannot disagree. Applying never fails: whether an event may happen is decided before
it is stored (`askless.session.session`).

An answer that contradicts earlier ones is not learnt. It and the answers it clashes with form a
`Dispute`: they are kept as evidence, settle nothing, and their items are open again.
Imported by the session room alone; tested in tests/session.
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from askless.core.event import Event
from askless.core.interval import Share
from askless.core.question import Answer, Question
from askless.core.record import answer_from, question_from
from askless.core.state import State, learn, retract, set_aside, take_back
from askless.errors import Contradiction

Request = tuple[object, ...]
"""What an idempotency key stands for: the verb, then whatever tells one request from another."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was really put to somebody.

    Parameters
    ----------
    id
        Number of the event; what `Session.tell` wants to hear.
    question
        What was asked.
    annotator
        Who was asked.
    tab
        Which of the annotator's windows asked for it.
    planted
        Only for audits: the items shown with a label known to be wrong.
    chance
        P(yes) as the probabilities had it; None where nobody worked it out.
    drawn
        Whether its one item was drawn at random (`Manners.draw`).
    probs
        Version of the probabilities it was planned with; 0 is what the session was opened with.
    """

    id: int
    question: Question
    annotator: str
    tab: str = ""
    planted: tuple[int, ...] = ()
    chance: float | None = None
    drawn: bool = False
    probs: int = 0


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that was given, whatever became of it since.

    Parameters
    ----------
    number
        What `Session.retract` calls it.
    question_id, answer
        What was asked and what was said.
    annotator, at_s
        Who said it, and when by the wall clock.
    definition
        How many definitions there had been by then; 0 before the first.
    seconds
        How long the person looked; None where nobody measured it.
    corrects
        The item whose label it was given to correct; None if it was asked for.
    replaces
        The answers that were retracted for that.
    """

    number: int
    question_id: int
    answer: Answer
    annotator: str
    at_s: float
    definition: int = 0
    seconds: float | None = None
    corrects: int | None = None
    replaces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Dispute:
    """Answers that cannot all be true; the last of them brought it to light."""

    answers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What became of an answer.

    Parameters
    ----------
    number
        What `Session.retract` calls it.
    settled
        How many labels it settled; negative when it reopened some.
    dispute
        The answers it clashes with, if it does.
    """

    number: int
    settled: int
    dispute: Dispute | None = None


@dataclass(slots=True)
class Record:
    """What has happened so far; made by `Record.of` and changed by `apply` alone."""

    state: State
    asked: dict[int, Asked] = field(default_factory=dict)
    given: dict[int, Given] = field(default_factory=dict)
    answer_to: dict[int, int] = field(default_factory=dict)
    by_key: dict[str, int] = field(default_factory=dict)
    request_of_key: dict[str, tuple[Request, ...]] = field(default_factory=dict)
    """By key: the request it came with; two where an old event does not tell which it was."""
    retracted: set[int] = field(default_factory=set)
    idle: dict[int, int] = field(default_factory=dict)
    """By event that took nothing back and only keeps a key: the answer that stands, or itself."""
    replaced: dict[int, int] = field(default_factory=dict)
    """By answer that was given up for a correction: the answer that corrects it."""
    disputes: list[Dispute] = field(default_factory=list)
    notes: dict[int, str] = field(default_factory=dict)
    unsure_by: dict[int, tuple[str, str, int]] = field(default_factory=dict)
    """By item that is set aside: who did it, in which window, and the number of the event."""
    audits: dict[int, Given] = field(default_factory=dict)
    since_audit: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By annotator: questions since the last audit, and the most items one of them showed."""
    drawn: set[int] = field(default_factory=set)
    shown: int = 0
    """Items shown over all answers that stand."""
    definitions: list[str] = field(default_factory=list)
    method: dict[str, object] | None = None
    opening: dict[str, object] | None = None
    checkpoint: int = 0
    checksum: str = ""
    """Of the checkpoint that was noted last."""
    version: int = 0
    """The highest version of the probabilities that a question names."""
    last: int = -1
    _kinds: Counter[str] = field(default_factory=Counter)
    _foreseen: dict[tuple[int, int, Answer], State] = field(default_factory=dict)

    @classmethod
    def of(cls, n: int, events: Iterable[Event]) -> Record:
        """The fold of `events` over a pool of `n` items."""
        record = cls(State.blank(n))
        for event in events:
            record.apply(event)
        return record

    def apply(self, event: Event) -> None:
        """Take the next event in."""
        payload = event.payload
        requests: tuple[Request, ...] = ()
        match event.kind:
            case "opened":
                self.opening = dict(payload)
            case "asked":
                self._take_question(event)
            case "answered" | "audited":
                requests = (self._take_answer(event),)
            case "unsure":
                item, note = payload["item"], payload.get("note", "")
                self.state = set_aside(self.state, item)
                self.notes[item] = note
                self.unsure_by[item] = (event.annotator, payload.get("tab", ""), event.number)
                requests = (("unsure", event.annotator, item, note),)
            case "taken_back":
                self._take_back(payload["item"])
                undo = ("undo", event.annotator)
                one = ("take_back", event.annotator, payload["item"])
                # Events from before these two were told apart may be either.
                requests = (undo if payload["undo"] else one,) if "undo" in payload else (undo, one)
            case "retracted":
                requests = (self._take_retraction(event),)
            case "checkpoint":
                self.checkpoint = payload["number"]
                self.checksum = payload.get("checksum", "")
            case "planned":
                self.method = dict(payload["method"])
            case "defined":
                self.definitions.append(payload["text"])
                requests = (("define", event.annotator, payload["text"]),)
            case "exported":
                requests = (("exported", event.annotator, dict(payload)),)
        if event.key is not None:
            self.by_key[event.key] = event.number
            self.request_of_key[event.key] = requests
        self.last = event.number

    def foresee(self, answer: Answer, number: int) -> State | None:
        """The state after an answer that has not been given yet; None if it would contradict.

        If the answer comes next, with this number, this very state will be the record's.
        """
        if self._foreseen and next(iter(self._foreseen))[0] != self.state.key:
            self._foreseen.clear()
        try:
            ahead = learn(self.state, answer, number)
        except Contradiction:
            return None
        self._foreseen[self.state.key, number, answer] = ahead
        return ahead

    @property
    def disputed(self) -> frozenset[int]:
        """Numbers of the answers that are evidence only, until the dispute is settled."""
        return frozenset(number for dispute in self.disputes for number in dispute.answers)

    @property
    def agreement(self) -> Share:
        """How often an audit was answered as the labels would have it."""
        standing = [number for number in self.audits if self.stands(number)]
        return Share(sum(map(self.agrees, standing)), len(standing))

    def agrees(self, number: int) -> bool:
        """Whether this audit was answered as the labels would have it."""
        audit = self.audits[number]
        planted = self.asked[audit.question_id].planted
        if audit.answer.kind == "pointed":
            return set(audit.answer.wrong) == set(planted)
        return (audit.answer.kind == "yes") == (not planted)

    @property
    def answers(self) -> ChainMap[int, Given]:
        """Every answer that was given, to whatever kind of question, by number."""
        return ChainMap(self.given, self.audits)

    def stands(self, number: int) -> bool:
        """Whether an answer was given by this number, and not retracted since."""
        return number in self.answers and number not in self.retracted

    def in_place_of(self, number: int | None) -> int | None:
        """The answer that stands: this one, or what has corrected it; None if neither does."""
        while number is not None and not self.stands(number):
            number = self.replaced.get(number)
        return number

    def kinds(self) -> Counter[str]:
        """How many answers of each kind stand."""
        return +self._kinds

    def latest_of(self, annotator: str, tab: str | None = None) -> tuple[str, int] | None:
        """What `undo` would take back: ('answer', its number) or ('unsure', its item)."""
        latest: tuple[int, str, int] = (-1, "", -1)
        for family in (self.given, self.audits):
            for number in reversed(family):
                given = family[number]
                where = self.asked[given.question_id].tab
                if given.annotator == annotator and self.stands(number) and tab in (None, where):
                    latest = max(latest, (number, "answer", number))
                    break
        for item, (who, where, number) in self.unsure_by.items():
            if who == annotator and tab in (None, where):
                latest = max(latest, (number, "unsure", item))
        return None if latest[0] < 0 else latest[1:]

    def _take_question(self, event: Event) -> None:
        payload = event.payload
        asked = Asked(
            event.number,
            question_from(payload),
            event.annotator,
            payload.get("tab", ""),
            tuple(payload.get("planted", ())),
            payload.get("chance"),
            payload.get("drawn", False),
            payload.get("probs", 0),
        )
        self.asked[event.number] = asked
        self.version = max(self.version, asked.probs)
        if asked.question.purpose == "audit":
            self.since_audit[asked.annotator] = (0, 0)
        elif asked.chance is not None:
            count, size = self.since_audit.get(asked.annotator, (0, 0))
            self.since_audit[asked.annotator] = (count + 1, max(size, len(asked.question)))
        if asked.drawn:
            self.drawn.update(asked.question.items)

    def _take_answer(self, event: Event) -> Request:
        payload, number = event.payload, event.number
        question_id = payload["question_id"]
        answer = answer_from(payload, self.asked[question_id].question)
        given = Given(
            number,
            question_id,
            answer,
            event.annotator,
            event.at_s,
            len(self.definitions),
            payload.get("seconds"),
            payload.get("corrects"),
            tuple(payload.get("replaces", ())),
        )
        self.answer_to[question_id] = number
        self.replaced.update(dict.fromkeys(given.replaces, number))
        if event.kind == "audited":
            self.audits[number] = given
        else:
            self.given[number] = given
            self._count(number, 1)
            self._learn(number)
        if given.corrects is not None:
            return ("correct", event.annotator, given.corrects, payload["label"])
        return ("tell", question_id, answer)

    def _take_retraction(self, event: Event) -> Request:
        payload, answer = event.payload, event.payload["answer"]
        if answer is None:
            self.idle[event.number] = payload.get("stands", event.number)
        else:
            self._retract(answer)
            self._reinstate(payload.get("reinstates", ()))
        if payload.get("undo", False):
            return ("undo", event.annotator)
        if answer is None:
            return ("correct", event.annotator, payload["corrects"], payload["label"])
        return ("retract", event.annotator, answer)

    def _learn(self, number: int) -> None:
        answer = self.given[number].answer
        foreseen = self._foreseen.get((self.state.key, number, answer))
        self._foreseen.clear()
        if foreseen is not None:
            self.state = foreseen
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
        else:
            self.state = after

    def _retract(self, number: int) -> None:
        self.retracted.add(number)
        if number in self.audits:
            return
        self._count(number, -1)
        if number in self.disputed:
            self._learn_all_again()
        else:
            self.state = retract(self.state, number)

    def _reinstate(self, numbers: Iterable[int]) -> None:
        """Let answers stand again whose correction was taken back."""
        for number in numbers:
            self.retracted.discard(number)
            self._count(number, 1)
            self._learn(number)

    def _count(self, number: int, by: int) -> None:
        answer = self.given[number].answer
        self._kinds[answer.kind] += by
        self.shown += by * len(answer)

    def _take_back(self, item: int) -> None:
        del self.notes[item], self.unsure_by[item]
        try:
            self.state = take_back(self.state, item)
        except Contradiction:
            self._learn_all_again()

    def _learn_all_again(self) -> None:
        """From nothing, in order: the rare way out when disputes have to be judged anew."""
        state = State.blank(self.state.n)
        for item in self.unsure_by:
            state = set_aside(state, item)
        self.state, self.disputes = state, []
        for number in self.given:
            if number not in self.retracted:
                self._learn(number)
