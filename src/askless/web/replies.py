"""What the server replies, field by field; what the page sends is in `askless.web.requests`.

So ``/api/openapi.json`` tells all of it. Words are those of docs/concepts.md.
Tested in tests/web/test_api_schema.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from askless.app.statistics import Audits
from askless.seams import TrainerStatus, Unreadable

AnswerKind = Literal["yes", "no", "pointed"]


class Item(BaseModel):
    """One item, as it is shown."""

    item: int
    name: str
    text: str | None
    picture: bool
    checksum: str = Field(description="Of the content; the first characters go into picture URLs.")


class Sentence(BaseModel):
    """A question in words, in three parts, so that the page can set the name of the label apart."""

    before: str
    name: str
    after: str


class Question(BaseModel):
    """Are all of these right?"""

    id: int | None = Field(description="None for a question that is only prepared.")
    ticket: str
    purpose: Literal["label"] = "label"
    guess: bool
    sentence: Sentence
    items: list[Item]
    learning: bool = Field(description="Whether the model knows too little yet to be of use.")
    drawn: bool = Field(description="Whether it was drawn uniformly at random.")


class Branches(BaseModel):
    """What would be asked after each answer; null where that cannot be told."""

    yes: Question | None = None
    no: Question | None = None
    pointed: Question | None = Field(
        default=None, description="After any pointed answer that says the rest are right."
    )


class Ahead(Branches):
    """Questions for later, which may be shown and answered without asking for them."""

    ahead: dict[AnswerKind, Branches] = Field(
        description="What would be asked after two answers, by the first of them."
    )
    spare: list[Question] = Field(
        description="On other items than all the rest: to be shown whatever was answered."
    )


class Span(BaseModel):
    """A guess and how far off it may be."""

    low: float
    expected: float
    high: float


class Model(BaseModel):
    """Is the model learning? Judged on labels that it predicted before it was given them."""

    learning: bool
    accuracy: float | None
    calibration_error: float | None
    labels_predicted: int


@dataclass(frozen=True, slots=True)
class TrainerView(TrainerStatus):
    """What the trainer is doing; `preparing` is the share of the preparation done, until it is."""

    preparing: float | None = None
    note: str = ""


class GroupView(BaseModel):
    """How large questions are, and the pace they are planned for."""

    max_n: int | None
    seconds: list[float] = Field(description="Per question, per item shown, per item pointed at.")


class Progress(BaseModel):
    """Where the session stands."""

    items: int
    settled: int
    open: int
    unsure: int
    answers: dict[AnswerKind, int]
    labels_per_answer: float | None
    seconds_per_label: float | None
    questions_left: Span
    minutes_left: Span | None
    positives: int
    negatives: int
    disputes: int
    audits: Audits
    model: Model
    trainer: TrainerView
    group: GroupView
    probs_version: int


class AskReply(BaseModel):
    """The question to look at now."""

    question: Question | None
    done: bool
    progress: Progress


class UndoReply(AskReply):
    """What is to be answered again."""

    undone: bool = Field(description="False if there was nothing to take back.")


class DisputeView(BaseModel):
    """Answers that cannot all be true."""

    model_config = ConfigDict(from_attributes=True)
    answers: list[int]


class TellReply(AskReply):
    """What became of an answer, and what comes next."""

    answer: int
    settled: int
    dispute: DisputeView | None


class PinnedItem(Item):
    """An example that stays in view."""

    label: bool | None


class SessionView(BaseModel):
    """What the page needs to know once."""

    id: str = Field(description="Stays the same for ever; tells sessions apart.")
    name: str
    kind: Literal["images", "texts", "rows"]
    items: int
    positive: str
    negative: str
    negative_given: bool = Field(description="Whether somebody named it; else it is made up.")
    definition: str
    definition_version: int
    definition_confirmed: bool
    pinned: list[PinnedItem]
    max_n: int | None = Field(description="What the person set; null to let askless choose.")
    done: bool
    annotator: str
    channel: Literal["yes-no", "pointed"]
    offline_answers: int = Field(description="How many answers the page may hold while offline.")
    unreadable: list[Unreadable]
    duplicates: int
    notices: list[str] = Field(description="What the person ought to know about the source.")
    command: str = Field(description="Starts askless again with this session.")


class AnswerView(BaseModel):
    """An answer that was given."""

    answer: int
    kind: AnswerKind
    guess: bool
    items: list[Item] = Field(description="The first 200 of them.")
    size: int = Field(description="How many there were.")
    wrong: list[int]
    at_s: float
    retracted: bool
    disputed: bool
    annotator: str


class LabelledItem(Item):
    """An item with its label and why to believe it."""

    label: bool | None
    how: str
    prob: float
    answers: list[int]
    note: str = ""
    why: list[Literal["model", "deduced", "definition"]] = Field(
        default_factory=list, description="Why it is up for review."
    )


class Gallery(BaseModel):
    """One page of items."""

    total: int
    page: int
    pages: int
    items: list[LabelledItem]


class DefinitionView(BaseModel):
    """The definition as it now stands."""

    definition: str
    definition_version: int
    queued: int = Field(description="Labels given under an older definition, now up for review.")


class ExportFormat(BaseModel):
    """A kind of file that the labels can be had as."""

    name: str
    title: str
    purpose: str


class Done(BaseModel):
    """It was done."""

    ok: Literal[True] = True


class Problem(BaseModel):
    """What went wrong, as a sentence."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    again: bool = Field(
        description="Whether the same request may be taken later: sent again with the same key, "
        "nothing happens twice. If false it never will be, for the reason in `detail`."
    )
