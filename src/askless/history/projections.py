"""Small sums of a session's events, each for one kind of reader.

A projection takes the events that concern it and answers questions about them. Each of them is
changed by `askless.history.history.History` alone. Tested in tests/history/test_projections.py.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from askless.core.content import Request
from askless.core.events import Answered, Asked, Defined, Revised, Unsure
from askless.core.interval import Share
from askless.errors import InvalidInput

SOURCE: Final = "source"
"""Who gave the labels that the source came with; their answers are the work of nobody."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """Answers that cannot all be true; the last of them brought it to light."""

    answers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TellResult:
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
    _asked: Counter[str] = field(default_factory=Counter)
    _planted: Counter[tuple[str, int]] = field(default_factory=Counter)
    _overlooked: Counter[tuple[str, int]] = field(default_factory=Counter)
    _errors: dict[int, tuple[int, int]] = field(default_factory=dict)

    def note_question(self, asked: Asked) -> None:
        """A question was asked that is no re-ask."""
        if asked.question.purpose == "audit":
            self._since[asked.annotator] = (0, 0)
            self._asked[asked.annotator] += 1
        elif asked.chance is not None:
            count, size = self._since.get(asked.annotator, (0, 0))
            self._since[asked.annotator] = (count + 1, max(size, len(asked.question.items)))

    def note_answer(self, asked: Asked, given: Answered) -> None:
        """An audit was answered; a re-ask is only kept, since it shows no label that is known."""
        self.answers[given.number] = given
        if asked.is_reask:
            return
        answer, planted = given.answer, set(asked.planted)
        pointed = answer.kind == "pointed"
        agrees = set(answer.wrong) == planted if pointed else (answer.kind == "no") == bool(planted)
        self._missed[given.number] = not agrees
        self._agreed += agrees
        found = planted if answer.kind == "no" else planted.intersection(answer.wrong)
        self._errors[given.number] = (len(planted), len(planted - found))
        self._count_planted(given, 1)

    def retract(self, number: int) -> None:
        """The answer no longer counts."""
        if number not in self._missed:
            return
        self._retracted.add(number)
        self._agreed -= not self._missed[number]
        self._count_planted(self.answers[number], -1)

    def _count_planted(self, given: Answered, by: int) -> None:
        planted, overlooked = self._errors[given.number]
        self._planted[given.annotator, len(given.answer)] += by * planted
        self._overlooked[given.annotator, len(given.answer)] += by * overlooked

    @property
    def agreement(self) -> Share:
        """How often an audit was answered as the labels would have it."""
        return Share(self._agreed, len(self._missed) - len(self._retracted))

    def misses(self, annotator: str) -> dict[int, tuple[int, int]]:
        """What this annotator overlooked, for `askless.core.misses.estimate_misses`.

        By size of the group, how many errors were planted and how many of them overlooked. A bare
        no has found them all.
        """
        return {
            size: (planted, self._overlooked[who, size])
            for (who, size), planted in self._planted.items()
            if who == annotator and planted
        }

    def size_due(self, annotator: str, every: int) -> int:
        """How many items an audit should show now; 0 if none is due.

        One is due when the annotator was asked `every` questions since the last one; never for 0.
        While little is known of how much is overlooked in groups they come sooner, the first after
        a fifth as many questions. None is due while items are asked alone: nothing is overlooked
        beside others then, and reading one twice may cost more than all the asking.
        """
        count, size = self._since.get(annotator, (0, 0))
        if not every or size < 2:
            return 0
        return size if count >= every * min(10, 2 + self._asked[annotator]) / 10 else 0

    def errors(self) -> tuple[int, int]:
        """How many wrong items were planted in audits that stand, and how many overlooked."""
        return self._planted.total(), self._overlooked.total()

    def planted(self, annotator: str) -> int:
        """How many wrong items this annotator was shown in audits of groups, and answered."""
        return sum(n for (who, size), n in self._planted.items() if who == annotator and size > 1)


class Definitions(list[str]):
    """What a True label meant, the newest last."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: list[int] = []

    def note(self, said: Defined) -> bool:
        """It was said what a True label means; whether that is something else than before."""
        changed = self[-1:] != [said.text]
        self.append(said.text)
        self._numbers.append(said.number)
        return changed

    def count_before(self, number: int) -> int:
        """How many definitions there had been when this answer was given; 0 before the first."""
        return bisect_left(self._numbers, number)


@dataclass(slots=True)
class Revisions:
    """The steps that changed several items and were not undone, and what was unsure before them."""

    _steps: dict[int, tuple[Revised, dict[int, Unsure | None]]] = field(default_factory=dict)

    def __contains__(self, number: object) -> bool:
        return number in self._steps

    def note(self, step: Revised, before: dict[int, Unsure | None]) -> None:
        """A step was taken; `before` is what was said of each of its items, None for nothing."""
        self._steps[step.number] = (step, before)

    def take(self, number: int) -> tuple[Revised, dict[int, Unsure | None]]:
        """A step that is undone, and what was said before it."""
        if number not in self._steps:
            raise InvalidInput(f"Only a step that stands can be undone; step {number} does not.")
        return self._steps.pop(number)

    def latest_of(self, annotator: str, tab: str | None) -> int:
        """The newest step of this annotator, in this window if one is given; -1 for none."""
        for number in reversed(self._steps):
            step, _ = self._steps[number]
            if step.annotator == annotator and tab in (None, step.tab):
                return number
        return -1


@dataclass(slots=True)
class Tally:
    """Counts over the answers of people that stand; those of the source only `of` counts."""

    shown: int = 0
    """Items shown, over all of them."""
    _kinds: Counter[str] = field(default_factory=Counter)
    _of: dict[str, tuple[int, int]] = field(default_factory=dict)
    _seconds: list[float] = field(default_factory=list)
    _total_s: float = 0.0

    def count(self, given: Answered, by: int) -> None:
        """An answer stands from now on (`by` 1), or no longer does (-1)."""
        answer = given.answer
        size = by * len(answer.question.items)
        count, shown = self._of.get(given.annotator, (0, 0))
        self._of[given.annotator] = (count + by, shown + size)
        if given.annotator == SOURCE:
            return
        self.shown += size
        self._kinds[answer.kind] += by
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

    @property
    def annotators(self) -> list[str]:
        """Who gave answers that stand."""
        return [name for name, (count, _) in self._of.items() if count]

    def of(self, annotator: str) -> tuple[int, int]:
        """How many answers of this annotator stand, and how many items they showed."""
        return self._of.get(annotator, (0, 0))

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
