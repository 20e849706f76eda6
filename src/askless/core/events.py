"""What each kind of event says, as one frozen value a kind.

    content = content_of(event, asked)        # an Asked, an Answered, an Unsure, ...
    Event(content.kind, annotator, content.to_json())

`to_json` writes the payload that a store keeps; `content_of` is its only reader, by way of
`askless.core.content`. What only the rest of a session can tell (is there such an item?) is
checked by `askless.history.history`.

`requests` says what an idempotency key of the event stands for. To add a field to a kind, add it
to its class, and to `requests` if it tells one request from another.
Tested in tests/core/test_events.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from askless.core.claimed import Claimed
from askless.core.content import Chance, Content, Request, needs, read_content, whole
from askless.core.event import Event, Kind
from askless.core.json_form import answer_from, answer_record, question_from, question_record
from askless.core.question import Answer, Question
from askless.core.reasking import Reasking
from askless.core.updated import Updated
from askless.errors import InvalidInput


def undo_request(annotator: str, tab: str | None) -> Request:
    """Undo what this annotator did last, asked for in this window; None if nobody knows which."""
    return ("undo", annotator, tab)


def correct_request(annotator: str, items: Iterable[int], label: bool) -> Request:
    """Give the items this label."""
    return ("correct", annotator, frozenset(items), label)


def revise_request(annotator: str, items: Iterable[int], unsure: bool, note: str) -> Request:
    """Mark the items unsure, or ask about them again."""
    return ("revise", annotator, frozenset(items), unsure, note)


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
    claim, check
        Of a check or a re-ask: the number of the event ``claimed`` or ``reasking``, and which of
        its draws this is, counted from 0. The first question of a draw is the draw.
    draw
        All the items drawn, if the first question does not show all of them in this order.
    """

    question: Question
    checkpoint: int = field(default=0, metadata={"stored": "probs_version"})
    probs: int = 0
    chance: Chance | None = None
    planted: tuple[int, ...] = ()
    in_test_sample: bool = field(default=False, metadata={"stored": "drawn"})
    tab: str = ""
    claim: int | None = None
    check: int | None = None
    draw: tuple[int, ...] = ()
    kind: ClassVar[Kind] = "asked"

    def __post_init__(self) -> None:
        purpose, drawn = self.question.purpose, self.claim is not None
        may = purpose == "audit" or drawn == (purpose == "check")
        if not may or drawn != (self.check is not None) or (self.draw and purpose != "check"):
            raise InvalidInput("A check names its claim and its draw; no other question does.")

    def to_json(self) -> dict[str, Any]:
        """See `Content`."""
        record = question_record(self.question)
        return {**record, "probs_version": self.checkpoint, **Content.to_json(self)}

    @property
    def is_reask(self) -> bool:
        """Whether it asks again about a label that the person gave."""
        return self.question.purpose == "audit" and self.claim is not None

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
    also
        Other items that were to get this label in the same step.
    revision
        Number of the `Revised` that it belongs to: it says again what was not to change.
    replaces
        The answers that were retracted for that.
    """

    question_id: int
    answer: Answer
    seconds: float | None = None
    corrects: int | None = None
    label: bool | None = None
    also: tuple[int, ...] = ()
    revision: int | None = None
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
            items = (self.corrects, *self.also)
            return (correct_request(annotator, items, bool(self.label)),)
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
    """An item is no longer unsure.

    In old events `undo` is None, since they do not tell why, and `tab`, the window that undid.
    """

    item: int
    undo: bool | None = None
    tab: str | None = None
    kind: ClassVar[Kind] = "taken_back"

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        one, undo = ("take_back", annotator, self.item), undo_request(annotator, self.tab)
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
    corrects, also, label, stands
        Only where `answer` is None: the item, and others, that were to get a label they have
        already, and the newest answer that gives it.
    tab
        The window in which it was undone; None if it was not, and in old events.
    """

    answer: int | None
    undo: bool = False
    reinstates: tuple[int, ...] = ()
    corrects: int | None = None
    also: tuple[int, ...] = ()
    label: bool | None = None
    stands: int | None = None
    tab: str | None = None
    kind: ClassVar[Kind] = "retracted"

    def __post_init__(self) -> None:
        if self.answer is None and not self.undo and None in (self.corrects, self.label):
            raise InvalidInput("Without an answer, a retraction names an item and its label.")

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        if self.undo:
            return (undo_request(annotator, self.tab),)
        if self.corrects is not None:
            items = (self.corrects, *self.also)
            return (correct_request(annotator, items, bool(self.label)),)
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


@dataclass(frozen=True, slots=True)
class Revised(Content):
    """Several items were marked unsure, or are to be asked again, in one step.

    Parameters
    ----------
    items
        Which.
    unsure
        Whether they are unsure from here on; otherwise none of them is any more, and they are
        asked again.
    answers
        The answers that no longer count, so that they are asked again.
    note, tab
        As in `Unsure`.
    """

    items: tuple[int, ...]
    unsure: bool
    answers: tuple[int, ...] = ()
    note: str = ""
    tab: str = ""
    kind: ClassVar[Kind] = "revised"

    def __post_init__(self) -> None:
        if not self.items or len(set(self.items)) != len(self.items):
            raise InvalidInput(
                f"A step is about one item or more, each once; got {self.items!r:.80}."
            )

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        return (revise_request(annotator, self.items, self.unsure, self.note),)

    def said_of(self, item: int) -> Unsure:
        """What it says about one of the items that it marks unsure."""
        return Unsure(
            item, self.note, self.tab,
            number=self.number, annotator=self.annotator, at_s=self.at_s,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Restored(Content):
    """The step `revision` no longer counts: labels and notes are as they were before it."""

    revision: int
    tab: str | None = None
    kind: ClassVar[Kind] = "restored"

    def requests(self, annotator: str) -> tuple[Request, ...]:
        """See `Content`."""
        return (undo_request(annotator, self.tab),)


_CONTENTS: Final[Mapping[Kind, type[Content]]] = {
    content.kind: content
    for content in (
        Opened, Asked, Answered, Audited, Unsure, TakenBack, Retracted, CheckpointTaken, Defined,
        Exported, Planned, Revised, Restored, Updated, Claimed, Reasking,
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
    elif kind is Answered or kind is Audited:
        number = payload.get("question_id")
        question = asked.get(number) if type(number) is int else None
        if question is None:
            raise needs("question_id", "the number of a question that was asked", payload)
        known["answer"] = answer_from(payload, question.question)
    elif kind is Opened or kind is Exported:
        known["about"] = dict(payload)
    return read_content(kind, payload, known)
