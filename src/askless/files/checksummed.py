"""Files with a checksum at their end, which tells whether they are still what was written.

A checksummed file is any file with one line added at its end,

    askless sha256 <64 hexadecimal digits of everything before this line>

Formats that find their parts from the front or by an index (``.npy``, ``.npz``) do not mind
the line, so numpy alone can still read such an array.

It appears whole or not at all (`askless.files.whole`). Cost: hashing takes a second for some
hundreds of MB, when writing and when checking. Not for files that grow.
Imported by whoever keeps such a file; tested in tests/files/test_checksummed.py.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from askless.errors import InvalidInput
from askless.files.whole import write_whole

_MARK: Final = b"\naskless sha256 "
CHECKSUM_BYTES: Final = len(_MARK) + 64 + 1
"""How long the line at the end is."""
_CHUNK: Final = 1 << 20


def write_checksummed(
    path: Path, write: Callable[[BinaryIO], None], *, durable: bool = True
) -> str:
    """Make the file at `path`, or replace it, in one step.

    Parameters
    ----------
    path
        Its folder must exist.
    write
        Writes the content into the file it is given.
    durable
        False leaves the syncing to the system: whole after a kill, not after a power loss.

    Returns
    -------
    str
        The checksum.
    """
    checksum = ""

    def write_with_checksum(file: BinaryIO) -> None:
        nonlocal checksum
        write(file)
        length = file.seek(0, os.SEEK_END)
        file.seek(0)
        checksum = _digest(file, length)
        file.write(_MARK + checksum.encode() + b"\n")

    write_whole(path, write_with_checksum, durable=durable)
    return checksum


def verify_checksum(file: BinaryIO) -> str:
    """The checksum of an open checksummed file, verified; the file is back at its start.

    Raises
    ------
    InvalidInput
        The file does not end with a checksum (it was cut short, or is another file), or it has
        changed since it was written.
    """
    length = file.seek(0, os.SEEK_END) - CHECKSUM_BYTES
    file.seek(max(0, length))
    line = file.read()
    if length < 0 or not line.startswith(_MARK) or not line.endswith(b"\n"):
        raise InvalidInput(
            f"A file that askless keeps ends with its checksum; {file.name} does not. "
            "It was cut short or is something else."
        )
    file.seek(0)
    checksum = _digest(file, length)
    if line != _MARK + checksum.encode() + b"\n":
        raise InvalidInput(
            f"A file that askless keeps matches its checksum; {file.name} does not. "
            "It has changed since it was written."
        )
    file.seek(0)
    return checksum


def _digest(file: BinaryIO, length: int) -> str:
    """Checksum of the next `length` bytes, read in chunks: memory stays bounded at any size."""
    digest = hashlib.sha256()
    while length > 0 and (chunk := file.read(min(_CHUNK, length))):
        digest.update(chunk)
        length -= len(chunk)
    return digest.hexdigest()
