"""Labels in files: what is exported of a session on disk, and of the running app.

Stands in the app because its settings hold the names of the labels and the place of the pool.
Tested in tests/app/test_exporting.py and tests/cli/test_export_pictures.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from askless.app.names import Names
from askless.app.opening import pool_as_before
from askless.app.out_of_sample import read_out_of_sample
from askless.app.service import LabellingService
from askless.app.settings import read_settings
from askless.assemble.reading import SessionSnapshot, read_session
from askless.errors import InvalidInput, StoreError
from askless.exports import EXPORTERS, export, is_full
from askless.exports.contents import (
    Contents,
    ExportOptions,
    Items,
    OutOfSample,
    rows_of_items,
)
from askless.exports.exporter import Exporter, FolderExporter
from askless.exports.label_arrays import LabelArrays
from askless.exports.record import FullContents
from askless.folder.certificates import certificate_at, certificate_bytes
from askless.folder.files import ITEMS
from askless.folder.items import Items as ListedItems
from askless.history.labels import Labelled, accepted_of, labelled
from askless.pools import OpenedPool
from askless.pools.source_rows import SourceRows
from askless.seams import Pool, PoolKind
from askless.session.session import Session


@dataclass(frozen=True, slots=True)
class Guesses:
    """How many open items have a guess that is likelier than the cut-off.

    Parameters
    ----------
    rows
        How many rows of an export would have one.
    expected_wrong
        How many of them are wrong, if the probabilities are right.
    """

    rows: int
    expected_wrong: float


def write_labels(
    service: LabellingService, path: Path, format_: str, options: ExportOptions | None = None
) -> list[str]:
    """Write the labels to `path`, and note that it was done; what there is to say about the file.

    The labels are those of one moment, and the lock is held for some items at a time: whoever
    answers meanwhile does not wait for the export.
    """
    contents = _contents_of(service, options or ExportOptions(), is_full(format_, path))
    export(contents, path, format_)
    with suppress(StoreError):  # the labels are written, whether or not that can be noted
        service.note_export(format_)
    return contents.notes


def offered_exports(kind: PoolKind) -> dict[str, Exporter | FolderExporter]:
    """By name, the formats that can be written here, for items of this kind; tables first."""
    every = {
        name: one
        for name, one in EXPORTERS.find_all().items()
        if kind == "images" or not one.pictures_only
    }
    files = {name: one for name, one in every.items() if isinstance(one, Exporter) and one.works}
    several = {name: one for name, one in every.items() if isinstance(one, FolderExporter)}
    tables = {name: one for name, one in files.items() if not one.full and not one.tool}
    record = {name: one for name, one in files.items() if one.full}
    return {**tables, **several, **record, **files}


def count_guesses(service: LabellingService, above: float) -> Guesses:
    """How many guesses an export would have with this cut-off."""
    pool = service.pool
    with service.lock:
        session = service.session
        codes, probability = session.state.labels(), session.probs.values.copy()
        refuted = {item for clause in session.state.clauses for item in clause.items}
        for entry in session.labels(sorted(refuted)):
            probability[entry.item] = entry.probability
    labels, options = LabelArrays.to_count(codes, probability), ExportOptions(guess_above=above)
    counts = Contents(_rows_of(pool), labels, pool.ids, None, options).counts()
    return Guesses(counts.guesses, counts.expected_wrong)


def session_contents(
    kept: SessionSnapshot,
    source: Path | None = None,
    label_names: Sequence[str] | None = None,
    options: ExportOptions | None = None,
    *,
    full: bool = False,
) -> Contents:
    """What is exported of a session on disk; nothing in it is changed.

    Parameters
    ----------
    kept
        The session.
    source
        Where the items are now; None for where they were.
    label_names
        What a False and a True label are called; None for what they are called in the app.
    options
        What was asked for.
    full
        Whether to write the record, which needs no source.
    """
    folder = kept.folder

    def names() -> Sequence[str]:
        if label_names is not None:
            return label_names
        settings = read_settings(folder)
        return names_of_both(Names(settings.positive, settings.negative))

    listed = kept.items()
    items = Items(
        names,
        lambda: open_items(folder, source, listed),
        lambda: read_out_of_sample(kept.history, kept.probs, folder),
    )

    def labels() -> Iterator[Labelled]:
        return labelled(kept.history, kept.probs)

    arrays = LabelArrays(labels(), len(listed.ids))
    if full:
        rows, gone = rows_of_items(listed), listed.missing
        found: Contents = FullContents(rows, arrays, listed, labels, items, options, gone)
    elif not source and not (read_settings(folder).source and (folder / ITEMS).exists()):
        rows = rows_of_items(listed, listed.missing)
        found = Contents(rows, arrays, listed.ids, items, options)
    else:
        found = Contents(_rows_of(items.pool), arrays, listed.ids, items, options)
    if options is not None and options.accepted and not kept.damage:
        found.certificate = _certificate(folder, kept.events)
    return found


def open_items(
    folder: Path, source: Path | None = None, listed: ListedItems | None = None
) -> OpenedPool:
    """The pool of the session in `folder`, with its items numbered as in the session.

    Parameters
    ----------
    folder
        The session's.
    source
        Where the items are now; None for where they were.
    listed
        What the session calls its items now; None to read that.
    """
    settings = read_settings(folder)
    place = str(source or settings.source)
    if not (folder / ITEMS).exists():
        raise InvalidInput(
            f"The session in {folder} was begun on probabilities alone and has no items to "
            "write. Choose a format of labels alone, such as csv or jsonl."
        )
    if not place:
        raise InvalidInput(
            f"The session in {folder} does not know where its items are; say so with --source. If "
            "they came from Python, open it there and call export() of the labelling."
        )
    options = {} if source is not None and source.is_dir() else settings.options
    try:
        pool = pool_as_before(place, options, listed or read_session(folder).items())
    except InvalidInput as error:
        raise InvalidInput(
            f"{error} If the source is elsewhere now, say where with --source; --as full writes "
            "the record of the session, which needs no source."
        ) from error
    if len(pool.missing) == len(pool):
        raise InvalidInput(
            f"None of the items of the session in {folder} is in {place}; say where they are with "
            "--source, or write the record of the session with --as full."
        )
    return pool


def contents_of(
    pool: Pool,
    session: Session,
    names: Sequence[str],
    options: ExportOptions | None = None,
    folder: Path | None = None,
) -> Contents:
    """What is exported of an open session as it is now.

    Parameters
    ----------
    pool
        Its items.
    session
        The session; it belongs to the caller until this returns.
    names
        What a False and a True label are called.
    options
        What was asked for.
    folder
        Where it is kept; None for memory alone.
    """
    arrays = LabelArrays(session.labels(), len(pool))
    history, probs = session.history, session.probs
    items = Items(lambda: names, lambda: pool, lambda: read_out_of_sample(history, probs, folder))
    return Contents(_rows_of(pool), arrays, pool.ids, items, options)


def _contents_of(service: LabellingService, options: ExportOptions, full: bool = False) -> Contents:
    pool = service.pool
    with service.lock:
        events, labels = service.session.history.last + 1, _labels_at_this_moment(service)
    arrays = LabelArrays(labels(), len(pool))

    def out_of_sample() -> OutOfSample:
        with service.lock:
            history, probs = service.session.history, service.session.probs
            return read_out_of_sample(history, probs, service.settings.folder)

    items = Items(lambda: names_of_both(service.names), lambda: pool, out_of_sample)
    if full:
        rows, gone = rows_of_items(pool), frozenset(service.session.history.source.gone)
        found: Contents = FullContents(rows, arrays, pool, labels, items, options, gone)
    else:
        found = Contents(_rows_of(pool), arrays, pool.ids, items, options)
    if options.accepted:
        found.certificate = _certificate(service.settings.folder, events)
    return found


def _certificate(folder: Path, events: int) -> bytes | None:
    certificate = certificate_at(folder, events)
    return None if certificate is None else certificate_bytes(certificate)


def _labels_at_this_moment(service: LabellingService) -> Callable[[], Iterator[Labelled]]:
    with service.lock:
        history, probs = service.session.history, service.session.probs
        state = history.state
        accepted = accepted_of(history, state)

    def labels() -> Iterator[Labelled]:
        for items in service.slices():
            with service.lock:  # also to read: states share their memory
                part = list(labelled(history, probs, items, state, accepted))
            yield from part

    return labels


def _rows_of(pool: Pool) -> SourceRows:
    return pool.source_rows if isinstance(pool, OpenedPool) else rows_of_items(pool)


def names_of_both(names: Names) -> tuple[str, str]:
    """What a False and a True label are called in an export."""
    if names == Names():
        return "negative", names.positive  # nobody has named them
    return names.many(False), names.many(True)
