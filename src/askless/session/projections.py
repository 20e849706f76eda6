"""Small sums of a session's events, each for one kind of reader.

A projection takes the events that concern it and answers questions about them. Each of them is
changed by `askless.session.history.History` alone. Tested in tests/session/test_projections.py.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from dataclasses import dataclass, field

from askless.core.content import Request
from askless.core.events import Answered, Asked
from askless.core.interval import Share


@dataclass(slots=True)
class Keys:
    """Which request each idempotency key stands for."""

    _events: dict[str, tuple[int, tuple[Request, ...]]] = field(default_factory=dict)
    _noop_events: dict[int, int] = field(default_factory=dict)

    def __contains__(self, key: object) -> bool:
        return key in self._events

    def note(self, key: str, number: int, requests: tuple[Request, ...]) -> None:
        """An event with this key was stored."""
        self._events[key] = (number, requests)

    def note_noop(self, number: int, stands: int | None) -> None:
        """An event changed nothing and only keeps a key; this answer stands, if one does."""
        self._noop_events[number] = number if stands is None else stands

    def event_of(self, key: str) -> int:
        """Number of the event that came with the key; -1 if none did."""
        return self._events.get(key, (-1, ()))[0]

    def answer_of(self, key: str) -> int:
        """The same, or the answer that stood already where the event changed nothing."""
        number = self.event_of(key)
        return self._noop_events.get(number, number)

    def changed_something(self, key: str) -> bool:
        """Whether the request with this key found anything to do."""
        return self._events[key][0] not in self._noop_events

    def stands_for(self, key: str, request: Request) -> bool:
        """Whether the key came with this very request."""
        return request in self._events[key][1]


@dataclass(slots=True)
class Audits:
    """Answers to audits, and when the next audit is due."""

    answers: dict[int, Answered] = field(default_factory=dict)
    _missed: dict[int, bool] = field(default_factory=dict)
    _retracted: set[int] = field(default_factory=set)
    _agreed: int = 0
    _since: dict[str, tuple[int, int]] = field(default_factory=dict)

    def note_question(self, asked: Asked) -> None:
        """A question was asked."""
        if asked.question.purpose == "audit":
            self._since[asked.annotator] = (0, 0)
        elif asked.chance is not None:
            count, size = self._since.get(asked.annotator, (0, 0))
            self._since[asked.annotator] = (count + 1, max(size, len(asked.question)))

    def note_answer(self, asked: Asked, given: Answered) -> None:
        """An audit was answered."""
        answer, planted = given.answer, set(asked.planted)
        pointed = answer.kind == "pointed"
        agrees = set(answer.wrong) == planted if pointed else (answer.kind == "no") == bool(planted)
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

    def count(self, given: Answered, by: int) -> None:
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
