"""Which items are like which, by the features that are there: more like this, and near-duplicates.

    cos(i, j) = x_i . x_j / |x_i| |x_j|            over the columns the model learns from

"More like this" is exact: one pass over the columns, a chunk at a time, so memory stays bounded and
the file is only mapped. At a million items that is a second or two (benchmarks/neighbours.py), so
no library for approximate neighbours is needed.

Near-duplicates are pairs above `NEAR`, joined to groups. All pairs would be n^2, so only likely
ones are looked at: the signs of 64 random projections make a code of each item, and items whose
codes are neighbours in one of `_SORTINGS` sorted orders, and differ in few bits, are compared
exactly. Some pairs are missed; none that is shown is less alike. Cost: O(n log n), in a thread.
Imported by `askless.web.gallery`; tested in tests/app/test_neighbours.py.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.files.arrays import open_array

NEAR: Final = 0.95
_CHUNK: Final = 4_000_000  # numbers at a time
_BITS: Final = 64
_SORTINGS: Final = 16
_BESIDE: Final = 6
_DIFFER: Final = 16
_ONES: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(
    axis=1, dtype=np.uint8
)
"""How many bits of a byte are set."""

Alike = Literal["none", "working", "ready"]


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the features lie: the first `width` columns of a file, one row an item."""

    path: Path
    width: int


class Neighbours:
    """Likeness of the items of one pool.

    Parameters
    ----------
    n
        Items in the pool.
    """

    def __init__(self, n: int) -> None:
        self._n = n
        self._lock = threading.Lock()
        self._columns: Columns | None = None
        self._rows: NDArray[Any] | None = None
        self._lengths: NDArray[np.float32] | None = None
        self._groups: NDArray[np.int32] | None = None
        self._thread: threading.Thread | None = None

    def use(self, columns: Columns | None) -> bool:
        """Go by these features from now on; whether they can be used."""
        with self._lock:
            if columns != self._columns:
                self._columns, self._rows = columns, None
                self._lengths = self._groups = self._thread = None
                if columns is not None:
                    self._rows = open_columns(columns, self._n)
            return self._rows is not None

    def likeness(self, item: int) -> NDArray[np.float32]:
        """How like this item each one is, from -1 to 1; `use` must have found features."""
        rows = self._rows
        assert rows is not None
        lengths = self._measured(rows)
        one = rows[item].astype(np.float32)
        found = np.empty(len(rows), np.float32)
        for part, chunk in _chunks(rows):
            found[part] = chunk @ one
        found /= lengths * lengths[item]
        return found

    def groups(self) -> NDArray[np.int32] | None:
        """By item, the group of near-duplicates it belongs to, -1 for none; None while not known.

        The first call begins to look for them, in a thread of its own.
        """
        with self._lock:
            if self._groups is None and self._thread is None and self._rows is not None:
                self._thread = threading.Thread(
                    target=self._find, args=(self._rows,), name="askless-neighbours", daemon=True
                )
                self._thread.start()
            return self._groups

    def wait(self) -> None:
        """Wait until the groups are known."""
        if self._thread is not None:
            self._thread.join()

    def _find(self, rows: NDArray[Any]) -> None:
        found = near_duplicates(rows, self._measured(rows), NEAR)
        with self._lock:
            if rows is self._rows:
                self._groups = found

    def _measured(self, rows: NDArray[Any]) -> NDArray[np.float32]:
        """The length of every row; of an empty one the smallest number, so that it is like none."""
        if self._lengths is None or rows is not self._rows:
            lengths = np.empty(len(rows), np.float32)
            for part, chunk in _chunks(rows):
                lengths[part] = np.sqrt(np.einsum("ij,ij->i", chunk, chunk))
            self._lengths = np.maximum(lengths, np.finfo(np.float32).tiny ** 0.5)
        return self._lengths


def near_duplicates(
    rows: NDArray[Any], lengths: NDArray[np.float32], least: float
) -> NDArray[np.int32]:
    """By item, the group of near-duplicates it belongs to; -1 for none.

    Parameters
    ----------
    rows
        Features, one row an item.
    lengths
        Of the rows.
    least
        The cosine of two near-duplicates, at least.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(rows)
    first, second = _likely_pairs(_signs(rows))
    alike = np.zeros(len(first), bool)
    step = max(1, _CHUNK // max(1, rows.shape[1]))
    for at in range(0, len(first), step):
        a, b = first[at : at + step], second[at : at + step]
        dots = np.einsum("ij,ij->i", rows[a].astype(np.float32), rows[b].astype(np.float32))
        alike[at : at + step] = dots >= least * lengths[a] * lengths[b]
    first, second = first[alike], second[alike]
    ones = np.ones(len(first), bool)
    _, label = connected_components(coo_array((ones, (first, second)), (n, n)), directed=False)
    sizes = np.bincount(label, minlength=1)
    return np.where(sizes[label] > 1, label, -1).astype(np.int32)


def _signs(rows: NDArray[Any]) -> NDArray[np.uint8]:
    """64 bits an item, one a column: on which side of a plane through the middle it lies."""
    planes = np.random.default_rng(0).standard_normal((rows.shape[1], _BITS)).astype(np.float32)
    total = np.zeros(rows.shape[1])
    for _, chunk in _chunks(rows):
        total += chunk.sum(axis=0, dtype=np.float64)
    middle = (total / max(1, len(rows))).astype(np.float32) @ planes
    bits = np.empty((len(rows), _BITS), np.uint8)
    for part, chunk in _chunks(rows):
        bits[part] = chunk @ planes > middle
    return bits


def _likely_pairs(bits: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of items whose codes are neighbours in some order, and nearly the same; each once."""
    n, rng = len(bits), np.random.default_rng(1)
    codes = np.packbits(bits, axis=1)
    found: list[NDArray[np.int64]] = []
    for _ in range(_SORTINGS):
        shuffled = np.ascontiguousarray(np.packbits(bits[:, rng.permutation(_BITS)], axis=1))
        order = np.argsort(shuffled.view(">u8").ravel().astype(np.uint64))
        for beside in range(1, min(_BESIDE, n - 1) + 1):
            a, b = order[:-beside], order[beside:]
            close = _ONES[codes[a] ^ codes[b]].sum(axis=1) <= _DIFFER
            low, high = np.minimum(a, b)[close], np.maximum(a, b)[close]
            found.append(low * n + high)
    pairs = np.unique(np.concatenate(found)) if found else np.empty(0, np.int64)
    return pairs // n, pairs % n


def _chunks(rows: NDArray[Any]) -> Iterator[tuple[slice, NDArray[np.float32]]]:
    step = max(1, _CHUNK // max(1, rows.shape[1]))
    for at in range(0, len(rows), step):
        part = slice(at, min(at + step, len(rows)))
        yield part, rows[part].astype(np.float32)


def open_columns(columns: Columns, n: int) -> NDArray[Any] | None:
    """The features, mapped; None where they are gone, or are not of this pool."""
    try:
        rows = open_array(columns.path, check=False)
    except (InvalidInput, OSError):
        return None
    if rows.ndim != 2 or len(rows) != n or not 0 < columns.width <= rows.shape[1]:
        return None
    return rows[:, : columns.width]
