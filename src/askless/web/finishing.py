"""The end of the work: a paragraph for a methods section, and files.

Tested in tests/web/test_browsing.py and tests/cli/test_export_pictures.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from askless.errors import InvalidInput
from askless.exports import export
from askless.exports.picture_folder import export_pictures
from askless.exports.row import Row, rows_of
from askless.folder import ITEMS
from askless.folder.items import read_items
from askless.web import schemas, shown
from askless.web.desk import Desk
from askless.web.notebook import read_notes
from askless.web.opening import pool_as_before
from askless.web.readings import balance, brought, up_for_review
from askless.web.words import Names


def summary(desk: Desk) -> schemas.Summary:
    """What was done, in figures and as a paragraph."""
    with desk.lock:
        session, record = desk.session, desk.session.record
        state = session.state
        positives, negatives = balance(state)
        count = sum(record.kinds().values()) - brought(record).answers
        drawn = sum(1 for item in record.drawn if state.label(item) is not None)
        found = schemas.Summary(
            text="",
            items=state.n,
            settled=state.n_settled,
            positives=positives,
            negatives=negatives,
            unsure=state.n_unsure,
            answers=count,
            audits=shown.audits(desk),
            test_split=drawn,
            definition=record.definitions[-1] if record.definitions else "",
            definition_version=len(record.definitions),
            review=sum(1 for _ in up_for_review(session, desk.notebook.notes.reviewed)),
        )
        return found.model_copy(update={"text": _paragraph(desk, found)})


def write_labels(desk: Desk, path: Path, format_: str) -> None:
    """Write every item's label to `path`, and note that it was done."""
    pool = desk.pool
    with desk.lock:
        labels = list(desk.session.labels())  # nobody waits for the writing
    rows = rows_of(
        labels,
        lambda item: pool.ids[item],
        lambda item: pool.checksums[item],
        lambda item: pool.copies.get(item, ()),
    )
    export(rows, path, format_)
    desk.exported(format_)


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
    notes = read_notes(folder)
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


def _paragraph(desk: Desk, found: schemas.Summary) -> str:
    names = desk.names
    kinds = desk.session.record.kinds()
    given = brought(desk.session.record)
    kinds["yes"] -= given.answers
    others = "others" if names.negative is None else names.many(False)
    parts = []
    parts.append(
        f"{found.settled:,} of {found.items:,} items were labelled "
        f"({found.positives:,} {names.many(True)}, {found.negatives:,} {others}) with "
        f"askless from {found.answers:,} answers to questions about one or several items "
        f"({kinds['yes']:,} yes, {kinds['no']:,} no, {kinds['pointed']:,} with the wrong items "
        "pointed out); every label follows from the answers."
    )
    if given.labels:
        parts.append(f"{given.labels:,} of the labels came with the source.")
    if found.unsure:
        parts.append(f"{_many(found.unsure, 'item was', 'items were')} set aside as unsure.")
    copies = sum(map(len, desk.pool.copies.values()))
    if copies:
        one, more = "exact duplicate has", "exact duplicates have"
        parts.append(f"{_many(copies, one, more)} the label of the original.")
    if desk.pool.unreadable:
        count = len(desk.pool.unreadable)
        parts.append(f"{_many(count, 'entry', 'entries')} of the source could not be read.")
    left = found.items - found.settled - found.unsure
    if left:
        parts.append(f"{_many(left, 'item is', 'items are')} not labelled yet.")
    if found.audits.asked:
        low, high = found.audits.low, found.audits.high
        parts.append(
            f"Of {_many(found.audits.asked, 'audit', 'audits')}, questions whose answer was known, "
            f"{_many(found.audits.missed, 'was', 'were')} missed (95 % interval of the miss rate "
            f"{low:.0%} to {high:.0%})."
        )
    if found.test_split:
        parts.append(
            f"{found.test_split:,} items were drawn uniformly at random and labelled one at a "
            "time before anything was learnt; they are marked as an unbiased test split."
        )
    if found.definition:
        version = f" (version {found.definition_version})" if found.definition_version > 1 else ""
        parts.append(f"Definition of {names.many(True)}{version}: {found.definition}")
    return " ".join(parts)


def _many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"
