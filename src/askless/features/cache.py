"""A cache of the feature sets of a pool, in which interrupted work is not lost.

The key of a feature set is the SHA-256 of everything its numbers depend on: the checksums of all
items in their order, and the name, version and options of its extractor. So features of an older
pool or extractor are never used. In the folder are

    <name>-<key>.npy      a finished feature set with its checksum, memory-mapped when it is read
    <name>-<key>.parts/   the blocks of one that is being computed; removed when it is finished
    <name>-<key>.lock     held by the process that computes it; freed when that process ends

A killed process loses one block. A block or a feature set that is damaged is computed again. A
second process that needs the same feature set waits for the first and reads its result. Without
a folder, everything stays in memory. Cost: one write and one checked read of every number.
Not for features that depend on labels.
Tested in tests/features/test_make_features.py.
"""

from __future__ import annotations

import fcntl
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
    """

    def __init__(
        self, parts: Path | None = None, tell: OnProgress = lambda share: None, prefix: str = ""
    ) -> None:
        self._parts = parts
        self.tell = tell
        self._prefix = prefix

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

        return PartialWork(self._parts, tell, f"{self._prefix}{name}-" if name else self._prefix)

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
        made = list[NDArray[Any]]()
        for start in range(0, n, rows):
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
        self._pool = hashlib.sha256("\n".join(checksums).encode()).hexdigest()
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
        """
        if self._folder is None:
            return concatenate(make(PartialWork(None, tell)))
        stem = f"{name}-{self._key(name, about)}"
        path, parts = self._folder / f"{stem}.npy", self._folder / f"{stem}.parts"
        with _lock_held(self._folder / f"{stem}.lock"):
            if (known := _open_if_sound(path)) is None:
                with in_words(self._folder, _NEED):
                    make_folder(parts)
                blocks = make(PartialWork(parts, tell))
                with in_words(self._folder, _NEED):
                    write_blocks(path, blocks)
                known = open_array(path, check=False)
                shutil.rmtree(parts, ignore_errors=True)
            tell(1.0)
            return known

    def _key(self, name: str, about: Mapping[str, Any]) -> str:
        told = json.dumps([_FORMAT, self._pool, name, about], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:20]


def concatenate(blocks: Rows) -> NDArray[Any]:
    """The blocks as one read-only array in memory."""
    array = np.concatenate(blocks) if blocks else np.zeros((0, 0), np.float32)
    array.flags.writeable = False
    return array


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
