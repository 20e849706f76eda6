"""The files of a session: their names, the ones it begins with, and whether they are still those.

Their checksums stand in the event ``opened``, so that a file of another session, or one that
has changed, is known at once.
Imported by the folder room alone; tested in tests/folder.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from askless.calibration import choose_calibrator
from askless.core.event import FORMAT
from askless.core.probability import Probs
from askless.errors import AsklessError, Damaged, InvalidInput
from askless.files import check_names, check_plain, open_to_read
from askless.files.arrays import open_array, write_array
from askless.files.checksummed import verify_checksum
from askless.folder.items import Items, read_items, write_items
from askless.planners.schedule import DEFAULT_SCHEDULE, choose_schedule, present_name
from askless.seams import Calibrator, Checkpoint, Pool, Schedule
from askless.session.options import SessionOptions
from askless.trainer.checkpoint import newest_checkpoint

EVENTS: Final = "events.sqlite"
ITEMS: Final = "items.jsonl"
TRAINING: Final = "training"
"""Where in the folder a `BackgroundTrainer` for the session keeps its checkpoints."""
_PROBS: Final = "probs.npy"
THUMBNAILS: Final = "thumbnails"
CACHE: Final = "cache"
LOG: Final = "preparing.log"
REDIRECT: Final = "open.html"
SETTINGS: Final = "app.json"
SECRET: Final = "secret"
REWRITTEN: Final = "forgetting"
"""Where `askless.folder.forgetting` writes the events without their notes."""
FOLDERS: Final = (TRAINING, THUMBNAILS, CACHE, REWRITTEN)
FILES: Final = (EVENTS, ITEMS, _PROBS, LOG, REDIRECT, SETTINGS, SECRET, *FOLDERS)
"""Everything a session puts into its folder, but for what SQLite keeps beside the events."""

_CALIBRATION: Final = {
    "recalibrate": True,
    "sample": 1.0,
    "order": DEFAULT_SCHEDULE["seconds"],
    "seed": 0,
}
_PLAIN: Final = (
    *(name for name in FILES if name not in FOLDERS),
    *(EVENTS + suffix for suffix in ("-wal", "-shm", "-journal", "-head", "-new")),
)


def exists(folder: Path) -> bool:
    """Whether a session was begun in `folder`.

    Everybody who opens a session asks this first, so this is where a folder with links in it is
    refused.

    Raises
    ------
    UnsafeFile
        The folder, or a name in it that a session owns, is a link or no plain file.
    """
    check_names(folder, _PLAIN, FOLDERS)
    return check_plain(folder / EVENTS) is not None


def lost(folder: Path) -> bool:
    """Whether a session was begun in `folder` and its answers are gone."""
    # The events are the first file of a session, so it is not that they are not there yet.
    return not exists(folder) and (folder / _PROBS).exists()


def unknown_files(folder: Path) -> list[str]:
    """What lies in a folder and is not of a session."""
    return sorted(
        path.name
        for path in folder.iterdir()
        if path.name not in FILES and not path.name.startswith((EVENTS, "."))
    )


def no_session(folder: Path) -> AsklessError:
    """What to say where a session was expected, and there is none, or what is left of one."""
    if lost(folder):
        return Damaged(
            f"The answers of the session in {folder} must be in {EVENTS}, and that is gone; "
            f"{_PROBS} is still there. Put back a copy of {EVENTS}. If there is none, erase what "
            f"is left with 'askless forget {folder} --answers' and begin again.",
            sound=0,
        )
    return InvalidInput(
        f"There is no session in {folder}. Begin one with 'askless label SOURCE --session "
        f"{folder}', or in Python with folder.start({str(folder)!r}, probs)."
    )


@contextmanager
def gc_paused(*, to_stay: bool) -> Iterator[None]:
    """Create millions of small objects with Python's garbage collection paused.

    Parameters
    ----------
    to_stay
        Whether the objects are needed as long as the process lives: then later collections skip
        them too, which would otherwise take tenths of a second in the middle of an answer.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
        if to_stay:
            gc.freeze()
    finally:
        if enabled:
            gc.enable()


def write_sources(
    folder: Path,
    probs: Probs,
    planner: Mapping[str, Any],
    session_options: SessionOptions,
    pool: Pool | None,
    about: Mapping[str, Any] | None,
    calibration: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Write them; returns what the event ``opened`` says."""
    opening: dict[str, Any] = {
        "format": FORMAT,
        "n": len(probs),
        **planner,
        "probs": write_array(folder / _PROBS, probs.values),
    }
    if session_options != SessionOptions():
        opening["manners"] = session_options.to_json()
    if pool is not None:
        opening["items"] = write_items(folder / ITEMS, pool)
    if about:
        opening["about"] = dict(about)
    if calibration is not None:
        choose_schedule(probs, **calibration)  # refuses what cannot be
        opening["correction"] = calibration_words(calibration)
    return opening


def chosen(planner: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """A planner by name, in the values JSON would give back."""
    plain = {key: list(v) if isinstance(v, tuple) else v for key, v in options.items()}
    return {"planner": planner, "options": plain}


def session_options_of(opening: Mapping[str, Any]) -> SessionOptions:
    """How the session was told to behave when it began."""
    return SessionOptions.from_json(opening.get("manners", {}))


def probs_of(folder: Path, opening: Mapping[str, Any]) -> Probs:
    """What the session was opened with, found to be just that."""
    path = folder / _PROBS
    try:
        with open_to_read(path) as file:
            checksum = verify_checksum(file)
        values = np.asarray(open_array(path, check=False))
    except (OSError, InvalidInput) as error:
        raise _damaged(path, error) from error
    if checksum != opening["probs"]:
        raise _swapped(path)
    return Probs(values)


def items_of(folder: Path, opening: Mapping[str, Any]) -> Items:
    """What the items are called; their numbers if the session was begun without a pool."""
    expected = opening.get("items")
    if expected is None:
        return Items.numbered(opening["n"])
    path = folder / ITEMS
    try:
        checksum, items = read_items(path)
    except InvalidInput as error:
        raise _damaged(path, error) from error
    if checksum != expected:
        raise _swapped(path)
    return items


def last_checkpoint(folder: Path, n: int) -> Checkpoint | None:
    """The trainer's newest good one, if there is any."""
    training = folder / TRAINING
    return newest_checkpoint(training, n).checkpoint if training.is_dir() else None


def calibration_words(calibration: Mapping[str, Any]) -> dict[str, Any]:
    """How probabilities are calibrated and what is asked first, every option by its present name.

    Sessions keep it as ``correction``; the order may be an earlier name of a schedule.
    """
    words = {**_CALIBRATION, **calibration}
    return {**words, "order": present_name(words["order"])}


def calibrator_of(opening: Mapping[str, Any], probs: Probs) -> Calibrator | None:
    """What corrects the probabilities the session was opened with; None if nothing does."""
    words = opening.get("correction")
    if words is None:
        return None
    return choose_calibrator(probs, recalibrate=calibration_words(words)["recalibrate"])


def schedule_of(opening: Mapping[str, Any], probs: Probs) -> Schedule | None:
    """What says which items come first; None to let the planner choose."""
    words = opening.get("correction")
    return None if words is None else choose_schedule(probs, **calibration_words(words))


def _damaged(path: Path, error: Exception) -> Damaged:
    return Damaged(
        f"{path} must be as it was when the session began, and cannot be read ({error}). If it is "
        f"missing or damaged, put back a copy; the answers are safe in {EVENTS}.",
        sound=0,
    )


def _swapped(path: Path) -> Damaged:
    return Damaged(
        f"{path} is not the file the session was opened with. Put back the right one; "
        f"the answers are safe in {EVENTS}.",
        sound=0,
    )
