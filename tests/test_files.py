"""Files appear whole or not at all."""

from __future__ import annotations

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
