"""What each kind of event says, as one frozen value a kind.

    content = content_of(event, asked)        # an Asked, an Answered, an Unsure, ...
    Event(content.kind, annotator, content.to_json())

`to_json` writes the payload that a store keeps; `content_of` is its only reader, by way of
`askless.core.content`. What only the rest of a session can tell (is there such an item?) is
checked by `askless.session.history`.

`requests` says what an idempotency key of the event stands for. To add a field to a kind, add it
to its class, and to `requests` if it tells one request from another.
Tested in tests/core/test_events.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from askless.core.content import Chance, Content, Request, needs, read_content, whole
from askless.core.event import Event, Kind
from askless.core.json_form import answer_from, answer_record, question_from, question_record
from askless.core.question import Answer, Question
from askless.errors import InvalidInput


def undo_request(annotator: str) -> Request:
    """Undo what this annotator did last, whatever that was."""
    return ("undo", annotator)


def correct_request(annotator: str, item: int, label: bool) -> Request:
    """Give the item this label."""
    return ("correct", annotator, item, label)


@dataclass(frozen=True, slots=True)
class Opened(Content):
    """A session began over a pool; `about` identifies it and holds at least ``n``."""

    about: Mapping[str, Any] = field(metadata={"stored": None})
    kind: ClassVar[Kind] = "opened"

    def __post_init__(self) -> None:
        try:
            whole(self.about.get("n"))
        except ValueError:
            raise needs("n", "a whole number, 0 or more", self.about) from None

    def to_json(self) -> dict[str, Any]:
        """See `Content`."""
        return dict(self.about)


@dataclass(frozen=True, slots=True)
class Asked(Content):
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
    checkpoint: int = field(default=0, metadata={"stored": "probs_version"})
    probs: int = 0
    chance: Chance | None = None
    planted: tuple[int, ...] = ()
    in_test_sample: bool = field(default=False, metadata={"stored": "drawn"})
    tab: str = ""
    kind: ClassVar[Kind] = "asked"

    def to_json(self) -> dict[str, Any]:
        """See `Content`."""
        record = question_record(self.question)
        return {**record, "probs_version": self.checkpoint, **Content.to_json(self)}

    @property
    def id(self) -> int:
        """What `Session.tell` wants to hear."""
        return self.number


@dataclass(frozen=True, slots=True)
class Answered(Content):
    """What somebody said to a question, whatever became of it since.

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

    def __post_init__(self) -> None:
        if self.corrects is not None and self.label is None:
            raise InvalidInput("An answer that corrects an item says which label is right.")

    def to_json(self) -> dict[str, Any]:
        """See `Content`."""
        answer = self.answer
        return {
            **question_record(answer.question), **answer_record(answer), **Content.to_json(self)
        }  # fmt: skip

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
class Unsure(Content):
    """An item was marked unsure: it gets no label and proves nothing."""

    item: int
    note: str = ""
    tab: str = ""
    kind: ClassVar[Kind] = "unsure"

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        return (("unsure", annotator, self.item, self.note),)


@dataclass(frozen=True, slots=True)
class TakenBack(Content):
    """An item is no longer unsure; `undo` is None in old events, which do not tell why."""

    item: int
    undo: bool | None = None
    kind: ClassVar[Kind] = "taken_back"

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        one, undo = ("take_back", annotator, self.item), undo_request(annotator)
        return (one, undo) if self.undo is None else (undo if self.undo else one,)


@dataclass(frozen=True, slots=True)
class Retracted(Content):
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

    def __post_init__(self) -> None:
        if self.answer is None and not self.undo and None in (self.corrects, self.label):
            raise InvalidInput("Without an answer, a retraction names an item and its label.")

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        if self.undo:
            return (undo_request(annotator),)
        if self.corrects is not None:
            return (correct_request(annotator, self.corrects, bool(self.label)),)
        return (("retract", annotator, self.answer),)


@dataclass(frozen=True, slots=True)
class CheckpointTaken(Content):
    """New probabilities are in use: the checkpoint with this number."""

    checkpoint: int = field(metadata={"stored": "number"})
    checksum: str = ""
    kind: ClassVar[Kind] = "checkpoint"


@dataclass(frozen=True, slots=True)
class Defined(Content):
    """What a True label means, from here on."""

    text: str
    kind: ClassVar[Kind] = "defined"

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        return (("define", annotator, self.text),)


@dataclass(frozen=True, slots=True)
class Exported(Content):
    """Labels were written somewhere; `about` says where, in plain JSON values."""

    about: Mapping[str, Any] = field(metadata={"stored": None})
    kind: ClassVar[Kind] = "exported"

    def to_json(self) -> dict[str, Any]:
        """See `Content`."""
        return dict(self.about)

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        return (("exported", annotator, dict(self.about)),)


@dataclass(frozen=True, slots=True)
class Planned(Content):
    """How questions are chosen, from here on, in plain JSON values."""

    method: Mapping[str, Any]
    kind: ClassVar[Kind] = "planned"


_CONTENTS: Final[Mapping[Kind, type[Content]]] = {
    content.kind: content
    for content in (
        Opened, Asked, Answered, Audited, Unsure, TakenBack, Retracted, CheckpointTaken, Defined,
        Exported, Planned,
    )
}  # fmt: skip


def content_of(event: Event, asked: Mapping[int, Asked]) -> Content:
    """What the event says.

    Parameters
    ----------
    event
        As a store gave it.
    asked
        What was asked before it, by number.

    Raises
    ------
    InvalidInput
        Its payload is not what its kind says; no session wrote it.
    """
    payload, kind = event.payload, _CONTENTS[event.kind]
    if not isinstance(payload, (dict, Mapping)):  # asking for dict first is quicker
        raise InvalidInput(f"An event's payload is a mapping; got {payload!r:.80}.")
    known: dict[str, Any] = {
        "number": event.number, "annotator": event.annotator, "at_s": event.at_s
    }  # fmt: skip
    if kind is Asked:
        known["question"] = question_from(payload)
    elif issubclass(kind, Answered):
        number = payload.get("question_id")
        question = asked.get(number) if type(number) is int else None
        if question is None:
            raise needs("question_id", "the number of a question that was asked", payload)
        known["answer"] = answer_from(payload, question.question)
    elif kind is Opened or kind is Exported:
        known["about"] = dict(payload)
    return read_content(kind, payload, known)
