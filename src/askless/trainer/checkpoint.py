"""Checkpoints on disk: the probabilities of a fit, and the arrays to go on from.

One file each, ``checkpoint-00000007.npz``: the probabilities, the predictor's named
arrays, and a line of JSON with a format number; no pickles. It has a checksum
(`askless.files.checksummed`): it appears whole or not at all, and a damaged one is known and
passed over. The last few are kept, so that there is always one to fall back on.
Cost: 8 bytes an item, and the arrays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.files import open_to_read
from askless.files.arrays import MALFORMED, arrays_from
from askless.files.checksummed import verify_checksum, write_checksummed
from askless.seams import Checkpoint

FORMAT: Final = 1
_NAME: Final = re.compile(r"checkpoint-([0-9]{8,12})\.npz")
_MOST_BYTES: Final = 1 << 34
_ARRAY: Final = "array/"  # before the name of each array of the predictor


@dataclass(frozen=True, slots=True)
class Found:
    """What a folder of checkpoints holds.

    Parameters
    ----------
    checkpoint
        The newest good one, if there is any.
    path
        Where it is.
    last_number
        The highest number in the folder, good or not.
    complaints
        A sentence for every newer file that was passed over.
    """

    checkpoint: Checkpoint | None
    path: Path | None
    last_number: int
    complaints: tuple[str, ...]


def checked_probs(values: Any, n: int) -> Probs:
    """What a predictor gave, if it is one finite number between 0 and 1 for every item."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(f"Probs are numbers; the predictor gave {type(values)}.") from None
    if numbers.shape != (n,):
        raise InvalidInput(
            f"A predictor gives one probability per item, shape ({n},); got shape {numbers.shape}."
        )
    return Probs(numbers)


def write_checkpoint(
    folder: Path,
    checkpoint: Checkpoint,
    arrays: Mapping[str, NDArray[Any]] | None = None,
    made_by: Mapping[str, Any] | None = None,
) -> Path:
    """Put a checkpoint on disk; its own `checksum` is not looked at.

    Parameters
    ----------
    folder
        Where checkpoints are kept; it must exist.
    checkpoint
        Its number gives the file its name.
    arrays
        What the predictor has learnt, if it can say.
    made_by
        Name and options of the predictor, in plain JSON values.
    """
    about = {
        "format": FORMAT,
        "number": checkpoint.number,
        "answers": checkpoint.answers,
        "fit_s": checkpoint.fit_s,
        "made_by": made_by,
        "restorable": arrays is not None,
    }
    parts: dict[str, NDArray[Any]] = {
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
        "probs": checkpoint.probs.values,
        **{_ARRAY + name: np.asarray(array) for name, array in (arrays or {}).items()},
    }
    path = _path(folder, checkpoint.number)
    write_checksummed(path, lambda file: np.savez(file, allow_pickle=False, **parts))
    return path


def read_checkpoint(path: Path, n: int) -> Checkpoint:
    """The checkpoint in a file, for a pool of `n` items.

    Raises
    ------
    InvalidInput
        It is damaged, of an unknown format, or belongs to another pool.
    """
    checksum, about, parts = _read(path)
    if "probs" not in parts:
        raise InvalidInput(f"A checkpoint holds probabilities; {path.name} holds none.")
    return Checkpoint(
        number=about["number"],
        probs=checked_probs(parts["probs"], n),
        answers=about["answers"],
        checksum=checksum,
        fit_s=float(about["fit_s"]),
    )


def read_arrays(path: Path, made_by: Mapping[str, Any]) -> Mapping[str, NDArray[Any]] | None:
    """The predictor's arrays in a file; None if it gave none, or was another predictor."""
    _, about, parts = _read(path)
    if not about["restorable"] or about["made_by"] != made_by:
        return None
    return {
        name.removeprefix(_ARRAY): part for name, part in parts.items() if name.startswith(_ARRAY)
    }


def newest_checkpoint(folder: Path, n: int) -> Found:
    """The newest good checkpoint of a folder; damaged ones are passed over with a sentence."""
    complaints: list[str] = []
    paths = _paths(folder)
    last_number = max(paths, default=0)
    for _, path in sorted(paths.items(), reverse=True):
        try:
            return Found(read_checkpoint(path, n), path, last_number, tuple(complaints))
        except (InvalidInput, OSError) as error:
            complaints.append(f"The checkpoint {path.name} was passed over: {error}")
    return Found(None, None, last_number, tuple(complaints))


def remove_older(folder: Path, newest: int, keep: int = 3) -> None:
    """Remove all checkpoints but the `keep` newest up to number `newest`, known to be good."""
    for number, path in _paths(folder).items():
        if number <= newest - keep:
            path.unlink(missing_ok=True)


def _path(folder: Path, number: int) -> Path:
    return folder / f"checkpoint-{number:08d}.npz"


def _paths(folder: Path) -> dict[int, Path]:
    named = ((_NAME.fullmatch(path.name), path) for path in folder.glob("*.npz"))
    return {int(match[1]): path for match, path in named if match is not None}


def _read(path: Path) -> tuple[str, dict[str, Any], dict[str, NDArray[Any]]]:
    with open_to_read(path, _MOST_BYTES) as file:
        checksum = verify_checksum(file)
        try:
            parts = arrays_from(file)
            about = json.loads(parts["about"].tobytes())
            known = about["format"] == FORMAT
            if known:
                _check_about(about)
        except MALFORMED as error:
            raise InvalidInput(
                f"A checkpoint is written by the trainer; {path.name} was not: {error}."
            ) from error
    if not known:
        raise InvalidInput(
            f"This askless reads checkpoints of format {FORMAT}; {path.name} has "
            f"{about['format']!r:.60}. A newer askless wrote it; use that one."
        )
    return checksum, about, parts


def _check_about(about: Mapping[str, Any]) -> None:
    for name in ("number", "answers"):
        if type(about[name]) is not int or not 0 <= about[name] < 10**12:
            raise ValueError(f"its {name} is no count")
    if type(about["fit_s"]) not in (int, float) or not 0 <= about["fit_s"] < 10**9:
        raise ValueError("its time is no number of seconds")
    if type(about["restorable"]) is not bool:
        raise ValueError("whether it can be restored is neither true nor false")
