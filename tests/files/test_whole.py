"""Files appear whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

import pytest

from askless.files import remove_partials, write_whole


def test_a_file_is_replaced_at_one_stroke(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for text in (b"one", b"two"):
        write_whole(path, lambda file, text=text: file.write(text))  # type: ignore[misc]
        assert path.read_bytes() == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_writer_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def fail(file: BinaryIO) -> None:
        file.write(b"half of the n")
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        write_whole(path, fail)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_killed_writers_left_can_be_removed(tmp_path: Path) -> None:
    (tmp_path / ".a.txt.123.partial").touch()
    (tmp_path / "b.txt").touch()
    remove_partials(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


def test_a_link_under_the_final_name_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"theirs")
    path = tmp_path / "a.txt"
    path.symlink_to(tmp_path / "elsewhere")
    write_whole(path, lambda file: file.write(b"ours"))
    assert (tmp_path / "elsewhere").read_bytes() == b"theirs"
    assert path.read_bytes() == b"ours"
    assert not path.is_symlink()


def test_a_link_planted_under_the_partial_name_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"theirs")
    (tmp_path / f".a.txt.{os.getpid()}.partial").symlink_to(tmp_path / "elsewhere")
    write_whole(tmp_path / "a.txt", lambda file: file.write(b"ours"))
    assert (tmp_path / "elsewhere").read_bytes() == b"theirs"
    assert (tmp_path / "a.txt").read_bytes() == b"ours"


@pytest.mark.parametrize(("private", "mode"), [(True, 0o600), (False, 0o644)])
def test_only_the_owner_reads_a_private_file(tmp_path: Path, private: bool, mode: int) -> None:
    before = os.umask(0o022)
    try:
        write_whole(tmp_path / "a", lambda file: file.write(b"x"), private=private)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == mode
