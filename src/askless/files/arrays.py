"""Arrays on disk, memory-mapped and checked.

An array is an ordinary ``.npy`` file that ends with its checksum (`askless.files.checksummed`).
Opening it maps it read-only, so a million rows take no memory until they are used, and
processes share them. Checking reads the whole file once: about 4 s for 1.5 GB. It can be left out
where the same process has just written the file.
Imported by whoever keeps an array; tested in tests/files/test_arrays.py.
"""

from __future__ import annotations

import io
import json
import math
import os
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.files.checksummed import verify_checksum, write_checksummed
from askless.files.owned import open_to_read

MALFORMED: Final = (
    ArithmeticError, EOFError, LookupError, MemoryError, RuntimeError, SyntaxError, TypeError,
    ValueError, struct.error, zipfile.BadZipFile,
)  # fmt: skip
"""What numpy and zipfile raise about bytes that somebody made up."""
_BLOCK: Final = 4_000_000  # numbers written at a time


def write_array(path: Path, array: NDArray[Any]) -> str:
    """Put an array on disk, whole or not at all.

    Parameters
    ----------
    path
        Its folder must exist; an array already there is replaced, and who has it
        mapped keeps seeing the old one.
    array
        Numbers of any kind and shape, perhaps memory-mapped itself.

    Returns
    -------
    str
        The checksum.
    """
    rows = max(1, _BLOCK * len(array) // max(1, array.size)) if array.ndim else 1
    pieces = [array[at : at + rows] for at in range(0, len(array), rows)] if array.ndim else [array]
    return _write(path, array.dtype, array.shape, pieces)


def write_blocks(
    path: Path, blocks: Sequence[NDArray[Any]], dtype: type[np.generic] | None = None
) -> str:
    """Put an array on disk that comes as blocks of rows, without ever joining them in memory.

    Parameters
    ----------
    path
        As for `write_array`.
    blocks
        One after the other they are the array; no blocks are an array of shape (0, 0).
    dtype
        The kind of number to write; None for that of the blocks.
    """
    if not blocks:
        return write_array(path, np.zeros((0, 0), np.float32))
    kinds = {(block.dtype.kind, block.shape[1:]) for block in blocks}
    if len(kinds) > 1:
        raise InvalidInput(
            "The blocks of an array are of one kind and width; got "
            f"{', '.join(sorted(f'{kind} {shape}' for kind, shape in kinds))}."
        )
    shape = (sum(map(len, blocks)), *blocks[0].shape[1:])
    return _write(path, np.dtype(dtype or np.result_type(*blocks)), shape, blocks)


def open_array(path: Path, *, check: bool = True) -> NDArray[Any]:
    """The array at `path`, read-only and memory-mapped.

    Parameters
    ----------
    path
        Written by `write_array`.
    check
        Whether to read it all and compare the checksum first.

    Raises
    ------
    InvalidInput
        There is none, or it is not what was written.
    """
    try:
        with open_to_read(path) as file:
            if check:
                verify_checksum(file)
            shape, dtype, start = _header(file)
            if 0 not in shape:
                return np.memmap(file, dtype, "r", start, shape)
    except FileNotFoundError:
        raise InvalidInput(f"There is no array at {path}; make it again.") from None
    empty = np.empty(shape, dtype)  # nothing to map, and the system refuses to map nothing
    empty.flags.writeable = False
    return empty


def _write(
    path: Path, dtype: np.dtype[Any], shape: tuple[int, ...], pieces: Sequence[NDArray[Any]]
) -> str:
    if dtype.hasobject:
        raise InvalidInput(f"An array on disk holds numbers; got one of {dtype}.")

    def write(file: BinaryIO) -> None:
        kind = np.lib.format.dtype_to_descr(dtype)
        header = {"descr": kind, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_2_0(file, header)
        for piece in pieces:
            file.write(np.ascontiguousarray(piece, dtype).tobytes())

    return write_checksummed(path, write)


def _header(file: BinaryIO) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Shape, kind of number, and where the numbers begin."""
    try:
        version = np.lib.format.read_magic(file)
        if version != (2, 0):
            raise ValueError(f"version {version} of the format is not what askless writes")
        shape, columns_first, dtype = np.lib.format.read_array_header_2_0(file)
        if columns_first:
            raise ValueError("the layout is not what askless writes")
        start = file.tell()
        _check_size(shape, dtype, file.seek(0, os.SEEK_END) - start, exact=False)
    except MALFORMED as error:
        raise InvalidInput(
            f"An array on disk is a .npy file written by askless; got {error}."
        ) from error
    return shape, dtype, start


def write_archive(
    path: Path, about: object, arrays: Mapping[str, NDArray[Any]], *, durable: bool = True
) -> None:
    """Put named arrays on disk as an archive (``.npz``), beside a plain JSON value.

    Parameters
    ----------
    path
        As for `write_array`.
    about
        What the arrays are, in plain JSON values; kept under the name ``about``.
    arrays
        Numbers, by name.
    durable
        As for `askless.files.checksummed.write_checksummed`.
    """
    parts = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays}
    write_checksummed(
        path, lambda file: np.savez(file, allow_pickle=False, **parts), durable=durable
    )


def read_archive(file: BinaryIO) -> tuple[Any, dict[str, NDArray[Any]]]:
    """What `write_archive` wrote, in no more memory than the file is long.

    askless compresses no array, so nothing may unfold; and an array is as long as it says.

    Raises
    ------
    MALFORMED
        The file is something else.
    """
    room = file.seek(0, os.SEEK_END)
    parts = {}
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            room -= member.file_size
            if member.compress_type != zipfile.ZIP_STORED or room < 0:
                raise ValueError(f"{member.filename!r:.60} is compressed, or longer than the file")
            parts[member.filename.removesuffix(".npy")] = _array_from(archive.read(member))
    return json.loads(parts.pop("about").tobytes()), parts


def _array_from(content: bytes) -> NDArray[Any]:
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0
    if version != (1, 0):
        read = np.lib.format.read_array_header_2_0
    shape, columns_first, dtype = read(file)
    start = file.tell()
    _check_size(shape, dtype, len(content) - start, exact=True)
    flat = np.frombuffer(content, dtype, offset=start).copy()
    return flat.reshape(shape, order="F" if columns_first else "C")


def _check_size(shape: tuple[int, ...], dtype: np.dtype[Any], size: int, *, exact: bool) -> None:
    if dtype.hasobject or not dtype.itemsize:
        raise ValueError("it holds objects, or nothing at all")
    if not all(0 <= side < 1 << 48 for side in shape):
        raise ValueError("a side of it has an impossible length")
    need = math.prod(shape) * dtype.itemsize
    if need > size or (exact and need != size):
        raise ValueError(f"it needs {need:,} bytes and has {size:,}")
