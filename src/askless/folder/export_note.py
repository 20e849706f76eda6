"""Note in a session on disk that its labels were exported, if nobody is at work there.

Tested in tests/folder/test_folder.py.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
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
        with closing(open_store(folder)) as store:
            store.append([Event("exported", "", dict(what), time.time())])
    except StoreInUse:
        return (
            "The session is open in another program, most likely the app. The file has the labels "
            "as they are now; only the session's own history does not list this export."
        )
    except StoreError as error:
        return f"The session could take no note of this: {error}"
    return ""
