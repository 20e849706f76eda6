"""A process that appends and tells what was acknowledged, to be run with the shim.

    python -m tests.faults.writer FOLDER SCRIPT

SCRIPT is JSON: ``settings`` to change in the store, ``appends`` to make before each closing,
``first``, the number of the first append, and ``failed_sync``, the number of an append whose
sync fails; after that the process ends at once. Each acknowledged append is one byte in the
file ``acknowledged``, so that it stands in the shim's log at its place in time.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest

from askless.core.event import Event
from askless.errors import NotWritten, RepeatedKey
from askless.stores import _file
from askless.stores.sqlite import SqliteStore
from tests.faults.shim import Faults


def batch(number: int) -> list[Event]:
    """The events of one append; anybody who knows its number knows them."""
    rng = Random(number)
    # Some are longer than a page of the database.
    note = "x" * rng.choice([10, 100, 9000])
    payload = {"append": number, "note": note}
    several = [Event("asked", "ann", payload) for _ in range(rng.choice([0, 1, 2]))]
    return [*several, Event("answered", "ann", payload, key=f"append {number}")]


def main(folder: Path, script: dict[str, Any]) -> None:
    """Follow the script."""
    _file.WRITER_SETTINGS.update(script.get("settings", {}))
    acknowledged = os.open(folder / "acknowledged", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    number = script.get("first", 0)
    for appends in script["appends"]:
        store = SqliteStore(folder / "store.db")
        for _ in range(appends):
            if number == script.get("failed_sync"):
                _fail(store, number)
            with suppress(RepeatedKey):  # It was kept when its sync failed.
                store.append(batch(number))
            os.write(acknowledged, b".")
            number += 1
        store.close()


def _fail(store: SqliteStore, number: int) -> NoReturn:
    """An append whose sync fails, and the end."""
    Faults().fail_syncs(errno.EIO)
    with pytest.raises(NotWritten) as caught:
        store.append(batch(number))
    assert caught.value.reopen
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
