"""Read a session on disk without touching it: its events, as far as they are sound; who it is.

Imported by the folder room and by `askless.assemble`; tested in tests/folder/test_folder.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from askless.core.event import Event
from askless.errors import Damaged, InvalidInput
from askless.files.user_cache import pool_key
from askless.folder.files import ITEMS, check_opening, exists, gc_paused, no_session, open_store
from askless.folder.items import read_items
from askless.history.history import History


def session_id(folder: Path) -> str:
    """What tells a session from all others: where it lies, and what its first event is."""
    store = open_store(folder, write=False)
    try:
        first = next(iter(store.read()))
    finally:
        store.close()
    what = [str(folder.resolve()), first.at_s, first.payload]
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]


def cache_key(folder: Path) -> str | None:
    """What the pool of a session is called in the user's cache; None if nobody knows its items."""
    with suppress(InvalidInput):
        return pool_key(read_items(folder / ITEMS)[1].checksums)
    return None


def read_record(
    folder: Path, watch: Callable[[Event, History], None] | None = None
) -> tuple[Mapping[str, Any], History, int, str]:
    """Of the events alone: what ``opened`` says, the history, how many there are, the damage.

    Parameters
    ----------
    folder
        Where the session is.
    watch
        Called with every event, and the history up to it.
    """
    if not exists(folder):
        raise no_session(folder)
    store = open_store(folder, write=False)
    events: list[Event] = []
    damage = ""
    try:
        with gc_paused(to_stay=False):
            for event in store.read():
                events.append(event)  # one by one: what stands before the damage is kept
    except Damaged as error:
        damage = str(error)
    finally:
        store.close()
    opening = next((event.payload for event in events if event.kind == "opened"), None)
    if opening is None:
        if damage:
            raise InvalidInput(f"The session in {folder} cannot be read. {damage}")
        raise no_session(folder)
    history, understood = History(check_opening(folder, opening)), 0
    with gc_paused(to_stay=False):
        try:
            for event in events:
                history.apply(event)
                understood += 1
                if watch is not None:
                    watch(event, history)
        except Damaged as error:
            damage = damage or str(error)
    return opening, history, understood, damage
