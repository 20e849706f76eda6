"""Whether the files of an open store are still the files that were opened.

SQLite goes on writing into a file that was deleted or replaced, and every commit succeeds. So the
names are looked up again around each commit, by ``lstat``: device, inode, kind and size of the
database, its log and its head file. Between two appends of ours nobody writes the first two, so a
new time of change there makes the store read its events again through a connection of their own.
Cost: six ``lstat`` an append, some ten microseconds.

The files are never opened for this: closing any descriptor of a database drops the locks that
SQLite holds on it in the same process.
Imported by `askless.stores.sqlite` alone; tested in tests/faults/test_store_gone.py.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from askless.errors import NotWritten


@dataclass(frozen=True, slots=True)
class _Seen:
    """A file as it was last seen."""

    device: int
    inode: int
    size: int
    changed_ns: int


class Watch:
    """The database at `path`, its log and its head file, as they are now.

    Parameters
    ----------
    path
        The database, open for writing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._grow = (path, path.with_name(path.name + "-wal"))
        self._head = path.with_name(path.name + "-head")
        self._seen = {file: _look(path, file) for file in (*self._grow, self._head)}

    def check(self) -> bool:
        """Refuse to go on if a file is not the one that was opened.

        Returns
        -------
        bool
            Whether the content of the database or its log has changed since the last look.

        Raises
        ------
        NotWritten
            A file was deleted, replaced or cut short; the sentence says which.
        """
        changed = False
        for file, before in self._seen.items():
            now = _look(self._path, file)
            if (now.device, now.inode) != (before.device, before.inode):
                raise gone(self._path, f"{file} was replaced by another file")
            if file is not self._head:
                if now.size < before.size:
                    cut = f"from {before.size:,} to {now.size:,} bytes"
                    raise gone(self._path, f"{file} was cut short {cut}")
                changed |= now != before
            self._seen[file] = now
        return changed


def gone(path: Path, what: str, why: object = "") -> NotWritten:
    """Why nothing more can be acknowledged."""
    return NotWritten(
        f"Answers are kept in {path}, and {what} while askless was using it. Nothing was "
        "acknowledged. Put the file back where it was, if you can, then start askless again."
        + (f" ({why})" if why else ""),
        reopen=True,
    )


def _look(path: Path, file: Path) -> _Seen:
    try:
        status = os.lstat(file)
    except OSError as error:
        what = file if file.parent.exists() else file.parent
        raise gone(path, f"{what} was deleted or moved ({error.strerror})") from error
    if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
        raise gone(path, f"{file} was replaced by a link, or got a second name")
    return _Seen(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
