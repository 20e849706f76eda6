"""A session on disk: one folder with everything that is needed to go on.

    FOLDER/events.sqlite    every event (and SQLite's files beside it)
    FOLDER/probs.npy        the probabilities it was opened with, and a checksum
    FOLDER/items.jsonl      what the pool calls its items, if there is a pool, and a checksum
    FOLDER/training/        checkpoints of the background trainer, if there is one

The events say which planner was chosen, so the folder alone is enough to take up a session.
`start` opens for work, one process at a time; `read` and `verify` change nothing and may be used
while somebody works. Shared by the commands and Python users; tested in tests/folder.
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
    no_session,
    unknown_files,
)
from askless.folder.items import Items
from askless.folder.reading import Kept, read
from askless.folder.starting import SystemClock, Working, check_same, make, start
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
    "Kept",
    "SystemClock",
    "Verification",
    "Working",
    "check_same",
    "exists",
    "lost",
    "make",
    "no_session",
    "note_export",
    "read",
    "start",
    "unknown_files",
    "verify",
]
