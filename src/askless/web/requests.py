"""What the page sends, field by field; what the server replies is in `askless.web.replies`.

Requests refuse what they do not know. Tested in tests/web/test_api_schema.py.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from askless.exports import file_exporters
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
        pattern=r"^[^\x00-\x1f\x7f]*[^\s|\x00-\x1f\x7f][^\x00-\x1f\x7f]*$",
        description="One name, or two as in 'a shoe|shoes'.",
    ),
]
NoteText = Annotated[str, Field(max_length=2_000, pattern=r"^[^\x00]*$")]
DefinitionText = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"^[^\x00]*$")]
ExportName = Annotated[str, Field(pattern=f"^({'|'.join(map(re.escape, file_exporters()))})$")]


def _whole(value: object) -> object:
    """To JSON 1.0 is as whole as 1."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class _Body(BaseModel):
    """What a page sends."""

    model_config = ConfigDict(extra="forbid", strict=True)


class AskBody(_Body):
    """Which window wants a question."""

    tab: Tab
    alone: bool = Field(
        default=False, description="Whether no other window is open: what they held comes back."
    )


class AheadBody(_Body):
    """The question whose follow-ups are wanted."""

    tab: Tab
    question_id: EventNumber


class TellBody(_Body):
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


class UnsureBody(_Body):
    """An item nobody can label."""

    tab: Tab
    item: ItemIndex
    note: NoteText = ""
    key: Key


class UndoBody(_Body):
    """Take back what this window answered last, or that an item is unsure."""

    tab: Tab
    key: Key
    item: ItemIndex | None = Field(
        default=None, description="An item that is unsure, in whichever window: ask it again."
    )


class RetractBody(_Body):
    """Take any answer back."""

    answer: EventNumber
    key: Key


class CorrectBody(_Body):
    """A settled label is wrong: this is the right one."""

    item: ItemIndex
    label: bool
    key: Key
    tab: Tab | Literal[""] = Field(
        default="", description="Where it was done, so that this window can undo it."
    )


class DefinitionBody(_Body):
    """What the positive label means, from now on."""

    text: DefinitionText


class PinBody(_Body):
    """Keep an item in view as an example, or no longer."""

    item: ItemIndex
    pinned: bool


class NamesBody(_Body):
    """What the two labels are called; ``one|many`` gives singular and plural."""

    positive: Name
    negative: Name | None = None


class GroupBody(_Body):
    """The most items a question may show; null to let askless choose."""

    max_n: Annotated[int, Field(ge=1, le=200), _Whole] | None


class ReviewedBody(_Body):
    """These labels were looked at and stand."""

    items: list[ItemIndex] = Field(min_length=1, max_length=10_000)


class ExportBody(_Body):
    """Which file is wanted."""

    format: ExportName
