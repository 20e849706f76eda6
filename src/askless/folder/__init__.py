"""The files of a session on disk: one folder with everything that is needed to go on.

    FOLDER/events.sqlite    every event (and SQLite's files beside it)
    FOLDER/probs.npy        the probabilities it was opened with, and a checksum
    FOLDER/items.jsonl      what the pool calls its items, if there is a pool, and a checksum
    FOLDER/training/        checkpoints of the background trainer, if there is one

The events say how questions are chosen, so the folder alone is enough to go on with a session.
`askless.assemble.open_session` opens it for work, one process at a time;
`askless.assemble.read_session` and `verify` change nothing and may be used while somebody works.
Tested in tests/folder.
"""

from __future__ import annotations

from askless.folder.export_note import note_export
from askless.folder.files import (
    CACHE,
    EVENTS,
    FILES,
    ITEMS,
    LOG,
    REDIRECT,
    SECRET,
    SETTINGS,
    THUMBNAILS,
    TRAINING,
    exists,
    lost,
    make_session_folder,
    no_session,
    unknown_files,
)
from askless.folder.items import Items
from askless.folder.verifying import Verification, verify

__all__ = [
    "CACHE",
    "EVENTS",
    "FILES",
    "ITEMS",
    "LOG",
    "REDIRECT",
    "SECRET",
    "SETTINGS",
    "THUMBNAILS",
    "TRAINING",
    "Items",
    "Verification",
    "exists",
    "lost",
    "make_session_folder",
    "no_session",
    "note_export",
    "unknown_files",
    "verify",
]
