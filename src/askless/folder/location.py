"""Where the events of a session are: in its folder, or on a server that the user knows.

``store.json`` in the folder names the server. A folder may come from a stranger, who must not be
able to have askless connect anywhere, so an address counts only if this user has moved a session
there or has said that it is known (`know_address`): the list is in the user's own state folder.
Imported by the files and the moving of this room; tested in tests/folder/test_moving.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from askless.errors import InvalidInput
from askless.files import check_plain, in_words, make_folder, read_bytes, sync, write_whole
from askless.files.user_state import STATE, state_folder

STORE: Final = "store.json"
_KNOWN: Final = "stores.json"
_MOST_BYTES: Final = 100_000


def address_of(folder: Path) -> str | None:
    """The address of a session's events; None if they are in its folder.

    Raises
    ------
    InvalidInput
        The address is not known to this user, or the file makes no sense.
    """
    path = folder / STORE
    if check_plain(path) is None:
        return None
    try:
        address = json.loads(read_bytes(path, _MOST_BYTES))["address"]
    except (ValueError, LookupError, TypeError, RecursionError):
        address = None
    if not isinstance(address, str):
        raise InvalidInput(
            f'{path} must say where the events are, as in {{"address": "postgresql://..."}}; it '
            "does not. Put back a good copy."
        )
    if address not in _known():
        raise InvalidInput(
            f"The events of {folder} are said to be at {address!r}, which you have not used yet. "
            f"If you know that server, say so with 'askless move {folder} ADDRESS'; if the folder "
            "comes from somebody else, ask them."
        )
    return address


def write_address(folder: Path, address: str) -> None:
    """Keep where the events are from now on; on disk when this returns."""
    body = json.dumps({"address": address}).encode()
    write_whole(folder / STORE, lambda file: file.write(body))


def remove_address(folder: Path) -> None:
    """Forget it: from now on the events are in the folder."""
    (folder / STORE).unlink()
    sync(folder)


def know_address(address: str) -> None:
    """Remember that this user keeps events there."""
    known = _known()
    if address in known:
        return
    path = state_folder() / _KNOWN
    with in_words(path.parent, "The list of known servers needs", f" with {STATE}"):
        make_folder(path.parent)
        body = json.dumps([*known, address]).encode()
        write_whole(path, lambda file: file.write(body))


def _known() -> list[str]:
    path = state_folder() / _KNOWN
    if check_plain(path) is None:
        return []
    try:
        known = json.loads(read_bytes(path, _MOST_BYTES))
    except (ValueError, RecursionError):
        known = None
    if not isinstance(known, list) or not all(isinstance(each, str) for each in known):
        raise InvalidInput(f"{path} must be a list of addresses; it is not. Remove it.")
    return known
