"""Files that askless owns: opened without following links, written whole, private to their owner.

    whole         files that appear whole or not at all
    owned         the only way to open a name of a session: plain files alone, never a link
    folders       folders made durable, private, and checked
    paths         paths as callers give them
    checksummed   files that end with their checksum
    arrays        memory-mapped arrays in such files
    npz           arrays out of an .npz file from a stranger

Stands beside `core`; imports nothing but `errors`. Tested in tests/files.
"""

from __future__ import annotations

from askless.files.folders import check_folder, in_words, make_folder, make_private, sync
from askless.files.owned import (
    check_below,
    check_names,
    check_plain,
    open_lock,
    open_log,
    open_to_read,
    read_bytes,
)
from askless.files.paths import path_of
from askless.files.whole import remove_partials, write_whole

__all__ = [
    "check_below",
    "check_folder",
    "check_names",
    "check_plain",
    "in_words",
    "make_folder",
    "make_private",
    "open_lock",
    "open_log",
    "open_to_read",
    "path_of",
    "read_bytes",
    "remove_partials",
    "sync",
    "write_whole",
]
