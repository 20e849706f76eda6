"""A cache of the feature sets of a pool, in which interrupted work is not lost.

The key of a feature set is the SHA-256 of everything its numbers depend on: the checksums of all
items in their order, and the name, version and options of its extractor. So features of an older
pool or extractor are never used. In the folder are

    <name>-<key>.npy      a finished feature set with its checksum, memory-mapped when it is read
    <name>-<key>.parts/   the blocks of one that is being computed; removed when it is finished
    <name>-<key>.lock     held by the process that computes it; freed when that process ends

A killed process loses one block. A block or a feature set that is damaged is computed again. A
second process that needs the same feature set waits for the first and reads its result. If a pool
has grown, what was kept of it before is replaced, and rows that depend on their item alone are
computed for the new items only. Without
a folder, everything stays in memory. Numbers are kept in half precision (float16) where that is
enough, in memory too, so that a cache changes no result. Cost: one write and one checked read of
every number. Not for features that depend on labels.
Tested in tests/features/test_cache.py and tests/features/test_make_features.py.
"""

from __future__ import annotations

import fcntl
import glob
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.files import in_words, make_folder, open_lock
from askless.files.arrays import open_array, write_array, write_blocks

OnProgress = Callable[[float], None]

_FORMAT: Final = 1
_NEED: Final = "Features need"
_ROWS: Final = 256
_MOST_OFF: Final = 0.01
_LOOK_S: Final = 0.2  # how often a process that waits for another looks again


class PartialWork:
    """What is finished of one feature set, so that it need not be computed again.

    Parameters
    ----------
    parts
        The folder for the parts; None to keep nothing.
    tell
        Called with the share that is done.
    prefix
        Begins the names of all parts.
    first
        The first rows, if they are known already; None if not.
    """

    def __init__(
        self,
        parts: Path | None = None,
        tell: OnProgress = lambda share: None,
        prefix: str = "",
        first: NDArray[Any] | None = None,
    ) -> None:
        self._parts = parts
        self.tell = tell
        self._prefix = prefix
        self._first = first

    def part(self, name: str, since: float = 0.0, until: float = 1.0) -> PartialWork:
        """A stage of the work, with names of its own.

        Parameters
        ----------
        name
            Its name; empty to share the names of the whole work.
        since, until
            The share of the whole work that is done when this stage begins, and when it ends.
        """

        def tell(share: float) -> None:
            self.tell(since + (until - since) * share)

        prefix = f"{self._prefix}{name}-" if name else self._prefix
        return PartialWork(self._parts, tell, prefix, self._first)

    def blocks(
        self,
        n: int,
        make: Callable[[int, int], NDArray[Any]],
        *,
        since: float = 0.0,
        rows: int = _ROWS,
    ) -> Rows:
        """Rows 0 to n, computed and kept block by block.

        Parameters
        ----------
        n
            How many rows there are.
        make
            Computes the rows from its first argument up to its second.
        since
            The share of the work that was done before.
        rows
            The number of rows in a block.
        """
        made = list[NDArray[Any]]() if self._first is None else [self._first]
        for start in range(0 if self._first is None else len(self._first), n, rows):
            stop = min(start + rows, n)
            name = f"rows-{start:09d}-{stop:09d}"
            (block,) = self.arrays(name, lambda a=start, b=stop: [make(a, b)])  # type: ignore[misc]
            if len(block) != stop - start:
                raise InvalidInput(f"Rows {start} to {stop} were to be made; got {len(block)}.")
            made.append(block)
            self.tell(since + (1 - since) * stop / n)
        return made

    def arrays(
        self, name: str, make: Callable[[], list[NDArray[Any]]], *, fresh: bool = False
    ) -> list[NDArray[Any]]:
        """Some arrays, computed once.

        Parameters
        ----------
        name
            Their name among the parts.
        make
            Computes them.
        fresh
            Whether to compute them even if they are there, and replace those.
        """
        if self._parts is None:
            return make()
        if not fresh and (known := self.load(name)) is not None:
            return known
        made = make()
        with in_words(self._parts.parent, _NEED):
            for at, array in enumerate(made):
                write_array(self._path(f"{name}.{at}"), array)
            # Written last: if the count is there, all arrays are.
            write_array(self._path(name), np.array([len(made)]))
        return [open_array(self._path(f"{name}.{at}"), check=False) for at in range(len(made))]

    def load(self, name: str) -> list[NDArray[Any]] | None:
        """The arrays kept under that name, if they are there and sound."""
        if self._parts is None:
            return None
        try:
            count = int(open_array(self._path(name))[0])
            return [open_array(self._path(f"{name}.{at}")) for at in range(count)]
        except InvalidInput:  # missing or damaged
            return None

    def _path(self, name: str) -> Path:
        assert self._parts is not None
        return self._parts / f"{self._prefix}{name}.npy"


Rows = list[NDArray[Any]]
"""An array as consecutive blocks of rows."""


class FeatureCache:
    """The feature sets of one pool.

    Parameters
    ----------
    checksums
        Of all items, in order.
    folder
        Where they are kept; it is made if it is not there. None to keep nothing.
    """

    def __init__(self, checksums: Iterable[str], folder: Path | None) -> None:
        self._checksums = list(checksums)
        self._folder = folder
        if folder is not None:
            with in_words(folder, _NEED):
                make_folder(folder)

    def array(
        self,
        name: str,
        about: Mapping[str, Any],
        make: Callable[[PartialWork], Rows],
        tell: OnProgress,
        *,
        row_by_row: bool = False,
    ) -> NDArray[Any]:
        """The feature set called `name`, read if it is there, otherwise computed.

        Parameters
        ----------
        name
            Its name.
        about
            What its numbers depend on, beside the pool; plain JSON values.
        make
            Computes it, as blocks.
        tell
            Called with the share that is done.
        row_by_row
            Whether a row depends on its item alone. Then, if the first items are those of an
            earlier pool, their rows are not computed again.
        """
        if self._folder is None:
            blocks = make(PartialWork(None, tell))
            return concatenate(blocks, _precision(blocks))
        stem = self._stem(name, about, len(self._checksums))
        path, parts = self._folder / f"{stem}.npy", self._folder / f"{stem}.parts"
        with _lock_held(self._folder / f"{stem}.lock"):
            if (known := _open_if_sound(path)) is None:
                with in_words(self._folder, _NEED):
                    make_folder(parts)
                earlier = self._earlier(name, about)
                first = next((x for x in earlier.values() if x is not None), None)
                blocks = make(PartialWork(parts, tell, "", first if row_by_row else None))
                with in_words(self._folder, _NEED):
                    write_blocks(path, blocks, _precision(blocks))
                known = open_array(path, check=False)
                shutil.rmtree(parts, ignore_errors=True)
                for superseded in earlier:
                    superseded.unlink(missing_ok=True)
                    superseded.with_suffix(".lock").unlink(missing_ok=True)
            tell(1.0)
            return known

    def _earlier(self, name: str, about: Mapping[str, Any]) -> dict[Path, NDArray[Any] | None]:
        """The same set of pools whose items are the first of this one, the largest first."""
        assert self._folder is not None
        found: dict[Path, NDArray[Any]] = {}
        for path in self._folder.glob(f"{glob.escape(name)}-*.npy"):
            with suppress(InvalidInput, OSError):
                rows = open_array(path, check=False)
                if rows.ndim and path.stem == self._stem(name, about, len(rows)):
                    found[path] = rows
        largest = sorted(found, key=lambda path: -len(found[path]))
        return {path: _open_if_sound(path) for path in largest}

    def _stem(self, name: str, about: Mapping[str, Any], n: int) -> str:
        """What the set of the first `n` items is called."""
        pool = hashlib.sha256("\n".join(self._checksums[:n]).encode()).hexdigest()
        told = json.dumps([_FORMAT, pool, name, about], sort_keys=True)
        return f"{name}-{hashlib.sha256(told.encode()).hexdigest()[:20]}"


def concatenate(blocks: Rows, dtype: type[np.generic] | None = None) -> NDArray[Any]:
    """The blocks as one read-only array in memory, of this kind of number or of their own."""
    array = np.concatenate(blocks, dtype=dtype) if blocks else np.zeros((0, 0), np.float32)
    array.flags.writeable = False
    return array


def _precision(blocks: Rows) -> type[np.float16] | None:
    """Half precision, or None for what the blocks have.

    Half is enough if no number is off by more than `_MOST_OFF` standard deviations of its column.
    """
    if any(block.dtype.kind != "f" or block.ndim != 2 for block in blocks):
        return None
    n, total, square, off = 0, np.float64(0), np.float64(0), np.float64(0)
    with np.errstate(over="ignore", invalid="ignore"):
        for block in blocks:
            wide = block.astype(np.float64)
            n, total = n + len(wide), total + wide.sum(0)
            square = square + np.square(wide).sum(0)
            lost = np.abs(wide - wide.astype(np.float16)).max(0, initial=0.0)
            off = np.maximum(off, lost)
        deviation = np.sqrt(np.maximum(square / max(1, n) - np.square(total / max(1, n)), 0.0))
    # Columns that hardly vary beside the others say nothing, so nothing can be lost in them.
    length = np.sqrt(np.square(deviation).sum() / max(1, deviation.size))
    deviation = np.maximum(deviation, 1e-3 * length)
    return np.float16 if np.all(off <= _MOST_OFF * deviation) else None


def _open_if_sound(path: Path) -> NDArray[Any] | None:
    with suppress(InvalidInput):
        return open_array(path)
    return None


@contextmanager
def _lock_held(lock: Path) -> Iterator[None]:
    """Wait until nobody else, in this process or another, works at this feature set."""
    with in_words(lock.parent, _NEED):
        fd = open_lock(lock)
    try:
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(_LOOK_S)
        yield
    finally:
        os.close(fd)
