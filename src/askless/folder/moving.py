"""Move the events of a session to a server, and back into its folder.

All events are copied in one append, all or nothing, and read again: the checksum of the last one,
which is chained to all before it, must be the same. Then one file, ``store.json``, is written or
removed, and only that says where the events are. So a kill at any moment leaves the session where
it was or where it goes, with every event, and the same command goes on.
Used by ``askless move``; tested in tests/folder/test_moving.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from askless.core.event import Event
from askless.errors import InvalidInput
from askless.files import check_plain, sync
from askless.folder.files import EVENTS, exists, no_session
from askless.folder.location import (
    STORE,
    address_of,
    know_address,
    remove_address,
    write_address,
)
from askless.seams import Store
from askless.stores import open_store


def move_to_server(folder: Path, address: str) -> int:
    """Move the events to a server; returns how many there are.

    Of a session that is there already it makes sure that this user knows the server.

    Raises
    ------
    InvalidInput
        There is no session, it is on another server, or another session has that address.
    StoreInUse
        Somebody is at work there.
    """
    if not exists(folder):
        raise no_session(folder)
    if check_plain(folder / STORE) is not None:
        know_address(address)
        if (now := address_of(folder)) != address:
            raise InvalidInput(
                f"The events of {folder} are at {now}; move them back into the folder first."
            )
        with closing(open_store(address)) as store:
            count = _count(store)
        _remove_events(folder)
        return count
    with closing(open_store(folder / EVENTS)) as old, closing(open_store(address)) as new:
        count = _copy(old, new, address)
        know_address(address)
        write_address(folder, address)
    _remove_events(folder)
    return count


def move_to_folder(folder: Path) -> int:
    """Move the events back into the folder; returns how many there are.

    What is on the server stays there, and is no longer used.
    """
    if not exists(folder):
        raise no_session(folder)
    address = address_of(folder)
    if address is None:
        raise InvalidInput(f"The events of {folder} are in it already.")
    with closing(open_store(address)) as old:
        _remove_events(folder)  # of a move that was interrupted
        with closing(open_store(folder / EVENTS)) as new:
            count = _copy(old, new, str(folder))
        remove_address(folder)
    return count


def _copy(old: Store, new: Store, place: str) -> int:
    """Append what `new` lacks of `old`, and compare both; returns how many events there are."""
    events = list(old.read())
    there = _count(new)
    if any(one != other for one, other in zip(new.read(), events, strict=False)) or there > len(
        events
    ):
        raise InvalidInput(
            f"{place} holds the events of another session, or later ones of this; name another "
            "session behind the #."
        )
    new.append([replace(event, number=-1) for event in events[there:]])
    if not _same(new.read(), events):
        raise InvalidInput(f"{place} does not give back what was copied there; nothing was moved.")
    return len(events)


def _same(first: Iterable[Event], second: Iterable[Event]) -> bool:
    return all(one == other for one, other in zip_longest(first, second))


def _count(store: Store) -> int:
    return sum(1 for _ in store.read())


def _remove_events(folder: Path) -> None:
    """Remove the file of events and what SQLite keeps beside it; they are elsewhere."""
    for path in sorted(folder.glob(f"{EVENTS}*"), reverse=True):
        path.unlink(missing_ok=True)
    sync(folder)
