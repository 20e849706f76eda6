"""Files that appear whole or not at all.

Writing goes to a partial file beside the final one; its bytes are synced, then it takes its
name, then the folder is synced. A kill at any moment, or a power loss, leaves the old
file or the new one, and perhaps a partial file that nobody reads. Not for files that grow.
Tested in tests/test_files.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from askless.errors import InvalidInput


def write_whole(path: Path, write: Callable[[BinaryIO], object], *, durable: bool = True) -> None:
    """Make the file at `path`, or replace it, at one stroke.

    Parameters
    ----------
    path
        Its folder must exist.
    write
        Writes the content into the file it is given, which can be read back too.
    durable
        False leaves the syncing to the system: whole after a kill, not after a power loss.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("w+b") as file:
            write(file)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        os.replace(partial, path)
        if durable:
            sync_folder(path.parent)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def make_folder(path: Path) -> None:
    """Make a folder, and those it is to be in, so that their names outlive a power loss.

    Parameters
    ----------
    path
        One that is there already is made durable too: whoever made it may have been killed.
    """
    made = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for folder in made or [path]:
        # Where one may not look there is nothing of ours to sync.
        with suppress(PermissionError):
            sync_folder(folder.absolute().parent)


@contextmanager
def in_words(folder: Path, needs: str, hint: str = "") -> Iterator[None]:
    """Say in a sentence what a disk has against keeping something.

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


def remove_partials(folder: Path) -> None:
    """Remove what killed writers left in `folder`; call it while nobody writes there."""
    for partial in folder.glob(".*.partial"):
        partial.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` as durable as the files."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
