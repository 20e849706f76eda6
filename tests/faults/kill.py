"""Kills a process that appends, again and again, and looks for what it acknowledged.

    python -m tests.faults.kill 10000

A child opens the store and appends; after each append it says so through a pipe. It is killed at a
random moment: while opening, while making a new store, within an append, while the log is
moved into the database, or by its own hand between an append and saying so. The next child sends
again whatever was not acknowledged, with the same key, as a browser would.
Then every acknowledged append must be there exactly once, whole and in order.

``--without keys`` and ``--without transactions`` take a mechanism away, to see it missed.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import alembic.runtime.environment  # noqa: F401  (so that no child spends its life loading it)

from askless.core.event import Event
from askless.errors import RepeatedKey, StoreError
from askless.stores import _file
from askless.stores.sqlite import SqliteStore
from tests.faults.survivors import Lost
from tests.faults.writer import batch

STORE_KILLS = 25
"""So many kills, then a new store: making one is a moment to die in too."""


@dataclass(slots=True)
class Witness:
    """What is known of a store from outside: `acknowledged` appends, and `read` events of them."""

    path: Path
    acknowledged: int = 0
    appends: int = 0
    read: int = 0

    def look(self) -> None:
        """Read what is new in the store, and compare."""
        if not self.path.exists() and not self.acknowledged:
            return
        with closing(SqliteStore(self.path)) as store:
            events = list(store.read(self.read - 1))
        position = 0
        while position < len(events):
            expected = batch(self.appends)
            found = events[position : position + len(expected)]
            if [(e.kind, e.payload) for e in found] != [(e.kind, e.payload) for e in expected]:
                raise Lost(f"append {self.appends} is torn, repeated or out of order")
            position += len(expected)
            self.appends += 1
        self.read += len(events)
        if self.appends < self.acknowledged:
            raise Lost(f"{self.acknowledged} were acknowledged, {self.appends} are there")


def kill(times: int, folder: Path, seed: int, without: str | None) -> int:
    """Kill so many children; the number of acknowledged appends they made."""
    rng = Random(seed)
    _file.WRITER_SETTINGS["wal_autocheckpoint"] = "16"
    total = 0
    for first in range(0, times, STORE_KILLS):
        witness = Witness(folder / f"{first}.db")
        for _ in range(min(STORE_KILLS, times - first)):
            _run_and_kill(witness, rng, without)
            witness.look()
        if witness.path.exists():
            with closing(SqliteStore(witness.path)) as store:
                store.verify()
        total += witness.acknowledged
        for file in folder.iterdir():
            file.unlink()
    return total


def _run_and_kill(witness: Witness, rng: Random, without: str | None) -> None:
    longest_s = 0.5 if not witness.path.exists() else 0.02 if rng.random() < 0.2 else 0.06
    life_s = rng.uniform(0, longest_s)
    # By its own hand, after some append and before saying so.
    last = witness.acknowledged + rng.randrange(5) if rng.random() < 0.3 else None
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        try:
            _append_for_ever(witness, theirs, last, without)
        finally:
            os._exit(1)
    os.close(theirs)
    if last is None:
        time.sleep(life_s)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise Lost("a child ended by itself; see its traceback")
    with open(ours, "rb") as pipe:
        witness.acknowledged += len(pipe.read())


def _append_for_ever(witness: Witness, pipe: int, last: int | None, without: str | None) -> None:
    store = SqliteStore(witness.path)
    number = witness.acknowledged
    while True:
        with suppress(RepeatedKey):
            for events in _parts(batch(number), without):
                store.append(events)
        if number == last:
            os.kill(os.getpid(), signal.SIGKILL)
        os.write(pipe, b".")
        number += 1


def _parts(events: list[Event], without: str | None) -> list[list[Event]]:
    if without == "transactions":
        return [[event] for event in events]
    if without == "keys":
        return [[replace(event, key=None) for event in events]]
    return [events]


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("times", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without", choices=["keys", "transactions"])
    asked = parser.parse_args()
    # In memory if there is room for it there: a kill leaves what was written, synced or not.
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        try:
            appends = kill(asked.times, Path(folder), asked.seed, asked.without)
        except (Lost, StoreError) as error:
            print(f"LOST: {error}")  # noqa: T201
            return 1
    print(f"{asked.times} kills, {appends} acknowledged appends, none lost")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
