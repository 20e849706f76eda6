"""A session that was in memory alone, kept in a folder from now on.

    opened = keep_session(opened, pool, Path("my-session"))

Its events are written as they happened; only the first, which says what the session was opened
with, names the files that are now there. Imported by `askless.labelling`; tested in
tests/assemble/test_keeping.py.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from askless.assemble.opening import OpenSession, open_session
from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.folder import files as sources
from askless.seams import Pool


def keep_session(opened: OpenSession, pool: Pool, folder: Path) -> OpenSession:
    """The same session, in a folder; the one in memory is closed.

    Parameters
    ----------
    opened
        The session in memory.
    pool
        What it was opened with.
    folder
        Where it is to be; no session may be there.

    Raises
    ------
    InvalidInput
        There is a session in that folder.
    """
    if sources.exists(folder) or sources.lost(folder):
        raise InvalidInput(f"A session needs a folder of its own; {folder} holds one already.")
    sources.make_session_folder(folder)
    store = sources.open_store(folder)
    try:
        given = Probs(np.full(len(pool), 0.5) if pool.probs is None else pool.probs)
        opening = sources.write_sources(folder, given, pool, None)
        events = opened.session.events_in_memory()
        first = replace(events[0], payload={**events[0].payload, **opening})
        store.append([first, *events[1:]])
    finally:
        store.close()
    trainer, prepared = opened.trainer, opened.prepared
    opened.prepared = None  # its trainer goes on
    opened.close()
    kept = open_session(folder=folder)
    kept.trainer, kept.prepared = trainer, prepared
    if trainer is not None:
        kept.session.use(trainer=trainer)
    return kept
