from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from askless.errors import InvalidInput
from askless.files import remove_partials
from askless.files.checksummed import verify_checksum, write_checksummed


def content(text: bytes) -> Any:
    return lambda file: file.write(text)


def test_checksum_told_in_writing_is_the_one_found_in_checking(tmp_path: Path) -> None:
    told = write_checksummed(tmp_path / "a", content(b"hello"))
    with (tmp_path / "a").open("rb") as file:
        assert verify_checksum(file) == told
        assert file.read().startswith(b"hello\naskless sha256 ")


def test_a_file_without_a_checksum_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 200)
    with (tmp_path / "a").open("rb") as file, pytest.raises(InvalidInput, match="cut short"):
        verify_checksum(file)


def test_failed_writing_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    write_checksummed(tmp_path / "a", content(b"old"))
    before = (tmp_path / "a").read_bytes()

    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_checksummed(tmp_path / "a", fail)
    assert (tmp_path / "a").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_failed_sync_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_checksummed(tmp_path / "a", content(b"old"))
    before = (tmp_path / "a").read_bytes()

    def fail(handle: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="Input/output"):
        write_checksummed(tmp_path / "a", content(b"new"))
    assert (tmp_path / "a").read_bytes() == before


def test_name_is_taken_once_the_bytes_are_synced_and_then_the_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a power loss leaves behind depends on this order, and on nothing after the last sync.
    happened: list[tuple[str, int]] = []
    sync, rename = os.fsync, os.replace

    def record_sync(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"
        happened.append((f"sync {kind}", os.fstat(handle).st_size if kind == "file" else 0))
        sync(handle)

    def record_rename(source: Path, target: Path) -> None:
        happened.append(("rename", source.stat().st_size))
        rename(source, target)

    monkeypatch.setattr(os, "fsync", record_sync)
    monkeypatch.setattr(os, "replace", record_rename)
    write_checksummed(tmp_path / "a", content(b"hello"))
    size = (tmp_path / "a").stat().st_size
    assert happened == [("sync file", size), ("rename", size), ("sync folder", 0)]


def test_what_killed_writers_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    write_checksummed(tmp_path / "a", content(b"kept"))
    (tmp_path / ".a.123.partial").write_bytes(b"half")
    remove_partials(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
