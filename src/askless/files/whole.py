"""Files that appear whole or not at all.

Writing goes to a partial file beside the final one; its bytes are synced, then it takes its
name, then the folder is synced. A kill at any moment, or a power loss, leaves the old
file or the new one, and perhaps a partial file that nobody reads. A link that stands under the
final name is replaced, not followed. Not for files that grow.
Imported by whoever writes a file; tested in tests/files/test_whole.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from askless.files.folders import sync


def write_whole(
    path: Path,
    write: Callable[[BinaryIO], object],
    *,
    durable: bool = True,
    private: bool = True,
) -> None:
    """Make the file at `path`, or replace it, in one step.

    Parameters
    ----------
    path
        Its folder must exist.
    write
        Writes the content into the file it is given, which can be read back too.
    durable
        False leaves the syncing to the system: whole after a kill, not after a power loss.
    private
        Whether only its owner may read it (mode 600). False for what the user asked to have
        written, such as an export: then the user's umask decides.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with _create(partial, 0o600 if private else 0o666) as file:
            write(file)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        os.replace(partial, path)
        if durable:
            sync(path.parent)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def remove_partials(folder: Path) -> None:
    """Remove what killed writers left in `folder`; call it while nobody writes there."""
    for partial in folder.glob(".*.partial"):
        partial.unlink(missing_ok=True)


def _create(path: Path, mode: int) -> BinaryIO:
    """A new file, open for writing and reading.

    O_EXCL refuses whatever stands there, a link too; what a killed process of the same number
    left behind, or somebody planted, is removed first.
    """
    path.unlink(missing_ok=True)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    return os.fdopen(fd, "w+b")
