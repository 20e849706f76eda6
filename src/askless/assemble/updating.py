"""A session whose source has changed: what has changed, as an event, and how to go on with it.

    found = as_before(open_pool(source), items.ids, items.checksums, add=True)
    update = update_of(found, items)
    if update is not None:
        opened = store_update(opened, folder, update)

Items keep their numbers; what is new gets the next ones. Tested in tests/assemble/test_updating.py.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from askless.assemble.opening import OpenSession, open_session
from askless.core.event import Event
from askless.core.probability import Probs
from askless.core.updated import Updated
from askless.folder.files import TRAINING
from askless.folder.items import Items
from askless.pools import Reopened
from askless.seams import Checkpoint
from askless.trainer.checkpoint import newest_checkpoint, write_checkpoint


def update_of(found: Reopened, before: Items) -> Updated | None:
    """What has changed in a source since a session last saw it; None if nothing has.

    Parameters
    ----------
    found
        The source as it is now, with what is new added.
    before
        What the items were called then, and which of them were missing.
    """
    n, pool = len(before.ids), found.pool
    was, now = set(before.missing), set(found.missing)
    copies = {
        str(item): list(pool.copies.get(item, ()))
        for item in sorted({*pool.copies, *before.copies})
        if item not in now and tuple(pool.copies.get(item, ())) != _copies_of(before, item)
    }
    update = Updated(
        ids=tuple(pool.ids[n:]),
        checksums=tuple(pool.checksums[n:]),
        probs=() if pool.probs is None else tuple(pool.probs[n:].tolist()),
        gone=tuple(sorted(now - was)),
        back=tuple(sorted(was - now)),
        renamed={str(item): name for item, name in found.renamed.items()} or None,
        copies=copies or None,
    )
    return None if update == Updated() else update


def in_words(found: Reopened, update: Updated) -> str:
    """What has changed, as a sentence; empty if it is nothing to speak of, as when rows moved.

    A row that is called by its number is neither renamed nor changed: it moved, went or came.
    """
    ids = found.pool.ids
    changed = sum(not ids[item].isdecimal() for item in {*found.changed}.intersection(update.gone))
    counts = {
        "new": len(update.ids) - changed,
        "renamed": sum(not name.isdecimal() for name in found.renamed.values()),
        "gone": len(update.gone) - changed,
        "changed": changed,
        "back": len(update.back),
    }
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count > 0)
    if not told:
        return ""
    sentence = f"The source has changed since last time: {told}."
    if update.gone:
        sentence += " Labels of what is gone or changed are kept in the record and not exported."
    return sentence


def store_update(opened: OpenSession, folder: Path, update: Updated) -> OpenSession:
    """Have the session know what has changed, and open it again with all its items.

    Parameters
    ----------
    opened
        The session as it was; it is closed.
    folder
        Where it is.
    update
        What has changed.
    """
    n = opened.session.state.n
    assert opened.store is not None  # it has a folder
    try:
        opened.store.append([Event("updated", "", update.to_json(), time.time())])
    finally:
        opened.close()
    if update.ids:
        _lengthen_checkpoint(folder / TRAINING, n, update)
    return open_session(folder=folder)


def _lengthen_checkpoint(training: Path, n: int, update: Updated) -> None:
    """What was believed of the old items is still believed, until all of them are looked at."""
    found = newest_checkpoint(training, n) if training.is_dir() else None
    if found is None or found.checkpoint is None:
        return
    last, more = found.checkpoint, update.probs or (0.5,) * len(update.ids)
    probs = Probs(np.append(last.probs.values, more))
    number = found.last_number + 1
    write_checkpoint(training, Checkpoint(number, probs, last.answers, fit_s=last.fit_s))


def _copies_of(items: Items, item: int) -> tuple[str, ...]:
    return tuple(items.copies.get(item, ()))
