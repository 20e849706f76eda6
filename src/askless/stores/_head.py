"""The file beside a database that one writer holds, and that remembers how far it got.

It does two things that SQLite does not. Its lock, held as long as a store is open for
writing, keeps a second writer out and vanishes with the process, however that ends. Whoever may
read a file may lock it, so only the owner may read this one.
Its content, the count of acknowledged events and the checksum of the last of
them, shows when acknowledged events are missing: SQLite takes a damaged end of its log for
an unfinished write and drops it without a word.

The content is written after every commit and never synced. After a power loss it may
be old, which is harmless; it cannot be ahead, since what it speaks of was synced before.
Tested in tests/faults/test_store_damage.py.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import time
import weakref
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from zlib import crc32

from askless.errors import StoreError, StoreInUse
from askless.files import open_lock, open_to_read

_SIZE: Final = 64
_MOMENT_S: Final = 2.0
_LINE: Final = re.compile(r"([0-9]{1,18}) ([0-9a-f]{16}|-) ([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a writer got: the events it acknowledged, and the checksum of the last."""

    count: int
    link: bytes


def head_path(path: Path) -> Path:
    """Where the head of the database at `path` is."""
    return path.with_name(path.name + "-head")


def read_mark(path: Path) -> Mark | None:
    """What the head of the database at `path` says; None if it is absent or unreadable."""
    try:
        with open_to_read(head_path(path)) as file:
            return _parsed(file.read(_SIZE))[0]
    except OSError:
        return None


class Head:
    """The head of the database at `path`, held by this process until `close`.

    Parameters
    ----------
    path
        The database.
    """

    def __init__(self, path: Path) -> None:
        self._fd = _locked(path)
        self.mark, _ = _parsed(os.pread(self._fd, _SIZE, 0))
        self._write(self.mark or Mark(0, b""))
        _close_in_children()
        _HELD.add(self)

    def advance(self, mark: Mark) -> None:
        """Remember that everything up to `mark` is durable."""
        self._write(mark)

    def close(self) -> None:
        """Let the next writer in."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _write(self, mark: Mark) -> None:
        text = f"{mark.count} {mark.link.hex() or '-'} {os.getpid()}"
        line = f"{text} {crc32(text.encode()):08x}".ljust(_SIZE - 1) + "\n"
        # An old mark is a sound one, and the events are safe already: a full disk is no
        # reason to tell anybody that they are not.
        with contextlib.suppress(OSError):
            os.pwrite(self._fd, line.encode(), 0)


def _locked(path: Path) -> int:
    """A descriptor of the locked head file."""
    head = head_path(path)
    fd = open_lock(head)
    try:
        try:
            _lock(fd)
        except BlockingIOError:
            _, pid = _parsed(os.pread(fd, _SIZE, 0))
            who = f"process {pid}" if pid else "another process"
            who = "this process" if pid == os.getpid() else who
            raise StoreInUse(
                f"Only one program at a time may add to {path}, and {who} has it open. "
                "Close it there first; reading works meanwhile."
            ) from None
        if not os.path.samestat(os.fstat(fd), os.lstat(head)):
            raise StoreError(f"{head} was replaced while it was being opened; try again.")
    except BaseException:
        os.close(fd)
        raise
    return fd


def _lock(fd: int) -> None:
    """Lock the head file, or raise `BlockingIOError` if somebody has.

    Whoever is killed while it starts another process leaves a copy of its lock to that one, for
    as long as that takes to begin. So for the lock of a dead process it is waited for a moment.
    """
    end = time.monotonic() + _MOMENT_S
    while True:
        try:
            return fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if _is_alive(_parsed(os.pread(fd, _SIZE, 0))[1]) or time.monotonic() >= end:
                raise
        time.sleep(0.01)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)  # of 0, which stands for nobody known: true
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _parsed(content: bytes) -> tuple[Mark | None, int]:
    """The mark and the writer's process; None and 0 for anything that was not written whole."""
    text, _, checksum = content.decode("ascii", errors="replace").strip().rpartition(" ")
    if not text or checksum != f"{crc32(text.encode()):08x}":
        return None, 0
    if (said := _LINE.fullmatch(text)) is None:  # somebody made up a checksum
        return None, 0
    count, link, pid = said.groups()
    return (Mark(int(count), bytes.fromhex(link)) if link != "-" else None), int(pid)


_HELD: weakref.WeakSet[Head] = weakref.WeakSet()


@cache
def _close_in_children() -> None:
    """A forked child must not hold the lock on when its parent is gone."""

    def close() -> None:
        for head in list(_HELD):
            head.close()

    os.register_at_fork(after_in_child=close)
