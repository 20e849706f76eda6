"""What passes between the page and the server, field by field.

Every reply and every request has its class here, so that ``/api/openapi.json`` tells all of
it. Words are those of docs/concepts.md. Requests refuse what they do not know.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

AnswerKind = Literal["yes", "no", "pointed"]
ExportFormat = Literal["csv", "jsonl", "parquet"]

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="Made up per request.")]
Tab = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="Which window this is.")]
_Whole = BeforeValidator(lambda value: _whole(value))
ItemIndex = Annotated[
    int, Field(ge=0, lt=2**31, description="An item, by its index in the pool."), _Whole
]
EventNumber = Annotated[int, Field(ge=0, lt=2**53), _Whole]
TicketText = Annotated[str, Field(min_length=1, max_length=40_000)]
Name = Annotated[
    str,
    Field(
        max_length=80,
        pattern=r"^[^\x00-\x1f\x7f]*[^\s|\x00-\x1f\x7f][^\x00-\x1f\x7f]*$",
        description="One name, or two as in 'a shoe|shoes'.",
    ),
]
NoteText = Annotated[str, Field(max_length=2_000, pattern=r"^[^\x00]*$")]
DefinitionText = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"^[^\x00]*$")]


def _whole(value: object) -> object:
    """To JSON 1.0 is as whole as 1."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class _Said(BaseModel):
    """What a page sends."""

    model_config = ConfigDict(extra="forbid", strict=True)


class AskBody(_Said):
    """Which window wants a question."""

    tab: Tab
    alone: bool = Field(
        default=False, description="Whether no other window is open: what they held comes back."
    )


class AheadBody(_Said):
    """The question whose answers are to be thought ahead of."""

    tab: Tab
    question_id: EventNumber


class TellBody(_Said):
    """An answer."""

    tab: Tab
    question_id: EventNumber | None = Field(
        default=None, description="None for a question that was only prepared; see `ticket`."
    )
    ticket: TicketText = Field(description="Proves that this question was shown.")
    kind: AnswerKind
    wrong: list[ItemIndex] = Field(
        default_factory=list, max_length=10_000, description="Only for pointed: the wrong items."
    )
    key: Key
    showing: TicketText | None = Field(
        default=None, description="Ticket of the prepared question that the page shows already."
    )
    seconds: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = Field(
        default=None, description="How long the person looked at the question.", strict=False
    )


class UnsureBody(_Said):
    """An item nobody can label."""

    tab: Tab
    item: ItemIndex
    note: NoteText = ""
    key: Key


class UndoBody(_Said):
    """Take the latest answer back."""

    tab: Tab
    key: Key


class RetractBody(_Said):
    """Take any answer back."""

    answer: EventNumber
    key: Key


class CorrectBody(_Said):
    """A settled label is wrong: this is the right one."""

    item: ItemIndex
    label: bool
    key: Key


class DefinitionBody(_Said):
    """What the positive label means, from now on."""

    text: DefinitionText


class PinBody(_Said):
    """Keep an item in view as an example, or no longer."""

    item: ItemIndex
    pinned: bool


class NamesBody(_Said):
    """What the two labels are called; ``one|many`` gives singular and plural."""

    positive: Name
    negative: Name | None = None


class GroupBody(_Said):
    """The most items a question may show; null to let askless choose."""

    max_n: Annotated[int, Field(ge=1, le=200), _Whole] | None


class ReviewedBody(_Said):
    """These labels were looked at and stand."""

    items: list[ItemIndex] = Field(min_length=1, max_length=10_000)


class ExportBody(_Said):
    """Which file is wanted."""

    format: ExportFormat


class Item(BaseModel):
    """One item, as it is shown."""

    item: int
    name: str
    text: str | None
    picture: bool
    checksum: str = Field(description="Of the content; the first characters go into picture URLs.")


class Question(BaseModel):
    """Are all of these right?"""

    id: int | None = Field(description="None for a question that is only prepared.")
    ticket: str
    purpose: Literal["label"] = "label"
    guess: bool
    sentence: str
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


class Deeper(BaseModel):
    """The same, after two answers."""

    yes: Branches | None = None
    no: Branches | None = None
    pointed: Branches | None = None


class Ahead(Branches):
    """Questions for later, which may be shown and answered without asking for them."""

    ahead: Deeper
    spare: list[Question] = Field(
        description="On other items than all the rest: to be shown whatever was answered."
    )


class Span(BaseModel):
    """A guess and how far off it may be."""

    low: float
    expected: float
    high: float


class Audits(BaseModel):
    """How audits were answered, with the 95 % interval of the share missed."""

    asked: int
    missed: int
    low: float
    high: float


class Model(BaseModel):
    """Is the model learning? Judged on labels that it had not seen when it foretold them."""

    learning: bool
    accuracy: float | None
    calibration_error: float | None
    foretold: int


class TrainerView(BaseModel):
    """What the trainer is doing."""

    state: str
    checkpoint: int
    answers: int
    fit_s: float
    last_failure: str | None
    retry_in_s: float | None
    preparing: float | None = Field(description="Share of the preparation done; null when over.")
    note: str


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
    answers: dict[str, int]
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


class Asking(BaseModel):
    """The question to look at now."""

    question: Question | None
    done: bool
    progress: Progress


class Undone(Asking):
    """What is to be answered again."""

    undone: bool = Field(description="False if there was nothing to take back.")


class DisputeView(BaseModel):
    """Answers that cannot all be true."""

    answers: list[int]


class Told(Asking):
    """What became of an answer, and what comes next."""

    answer: int
    settled: int
    dispute: DisputeView | None


class UnreadableView(BaseModel):
    """Something that could not become an item."""

    id: str
    reason: str


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
    definition: str
    definition_version: int
    definition_confirmed: bool
    pinned: list[PinnedItem]
    max_n: int | None = Field(description="What the person set; null to let askless choose.")
    done: bool
    annotator: str
    channel: Literal["yes-no", "pointed"]
    offline_answers: int = Field(description="How many answers the page may hold while offline.")
    unreadable: list[UnreadableView]
    duplicates: int
    notices: list[str] = Field(description="What the person ought to know about the source.")


class Curve(BaseModel):
    """Labels settled after so many answers, and the most that could have been."""

    answers: list[int]
    labels: list[int]
    bound: list[float]


class AnswerView(BaseModel):
    """An answer that was given."""

    answer: int
    kind: AnswerKind
    guess: bool
    items: list[Item]
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


class Summary(BaseModel):
    """What to write in a methods section."""

    text: str
    items: int
    settled: int
    positives: int
    negatives: int
    unsure: int
    answers: int
    audits: Audits
    test_split: int
    definition: str
    definition_version: int
    review: int


class Done(BaseModel):
    """It was done."""

    ok: Literal[True] = True


class Problem(BaseModel):
    """What went wrong, as a sentence."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
