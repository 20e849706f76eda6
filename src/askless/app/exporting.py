"""Labels in files: what an export knows of a session, and exports from the running app.

Stands in the app because its settings hold the names of the labels and the place of the pool.
Tested in tests/app/test_exporting.py and tests/cli/test_export_pictures.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from askless.app.names import Names
from askless.app.opening import pool_as_before
from askless.app.service import LabellingService
from askless.app.settings import read_settings
from askless.errors import InvalidInput, StoreError
from askless.exports import export
from askless.exports.exporter import ExportContext
from askless.exports.row import rows_of
from askless.folder import ITEMS
from askless.seams import Pool
from askless.session.labels import Labelled, labelled


def write_labels(service: LabellingService, path: Path, format_: str) -> None:
    """Write every item's label to `path`, and note that it was done.

    The labels are those of one moment, and the lock is held for some items at a time: whoever
    answers meanwhile does not wait for the export.
    """
    context = ExportContext(lambda: _both(service.names), lambda: service.pool)
    export(rows_of(_labels_at_this_moment(service), service.pool), path, format_, context)
    with suppress(StoreError):  # the labels are written, whether or not that can be noted
        service.note_export(format_)


def _labels_at_this_moment(service: LabellingService) -> Iterator[Labelled]:
    with service.lock:
        history, probs = service.session.history, service.session.probs
        state = history.state
    for items in service.slices():
        with service.lock:  # also to read: states share their memory
            part = list(labelled(history, probs, items, state))
        yield from part


def session_context(
    folder: Path, source: Path | None = None, label_names: Sequence[str] | None = None
) -> ExportContext:
    """What an export may need of the session in `folder`; the settings are read when it asks.

    Parameters
    ----------
    folder
        The session's; nothing in it is changed.
    source
        Where the items are now; None for where they were.
    label_names
        What a False and a True label are called; None for what they are called in the app.
    """

    def names() -> Sequence[str]:
        if label_names is not None:
            return label_names
        settings = read_settings(folder)
        return _both(Names(settings.positive, settings.negative))

    def open_pool() -> Pool:
        settings = read_settings(folder)
        place = str(source or settings.source)
        if not (folder / ITEMS).exists():
            raise InvalidInput(
                f"The session in {folder} was begun on probabilities alone and has no items to "
                "write. Choose a format of labels alone, such as csv or jsonl."
            )
        if not place:
            raise InvalidInput(
                f"The session in {folder} does not know where its items are; say so with --source."
            )
        options = {} if source is not None and source.is_dir() else settings.options
        pool, _ = pool_as_before(place, options, folder / ITEMS)
        return pool

    return ExportContext(names, open_pool)


def _both(names: Names) -> tuple[str, str]:
    return names.many(False), names.many(True)
