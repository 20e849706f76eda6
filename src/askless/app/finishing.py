"""The labels in files: one table, or a folder with a copy of every picture.

Tested in tests/web/test_browsing.py and tests/cli/test_export_pictures.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from askless.app.names import Names
from askless.app.opening import pool_as_before
from askless.app.service import LabellingService
from askless.app.settings import read_settings
from askless.errors import InvalidInput
from askless.exports import export
from askless.exports.picture_folder import export_pictures
from askless.exports.row import Row, rows_of
from askless.folder import ITEMS
from askless.folder.items import read_items


def write_labels(service: LabellingService, path: Path, format_: str) -> None:
    """Write every item's label to `path`, and note that it was done."""
    pool = service.pool
    with service.lock:
        labels = list(service.session.labels())  # nobody waits for the writing
    rows = rows_of(
        labels,
        lambda item: pool.ids[item],
        lambda item: pool.checksums[item],
        lambda item: pool.copies.get(item, ()),
    )
    export(rows, path, format_)
    service.exported(format_)


def write_pictures(
    folder: Path,
    rows: Iterable[Row],
    out: Path,
    layout: str,
    pictures: Path | None = None,
    names: tuple[str, str] | None = None,
) -> None:
    """Make a folder with a copy of every picture of the session in `folder`.

    Parameters
    ----------
    folder
        The session's; nothing in it is changed.
    rows, out, layout
        For `askless.exports.picture_folder.export_pictures`.
    pictures
        Where the pictures are now; None for where they were.
    names
        What a False and a True label are called; None for what they are called in the app.
    """
    notes = read_settings(folder)
    source = str(pictures or notes.source)
    if not source:
        raise InvalidInput(
            f"The session in {folder} does not know where its pictures are; say so with --pictures."
        )
    options = {} if pictures is not None and pictures.is_dir() else notes.options
    pool, _ = pool_as_before(source, options, folder / ITEMS)
    if pool.kind != "images":
        raise InvalidInput(
            f"Only pictures are copied, and the items of {source} are {pool.kind}; "
            "export them as csv, jsonl or parquet."
        )
    _, before = read_items(folder / ITEMS)
    items = {name: item for item, name in enumerate(before.ids)}
    items |= {copy: item for item, copies in before.copies.items() for copy in copies}
    called = Names(notes.positive, notes.negative)
    export_pictures(
        rows,
        out,
        lambda name: pool.original(items[name]),
        layout,
        names or (called.many(False), called.many(True)),
    )
