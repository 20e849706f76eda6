"""What the event ``updated`` says: how a source has changed since a session last saw it.

A class beside those in `askless.core.events`, which reads it. Whether the items it names are there
is checked by `askless.history.source_record`.
Tested in tests/core/test_events.py and tests/history/test_source_record.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from askless.core.content import Chance, Content
from askless.core.event import Kind
from askless.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Updated(Content):
    """The source has changed: items were added, are gone or back, or have other names.

    Parameters
    ----------
    ids, checksums
        Of the items that were added; they get the next numbers.
    probs
        P(label is True) of each of these, where the source says so; otherwise none.
    gone, back
        Items that are no longer in the source, and those that are there again.
    renamed
        By the number of an item as text: what it is called from now on.
    copies
        By the number of an item as text: all its exact duplicates from now on.
    """

    ids: tuple[str, ...] = ()
    checksums: tuple[str, ...] = ()
    probs: tuple[Chance, ...] = ()
    gone: tuple[int, ...] = ()
    back: tuple[int, ...] = ()
    renamed: Mapping[str, Any] | None = None
    copies: Mapping[str, Any] | None = None
    kind: ClassVar[Kind] = "updated"

    def __post_init__(self) -> None:
        if len(self.checksums) != len(self.ids) or len(self.probs) not in (0, len(self.ids)):
            raise InvalidInput("Every item that is added has an id and a checksum.")
        if len({*self.gone, *self.back}) != len(self.gone) + len(self.back):
            raise InvalidInput("An item is gone or back once, and not both.")
        names = (self.renamed or {}).values()
        copies = [copy for some in (self.copies or {}).values() for copy in _list_of(some)]
        if not all(isinstance(name, str) for name in (*names, *copies)):
            raise InvalidInput("What items and their duplicates are called is text.")
        for number in (*(self.renamed or ()), *(self.copies or ())):
            if not (number.isascii() and number.isdecimal() and len(number) <= 16):
                raise InvalidInput(f"An item is named by its number; got {number!r:.40}.")


def _list_of(some: object) -> list[Any]:
    if not isinstance(some, list):
        raise InvalidInput(f"The duplicates of an item are a list; got {some!r:.40}.")
    return some
