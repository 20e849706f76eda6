"""Note in a session on disk that its labels were exported, if nobody is at work there.

Tested in tests/folder/test_folder.py.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from askless.core.event import Event
from askless.errors import StoreError, StoreInUse
from askless.folder.files import open_store


def note_export(folder: Path, what: Mapping[str, Any]) -> str:
    """Store an event ``exported``; returns why not, or nothing.

    Parameters
    ----------
    folder
        Where the session is.
    what
        What was written, in plain values.
    """
    try:
        store = open_store(folder)
        try:
            store.append([Event("exported", "", dict(what), time.time())])
        finally:
            store.close()
    except StoreInUse:
        return "Somebody is at work in the session, so it takes no note of this."
    except StoreError as error:
        return f"The session could take no note of this: {error}"
    return ""
