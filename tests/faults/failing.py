"""Processes whose disk fails them, to be run with the shim.

    python -m tests.faults.failing writes|syncs|checkpoint FOLDER

Each scenario makes every call of an append fail in turn, checks what the store says and
what it holds, and goes on as a caller would: by trying again, or by opening the store again first
if the error says so. It prints how many failures there were.
"""

from __future__ import annotations

import errno
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from askless.errors import NotWritten, RepeatedKey
from askless.stores import _file
from askless.stores.sqlite import SqliteStore
from tests.faults.shim import Faults
from tests.faults.writer import batch


class Caller:
    """Appends batch after batch to a store that fails now and then."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "store.db"
        self.store = SqliteStore(self.path)
        self.appends = 0
        self.failures = 0

    def append(self) -> NotWritten | None:
        """One append; the error if it failed, after which it was tried again with success."""
        faults = Faults()
        failure = None
        try:
            self.store.append(batch(self.appends))
        except NotWritten as error:
            failure = error
            self.failures += 1
            if error.reopen:
                self._is_refused()
        faults.heal()
        if failure is not None:
            self._holds(self.appends)
            if failure.reopen:
                self.store.close()
                self.store = SqliteStore(self.path)
            with suppress(RepeatedKey):
                self.store.append(batch(self.appends))
        self.appends += 1
        self._holds(self.appends)
        return failure

    def _is_refused(self) -> None:
        with pytest.raises(NotWritten) as caught:
            self.store.append(batch(10**6))
        assert caught.value.reopen

    def _holds(self, appends: int) -> None:
        """Every append that was acknowledged is there, once, and nothing else is."""
        expected = [event.payload for number in range(appends) for event in batch(number)]
        assert [event.payload for event in self.store.read()] == expected


def writes(folder: Path) -> int:
    """The disk is full at every write of an append, after half of that write or at once."""
    caller = Caller(folder)
    for half in (False, True):
        for call in range(200):
            Faults().fail_writes(errno.ENOSPC, call, times=10**6, half=half)
            failure = caller.append()
            assert failure is None or "is full" in str(failure), failure
            if failure is None and call > 20:
                break
    return caller.failures


def syncs(folder: Path) -> int:
    """Each sync of an append fails."""
    caller = Caller(folder)
    for round_ in range(8):
        Faults().fail_syncs(errno.EIO, wait=round_ % 2)
        failure = caller.append()
        assert failure is None or failure.reopen
    return caller.failures


def checkpoint(folder: Path) -> int:
    """The log cannot be moved into the database for lack of space; answers go on all the same."""
    _file.WRITER_SETTINGS["wal_autocheckpoint"] = "1"
    caller = Caller(folder)
    for call in range(40):
        Faults().fail_writes(errno.ENOSPC, call, times=10**6)
        caller.append()
    caller.store.close()
    caller.store = SqliteStore(caller.path)
    assert caller.store.verify() == sum(len(batch(number)) for number in range(caller.appends))
    return caller.failures


if __name__ == "__main__":
    scenario = {"writes": writes, "syncs": syncs, "checkpoint": checkpoint}[sys.argv[1]]
    print(scenario(Path(sys.argv[2])))  # noqa: T201
