"""Erasing what a session holds of its items, when their owner asks.

Thumbnails, features and models are files. AppSettings are in the events, which are otherwise never
edited: forgetting is the one exception. The events are written anew without the notes, beside the
old ones, and then take their place. If it is cut short in between, the new ones are found
beside the old and it is finished by asking again.

Names and checksums of the items stay, since labels without them are of no use.
Tested in tests/cli/test_label.py.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from askless.core.event import Event
from askless.errors import InvalidInput
from askless.files import check_below, make_folder, sync, write_whole
from askless.folder.files import (
    CACHE,
    EVENTS,
    FILES,
    LOG,
    REDIRECT,
    REWRITTEN,
    SETTINGS,
    THUMBNAILS,
    TRAINING,
    exists,
    lost,
)
from askless.stores.sqlite import SqliteStore

_CONTENT: Final = (THUMBNAILS, CACHE, TRAINING)
_FILES: Final = (SETTINGS, LOG, REDIRECT)
_BATCH: Final = 1000


def held(folder: Path) -> dict[str, int]:
    """How many files, bytes and notes there are to forget.

    Raises
    ------
    InvalidInput
        There is no session in `folder`.
    """
    left = exists(folder) or lost(folder) or (folder / REWRITTEN).exists()
    if not left:
        raise InvalidInput(f"There is no session in {folder}; name the folder of one.")
    for name in _CONTENT:
        check_below(folder / name)
    files = [
        path
        for name in (*_CONTENT, *_FILES)
        for path in [folder / name, *(folder / name).rglob("*")]
        if path.is_file() and not path.is_symlink()
    ]
    notes = sum(bool(event.payload.get("note")) for event in _events(folder))
    return {"files": len(files), "bytes": sum(f.stat().st_size for f in files), "notes": notes}


def forget_content(folder: Path) -> None:
    """Erase thumbnails, features, models and notes; the answers stay.

    Raises
    ------
    StoreInUse
        Somebody is at work there.
    """
    _without_notes(folder)
    for name in _CONTENT:
        _remove(folder / name)
    for name in _FILES:
        (folder / name).unlink(missing_ok=True)


def forget_all(folder: Path) -> None:
    """Erase the session; what else lies in its folder is left alone, and the folder with it."""
    _refuse_at_work(folder)
    for path in list(folder.iterdir()):
        if path.name in FILES or path.name.startswith((EVENTS, f".{EVENTS}")):
            _remove(path)
    with contextlib.suppress(OSError):
        folder.rmdir()


def _without_notes(folder: Path) -> None:
    anew = folder / REWRITTEN
    if not (anew / "whole").exists():
        _remove(anew)
        if not any(event.payload.get("note") for event in _events(folder)):
            _refuse_at_work(folder)
            return
        make_folder(anew)
        old = SqliteStore(folder / EVENTS)  # keeps everybody else out
        try:
            _copy(old, anew / EVENTS)
        finally:
            old.close()
        write_whole(anew / "whole", lambda file: None)
    for path in sorted(anew.glob(f"{EVENTS}*")):
        os.replace(path, folder / path.name)
    sync(folder)
    _remove(anew)


def _refuse_at_work(folder: Path) -> None:
    if exists(folder):
        SqliteStore(folder / EVENTS).close()


def _copy(old: SqliteStore, path: Path) -> None:
    new = SqliteStore(path)
    try:
        batch: list[Event] = []
        for event in old.read():
            payload = {**event.payload, "note": ""} if "note" in event.payload else event.payload
            batch.append(replace(event, payload=payload, number=-1))
            if len(batch) == _BATCH:
                new.append(batch)
                batch = []
        new.append(batch)
    finally:
        new.close()


def _events(folder: Path) -> Iterator[Event]:
    if not exists(folder):
        return
    store = SqliteStore(folder / EVENTS, write=False)
    try:
        yield from store.read()
    finally:
        store.close()


def _remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()  # of a link: not what it leads to
    elif path.exists():
        shutil.rmtree(path)
