"""Folders that outlive a power loss and that only their owner can enter.

Imported by whoever makes a folder; tested in tests/files/test_folders.py and
tests/folder/test_durable.py.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from askless.errors import InvalidInput, UnsafeFile


def make_folder(path: Path) -> None:
    """Make a folder, and those it is to be in, so that their names outlive a power loss.

    Parameters
    ----------
    path
        If it is new, only its owner can enter it (mode 700); one that is there must not be a
        link. It is made durable in either case: whoever made it may have been killed.
    """
    made = [folder for folder in (path, *path.parents) if not folder.exists()]
    check_folder(path)
    path.mkdir(mode=0o700, parents=True, exist_ok=True)  # the mode is for the last one alone
    for folder in made or [path]:
        # Where one may not look there is nothing of ours to sync.
        with suppress(PermissionError):
            sync(folder.absolute().parent)


def check_folder(path: Path) -> None:
    """Refuse a path that is a link.

    Raises
    ------
    UnsafeFile
        The sentence names it.
    """
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISLNK(mode):
        raise UnsafeFile(
            f"A folder of askless must not be a symbolic link, and {path} is one. "
            "Nothing was opened or written. Name the folder it leads to, or remove the link."
        )


def make_private(folder: Path) -> None:
    """Let nobody but the owner into a folder that was made with a wider mode.

    The folder gets mode 700 and every file in it 600. Links are not followed, files with several
    names (hard links) are left alone, and so is everything that belongs to somebody else. A folder
    that is private already is taken as it is: nobody else could reach what is inside.
    """
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        return
    if not status.st_mode & 0o077:
        return
    with suppress(OSError):  # a file system without modes
        os.chmod(folder, 0o700, follow_symlinks=False)
        for _, folders, names, fd in os.fwalk(folder):
            for name in (*folders, *names):
                _narrow(name, fd)


def _narrow(name: str, folder: int) -> None:
    found = os.lstat(name, dir_fd=folder)
    plain = stat.S_ISREG(found.st_mode) and found.st_nlink == 1
    if found.st_uid != os.geteuid() or not (plain or stat.S_ISDIR(found.st_mode)):
        return
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with suppress(OSError):
        fd = os.open(name, flags, dir_fd=folder)
        try:
            os.fchmod(fd, stat.S_IMODE(found.st_mode) & 0o700)
        finally:
            os.close(fd)


@contextmanager
def in_words(folder: Path, needs: str, hint: str = "") -> Iterator[None]:
    """Say in a sentence why something cannot be kept on a disk.

    Parameters
    ----------
    folder
        Where it is to be kept.
    needs
        What it is, with its verb, as the sentence begins: "Features need".
    hint
        How to name another folder.
    """
    try:
        yield
    except OSError as error:
        raise InvalidInput(
            f"{needs} a folder that may be written to and has room; {folder} cannot be written: "
            f"{error.strerror or error}. Make room, or name another folder{hint}."
        ) from error


def sync(path: Path) -> None:
    """Make a file's content, or the names in a folder, durable."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
