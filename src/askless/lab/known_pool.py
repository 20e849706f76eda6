"""A pool whose labels are known, and the file it comes from.

The file is an ``.npz`` with two arrays of one length: ``probs``, P(label is True) for
every item, and ``positive``, whether it is True. Files are read without pickle, so
that one from a stranger can hold nothing but numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.probability import Probs
from askless.errors import InvalidInput


@dataclass(frozen=True, eq=False, slots=True)
class KnownPool:
    """Probabilities and the truth, item by item.

    Parameters
    ----------
    probs
        P(label is True) for every item; at least one.
    labels
        The right label of every item.
    """

    probs: Probs
    labels: NDArray[np.bool_]

    def __post_init__(self) -> None:
        labels = as_labels(self.labels)
        object.__setattr__(self, "labels", labels)
        if len(labels) != len(self.probs.values):
            raise InvalidInput(
                "A pool needs one probability and one label per item; "
                f"got {len(self.probs.values)} probabilities and {len(labels)} labels."
            )
        if not len(labels):
            raise InvalidInput("A pool needs at least one item; got none.")

    def __len__(self) -> int:
        return len(self.labels)


def read_known_pool(path: str | Path) -> KnownPool:
    """The pool kept in an ``.npz`` file; `InvalidInput` names the file and what is amiss.

    Parameters
    ----------
    path
        An ``.npz`` file with the arrays ``probs`` and ``positive``.
    """
    path = Path(path)
    arrays = _read_arrays(path, ("probs", "positive"))
    try:
        return KnownPool(as_probs(arrays["probs"]), as_labels(arrays["positive"]))
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error


def as_probs(values: ArrayLike) -> Probs:
    """Numbers between 0 and 1 as a new version of probs."""
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "biuf":
        raise InvalidInput(f"Probs are numbers between 0 and 1; got type {numbers.dtype}.")
    return Probs(numbers.astype(np.float64))


def as_labels(labels: ArrayLike) -> NDArray[np.bool_]:
    """The right labels as a fresh read-only array of booleans; 0 and 1 are welcome."""
    values = np.asarray(labels)
    if values.ndim != 1:
        raise InvalidInput(f"Labels come one per item, in one row; got shape {values.shape}.")
    if values.dtype != np.bool_:
        if values.dtype.kind not in "iuf":
            raise InvalidInput(f"Labels are True or False, or 1 or 0; got type {values.dtype}.")
        strange = values[(values != 0) & (values != 1)]
        if strange.size:
            raise InvalidInput(f"Labels are True or False, or 1 or 0; got {strange[0]}.")
    fresh = np.array(values, dtype=np.bool_)
    fresh.flags.writeable = False
    return fresh


def _read_arrays(path: Path, names: tuple[str, ...]) -> dict[str, NDArray[np.generic]]:
    """The named arrays of an ``.npz``, or an `InvalidInput` in words."""
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise InvalidInput(f"There is no file {path}; name an .npz file.") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path} is a folder; name an .npz file.") from None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}.") from error
    # Files cut short, forged or of another kind make numpy and zipfile raise nearly
    # anything, from BadZipFile to TokenError, hence the two broad excepts.
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
                f"{path} holds a single array; a pool is an .npz file with 'probs' and 'positive'."
            )
        missing = [name for name in names if name not in file.files]
        if missing:
            raise InvalidInput(
                f"{path} has no array {missing[0]!r}; a pool needs 'probs' and 'positive', "
                f"got {', '.join(map(repr, file.files)) or 'no array at all'}."
            )
        return {name: _read_array(path, file, name) for name in names}


def _read_array(path: Path, file: np.lib.npyio.NpzFile, name: str) -> NDArray[np.generic]:
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
