"""What the server replies, field by field; what the page sends is in `askless.web.requests`.

So ``/api/openapi.json`` tells all of it. Words are those of docs/concepts.md.
Tested in tests/web/test_api_schema.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from askless.app.enough import Bound
from askless.app.neighbours import Alike
from askless.app.review import Why
from askless.app.statistics import Audits
from askless.history.labels import Known
from askless.seams import TrainerStatus, Unreadable

AnswerKind = Literal["yes", "no", "pointed"]


class Fact(BaseModel):
    """A named value that is shown with an item."""

    name: str
    value: str


class Item(BaseModel):
    """One item, as it is shown."""

    item: int
    name: str
    text: str | None
    facts: list[Fact] = Field(description="Beside the text; of a row, all there is to see.")
    cut: bool = Field(description="Whether something goes on; all of it is in `items/N`.")
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
    marks: bool = Field(
        description="Whether a no was said before, so that only marks say more, or a yes."
    )


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
    wait: bool = Field(
        description="What comes next is decided when the answer is there; show no spare question "
        "while the server can be reached."
    )


class Span(BaseModel):
    """What is expected, and between what it lies nine times in ten."""

    low: float
    expected: float
    high: float


class Model(BaseModel):
    """Is the model learning? Judged on labels that it predicted before it was given them."""

    learning: bool
    accuracy: float | None = Field(description="The share of the latest predictions it had right.")
    commoner_share: float | None = Field(
        description="The share that always saying the commoner label would have had right."
    )
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
    gone: int = Field(description="Items that are not in the source now: in no other count.")
    answers: dict[AnswerKind, int]
    labels_per_answer: float | None
    seconds_per_label: float | None
    draws_left: int = Field(
        description="Items of the test sample still to be asked; there is no forecast before."
    )
    questions_left: Span | None = Field(description="The forecast; null before it can be told.")
    minutes_left: Span | None
    positives: int
    negatives: int
    disputes: int
    audits: Audits
    model: Model
    trainer: TrainerView
    group: GroupView
    probs_version: int
    enough: Bound | None = Field(description="How far it is from what is promised, if anything.")


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


class NameOfLabel(BaseModel):
    """What one item of a label is called, and several."""

    one: str = Field(description="It makes sense after `this is`.")
    many: str
    given_one: str | None = Field(description="What one is called, if somebody said so.")


class SessionView(BaseModel):
    """What the page needs to know once."""

    id: str = Field(description="Stays the same for ever; tells sessions apart.")
    name: str
    kind: Literal["images", "texts", "rows"]
    folder: bool = Field(description="Whether the source is a folder of files.")
    items: int
    labels_given: int = Field(description="How many of them the source gave a label.")
    positive: NameOfLabel
    negative: NameOfLabel
    positive_given: bool = Field(description="Whether somebody named it; else it is made up.")
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
    given: bool = Field(description="Whether it is no answer but labels that the source gives.")
    annotator: str


class LabelledItem(Item):
    """An item with its label and why to believe it."""

    label: bool | None
    certain: bool = Field(description="Whether answers entail the label.")
    how: Known = Field(description="How the label was settled; unsure; empty while open.")
    probability: float = Field(description="Of the positive label, as believed now.")
    answers: list[int]
    annotators: list[str] = Field(description="Who gave them.")
    definition: int | None = Field(description="How many definitions there were at the oldest.")
    at_s: float | None = Field(description="When the newest of them, or the mark unsure, came.")
    note: str = ""
    copies: int = Field(description="How many exact copies it has.")
    copy_names: list[str] = Field(description="What these are called, the first 20.")
    near: int | None = Field(
        default=None, description="Its group of near-duplicates, where these are asked for."
    )
    why: list[Why] = Field(default_factory=list, description="Why it is up for review.")
    chance_wrong: float | None = Field(
        default=None, description="The chance that the label is wrong, in the review."
    )


class Gallery(BaseModel):
    """One page of items."""

    total: int
    page: int
    pages: int
    items: list[LabelledItem]
    annotators: list[str] = Field(
        default_factory=list, description="Who gave answers that settle items, 200 at most."
    )
    definitions: int = Field(default=0, description="How many definitions there were so far.")
    alike: Alike = Field(
        default="none", description="Whether there are features to compare items by, in this order."
    )


class ReviewPage(Gallery):
    """One page of the labels worth a look, the likeliest to be wrong first."""

    says: list[str] = Field(description="What a look at them is worth, in sentences.")
    ready: bool = Field(description="Whether the model has had its say; if not, ask again soon.")
    consistency: list[str] = Field(description="What asking again has shown, in sentences.")
    reasks_to_come: int = Field(description="How many labels are still to be asked again.")
    given: int = Field(description="Labels that the person gave and can be asked about again.")


class Revised(BaseModel):
    """Labels were changed in one step."""

    step: int = Field(description="What `undo` takes to undo it.")


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
    file: str = Field(description="What the file is called.")
    needs: str = Field(description="A package to install first; empty if it can be had now.")


class Slips(BaseModel):
    """A certificate with what people overlook folded in."""

    says: str = Field(description="In a sentence; empty where too little was measured.")


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
