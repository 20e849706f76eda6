"""Erasing what a session holds of its items, when their owner asks.

Checkpoints and settings are files. Features, small pictures and models are in the user's cache,
where sessions over the same items share them; they are erased for all of these. Notes are in
the events, which are otherwise never edited: forgetting is the one exception. The events are
written again without the notes, beside the old ones, and then take their place. If it is cut short
in between, the new ones are found beside the old and it is finished by asking again.

Names and checksums of the items stay, since labels without them are of no use.
Tested in tests/cli/test_label.py.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from askless.core.event import Event
from askless.errors import InvalidInput, StoreInUse
from askless.files import check_below, make_folder, sync, write_whole
from askless.files.user_cache import cache_size, clear_cache
from askless.folder.files import (
    EARLIER,
    EVENTS,
    FILES,
    LOG,
    REDIRECT,
    REWRITTEN,
    SETTINGS,
    TRAINING,
    exists,
    lost,
)
from askless.folder.location import address_of
from askless.folder.reading import cache_key
from askless.stores.sqlite import SqliteStore

_CONTENT: Final = (TRAINING, *EARLIER)
_FILES: Final = (SETTINGS, LOG, REDIRECT)
_BATCH: Final = 1000


def held(folder: Path) -> dict[str, int]:
    """How many bytes, in the folder and in the user's cache, and notes there are to forget.

    Raises
    ------
    InvalidInput
        There is no session in `folder`.
    """
    _refuse_server(folder)
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
    size = sum(file.stat().st_size for file in files)
    if (key := cache_key(folder)) is not None:
        size += cache_size(key)[1]
    notes = sum(bool(event.payload.get("note")) for event in _events(folder))
    return {"bytes": size, "notes": notes}


def forget_content(folder: Path) -> None:
    """Erase thumbnails, features, models and notes; the answers stay.

    Raises
    ------
    StoreInUse
        Somebody is at work there.
    """
    _refuse_server(folder)
    _without_notes(folder)
    _forget_cached(folder)
    for name in _CONTENT:
        _remove(folder / name)
    for name in _FILES:
        (folder / name).unlink(missing_ok=True)


def forget_all(folder: Path) -> None:
    """Erase the session; what else lies in its folder is left alone, and the folder with it."""
    _refuse_server(folder)
    _refuse_at_work(folder)
    _forget_cached(folder)
    for path in list(folder.iterdir()):
        if path.name in FILES or path.name.startswith((EVENTS, f".{EVENTS}")):
            _remove(path)
    with suppress(OSError):
        folder.rmdir()


def _refuse_server(folder: Path) -> None:
    if (address := address_of(folder)) is not None:
        raise InvalidInput(
            f"Events can be erased in a folder only, and those of {folder} are at {address}. Move "
            f"them back first, with 'askless move {folder} --back'; those on the server stay."
        )


def _forget_cached(folder: Path) -> None:
    if (key := cache_key(folder)) is None:
        return
    if clear_cache(key).in_use:
        raise StoreInUse(
            "Another session over the same items is open and uses the features and small pictures "
            "in the cache. Close it first, then forget again."
        )


def _without_notes(folder: Path) -> None:
    rewritten = folder / REWRITTEN
    if not (rewritten / "whole").exists():
        _remove(rewritten)
        if not any(event.payload.get("note") for event in _events(folder)):
            _refuse_at_work(folder)
            return
        make_folder(rewritten)
        with closing(SqliteStore(folder / EVENTS)) as old:  # keeps everybody else out
            _copy(old, rewritten / EVENTS)
        write_whole(rewritten / "whole", lambda file: None)
    for path in sorted(rewritten.glob(f"{EVENTS}*")):
        os.replace(path, folder / path.name)
    sync(folder)
    _remove(rewritten)


def _refuse_at_work(folder: Path) -> None:
    if exists(folder):
        SqliteStore(folder / EVENTS).close()


def _copy(old: SqliteStore, path: Path) -> None:
    events = old.read()
    with closing(SqliteStore(path)) as new:
        while batch := list(islice(events, _BATCH)):
            new.append([replace(event, payload=_blank(event), number=-1) for event in batch])


def _blank(event: Event) -> Mapping[str, Any]:
    return {**event.payload, "note": ""} if "note" in event.payload else event.payload


def _events(folder: Path) -> Iterator[Event]:
    if exists(folder):
        with closing(SqliteStore(folder / EVENTS, write=False)) as store:
            yield from store.read()


def _remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()  # of a link: not what it leads to
    elif path.exists():
        shutil.rmtree(path)
