"""Where the feature sets of a pool are kept, and how work on one survives a kill.

A set is known by what it is made of: the checksums of all items in their order, the name and
version of its maker, and the maker's options. Its key is the SHA-256 of these, so a pool that
has changed, or a maker that has, never meets old features. On the shelf are

    <name>-<key>.npy      a finished set, sealed, memory-mapped when it is taken down
    <name>-<key>.parts/   one that is being made: sealed pieces, removed when all are there
    <name>-<key>.lock     whoever makes it holds this; the system frees it when they die

A killed maker loses the block it was at. A piece or a set that is damaged is made
again. A second process that wants the same set waits for the first and then reads what that one
made. Without a folder everything stays in memory. Cost: one write and one checked read of every
number. Not for features that depend on labels.
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
from askless.features.arrays import open_array, write_array, write_blocks
from askless.files import in_words, make_folder, open_lock

Tell = Callable[[float], None]

_FORMAT: Final = 1
_NEED: Final = "Features need"
_ROWS: Final = 256
_LOOK_S: Final = 0.2  # how often whoever waits for another process looks again


class Bench:
    """Where one set is made: what has been made of it already need not be made again.

    Parameters
    ----------
    parts
        The folder for pieces; None to keep nothing.
    tell
        Told the share that is done.
    prefix
        Begins the names of all pieces.
    """

    def __init__(
        self, parts: Path | None = None, tell: Tell = lambda share: None, prefix: str = ""
    ) -> None:
        self._parts = parts
        self.tell = tell
        self._prefix = prefix

    def part(self, name: str, since: float = 0.0, until: float = 1.0) -> Bench:
        """A corner of the bench, with names of its own.

        Parameters
        ----------
        name
            What it is called; empty to share the names of the whole bench.
        since, until
            The share of all work done when work begins there, and when it ends.
        """

        def tell(share: float) -> None:
            self.tell(since + (until - since) * share)

        return Bench(self._parts, tell, f"{self._prefix}{name}-" if name else self._prefix)

    def blocks(
        self,
        n: int,
        make: Callable[[int, int], NDArray[Any]],
        *,
        since: float = 0.0,
        rows: int = _ROWS,
    ) -> Rows:
        """Rows 0 to n, made block by block and kept as they come.

        Parameters
        ----------
        n
            How many rows there are.
        make
            Makes the rows from its first argument up to its second.
        since
            The share of all work that was done before.
        rows
            How many are made at a time.
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
        """Some arrays, made once.

        Parameters
        ----------
        name
            What they are called among the pieces.
        make
            Makes them.
        fresh
            Make them even if they are there, and keep these instead.
        """
        if self._parts is None:
            return make()
        if not fresh and (known := self.found(name)) is not None:
            return known
        made = make()
        with in_words(self._parts.parent, _NEED):
            for at, array in enumerate(made):
                write_array(self._path(f"{name}.{at}"), array)
            # Written last: who finds the count finds them all.
            write_array(self._path(name), np.array([len(made)]))
        return [open_array(self._path(f"{name}.{at}"), check=False) for at in range(len(made))]

    def found(self, name: str) -> list[NDArray[Any]] | None:
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
"""An array as the blocks it consists of, one after the other."""


class Shelf:
    """The feature sets of one pool.

    Parameters
    ----------
    checksums
        Of all items, in order.
    folder
        Where sets are kept, made if need be; None for nowhere.
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
        make: Callable[[Bench], Rows],
        tell: Tell,
    ) -> NDArray[Any]:
        """The set called `name`, taken down if it is there, else made.

        Parameters
        ----------
        name
            What it is called.
        about
            Whatever changes its numbers, beside the pool; plain JSON values.
        make
            Makes it, as blocks.
        tell
            Told the share that is done.
        """
        if self._folder is None:
            return joined(make(Bench(None, tell)))
        stem = f"{name}-{self._key(name, about)}"
        path, parts = self._folder / f"{stem}.npy", self._folder / f"{stem}.parts"
        with _alone(self._folder / f"{stem}.lock"):
            if (known := _sound(path)) is None:
                with in_words(self._folder, _NEED):
                    make_folder(parts)
                blocks = make(Bench(parts, tell))
                with in_words(self._folder, _NEED):
                    write_blocks(path, blocks)
                known = open_array(path, check=False)
                shutil.rmtree(parts, ignore_errors=True)
            tell(1.0)
            return known

    def _key(self, name: str, about: Mapping[str, Any]) -> str:
        told = json.dumps([_FORMAT, self._pool, name, about], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:20]


def joined(blocks: Rows) -> NDArray[Any]:
    """The blocks as one array in memory, read-only."""
    array = np.concatenate(blocks) if blocks else np.zeros((0, 0), np.float32)
    array.flags.writeable = False
    return array


def _sound(path: Path) -> NDArray[Any] | None:
    with suppress(InvalidInput):
        return open_array(path)
    return None


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until nobody else is at this set, in this process or another."""
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
