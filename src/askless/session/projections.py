"""Small sums of a session's events, each for one kind of reader.

A projection takes the events that concern it and answers questions about them. Each of them is
changed by `askless.session.history.History` alone. Tested in tests/session/test_projections.py.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from askless.core.events import Unsure
from askless.core.interval import Share
from askless.core.question import Answer, Question
from askless.core.session_events import Request


@dataclass(frozen=True, slots=True)
class AskedQuestion:
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
    in_test_sample
        Whether its one item belongs to the test sample (`SessionOptions.test_sample`).
    probs
        Version of the probabilities it was planned with; 0 is what the session was opened with.
    """

    id: int
    question: Question
    annotator: str
    tab: str = ""
    planted: tuple[int, ...] = ()
    chance: float | None = None
    in_test_sample: bool = False
    probs: int = 0

    def agrees(self, answer: Answer) -> bool:
        """Whether this audit is answered as the labels would have it."""
        if answer.kind == "pointed":
            return set(answer.wrong) == set(self.planted)
        return (answer.kind == "yes") == (not self.planted)


@dataclass(frozen=True, slots=True)
class AnswerEvent:
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


@dataclass(slots=True)
class Keys:
    """Which request each idempotency key stands for."""

    _event_of: dict[str, int] = field(default_factory=dict)
    _requests_of: dict[str, tuple[Request, ...]] = field(default_factory=dict)
    _noop_events: dict[int, int] = field(default_factory=dict)

    def __contains__(self, key: object) -> bool:
        return key in self._event_of

    def note(self, key: str, number: int, requests: tuple[Request, ...]) -> None:
        """An event with this key was stored."""
        self._event_of[key], self._requests_of[key] = number, requests

    def note_noop(self, number: int, stands: int | None) -> None:
        """An event changed nothing and only keeps a key; this answer stands, if one does."""
        self._noop_events[number] = number if stands is None else stands

    def event_of(self, key: str) -> int:
        """Number of the event that came with the key; -1 if none did."""
        return self._event_of.get(key, -1)

    def answer_of(self, key: str) -> int:
        """The same, or the answer that stood already where the event changed nothing."""
        number = self.event_of(key)
        return self._noop_events.get(number, number)

    def changed_something(self, key: str) -> bool:
        """Whether the request with this key found anything to do."""
        return self._event_of[key] not in self._noop_events

    def stands_for(self, key: str, request: Request) -> bool:
        """Whether the key came with this very request."""
        return request in self._requests_of[key]


@dataclass(slots=True)
class UnsureItems:
    """The items that are unsure now, with what was said about them."""

    _items: dict[int, tuple[Unsure, str, int]] = field(default_factory=dict)

    def __contains__(self, item: object) -> bool:
        return item in self._items

    def __iter__(self) -> Iterator[int]:
        return iter(self._items)

    def get(self, item: int) -> Unsure | None:
        """What was said about the item; None if it is not unsure."""
        found = self._items.get(item)
        return None if found is None else found[0]

    def mark(self, said: Unsure, annotator: str, number: int) -> None:
        """An item is unsure, or something else is to be said about it."""
        self._items[said.item] = (said, annotator, number)

    def clear(self, item: int) -> None:
        """The item is unsure no longer."""
        del self._items[item]

    def latest_of(self, annotator: str, tab: str | None) -> tuple[int, int]:
        """Number of the annotator's latest event here, and its item; (-1, -1) for none."""
        return max(
            (
                (number, item)
                for item, (said, who, number) in self._items.items()
                if who == annotator and tab in (None, said.tab)
            ),
            default=(-1, -1),
        )


@dataclass(slots=True)
class Audits:
    """Answers to audits, and when the next audit is due."""

    answers: dict[int, AnswerEvent] = field(default_factory=dict)
    _missed: dict[int, bool] = field(default_factory=dict)
    _retracted: set[int] = field(default_factory=set)
    _agreed: int = 0
    _since: dict[str, tuple[int, int]] = field(default_factory=dict)

    def note_question(self, asked: AskedQuestion) -> None:
        """A question was asked."""
        if asked.question.purpose == "audit":
            self._since[asked.annotator] = (0, 0)
        elif asked.chance is not None:
            count, size = self._since.get(asked.annotator, (0, 0))
            self._since[asked.annotator] = (count + 1, max(size, len(asked.question)))

    def note_answer(self, given: AnswerEvent, *, agrees: bool) -> None:
        """An audit was answered, as the labels would have it or not."""
        self.answers[given.number] = given
        self._missed[given.number] = not agrees
        self._agreed += agrees

    def retract(self, number: int) -> None:
        """The answer no longer counts."""
        self._retracted.add(number)
        self._agreed -= not self._missed[number]

    @property
    def agreement(self) -> Share:
        """How often an audit was answered as the labels would have it."""
        return Share(self._agreed, len(self.answers) - len(self._retracted))

    def missed_lately(self, count: int) -> int:
        """How many of the latest audits that stand were missed, out of this many."""
        missed = 0
        for number in reversed(self.answers):
            if count <= 0:
                break
            if number not in self._retracted:
                count -= 1
                missed += self._missed[number]
        return missed

    def size_due(self, annotator: str, every: int) -> int:
        """How many items an audit should show now; 0 if none is due.

        One is due when the annotator was asked `every` questions since the last one; never for 0.
        """
        count, size = self._since.get(annotator, (0, 0))
        return size if every and count >= every else 0


@dataclass(slots=True)
class Tally:
    """Counts over the answers that stand."""

    shown: int = 0
    """Items shown, over all of them."""
    _kinds: Counter[str] = field(default_factory=Counter)
    _of: dict[str, list[int]] = field(default_factory=dict)
    _seconds: list[float] = field(default_factory=list)
    _total_s: float = 0.0

    def count(self, given: AnswerEvent, by: int) -> None:
        """An answer stands from now on (`by` 1), or no longer does (-1)."""
        size = len(given.answer)
        self.shown += by * size
        self._kinds[given.answer.kind] += by
        counts = self._of.setdefault(given.annotator, [0, 0])
        counts[0] += by
        counts[1] += by * size
        if given.seconds is not None:
            self._total_s += by * given.seconds
            if by > 0:
                insort(self._seconds, given.seconds)
            else:
                del self._seconds[bisect_left(self._seconds, given.seconds)]

    @property
    def answers(self) -> int:
        """How many answers stand."""
        return self._kinds.total()

    def kinds(self) -> Counter[str]:
        """How many answers of each kind stand."""
        return +self._kinds

    def of(self, annotator: str) -> tuple[int, int]:
        """How many answers of this annotator stand, and how many items they showed."""
        answers, shown = self._of.get(annotator, (0, 0))
        return answers, shown

    def looked_s(self, break_s: float, break_medians: float) -> tuple[int, float]:
        """How many answers were timed, and their seconds in all.

        No answer counts for more than `break_s` seconds or `break_medians` times the median,
        whichever is more: the rest was a break.
        """
        seconds = self._seconds
        if not seconds:
            return 0, 0.0
        most = max(break_s, break_medians * seconds[len(seconds) // 2])
        total = self._total_s
        for longest in reversed(seconds):
            if longest <= most:
                break
            total -= longest - most
        return len(seconds), total
