"""The source as its owner knows it: its rows and columns, in its order, and which item each is.

This is the one place where an export asks what is in the source now. A table is read from its
file again, row by row, so that nothing but what items need stays in memory; where a source has no
columns, its only one is ``id``. Imported by the pools room and by `askless.exports`.
Tested in tests/pools/test_source_rows.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput

NO_ITEM = -1
"""Stands for a row that is no item: it cannot be shown, or came after the session had begun."""


@dataclass(frozen=True, slots=True)
class Roles:
    """What columns of a source are for, as far as that is known; empty for none.

    Parameters
    ----------
    shown
        The column that is shown: a text, or the path of a picture.
    label
        Of another annotation tool: the question that its labels were read from.
    task
        Of such a tool: the column of its own numbers, or names, for the items.
    shown_as
        Of such a tool: what it calls the place where the item is shown.
    beside
        Of such a tool: the columns that it shows.
    """

    shown: str = ""
    label: str = ""
    task: str = ""
    shown_as: str = ""
    beside: tuple[str, ...] = ()


NO_ROLES: Final = Roles()


@dataclass(frozen=True, eq=False, slots=True)
class SourceRows:
    """Rows of a source, in its order.

    Parameters
    ----------
    names
        What the columns are called, as the source writes it.
    read
        Gives the rows from the first on, each with one value for each column.
    items
        By row: the item it is, or `NO_ITEM`. Exact duplicates are the same item.
    left_out
        How many rows of the source have another number of cells, or are not text at all.
    texts
        Whether every value is text.
    roles
        What the columns are for.
    """

    names: tuple[str, ...]
    read: Callable[[], Iterator[Sequence[Any]]]
    items: NDArray[np.intp]
    left_out: int = 0
    texts: bool = False
    roles: Roles = NO_ROLES

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[tuple[int, Sequence[Any]]]:
        """Each row's item, and its values.

        Raises
        ------
        InvalidInput
            The source has changed since it was opened.
        """
        rows = self.read()
        for first in range(0, len(self.items), 10_000):
            for item in self.items[first : first + 10_000].tolist():
                row = next(rows, None)
                if row is None:
                    raise changed("The source")
                yield item, row

    def with_items(self, items: NDArray[np.intp]) -> SourceRows:
        """The same rows, numbered otherwise: by old number the new one, or `NO_ITEM`."""
        found = np.append(items, NO_ITEM)[self.items]
        return replace(self, items=found)


def rows_of_ids(
    ids: Sequence[str], items: Sequence[int] | NDArray[np.intp], roles: Roles = NO_ROLES
) -> SourceRows:
    """Rows of a source that has no columns: what each entry is called.

    Parameters
    ----------
    ids
        One for each entry.
    items
        By entry: the item it is.
    roles
        What the only column, ``id``, is for.
    """
    found = np.asarray(items, np.intp)
    return SourceRows(("id",), lambda: ((name,) for name in ids), found, roles=roles)


def changed(what: object) -> InvalidInput:
    """The error that `what` is no longer as it was opened."""
    return InvalidInput(
        f"{what} has changed since it was opened, so its rows are no longer those of the session; "
        "start askless again, or use askless export, which reads it again."
    )
