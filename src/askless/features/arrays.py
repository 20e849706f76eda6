"""Arrays on disk, memory-mapped and checked: where features live.

An array is an ordinary ``.npy`` file that ends with its checksum (`askless.features.sealed`).
Opening maps it read-only, so that a million rows cost no memory until they are
touched, and several processes share what is. Checking reads the whole file once: about 4 s for
1.5 GB; it can be left out where the same process has just written it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features.sealed import check_seal, write_sealed

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
    if array.dtype.hasobject:
        raise InvalidInput(f"An array on disk holds numbers; got one of {array.dtype}.")

    def write(file: BinaryIO) -> None:
        header = np.lib.format.header_data_from_array_1_0(array)
        np.lib.format.write_array_header_2_0(file, {**header, "fortran_order": False})
        rows = max(1, _BLOCK * len(array) // max(1, array.size)) if array.ndim else 1
        for start in range(0, len(array) if array.ndim else 1, rows):
            block = array[start : start + rows] if array.ndim else array
            file.write(np.ascontiguousarray(block).tobytes())

    return write_sealed(path, write)


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
        with path.open("rb") as file:
            if check:
                check_seal(file)
            shape, dtype, start = _header(file)
    except FileNotFoundError:
        raise InvalidInput(f"There is no array at {path}; make it again.") from None
    if 0 in shape:  # nothing to map, and the system refuses to map nothing
        empty = np.empty(shape, dtype)
        empty.flags.writeable = False
        return empty
    return np.memmap(path, dtype, "r", start, shape)


def _header(file: BinaryIO) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Shape, kind of number, and where the numbers begin."""
    try:
        version = np.lib.format.read_magic(file)
        if version != (2, 0):
            raise ValueError(f"version {version} of the format is not what askless writes")
        shape, columns_first, dtype = np.lib.format.read_array_header_2_0(file)
        if columns_first or dtype.hasobject:
            raise ValueError("the layout is not what askless writes")
    except ValueError as error:
        raise InvalidInput(
            f"An array on disk is a .npy file written by askless; got {error}."
        ) from error
    return shape, dtype, file.tell()
