"""The power goes at every sync, and nothing that was acknowledged is lost.

A real process appends while `shim.c` writes down what it does to its disk. `disk.py` then
works out what could be found after a power loss just before and just after every sync,
and at other moments too; every such folder is opened. Killing a process cannot show this,
since the operating system still writes what the process left.

Seen to fail first: the tests below that take the syncs away find lost answers.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from askless.core.event import Event
from askless.errors import StoreError
from askless.stores.sqlite import SqliteStore
from tests.faults.disk import Disk, Image, Operation, read_log, write_image
from tests.faults.marks import needs_shim
from tests.faults.shim import run_with_shim
from tests.faults.writer import batch

pytestmark = needs_shim

# A log of 16 pages is moved into the database every few appends and not every few hundred.
OFTEN = {"wal_autocheckpoint": 16}


def test_every_acknowledged_event_survives_a_power_loss_at_every_sync(quick_folder: Path) -> None:
    log = record(quick_folder, {"settings": OFTEN, "appends": [1, 8, 0, 6]})
    assert sum(1 for operation in log if operation.op == "S") > 25
    assert list(losses(quick_folder, log, images=3)) == []


@pytest.mark.long
def test_every_acknowledged_event_survives_a_power_loss_at_every_operation(
    quick_folder: Path,
) -> None:
    log = record(quick_folder, {"settings": OFTEN, "appends": [2, 8, 0, 5]})
    assert list(losses(quick_folder, log, images=3, everywhere=True)) == []


@pytest.mark.parametrize("failed", [3, 6])
def test_nothing_is_built_on_a_log_whose_sync_failed(quick_folder: Path, failed: int) -> None:
    """Without moving the log into the database at each opening, later answers were lost."""
    record(quick_folder, {"appends": [10], "failed_sync": failed})
    log = record(quick_folder, {"appends": [3], "first": failed})
    assert any(operation.op == "F" for operation in log)
    assert list(losses(quick_folder, log, images=3)) == []


@pytest.mark.parametrize("synchronous", ["OFF", "NORMAL"])
def test_with_fewer_syncs_acknowledged_events_are_lost(
    quick_folder: Path, synchronous: str
) -> None:
    settings = {**OFTEN, "synchronous": synchronous}
    log = record(quick_folder, {"settings": settings, "appends": [12]})
    assert list(losses(quick_folder, log, images=2, everywhere=True, enough=1)) != []


def record(place: Path, script: dict[str, Any]) -> list[Operation]:
    """What a process that follows the script, and those before it, did to their disk."""
    folder = place / "folder"
    folder.mkdir(exist_ok=True)
    log = place / "log"
    done = run_with_shim(
        "tests.faults.writer", str(folder), json.dumps(script), folder=folder, log=log
    )
    assert done.returncode == 0, done.stderr
    return list(read_log(log))


def losses(
    place: Path, log: list[Operation], *, images: int, everywhere: bool = False, enough: int = 10
) -> Iterator[str]:
    """What is wrong with what is found after a power loss, one sentence for each finding."""
    disk, acknowledged, lost, rng = Disk(), 0, 0, Random(0)
    marks = {operation.file for operation in log if operation.content == b"acknowledged"}
    found: dict[Image, int | str] = {}  # the same image need not be opened twice
    for at, operation in enumerate(log):
        around = operation.op in "SFD" or (at and log[at - 1].op in "SFD")
        if everywhere or around or rng.random() < 0.05:
            for luck in (0.0, 1.0, *(rng.choice([0.1, 0.5, 0.9]) for _ in range(images - 2))):
                image = disk.crash(luck, rng)
                if image not in found:
                    found[image] = _found(place, image)
                appends = found[image]
                if isinstance(appends, str) or appends < acknowledged:
                    yield f"before operation {at} ({operation.op}): {appends} of {acknowledged}"
                    lost += 1
            if lost >= enough:
                return
        disk.do(operation)
        if operation.op == "W" and operation.file in marks:
            acknowledged += 1


def _found(place: Path, image: Image) -> int | str:
    """Open what a power loss left; how many whole appends there are, or what is wrong."""
    with tempfile.TemporaryDirectory(dir=place) as name:
        path = Path(name) / "store.db"
        write_image(image, path.parent)
        try:
            with closing(SqliteStore(path)) as store:
                events = list(store.read())
                store.append([Event("opened", key="after the loss")])
                store.verify()
        except StoreError as error:
            return str(error)
    whole = 0
    expected: list[Event] = []
    while len(expected) < len(events):
        expected.extend(batch(whole))
        whole += 1
    if [(e.kind, e.payload, e.key) for e in events] != [
        (e.kind, e.payload, e.key) for e in expected
    ]:
        return "events are torn or not those that were written"
    return whole
