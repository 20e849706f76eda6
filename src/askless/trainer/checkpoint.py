"""Checkpoints on disk: the probabilities of a fit; and models, what the predictor has learnt.

A checkpoint is one file, ``checkpoint-00000007.npz``: the probabilities and a line of JSON with a
format number. The last few are kept, so that there is always one to fall back on. A model holds the
predictor's named arrays and lies elsewhere, in the user's cache: it is a head start, far
larger, and can be learnt again from the answers. Both have a checksum
(`askless.files.checksummed`) and no pickles: they appear whole or not at all, and a damaged one is
known and passed over. Cost: 8 bytes an item; of a model, its arrays.
Tested in tests/trainer/test_checkpoint.py.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.files import check_plain, make_folder, open_to_read, remove_partials, sync
from askless.files.arrays import MALFORMED, read_archive, write_archive
from askless.files.checksummed import verify_checksum
from askless.seams import Checkpoint, Predictor
from askless.trainer._job import Request

FORMAT: Final = 1
_NAME: Final = re.compile(r"checkpoint-([0-9]{8,12})\.npz")
_MOST_BYTES: Final = 1 << 34
_KEPT: Final = 3  # checkpoints, in case the newest is damaged
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


def fit_checkpoint(
    predictor: Predictor, x: NDArray[Any], request: Request, number: int
) -> Checkpoint:
    """Fit a predictor to what is known, and predict every item.

    Parameters
    ----------
    predictor
        What is fitted.
    x
        The features, a row for every item.
    request
        What is known.
    number
        Of the checkpoint.
    """
    began = time.perf_counter()
    predictor.fit(x, request.labels, request.clauses)
    probs = checked_probs(predictor.predict(x), len(x))
    return Checkpoint(number, probs, request.answers, fit_s=time.perf_counter() - began)


def write_checkpoint(folder: Path, checkpoint: Checkpoint) -> Path:
    """Put a checkpoint on disk; its own `checksum` is not looked at.

    Parameters
    ----------
    folder
        Where checkpoints are kept; it must exist.
    checkpoint
        Its number gives the file its name.
    """
    about = {
        "format": FORMAT,
        "number": checkpoint.number,
        "answers": checkpoint.answers,
        "fit_s": checkpoint.fit_s,
        "restorable": False,  # as earlier versions ask
    }
    path = folder / f"checkpoint-{checkpoint.number:08d}.npz"
    write_archive(path, about, {"probs": checkpoint.probs.values})
    return path


def read_checkpoint(path: Path, n: int) -> Checkpoint:
    """The checkpoint in a file, for a pool of `n` items.

    Raises
    ------
    InvalidInput
        It is damaged, of an unknown format, or belongs to another pool.
    """
    checksum, about, parts = _read(path, _check_about)
    if "probs" not in parts:
        raise InvalidInput(f"A checkpoint holds probabilities; {path.name} holds none.")
    return Checkpoint(
        number=about["number"],
        probs=checked_probs(parts["probs"], n),
        answers=about["answers"],
        checksum=checksum,
        fit_s=float(about["fit_s"]),
    )


def write_model(
    path: Path, arrays: Mapping[str, NDArray[Any]] | None, made_by: Mapping[str, Any]
) -> None:
    """Keep what a predictor has learnt, in place of what was kept before.

    Parameters
    ----------
    path
        Its folder is made if it is not there.
    arrays
        The predictor's; None if it cannot say, and then nothing is kept.
    made_by
        Name and options of the predictor, in plain JSON values.
    """
    if arrays is None:
        path.unlink(missing_ok=True)
        return
    make_folder(path.parent)
    parts = {_ARRAY + name: np.asarray(array) for name, array in arrays.items()}
    write_archive(path, {"format": FORMAT, "made_by": made_by}, parts, durable=False)


def read_model(path: Path, made_by: Mapping[str, Any]) -> Mapping[str, NDArray[Any]] | None:
    """The predictor's arrays in a file; None if there are none, or it was another predictor.

    Raises
    ------
    InvalidInput
        The file is damaged, or of an unknown format.
    """
    if check_plain(path) is None:
        return None
    _, about, parts = _read(path)
    if about.get("made_by") != made_by:
        return None
    return {
        name.removeprefix(_ARRAY): part for name, part in parts.items() if name.startswith(_ARRAY)
    }


def take_up(folder: Path, n: int) -> Found:
    """Make the folder of checkpoints ready to be written to, and find what is there already."""
    make_folder(folder)
    remove_partials(folder)
    sync(folder)  # what is taken up must outlive a power loss
    return newest_checkpoint(folder, n)


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


def remove_older(folder: Path, newest: int) -> None:
    """Remove all checkpoints but the newest few up to number `newest`, known to be good."""
    for number, path in _paths(folder).items():
        if number <= newest - _KEPT:
            path.unlink(missing_ok=True)


def _paths(folder: Path) -> dict[int, Path]:
    named = ((_NAME.fullmatch(path.name), path) for path in folder.glob("*.npz"))
    return {int(match[1]): path for match, path in named if match is not None}


def _read(
    path: Path, check: Callable[[Mapping[str, Any]], None] = lambda about: None
) -> tuple[str, dict[str, Any], dict[str, NDArray[Any]]]:
    with open_to_read(path, _MOST_BYTES) as file:
        checksum = verify_checksum(file)
        try:
            about, parts = read_archive(file)
            known = about["format"] == FORMAT
            if known:
                check(about)
        except MALFORMED as error:
            raise InvalidInput(
                f"A checkpoint or model is written by the trainer; {path.name} was not: {error}."
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
