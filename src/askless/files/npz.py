"""Arrays out of an ``.npz`` file from a stranger: no pickle, no more memory than it should take.

Tested in tests/pools/test_arrays.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput, TooLarge

MAX_BYTES: Final = 2**34
"""An array that unfolds to more than this is not read."""


def read_arrays(path: Path, wanted: tuple[str, ...] = ()) -> dict[str, NDArray[np.generic]]:
    """The arrays of an ``.npz`` by name, or an `InvalidInput` in words.

    Parameters
    ----------
    path
        The file.
    wanted
        Names that are needed, and the only ones that are read; all if none is named.
    """
    with _opened(path, wanted) as file:
        for name in wanted:
            if name not in file.files:
                raise InvalidInput(
                    f"{path} has no array {name!r}; a pool needs "
                    f"{' and '.join(map(repr, wanted))}, "
                    f"got {', '.join(map(repr, file.files)) or 'no array at all'}."
                )
        return {name: _read_array(path, file, name) for name in wanted or file.files}


def array_names(path: Path) -> tuple[str, ...]:
    """What the arrays of an ``.npz`` are called; none of them is read."""
    with _opened(path, ()) as file:
        return tuple(file.files)


@contextmanager
def _opened(path: Path, wanted: tuple[str, ...]) -> Iterator[np.lib.npyio.NpzFile]:
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise InvalidInput(f"There is no file {path}; name an .npz file.") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path} is a folder; name an .npz file.") from None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}.") from error
    # Files cut short, forged or of another kind make numpy and zipfile raise nearly
    # anything, from BadZipFile to TokenError, hence the broad excepts here and below.
    with raw:
        try:
            file = np.load(raw, allow_pickle=False)
        except Exception:
            raise InvalidInput(
                f"{path} is not an .npz file, or not a whole one; make it with "
                "numpy.savez(path, probs=..., positive=...)."
            ) from None
        if not isinstance(file, np.lib.npyio.NpzFile):
            raise InvalidInput(
                f"{path} holds a single array; a pool is an .npz file with "
                f"{' and '.join(map(repr, wanted)) or 'named arrays'}."
            )
        yield file


def _read_array(path: Path, file: np.lib.npyio.NpzFile, name: str) -> NDArray[np.generic]:
    if _size(file, name) > MAX_BYTES:
        raise TooLarge(f"{path}: {name!r} unfolds to more than {MAX_BYTES:,} bytes; split it.")
    try:
        array = file[name]
    except Exception as error:
        if "allow_pickle" in str(error):
            raise InvalidInput(
                f"{path}: {name!r} holds Python objects, which are not read; save plain numbers."
            ) from None
        raise InvalidInput(f"{path}: {name!r} is damaged and cannot be read.") from error
    if not isinstance(array, np.ndarray):  # a zip member that is no .npy comes as bytes
        raise InvalidInput(f"{path}: {name!r} is not an array saved by numpy.")
    return array


def _size(file: np.lib.npyio.NpzFile, name: str) -> int:
    """What the zip file says the array unfolds to, in bytes."""
    packed = file.zip
    for member in [] if packed is None else packed.infolist():
        if member.filename in (name, f"{name}.npy"):
            return member.file_size
    return 0
