"""The pool that every source becomes: items in a fixed order, and how one is shown.

Sources differ in their `SourceContent` alone. Names, checksums, duplicates and known labels are the
same for all of them, and `gathered` settles them here. Stands beside `features`, which sees pools
through `askless.seams.Pool`.
Tested in tests/pools/test_kinds.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.pools._duplicates import merged, unique_ids
from askless.pools._labels import plain
from askless.pools._read_table import Table, spell_out
from askless.pools.source_rows import NO_ITEM, NO_ROLES, Roles, SourceRows, rows_of_ids
from askless.seams import PoolKind, Unreadable

UNKNOWN = -1
"""A label about which the source says nothing."""

MISSING = -1
"""The place of an item that is no longer in the source."""


class SourceContent:
    """How the items of one source are shown, by their place in the source.

    A kind of source overrides what its items have; the rest raises `InvalidInput`.
    """

    __slots__ = ()
    kind: ClassVar[PoolKind]

    def picture(self, place: int, checksum: str, side: int | None) -> NDArray[np.uint8]:
        """The picture at `place`, if its content still has that checksum."""
        raise self._lacks("pictures")

    def original(self, place: int, checksum: str) -> tuple[bytes, str]:
        """The picture at `place` as a file: its bytes, and how its name ends."""
        raise self._lacks("pictures")

    def text(self, place: int) -> str:
        """The text at `place`."""
        raise self._lacks("text")

    def columns(self, places: NDArray[np.intp]) -> Mapping[str, NDArray[Any]]:
        """The named columns, at these places; blanks where an item is `MISSING`."""
        raise self._lacks("columns")

    def changed(self, place: int, checksum: str) -> str | None:
        """What became of the content with that checksum, as a sentence; None if it is there.

        What was read whole when the pool was opened cannot change.
        """
        return None

    def _lacks(self, what: str) -> InvalidInput:
        return InvalidInput(f"The items of this pool are {self.kind}; they have no {what}.")


@dataclass(eq=False, slots=True, repr=False)
class OpenedPool:
    """A pool that was opened from a source; made by `open_pool`. See `askless.seams.Pool`.

    Parameters
    ----------
    kind, ids, checksums, copies, unreadable, known, probs
        As in the seam.
    places
        Where in the source each item stands.
    content
        Shows what stands there.
    source_rows
        The rows of the source as it is now, and which item each of them is.
    label_names
        What the labels True and False are called in the source, where it says so.
    id_column
        The column of a table that the ids are from, if there is one.
    shown
        The columns to show beside an item's text, or of a row, by their names: values by place.
    missing
        Items of an earlier opening that are there no longer, and why (`as_before`).
    keys
        What Python calls the things in the source, by place: labels of a pandas index, or values of
        the column that was named for it. None for what the place itself, or a file, is called.
    """

    kind: PoolKind
    ids: Sequence[str]
    checksums: Sequence[str]
    copies: Mapping[int, tuple[str, ...]]
    unreadable: Sequence[Unreadable]
    known: NDArray[np.int8]
    probs: NDArray[np.float64] | None
    places: NDArray[np.intp]
    content: SourceContent
    source_rows: SourceRows
    label_names: tuple[str | None, ...] = (None, None)
    id_column: str | None = None
    shown: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    missing: Mapping[int, str] = field(default_factory=dict)
    keys: Sequence[Any] | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<OpenedPool of {len(self):,} {self.kind}>"

    def picture(self, item: int, side: int | None = None) -> NDArray[np.uint8]:
        """The picture of an item, as `askless.seams.Pool.picture` says.

        Raises
        ------
        InvalidInput
            The file is gone, has changed since the pool was opened, or cannot be decoded; or the
            items are not pictures.
        """
        place = self._place(item)
        if side is not None and side < 1:
            raise InvalidInput(f"The longer side of a picture is 1 or more; got {side}.")
        return self.content.picture(place, self.checksums[item], side)

    def original(self, item: int) -> tuple[bytes, str]:
        """The picture of an item as a file: its content, and the suffix of its name.

        Files are given as they are, pictures in arrays as PNG. Errors as for `picture`.
        """
        return self.content.original(self._place(item), self.checksums[item])

    def text(self, item: int) -> str:
        """The text of an item, as `askless.seams.Pool.text` says."""
        return self.content.text(self._place(item))

    def columns(self) -> Mapping[str, NDArray[Any]]:
        """The named columns of a ``rows`` pool, as `askless.seams.Pool.columns` says."""
        return self.content.columns(self.places)

    def facts(self, item: int) -> list[tuple[str, str]]:
        """What is shown beside the text of an item, as `askless.seams.Pool.facts` says."""
        place = self._place(item)
        values = ((name, plain(column[place])) for name, column in self.shown.items())
        return [(name, spell_out(value)) for name, value in values if value]

    def _place(self, item: int) -> int:
        if not 0 <= item < len(self.ids):
            raise InvalidInput(f"Items are numbered 0 to {len(self.ids) - 1}; got {item}.")
        if item in self.missing:
            raise InvalidInput(self.missing[item])
        return int(self.places[item])


def gathered(
    content: SourceContent,
    places: Sequence[int],
    ids: Sequence[str],
    checksums: Sequence[str],
    unreadable: Sequence[Unreadable],
    known: NDArray[np.int8] | None = None,
    probs: NDArray[np.float64] | None = None,
    label_names: tuple[str | None, ...] = (None, None),
    table: Table | None = None,
    id_column: str | None = None,
    shown: Mapping[str, Sequence[Any]] | None = None,
    roles: Roles = NO_ROLES,
) -> OpenedPool:
    """A pool of everything readable, each exact duplicate once.

    Two exact duplicates that come with different known labels stay two items and are
    asked separately: at most one of the labels can be right, and a person should see both.

    Parameters
    ----------
    content
        Shows them.
    places, ids, checksums
        What can be read, in the order of the source, one entry each.
    unreadable
        What cannot.
    known, probs
        What the source says about those entries, if it does.
    label_names
        What it calls the two labels, or the classes by number.
    table, id_column
        Where the places are rows of a table: the table, and the column that the ids are from.
    shown
        As in `OpenedPool`.
    roles
        What the columns of the source are for.
    """
    said = np.full(len(ids), UNKNOWN, np.int8) if known is None else known
    keep, known_kept, copies, items = merged(checksums, said, names := unique_ids(ids))
    if table is None:
        rows = rows_of_ids(names, items, roles)
    else:
        by_row = np.full(len(table.numbers), NO_ITEM, np.intp)
        by_row[np.asarray(places, np.intp)] = items
        left_out = len(table.unreadable)
        header = tuple(table.header or table.columns)
        rows = SourceRows(header, table.read, by_row, left_out, table.texts, roles)
    for array in (known_kept, places_kept := np.asarray(places, np.intp)[keep]):
        array.flags.writeable = False
    probs_kept = None
    if probs is not None:
        probs_kept = np.asarray(probs, np.float64)[keep]
        probs_kept.flags.writeable = False
    return OpenedPool(
        kind=content.kind,
        ids=tuple(names[i] for i in keep),
        checksums=tuple(checksums[i] for i in keep),
        copies=copies,
        unreadable=tuple(unreadable),
        known=known_kept,
        probs=probs_kept,
        places=places_kept,
        content=content,
        source_rows=rows,
        label_names=label_names,
        id_column=id_column,
        shown=shown or {},
    )


def changed_items(pool: OpenedPool) -> dict[int, str]:
    """The items whose content is no longer what it was when the pool was opened, and why.

    Reads every file again; arrays and tables were read whole and cannot change.

    Parameters
    ----------
    pool
        From `open_pool`.
    """
    found = dict(pool.missing)
    for item, (place, checksum) in enumerate(zip(pool.places, pool.checksums, strict=True)):
        if item in found:
            continue
        reason = pool.content.changed(int(place), checksum)
        if reason is not None:
            found[item] = reason
    return found
