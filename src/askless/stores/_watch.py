"""Whether the files of an open store are still the files that were opened.

SQLite goes on writing into a file that was deleted or replaced, and every commit succeeds. So the
names are looked up again around each commit, by ``lstat``: device and inode of the database, its
log and its head file. Between two appends of ours nobody writes the first two, so a new time of
change there makes the store read its events again through a connection of their own.
Cost: six ``lstat`` an append, about an eighth of its processor time.

The files are never opened for this: closing any descriptor of a database drops the locks that
SQLite holds on it in the same process.
Imported by `askless.stores.sqlite` alone; tested in tests/faults/test_store_gone.py.
"""

from __future__ import annotations

import os
from pathlib import Path

from askless.errors import NotWritten


class Watch:
    """The database at `path`, its log and its head file, as they are now.

    Parameters
    ----------
    path
        The database, open for writing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        names = [os.fspath(path) + suffix for suffix in ("", "-wal", "-head")]
        *self._seen, self._head = [(name, os.lstat(name)) for name in names]

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
        self._look(*self._head)
        changed = False
        for place, (name, before) in enumerate(self._seen):
            now = self._look(name, before)
            if now.st_mtime_ns == before.st_mtime_ns and now.st_size == before.st_size:
                continue
            if now.st_size < before.st_size:
                cut = f"from {before.st_size:,} to {now.st_size:,} bytes"
                raise gone(self._path, f"{name} was cut short {cut}")
            changed = True
            self._seen[place] = (name, now)
        return changed

    def _look(self, name: str, before: os.stat_result) -> os.stat_result:
        try:
            now = os.lstat(name)
        except OSError as error:
            folder = os.path.dirname(name)
            what = name if os.path.exists(folder) else folder
            raise gone(self._path, f"{what} was deleted or moved ({error.strerror})") from error
        if now.st_ino != before.st_ino or now.st_dev != before.st_dev:
            raise gone(self._path, f"{name} was replaced by another file or a link")
        if now.st_nlink != 1:
            raise gone(self._path, f"{name} got a second name")
        return now


def gone(path: Path, what: str, why: object = "") -> NotWritten:
    """Why nothing more can be acknowledged."""
    return NotWritten(
        f"Answers are kept in {path}, and {what} while askless was using it. Nothing was "
        "acknowledged. Put the file back where it was, if you can, then start askless again."
        + (f" ({why})" if why else ""),
        reopen=True,
    )
