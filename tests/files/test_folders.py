"""Folders are private, durable, and no links."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from askless.errors import UnsafeFile
from askless.files import check_folder, make_folder, make_private


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_a_new_folder_is_its_owners_alone(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    assert mode(tmp_path / "a" / "b") == 0o700


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for check in (check_folder, make_folder):
        with pytest.raises(UnsafeFile, match="link is one"):
            check(tmp_path / "link")
    (tmp_path / "dangling").symlink_to("nothing")
    with pytest.raises(UnsafeFile, match="dangling is one"):
        make_folder(tmp_path / "dangling")
    assert not (tmp_path / "nothing").exists()


def test_a_folder_made_with_a_wider_mode_is_narrowed_and_nothing_outside_it(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "s"
    outside.mkdir(0o755)
    (outside / "theirs").touch(0o644)
    (folder / "thumbnails").mkdir(parents=True)
    (folder / "thumbnails" / "a.tile").touch(0o644)
    (folder / "events.sqlite").touch(0o644)
    (folder / "link").symlink_to(outside / "theirs")
    (folder / "folder").symlink_to(outside)
    (folder / "hard").hardlink_to(outside / "theirs")
    os.mkfifo(folder / "fifo", 0o644)
    make_private(folder)
    assert mode(folder) == mode(folder / "thumbnails") == 0o700
    assert mode(folder / "events.sqlite") == mode(folder / "thumbnails" / "a.tile") == 0o600
    assert mode(outside) == 0o755
    assert mode(outside / "theirs") == 0o644
