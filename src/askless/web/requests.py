"""What the page sends, field by field; what the server replies is in `askless.web.replies`.

Requests refuse what they do not know. Tested in tests/web/test_api_schema.py.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict

from askless.app.capacity import Capacity, Layout
from askless.app.service import Revision
from askless.exports import EXPORTERS
from askless.web.replies import AnswerKind

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
        pattern=r"^[^|\x00-\x1f\x7f]*[^\s|\x00-\x1f\x7f][^|\x00-\x1f\x7f]*$",
        description="A name; it holds no bar.",
    ),
]
NoteText = Annotated[str, Field(max_length=2_000, pattern=r"^[^\x00]*$")]
DefinitionText = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"^[^\x00]*$")]
ExportName = Annotated[str, Field(pattern=f"^({'|'.join(map(re.escape, EXPORTERS.names()))})$")]
PromiseText = Annotated[
    str,
    Field(
        pattern=r"^(count:[0-9]{1,6}|(accepted:)?[0-9]{1,2}([.][0-9]{1,3})?%"
        r"|recall:(100|[1-9][0-9]?([.][0-9]{1,3})?)%)$",
        description="Written as `1%`, `accepted:1%`, `count:20` or `recall:95%`.",
    ),
]
CutOff = Annotated[float, Field(ge=0.5, lt=1, description="A guess must be likelier than this.")]


def _whole(value: object) -> object:
    """To JSON 1.0 is as whole as 1."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class _Body(BaseModel):
    """What a page sends."""

    model_config = ConfigDict(extra="forbid", strict=True)


_Pixels = Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False), Strict(False)]


class LayoutBody(_Body):
    """One way in which a window shows texts, in columns; in CSS pixels."""

    number: Annotated[int, Field(ge=1, le=100), _Whole] = Field(description="Of columns.")
    height: _Pixels = Field(description="Of a column.")
    line: _Pixels = Field(description="Height of a line.")
    card: _Pixels = Field(description="What a card takes beside its lines, with the gap below.")
    characters: _Pixels = Field(description="How many characters a line holds.")


class CapacityBody(_Body):
    """What a window can show in full; no question is larger."""

    items: Annotated[int, Field(ge=1, le=1000), _Whole]
    layouts: list[LayoutBody] = Field(
        default_factory=list, max_length=20, description="For texts: all must fit one of them."
    )

    def capacity(self) -> Capacity:
        """The same for the application."""
        return Capacity(self.items, tuple(Layout(**one.model_dump()) for one in self.layouts))


class WindowBody(_Body):
    """What comes from a window that shows questions."""

    tab: Tab
    capacity: CapacityBody | None = Field(
        default=None, description="What the window can show in full, from now on."
    )


class AskBody(WindowBody):
    """Which window wants a question."""

    alone: bool = Field(
        default=False, description="Whether no other window is open: what they held comes back."
    )
    refit: bool = Field(
        default=False, description="Whether the window cannot show all of the question it holds."
    )


class AheadBody(WindowBody):
    """The question whose follow-ups are wanted."""

    question_id: EventNumber


class TellBody(WindowBody):
    """An answer."""

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


class UnsureBody(WindowBody):
    """An item nobody can label."""

    item: ItemIndex
    note: NoteText = ""
    key: Key


class UndoBody(WindowBody):
    """Take back what this window did last."""

    key: Key
    step: EventNumber | None = Field(
        default=None, description="As `revise` returned it: undone only if it came last."
    )


class RetractBody(_Body):
    """Take any answer back."""

    answer: EventNumber
    key: Key


class ReviseBody(_Body):
    """Labels that are to change in one step, all or none of them."""

    tab: Tab
    key: Key
    items: list[ItemIndex] = Field(min_length=1, max_length=1_000)
    what: Revision = Field(description="The label they have, or that they have none.")
    note: NoteText = Field(default="", description="Only for unsure: what to remember.")


class DefinitionBody(_Body):
    """What the positive label means, from now on."""

    text: DefinitionText


class PinBody(_Body):
    """Keep an item in view as an example, or no longer."""

    item: ItemIndex
    pinned: bool


class NameOfLabel(_Body):
    """What several items of a label are called, and one, if that is not the same."""

    many: Name
    one: Name | None = None


class NamesBody(_Body):
    """What the two labels are called."""

    positive: NameOfLabel
    negative: NameOfLabel | None = None


class GroupBody(_Body):
    """The most items a question may show; null to let askless choose."""

    max_n: Annotated[int, Field(ge=1, le=200), _Whole] | None


class EnoughBody(_Body):
    """What is to hold before it is enough; null to label everything."""

    promise: PromiseText | None


class ReviewedBody(_Body):
    """These labels were looked at and stand."""

    items: list[ItemIndex] = Field(min_length=1, max_length=10_000)


class ReaskBody(_Body):
    """So many labels are to be asked again."""

    count: Annotated[int, Field(ge=0, le=1000), _Whole]


class ExportBody(_Body):
    """Which file is wanted, and what in it."""

    format: ExportName
    guess_above: CutOff | None = None
    probability: bool = True
    accepted: bool = Field(
        default=False, description="Whether accepted labels are written too, as not certain."
    )
