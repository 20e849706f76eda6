"""Numbers that the user has: which of their rows is which item, checked as they are taken.

Shared by `askless.features.own_file` and `askless.features.own_column`, and tested with them in
tests/features/test_own_numbers.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features.cache import PartialWork, Rows
from askless.seams import Pool

GONE: Final = -1
"""The row of an item that is not in the source any more."""
MOST_COLUMNS: Final = 16_384
_NAMED: Final = 3


class SourceRows(Protocol):
    """The rows of a pool's source (`askless.pools.source_rows.SourceRows`)."""

    @property
    def names(self) -> Sequence[str]:
        """What the columns are called."""
        ...

    @property
    def items(self) -> NDArray[np.intp]:
        """By row the item it is; below 0 for none."""
        ...

    @property
    def left_out(self) -> int:
        """How many rows could not be read at all."""
        ...

    def __iter__(self) -> Iterator[tuple[int, Sequence[Any]]]: ...


def source_rows(pool: Pool) -> SourceRows:
    """The rows of the pool's source.

    Raises
    ------
    InvalidInput
        The pool has none: it was not opened from a source.
    """
    found: SourceRows | None = getattr(pool, "source_rows", None)
    if found is None:
        raise InvalidInput(
            "Features of your own belong to the rows of a source; this pool, "
            f"{type(pool).__name__}, has none. Make it with askless.open_pool."
        )
    return found


def rows_by_place(pool: Pool, count: int, called: str) -> NDArray[np.intp]:
    """By item its row among numbers that are in the order of the source.

    Parameters
    ----------
    pool
        The items.
    count
        How many rows of numbers there are.
    called
        What they are called, for messages.
    """
    source = source_rows(pool)
    if count != len(source.items):
        out = source.left_out + len(pool.unreadable)
        why = (
            f" Of the source {out:,} could not be read;" if out else " Make them again from it, or"
        )
        raise InvalidInput(
            f"Features have one row for each of the {len(source.items):,} rows of the source; got "
            f"{count:,} in {called}.{why} give features with ids."
        )
    return _first_rows(source, len(pool))


def rows_by_id(pool: Pool, ids: Sequence[str], called: str) -> NDArray[np.intp]:
    """By item its row among numbers that come with ids; rows of nobody are left alone.

    Parameters
    ----------
    pool
        The items. A copy of an item may have its row.
    ids
        One for each row.
    called
        As for `rows_by_place`.
    """
    at: Mapping[str, int] = {name: row for row, name in enumerate(ids)}
    if len(at) != len(ids):
        seen: set[str] = set()
        twice = next(name for name in ids if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InvalidInput(f"Features have one row for an id; {called} has two for {twice!r:.60}.")
    there = _first_rows(source_rows(pool), len(pool))
    found, lacking = np.full(len(pool), GONE, np.intp), list[str]()
    for item, name in enumerate(pool.ids):
        names = (name, *pool.copies.get(item, ()))
        row = next((at[each] for each in names if each in at), GONE)
        found[item] = row
        if row == GONE and there[item] != GONE:
            lacking.append(name)
    if lacking:
        some = ", ".join(f"{name!r:.60}" for name in lacking[:_NAMED])
        raise InvalidInput(
            f"Features have a row for every item; {called} has none for {len(lacking):,} of "
            f"{len(pool):,}: {some}{' and so on' if len(lacking) > _NAMED else ''}. Its ids begin "
            f"with {', '.join(f'{name!r:.60}' for name in ids[:_NAMED]) or 'nothing'}."
        )
    return found


def blocks_of(matrix: NDArray[Any], rows: NDArray[np.intp], work: PartialWork, called: str) -> Rows:
    """The rows of a matrix, perhaps memory-mapped, by item; zeros where an item is gone.

    Parameters
    ----------
    matrix
        From `numbers`.
    rows
        By item its row, or `GONE`.
    work
        Keeps what is done.
    called
        As for `rows_by_place`.
    """

    def some(start: int, stop: int) -> NDArray[np.float32]:
        at = rows[start:stop]
        with np.errstate(over="ignore"):  # too large for single precision is not finite
            block = np.asarray(matrix[np.maximum(at, 0)], np.float32)
        if not np.isfinite(block).all():
            row = int(at[np.flatnonzero(~np.isfinite(block).all(axis=1))[0]])
            raise InvalidInput(
                f"Features are finite numbers; row {row + 1:,} of {called} holds one that is not. "
                "Fill in what is missing."
            )
        block[at == GONE] = 0.0
        return block

    return work.blocks(len(rows), some, rows=4096) if matrix.size else []


def numbers(array: Any, called: str) -> NDArray[Any]:
    """An array as rows of numbers, or a sentence why it is none.

    Parameters
    ----------
    array
        Of shape (rows,) or (rows, columns).
    called
        As for `rows_by_place`.
    """
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf" or array.ndim > 2:
        what = f"{array.dtype} of shape {array.shape}" if hasattr(array, "shape") else "none"
        raise InvalidInput(f"Features are numbers, one row an item; {called} holds {what}.")
    if array.ndim == 0:
        raise InvalidInput(f"Features are numbers, one row an item; {called} holds just one.")
    if len(array) and not array.size:
        raise InvalidInput(f"Features are numbers, one row an item; {called} has rows of none.")
    table = array.reshape(len(array), -1) if array.size else array.reshape(len(array), 0)
    if table.shape[1] > MOST_COLUMNS:
        raise InvalidInput(
            f"Features have at most {MOST_COLUMNS:,} columns; {called} has {table.shape[1]:,}. "
            "Reduce them, for example by principal components."
        )
    return table


def checksum(array: NDArray[Any]) -> str:
    """Names the content of an array."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def _first_rows(source: SourceRows, n: int) -> NDArray[np.intp]:
    """By item its first row in the source; `GONE` if it has none."""
    first = np.full(n, GONE, np.intp)
    rows = np.flatnonzero(source.items >= 0)[::-1]
    first[source.items[rows]] = rows
    return first
