"""Files that appear whole or not at all, and know whether they are still what was written.

A sealed file is any file with one line added at its end,

    askless sha256 <64 hexadecimal digits of everything before this line>

Formats that find their parts from the front or by an index (``.npy``, ``.npz``) do not mind
the line, so a sealed array is still read by numpy alone.

It appears whole or not at all (`askless.files`). Cost: hashing runs at some hundreds of MB a
second, in writing and in checking alike. Not for files that grow.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from askless.errors import InvalidInput
from askless.files import write_whole

_MARK: Final = b"\naskless sha256 "
_LENGTH: Final = len(_MARK) + 64 + 1
_CHUNK: Final = 1 << 20


def write_sealed(path: Path, write: Callable[[BinaryIO], None], *, durable: bool = True) -> str:
    """Make the file at `path`, or replace it, at one stroke.

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

    def write_and_seal(file: BinaryIO) -> None:
        nonlocal checksum
        write(file)
        length = file.seek(0, os.SEEK_END)
        file.seek(0)
        checksum = _digest(file, length)
        file.write(_MARK + checksum.encode() + b"\n")

    write_whole(path, write_and_seal, durable=durable)
    return checksum


def check_seal(file: BinaryIO) -> str:
    """The checksum of an open sealed file, found to be right; the file is back at its start.

    Raises
    ------
    InvalidInput
        The file has no seal (it was cut short, or is no sealed file) or has changed since.
    """
    length = file.seek(0, os.SEEK_END) - _LENGTH
    file.seek(max(0, length))
    seal = file.read()
    name = getattr(file, "name", "a file")
    if length < 0 or not seal.startswith(_MARK) or not seal.endswith(b"\n"):
        raise InvalidInput(
            f"A sealed file ends with its checksum; {name} does not. "
            "It was cut short or is something else; remove it, and it is made again."
        )
    file.seek(0)
    checksum = _digest(file, length)
    if seal != _MARK + checksum.encode() + b"\n":
        raise InvalidInput(
            f"A sealed file matches its checksum; {name} does not. "
            "It has changed since it was written; remove it, and it is made again."
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
