"""The files of a session: their names, the ones it begins with, and whether they are still those.

Their checksums stand in the event ``opened``, so that a file of another session, or one that
has changed, is known at once.
Imported by the folder room and by `askless.assemble`; tested in tests/folder.
"""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from askless import stores
from askless.core.event import FORMAT
from askless.core.events import Opened
from askless.core.probability import Probs
from askless.errors import AsklessError, Damaged, InvalidInput
from askless.files import (
    check_below,
    check_names,
    check_plain,
    in_words,
    make_folder,
    make_private,
    open_to_read,
    sync,
)
from askless.files.arrays import open_array, write_array
from askless.files.checksummed import verify_checksum
from askless.folder.items import Items, read_items, write_items
from askless.folder.location import STORE, address_of
from askless.history.source_record import SourceRecord
from askless.seams import Checkpoint, Pool
from askless.trainer.checkpoint import newest_checkpoint

if TYPE_CHECKING:
    from askless.stores.postgresql import PostgresqlStore
    from askless.stores.sqlite import SqliteStore

EVENTS: Final = "events.sqlite"
ITEMS: Final = "items.jsonl"
TRAINING: Final = "training"
"""Where in the folder a `BackgroundTrainer` for the session keeps its checkpoints."""
_PROBS: Final = "probs.npy"
EARLIER: Final = ("thumbnails", "cache")
"""Where earlier versions kept what is now in the user's cache; removed when a session goes on."""
LOG: Final = "preparing.log"
REDIRECT: Final = "open.html"
SETTINGS: Final = "app.json"
SECRET: Final = "secret"
REWRITTEN: Final = "forgetting"
"""Where `askless.folder.forgetting` writes the events without their notes."""
FOLDERS: Final = (TRAINING, REWRITTEN, *EARLIER)
FILES: Final = (EVENTS, STORE, ITEMS, _PROBS, LOG, REDIRECT, SETTINGS, SECRET, *FOLDERS)
"""Everything a session puts into its folder, but for what SQLite keeps beside the events."""

_FEW: Final = 1_000_000
"""This many items take little memory; a claim of more must be borne out by the files."""
_PLAIN: Final = (
    *(name for name in FILES if name not in FOLDERS),
    *(EVENTS + suffix for suffix in ("-wal", "-shm", "-journal", "-head", "-new")),
)


def open_store(folder: Path, *, write: bool = True) -> SqliteStore | PostgresqlStore:
    """The store of the session in `folder`, wherever its events are."""
    return stores.open_store(address_of(folder) or folder / EVENTS, write=write)


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
    return any(check_plain(folder / name) is not None for name in (EVENTS, STORE))


def lost(folder: Path) -> bool:
    """Whether a session was begun in `folder` and its answers are gone."""
    # The events are the first file of a session, so it is not that they are not there yet.
    return not exists(folder) and (folder / _PROBS).exists()


def unknown_files(folder: Path) -> list[str]:
    """What lies in a folder and is not of a session, nor a partial file of one."""
    ours = (EVENTS, *(f".{name}" for name in FILES), ".DS_Store")
    names = sorted(path.name for path in folder.iterdir())
    return [name for name in names if name not in FILES and not name.startswith(ours)]


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
        f"{folder}', or in Python with open_session(pool, folder=Path({str(folder)!r}))."
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


def writing(folder: Path) -> AbstractContextManager[None]:
    """While something is written to the folder: an error becomes a sentence."""
    return in_words(folder, "A session needs", " (on the command line with --session)")


def make_session_folder(folder: Path) -> None:
    """Make the folder of a session, unless it is there; a sentence says why not.

    One that is there is made private, and refused if there are links in it.
    """
    with writing(folder):
        make_folder(folder)
        for name in FOLDERS:
            check_below(folder / name)
        make_private(folder)
        for name in EARLIER:
            if (folder / name).exists():
                shutil.rmtree(folder / name)


def remove_unbegun(folder: Path, there: bool) -> None:
    """Remove what was made for a session that could not begin; never one that has events.

    Parameters
    ----------
    folder
        The session's, which the caller holds the store of.
    there
        Whether the folder was there before.
    """
    for name in (_PROBS, ITEMS):
        (folder / name).unlink(missing_ok=True)
    if (folder / TRAINING).is_dir():
        shutil.rmtree(folder / TRAINING, ignore_errors=True)
    for path in sorted(folder.glob(f"{EVENTS}*")):
        path.unlink(missing_ok=True)
    if not there:
        with suppress(OSError):  # somebody has put something there
            folder.rmdir()


def write_sources(
    folder: Path, probs: Probs, pool: Pool | None, about: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Write them; returns what the event ``opened`` says."""
    with writing(folder):
        opening: dict[str, Any] = {
            "format": FORMAT,
            "n": len(probs),
            "probs": write_array(folder / _PROBS, probs.values),
        }
        if pool is not None:
            opening["items"] = write_items(folder / ITEMS, pool)
    if about:
        opening["about"] = dict(about)
    return opening


def check_opening(folder: Path, opening: Mapping[str, Any]) -> int:
    """How many items the session has, if it was opened as a session is opened.

    Raises
    ------
    InvalidInput
        What is stored about that is not what askless writes.
    Damaged
        It has more items than the file of probabilities, which would take memory for nothing.
    """
    n: int = Opened(opening).about["n"]
    if not isinstance(opening.get("probs"), str) or not isinstance(opening.get("about", {}), dict):
        raise InvalidInput(
            f"The event that opens the session in {folder} must name its file of probabilities "
            "and what is known about the pool; this one does not. Put back a good copy."
        )
    status = check_plain(folder / _PROBS) if n > _FEW else None
    held = 0 if status is None else status.st_size // 8
    if n > max(held, _FEW):
        raise Damaged(
            f"A session has one probability per item; in {folder} it speaks of {n:,} items, and "
            f"{_PROBS} has room for {held:,}. Put back good copies of both to go on.",
            sound=0,
        )
    return n


def probs_of(folder: Path, opening: Mapping[str, Any], source: SourceRecord) -> Probs:
    """What the session was opened with, found to be just that, and of what was added since."""
    path = folder / _PROBS
    with _as_it_was(path):
        with open_to_read(path) as file:
            _check_checksum(path, verify_checksum(file), opening["probs"])
        values = np.asarray(open_array(path, check=False))
        if values.shape != (opening["n"],) or values.dtype != np.float64:
            raise InvalidInput(f"it holds {values.dtype} of shape {values.shape}")
        return Probs(np.append(values, source.probs) if source.probs else values)


def items_of(folder: Path, opening: Mapping[str, Any], source: SourceRecord) -> Items:
    """What the items are called; their numbers if the session was begun without a pool."""
    expected = opening.get("items")
    if expected is None:
        return Items.numbered(opening["n"]).after(source)
    path = folder / ITEMS
    with _as_it_was(path):
        checksum, items = read_items(path)
        _check_checksum(path, checksum, expected)
        if len(items.ids) != opening["n"]:
            raise InvalidInput(f"it names {len(items.ids)} of {opening['n']} items")
        return items.after(source)


def last_checkpoint(folder: Path, n: int, *, lasting: bool = False) -> Checkpoint | None:
    """The trainer's newest good one, if there is any.

    Parameters
    ----------
    folder
        The session's.
    n
        How many items there are.
    lasting
        Whether to see first that it outlives a power loss, since it will be noted.
    """
    training = folder / TRAINING
    if lasting and training.is_dir():
        with writing(folder):
            sync(training)
    return newest_checkpoint(training, n).checkpoint if training.is_dir() else None


@contextmanager
def _as_it_was(path: Path) -> Iterator[None]:
    """While a file is read that must be as it was when the session began."""
    try:
        yield
    except (OSError, InvalidInput) as error:
        raise Damaged(
            f"{path} must be as it was when the session began, and cannot be read ({error}). If it "
            f"is missing or damaged, put back a copy; the answers are safe in {EVENTS}.",
            sound=0,
        ) from error


def _check_checksum(path: Path, found: str, expected: str) -> None:
    if found != expected:
        raise Damaged(
            f"{path} is not the file the session was opened with. Put back the right one; "
            f"the answers are safe in {EVENTS}.",
            sound=0,
        )
