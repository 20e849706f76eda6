"""Torn, truncated and bit-flipped files: seen, said, never believed and never made worse.

Seen to fail first. Without the checksum of each event, a flipped bit in a payload was read as
if it had been written so. Without the head file, a flipped bit in the log made SQLite drop
acknowledged events without a word, and the store went on and overwrote them.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from askless.core.event import Event
from askless.errors import Damaged, StoreError
from askless.stores._head import head_path
from askless.stores.sqlite import SqliteStore

EVENTS = 24
PARTS = ("", "-wal", "-head")
"""What makes up a store; ``-shm`` is memory that SQLite makes again."""


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that was closed: everything is in the database."""
    path = tmp_path_factory.mktemp("closed") / "store.db"
    with closing(SqliteStore(path)) as store:
        _fill(store)
    return path


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose process was killed: the newest events are still in the log."""
    path = tmp_path_factory.mktemp("killed") / "store.db"
    with closing(SqliteStore(path.with_name("live.db"))) as store:
        _fill(store)
        for part in PARTS:
            shutil.copy(f"{path.with_name('live.db')}{part}", f"{path}{part}")
    assert _size(path, "-wal") > 0
    return path


def _fill(store: SqliteStore) -> None:
    for number in range(EVENTS):
        store.append([Event("answered", "ann", _payload(number), float(number), f"key {number}")])


def _payload(number: int) -> dict[str, object]:
    return {"question_id": number, "answer": {"answer": "no"}, "note": "abcdefgh" * 9}


@pytest.mark.parametrize("part", ["", "-wal"])
def test_flipped_bit_is_never_believed(killed: Path, part: str, quick_folder: Path) -> None:
    rng = Random(part)
    size = _size(killed, part)
    for place in sorted(rng.sample(range(size), 80)):
        path = _copy(killed, quick_folder)
        _flip(path, part, place, rng.randrange(8))
        _check(path)


def test_flipped_bit_in_a_closed_store_is_never_believed(closed: Path, quick_folder: Path) -> None:
    rng = Random(0)
    for place in sorted(rng.sample(range(_size(closed, "")), 120)):
        path = _copy(closed, quick_folder)
        _flip(path, "", place, rng.randrange(8))
        _check(path)


@pytest.mark.parametrize("part", ["", "-wal"])
def test_file_that_was_cut_short_is_never_believed(
    killed: Path, part: str, quick_folder: Path
) -> None:
    rng = Random(part)
    size = _size(killed, part)
    for length in [0, size - 1, *rng.sample(range(size), 25)]:
        path = _copy(killed, quick_folder)
        with Path(f"{path}{part}").open("r+b") as file:
            file.truncate(length)
        _check(path)


def test_flipped_bit_in_the_last_event_leaves_all_others_readable(
    closed: Path, quick_folder: Path
) -> None:
    path = _copy(closed, quick_folder)
    last = path.read_bytes().rindex(b'"question_id":23')
    _flip(path, "", last + 5, 2)
    with pytest.raises(Damaged, match="event 23 is not as it was written") as caught:
        SqliteStore(path)
    assert caught.value.sound == EVENTS - 1
    assert _readable(path) == (EVENTS - 1, True)


def test_damaged_end_of_the_log_is_reported_and_not_overwritten(
    killed: Path, quick_folder: Path
) -> None:
    path = _copy(killed, quick_folder)
    _flip(path, "-wal", _size(path, "-wal") - 100, 0)
    before = Path(f"{path}-wal").read_bytes()
    with pytest.raises(Damaged, match="1 acknowledged events, from number 23 on, are missing"):
        SqliteStore(path)
    assert Path(f"{path}-wal").read_bytes() == before
    assert _readable(path) == (EVENTS - 1, True)


def test_lost_log_is_noticed(killed: Path, quick_folder: Path) -> None:
    path = _copy(killed, quick_folder)
    Path(f"{path}-wal").unlink()
    with pytest.raises(Damaged, match="acknowledged events, from number 0 on, are missing"):
        SqliteStore(path)


def test_lost_file_is_noticed_and_no_empty_one_is_put_in_its_place(
    closed: Path, quick_folder: Path
) -> None:
    path = _copy(closed, quick_folder)
    path.unlink()
    with pytest.raises(Damaged, match="empty or gone, and held 24 events"):
        SqliteStore(path)
    assert not path.exists()


def test_older_copy_beside_a_newer_head_is_noticed(closed: Path, quick_folder: Path) -> None:
    older = _copy(closed, quick_folder)
    newer = quick_folder / "newer.db"
    for part in ("", "-head"):
        shutil.copy(f"{older}{part}", f"{newer}{part}")
    with closing(SqliteStore(newer)) as store:
        store.append([Event("opened")])
    shutil.copy(older, newer)
    with pytest.raises(Damaged, match="1 acknowledged events, from number 24 on"):
        SqliteStore(newer)


def test_another_history_of_the_same_length_is_noticed(closed: Path, quick_folder: Path) -> None:
    path = _copy(closed, quick_folder)
    other = quick_folder / "other.db"
    with closing(SqliteStore(other)) as store:
        store.append([Event("opened") for _ in range(EVENTS)])
    shutil.copy(other, path)
    with pytest.raises(Damaged, match="event 23 is not the one that was kept"):
        SqliteStore(path)


@pytest.mark.parametrize("content", [b"", b"\xff" * 64, b"24 0123456789abcdef 77 00000000"])
def test_head_that_cannot_be_read_counts_as_none(
    closed: Path, quick_folder: Path, content: bytes
) -> None:
    path = _copy(closed, quick_folder)
    head_path(path).write_bytes(content)
    with closing(SqliteStore(path)) as store:
        assert store.verify() == EVENTS


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM event WHERE number = 7",
        "UPDATE event SET number = number + 100 WHERE number = 23",
        "UPDATE event SET payload = '{}' WHERE number = 0",
        "UPDATE event SET payload = x'ff' WHERE number = 0",
        "UPDATE event SET payload = CAST(x'ff' AS TEXT) WHERE number = 0",
        "UPDATE event SET at_s = 'noon' WHERE number = 0",
        "UPDATE event SET link = (SELECT link FROM event WHERE number = 3) WHERE number = 2",
    ],
)
def test_what_somebody_else_changed_is_noticed(closed: Path, quick_folder: Path, sql: str) -> None:
    path = _copy(closed, quick_folder)
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute(sql)
        stranger.commit()
    with closing(SqliteStore(path, write=False)) as store, pytest.raises(Damaged):
        store.verify()


def _check(path: Path) -> None:
    """Whatever was done to the store, it says so or it is as it was; and it is left alone."""
    before = [_content(path, part) for part in ("", "-wal")]
    try:
        store = SqliteStore(path)
    except StoreError:
        assert [_content(path, part) for part in ("", "-wal")] == before
        _readable(path)
        return
    with closing(store):
        assert [event.payload for event in store.read()] == [_payload(n) for n in range(EVENTS)]
        assert store.append([Event("opened", key="new")]) == EVENTS


def _readable(path: Path) -> tuple[int, bool]:
    """How many events can be read from the first on, and whether damage was reported after."""
    try:
        store = SqliteStore(path, write=False)
    except StoreError:
        return 0, True
    with closing(store):
        return _prefix(store.read())


def _prefix(events: Iterator[Event]) -> tuple[int, bool]:
    count = 0
    try:
        for event in events:
            assert event.number == count
            assert event.payload == _payload(count)
            assert (event.kind, event.annotator, event.at_s) == ("answered", "ann", float(count))
            count += 1
    except StoreError:
        return count, True
    return count, False


def _copy(path: Path, folder: Path) -> Path:
    """The store, to be broken; every time at the same place."""
    for part in (*PARTS, "-shm"):
        target = Path(f"{folder / path.name}{part}")
        target.unlink(missing_ok=True)
        if part in PARTS and Path(f"{path}{part}").exists():
            shutil.copy(f"{path}{part}", target)
    return folder / path.name


def _flip(path: Path, part: str, place: int, bit: int) -> None:
    with Path(f"{path}{part}").open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))


def _size(path: Path, part: str) -> int:
    return Path(f"{path}{part}").stat().st_size


def _content(path: Path, part: str) -> bytes:
    """What a file holds; SQLite may make an empty log where there was none."""
    file = Path(f"{path}{part}")
    return file.read_bytes() if file.exists() else b""
