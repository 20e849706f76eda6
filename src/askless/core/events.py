"""What each kind of event says, as one frozen value a kind.

    content = content_of(event)        # an Asked, an Answered, an Unsure, ...
    Event(content.kind, annotator, content.to_json())

`to_json` writes the payload that a store keeps and `from_json` is its only reader. Whatever comes
from a file may be anything, so every field is checked there and refused in a sentence. What only
the rest of a session can tell (does the question exist?) is checked by `askless.session.history`.

`requests` says what an idempotency key of the event stands for. To add a field to a kind, add it
to its class: to the fields, to `to_json`, to `from_json`, and to `requests` if it tells one request
from another. Tested in tests/core/test_events.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol, Self

from askless.core._fields import Payload, flag, needs, number, text, whole, wholes
from askless.core.event import Event, Kind
from askless.core.json_form import answer_from, answer_record, question_from, question_record
from askless.core.question import Answer, Question
from askless.core.session_events import (
    CheckpointTaken,
    Defined,
    Exported,
    Keyless,
    Opened,
    Planned,
    Request,
)
from askless.errors import InvalidInput


def undo_request(annotator: str) -> Request:
    """Undo what this annotator did last, whatever that was."""
    return ("undo", annotator)


def correct_request(annotator: str, item: int, label: bool) -> Request:
    """Give the item this label."""
    return ("correct", annotator, item, label)


class Content(Protocol):
    """What an event of one kind says."""

    kind: ClassVar[Kind]

    @classmethod
    def from_json(cls, payload: Payload) -> Self:
        """Read what `to_json` wrote, now or in an earlier version; refuse anything else."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The payload, in plain JSON values. What has its default is left out."""
        ...

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """What a key of this event stands for; several where an old event does not tell which."""
        ...


@dataclass(frozen=True, slots=True)
class Asked(Keyless):
    """A question was put to somebody.

    Parameters
    ----------
    question
        What was asked.
    checkpoint
        Number of the checkpoint in use; 0 for none.
    probs
        Version of the probabilities in use; 0 is what the session was opened with.
    chance
        P(yes) as the probabilities had it; None where nobody worked it out.
    planted
        Only for audits: the items shown with a label known to be wrong.
    in_test_sample
        Whether its one item belongs to the test sample.
    tab
        Which of the annotator's windows asked for it.
    """

    question: Question
    checkpoint: int = 0
    probs: int = 0
    chance: float | None = None
    planted: tuple[int, ...] = ()
    in_test_sample: bool = False
    tab: str = ""
    kind: ClassVar[Kind] = "asked"

    @classmethod
    def from_json(cls, payload: Payload) -> Self:
        """See `Content`."""
        return cls(
            question_from(payload),
            whole(payload, "probs_version", 0),
            whole(payload, "probs", 0),
            number(payload, "chance", most=1.0),
            wholes(payload, "planted"),
            flag(payload, "drawn") or False,
            text(payload, "tab", ""),
        )

    def to_json(self) -> dict[str, Any]:
        """See `Content`."""
        body = {**question_record(self.question), "probs_version": self.checkpoint}
        if self.probs:
            body["probs"] = self.probs
        if self.question.purpose == "audit":
            body["planted"] = list(self.planted)
        if self.chance is not None:
            body["chance"] = self.chance
        if self.in_test_sample:
            body["drawn"] = True
        return {**body, "tab": self.tab} if self.tab else body


@dataclass(frozen=True, slots=True)
class Answered:
    """What somebody said to a question.

    Parameters
    ----------
    question_id, answer
        What was asked and what was said.
    seconds
        How long the person looked; None where nobody measured it.
    corrects, label
        The item whose label it was given to correct, and the right one; None if it was asked for.
    replaces
        The answers that were retracted for that.
    """

    question_id: int
    answer: Answer
    seconds: float | None = None
    corrects: int | None = None
    label: bool | None = None
    replaces: tuple[int, ...] = ()
    kind: ClassVar[Kind] = "answered"

    @classmethod
    def from_json(cls, payload: Payload, question: Question | None = None) -> Self:
        """See `Content`; `question` is what was asked, None to read that from the payload too."""
        corrects = whole(payload, "corrects", None)
        return cls(
            whole(payload, "question_id"),
            answer_from(payload, question),
            number(payload, "seconds"),
            corrects,
            None if corrects is None else flag(payload, "label", needed=True),
            wholes(payload, "replaces"),
        )

    def to_json(self) -> dict[str, Any]:
        """See `Content`."""
        body = {
            "question_id": self.question_id,
            **question_record(self.answer.question),
            **answer_record(self.answer),
        }
        if self.seconds is not None:
            body["seconds"] = self.seconds
        if self.corrects is not None:
            body |= {"corrects": self.corrects, "label": self.label}
            body["replaces"] = list(self.replaces)
        return body

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        if self.corrects is not None:
            return (correct_request(annotator, self.corrects, bool(self.label)),)
        return (("tell", annotator, self.question_id, self.answer),)


@dataclass(frozen=True, slots=True)
class Audited(Answered):
    """What somebody said to an audit."""

    kind: ClassVar[Kind] = "audited"


@dataclass(frozen=True, slots=True)
class Unsure:
    """An item was marked unsure: it gets no label and proves nothing."""

    item: int
    note: str = ""
    tab: str = ""
    kind: ClassVar[Kind] = "unsure"

    @classmethod
    def from_json(cls, payload: Payload) -> Self:
        """See `Content`."""
        return cls(whole(payload, "item"), text(payload, "note", ""), text(payload, "tab", ""))

    def to_json(self) -> dict[str, Any]:
        """See `Content`."""
        body = {"item": self.item, "note": self.note}
        return {**body, "tab": self.tab} if self.tab else body

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        return (("unsure", annotator, self.item, self.note),)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """An item is no longer unsure; `undo` is None in old events, which do not tell why."""

    item: int
    undo: bool | None = None
    kind: ClassVar[Kind] = "taken_back"

    @classmethod
    def from_json(cls, payload: Payload) -> Self:
        """See `Content`."""
        return cls(whole(payload, "item"), flag(payload, "undo"))

    def to_json(self) -> dict[str, Any]:
        """See `Content`."""
        return {"item": self.item} if self.undo is None else {"item": self.item, "undo": self.undo}

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        one, undo = ("take_back", annotator, self.item), undo_request(annotator)
        return (one, undo) if self.undo is None else (undo if self.undo else one,)


@dataclass(frozen=True, slots=True)
class Retracted:
    """An answer no longer counts.

    With `answer` None nothing was retracted: the event keeps the key of a request that had nothing
    to change, so that the same request sent again changes nothing either.

    Parameters
    ----------
    answer
        Its number.
    undo
        Whether it was undone, and not named.
    reinstates
        Answers that stand again, because the correction that replaced them is undone.
    corrects, label, stands
        Only where `answer` is None: the item that was to get a label it has already, and the
        answer that gives it.
    """

    answer: int | None
    undo: bool = False
    reinstates: tuple[int, ...] = ()
    corrects: int | None = None
    label: bool | None = None
    stands: int | None = None
    kind: ClassVar[Kind] = "retracted"

    @classmethod
    def from_json(cls, payload: Payload) -> Self:
        """See `Content`."""
        answer = None if payload.get("answer", 0) is None else whole(payload, "answer")
        undo = flag(payload, "undo") or False
        noop = answer is None and not undo
        return cls(
            answer,
            undo,
            wholes(payload, "reinstates"),
            whole(payload, "corrects") if noop else None,
            flag(payload, "label", needed=True) if noop else None,
            whole(payload, "stands", None) if noop else None,
        )

    def to_json(self) -> dict[str, Any]:
        """See `Content`."""
        body: dict[str, Any] = {"answer": self.answer}
        if self.undo:
            body["undo"] = True
        if self.reinstates:
            body["reinstates"] = list(self.reinstates)
        if self.corrects is not None:
            body |= {"corrects": self.corrects, "label": self.label, "stands": self.stands}
        return body

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        if self.undo:
            return (undo_request(annotator),)
        if self.corrects is not None:
            return (correct_request(annotator, self.corrects, bool(self.label)),)
        return (("retract", annotator, self.answer),)


_CONTENTS: Final[Mapping[Kind, type[Content]]] = {
    content.kind: content
    for content in (
        Opened, Asked, Answered, Audited, Unsure, TakenBack, Retracted, CheckpointTaken, Defined,
        Exported, Planned,
    )
}  # fmt: skip


def content_of(event: Event, questions: Mapping[int, Question]) -> Content:
    """What the event says.

    Parameters
    ----------
    event
        As a store gave it.
    questions
        What was asked before it, by number.

    Raises
    ------
    InvalidInput
        Its payload is not what its kind says; no session wrote it.
    """
    if not isinstance(event.payload, Mapping):
        raise InvalidInput(f"An event's payload is a mapping; got {event.payload!r:.80}.")
    kind = _CONTENTS[event.kind]
    if kind is not Answered and kind is not Audited:
        return kind.from_json(event.payload)
    question = questions.get(whole(event.payload, "question_id"))
    if question is None:
        raise needs("question_id", "the number of a question that was asked", event.payload)
    return kind.from_json(event.payload, question)
