"""Names that a session owns are opened as plain files or not at all."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from askless.errors import InvalidInput, UnsafeFile
from askless.files import (
    check_below,
    check_names,
    check_plain,
    open_lock,
    open_log,
    open_to_read,
    read_bytes,
)

Plant = Callable[[Path, Path], object]


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


PLANTS: dict[str, Plant] = {
    "a symbolic link": lambda path, victim: path.symlink_to(victim),
    "a symbolic link to nothing": lambda path, victim: path.symlink_to(victim.with_name("none")),
    "a symbolic link to a folder": lambda path, victim: path.symlink_to(victim.parent),
    "hard links": lambda path, victim: path.hardlink_to(victim),
    "a fifo": lambda path, victim: os.mkfifo(path),
    "a folder": lambda path, victim: path.mkdir(),
    "a socket": lambda path, victim: make_socket(path),
}

OPENERS: dict[str, Callable[[Path], object]] = {
    "check": check_plain,
    "read": open_to_read,
    "read whole": lambda path: read_bytes(path, 10),
    "log": open_log,
    "lock": open_lock,
}


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    path = tmp_path / "outside" / "victim"
    path.write_bytes(b"theirs")
    path.chmod(0o644)
    return path


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("plant", PLANTS)
def test_nothing_but_a_plain_file_is_opened(
    plant: str, opener: str, tmp_path: Path, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    path = Path("name")
    PLANTS[plant](path, victim)
    with pytest.raises(UnsafeFile, match=f"name is .*{plant.removesuffix(' to nothing')[:15]}"):
        OPENERS[opener](path)
    assert victim.read_bytes() == b"theirs"
    assert stat.S_IMODE(victim.stat().st_mode) == 0o644
    assert sorted(each.name for each in victim.parent.iterdir()) == ["victim"]


def test_a_device_is_not_opened() -> None:
    with pytest.raises(UnsafeFile, match="/dev/null is a device"):
        open_to_read(Path("/dev/null"))


@pytest.mark.parametrize("plant", PLANTS)
def test_a_tree_is_refused_for_anything_that_is_no_plain_file(
    plant: str, tmp_path: Path, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("s")
    (folder / "ours" / "below").mkdir(parents=True)
    PLANTS[plant](folder / "theirs", victim)
    check_names(folder, ["mine"], ["ours", "none"])  # other names are not looked at
    check_below(folder / "ours")
    check_below(folder / "none")
    with pytest.raises(UnsafeFile, match="s/theirs"):
        check_names(folder, ["theirs"])
    if plant != "a folder":
        with pytest.raises(UnsafeFile, match="s/theirs"):
            check_names(folder, [], ["theirs"])
    PLANTS[plant](folder / "ours" / "below" / "x", victim)
    if plant not in ("a folder", "hard links"):
        with pytest.raises(UnsafeFile, match="s/ours/below/x"):
            check_below(folder / "ours")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(11)
    with pytest.raises(InvalidInput, match=r"large must have at most 10 bytes; it has 11\."):
        read_bytes(path, 10)
    assert read_bytes(path, 11) == bytes(11)


def test_logs_and_locks_are_private_and_a_log_begins_empty(tmp_path: Path) -> None:
    log, lock = tmp_path / "log", tmp_path / "lock"
    log.write_bytes(b"old")
    log.chmod(0o600)
    lock.touch(0o666)
    os.close(open_lock(lock))
    with open_log(log) as file:
        file.write(b"new")
    assert log.read_bytes() == b"new"
    with open_log(tmp_path / "other"):
        pass
    for path in (log, lock, tmp_path / "other"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_folders_that_lie_too_deep_are_a_sentence(tmp_path: Path) -> None:
    deep = tmp_path.joinpath("thumbnails", *["d"] * 9)
    deep.mkdir(parents=True)
    with pytest.raises(UnsafeFile, match="must not lie this deep"):
        check_below(tmp_path / "thumbnails")
