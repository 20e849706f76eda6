"""A session in which nobody has said anything yet: it begins anew when it is started otherwise.

Who starts askless on a table, sees that the wrong column is shown and names the right one, has
nothing to lose. What was typed in the first minute is kept: names in the settings, the definition
here. Imported by `askless.app.opening`; tested in tests/app/test_unused.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from askless.app.settings import AppSettings
from askless.folder import files as folders
from askless.history.projections import SOURCE
from askless.stores.sqlite import SqliteStore

_BY_ITSELF: Final = frozenset({"opened", "asked", "planned", "checkpoint"})
"""What a session writes without anybody saying anything."""


def otherwise(was: AppSettings, options: Mapping[str, Any]) -> dict[str, Any] | None:
    """How a source is opened now, if that is otherwise than before; None if it is not.

    Parameters
    ----------
    was
        The settings of its session.
    options
        What is said now; the rest is as before.
    """
    if not was.source or all(was.options.get(name) == value for name, value in options.items()):
        return None
    no_longer = {"true", "false"} if "label" in options else set()
    return {**{k: v for k, v in was.options.items() if k not in no_longer}, **options}


def unused_definition(folder: Path, *, remove: bool = False) -> str | None:
    """The definition of a session in which nobody has answered, '' for none; None if one has.

    Parameters
    ----------
    folder
        The session's.
    remove
        Whether to remove it then.
    """
    definition = ""
    store = folders.open_store(folder)
    try:
        if not isinstance(store, SqliteStore):
            return None  # its events are on a server, and stay there
        for event in store.read():
            if event.kind == "defined":
                definition = str(event.payload.get("text", ""))
            elif event.kind not in _BY_ITSELF and event.annotator != SOURCE:
                return None
        if remove:
            folders.remove_unbegun(folder, there=True)
    finally:
        store.close()
    return definition
