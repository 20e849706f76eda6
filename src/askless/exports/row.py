"""One item as it is exported; the same columns in every format.

A row has every field of `askless.session.labels.Labelled`: a field that is added there is a column
in every format. Tested in tests/exports/test_row.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Any, Final, Protocol, get_type_hints

from askless.session.labels import Labelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Labelled):
    """A labelled item and what the pool calls it.

    Parameters
    ----------
    id
        What the pool calls the item.
    checksum
        Of the item's content, empty where it has none.
    final
        Whether answers entail the label.
    unsure
        Whether the item is unsure.
    test_split
        Whether the label is final and the item is in the random test sample: items that no planner
        chose, asked one at a time. Test on them what is trained on the rest. An exact duplicate of
        such an item is in the test split too, so nothing is on both sides.
    copy_of
        Id of the item that was asked about, if this is an exact duplicate of it; otherwise empty.
    """

    id: str
    checksum: str
    final: bool
    unsure: bool
    test_split: bool
    copy_of: str

    def values(self) -> tuple[Any, ...]:
        """The value of each of the `COLUMNS`."""
        found: tuple[Any, ...] = _VALUES(self)
        return found


_NOT_EXPORTED: Final = ("item", "in_test_sample")
COLUMNS: Final = (
    "id",
    "checksum",
    *(field.name for field in fields(Row) if field.name not in ("id", "checksum", *_NOT_EXPORTED)),
)
_VALUES: Final = attrgetter(*COLUMNS)
_LABELLED: Final = attrgetter(*(field.name for field in fields(Labelled)))


def column_types() -> dict[str, Any]:
    """By column, the type of its values as `Row` declares it."""
    hints = get_type_hints(Row)
    return {column: hints[column] for column in COLUMNS}


class ItemNames(Protocol):
    """The part of a pool that a session keeps: see `askless.seams.Pool`."""

    @property
    def ids(self) -> Sequence[str]:
        """What the source calls each item."""
        ...

    @property
    def checksums(self) -> Sequence[str]:
        """Of each item's content."""
        ...

    @property
    def copies(self) -> Mapping[int, Sequence[str]]:
        """By item: the ids of its exact duplicates, which get its label."""
        ...


def rows_of(labels: Iterable[Labelled], items: ItemNames | None = None) -> Iterator[Row]:
    """The rows of a session's labels; each item is followed by its duplicates.

    Parameters
    ----------
    labels
        From `Session.labels`.
    items
        The pool, or what is kept of it; None to call items by their numbers.
    """
    for entry in labels:
        final = entry.how not in ("predicted", "unsure")
        row = Row(
            *_LABELLED(entry),
            id=str(entry.item) if items is None else items.ids[entry.item],
            checksum="" if items is None else items.checksums[entry.item],
            final=final,
            unsure=entry.how == "unsure",
            test_split=entry.in_test_sample and final,
            copy_of="",
        )
        yield row
        for copy in () if items is None else items.copies.get(entry.item, ()):
            yield replace(row, id=copy, copy_of=row.id)
