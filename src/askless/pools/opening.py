"""Open a pool from any source: a folder, a file, a table or an array.

Tested in tests/pools/test_open_pool.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from askless.doors import flag
from askless.errors import InvalidInput
from askless.files import path_of
from askless.pools import annotated, demo
from askless.pools._labels import Meaning
from askless.pools._python_tables import numbers_of, table_of
from askless.pools._read_table import JSON_LINES, SUFFIXES, Table, read_table
from askless.pools._remote_rules import Remote
from askless.pools.annotated.prodigy import as_examples
from askless.pools.pool import OpenedPool

_WANTED: Final = (
    "Name a folder with pictures in it (JPEG, PNG, WebP, GIF, TIFF, BMP), or a table with rows."
)


def open_pool(
    source: Any,
    *,
    text: str | None = None,
    label: str | None = None,
    image: str | None = None,
    prob: str | None = None,
    id: str | None = None,  # noqa: A002 - the word people use for it
    show: str | Sequence[str] = (),
    true: str | Sequence[str] | None = None,
    false: str | Sequence[str] | None = None,
    classes: str | Sequence[str] | None = None,
    folder: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
    again: bool = False,
    remote: str | Sequence[str] | None = None,
) -> OpenedPool:
    """The pool of what is to be labelled.

    Parameters
    ----------
    source
        A folder of pictures; a CSV, TSV, JSONL or Parquet file; a file of Label Studio, Argilla,
        Prodigy, COCO or CVAT (`askless.pools.annotated`); an ``.npz`` file with ``images`` or
        ``x``; or, from Python, a table or a column of pandas, polars or Arrow, a `datasets.Dataset`
        of Hugging Face, a mapping of columns, an array of pictures or rows, or a list: of texts, of
        pictures (Pillow's, or the bytes of files), of `pathlib.Path` to pictures, of records (each
        a mapping), or of arrays. ``demo`` is the pool that comes with askless.
    text, image
        Of a table: the column to show, as text or as paths to pictures. With neither, a
        column called ``text`` or ``image``, an only column of words, or else whole rows.
    label
        The column, or array, with what is already known; ``folder`` if pictures lie in one
        subfolder per label.
    prob
        The column, or array, with P(label is True).
    id
        The column, or array, with the items' names. Of a table, by default a column called id, or
        the index of a pandas table.
    show
        Of a table: a column, or columns, to show beside the text; of rows, instead of all of them.
    true, false
        Which value, or values, of the label mean True, and which False; ``*`` for all the others.
        A value that means neither is no label. Need not be said of words such as 1 and 0 or yes and
        no; one of them is enough where there are two values.
    classes
        For more labels than two: the values of the label that are classes, in the order of their
        numbers; ``*`` for every value. What is known of an item is then the number of its class.
    folder
        Where paths to pictures begin, and what they may not leave: by default the folder of the
        table, from Python the working folder.
    progress
        Told the share of the pictures that has been read.
    again
        Whether the source was opened in this way before, and may have changed: rows of a table have
        their numbers for names where `id` is not given, and nobody need have a label any more.
    remote
        Where pictures may be fetched from, if the column of a table holds addresses: ``https`` for
        any public host, an origin such as ``https://images.example.org``, or a bucket such as
        ``s3://bucket``; one or several. Nothing is fetched without it.

    Raises
    ------
    InvalidInput
        There is no such source, or it has nothing to label.

    Examples
    --------
    >>> pool = open_pool(["good", "bad", "good"])
    >>> pool.kind, pool.ids, dict(pool.copies)
    ('texts', ('1', '2'), {0: ('3',)})
    """
    tabular = {"text": text, "image": image, "label": label, "prob": prob, "name": id}
    for word, named in tabular.items():
        _check_name("id" if word == "name" else word, named)
    beside = _names("show", show) or ()
    folder, again = path_of("folder", folder), flag("again", again)
    allowed = None if remote is None else Remote(_names("remote", remote) or ())
    meaning = Meaning(
        _names("true", true),
        _names("false", false),
        there=not again,
        classes=_names("classes", classes),
    )
    if isinstance(source, str | os.PathLike):
        pool = _from_path(source, tabular, beside, meaning, folder, progress, again, allowed)
        where = str(source)
    elif (array := numbers_of(source)) is not None:
        from askless.pools.arrays import open_arrays

        _refuse(tabular, tabular, "arrays have no columns", beside)
        pool, where = open_arrays(array, meaning=meaning), "The array"
        pool.keys = range(len(array))
    else:
        from askless.pools.table import open_table

        table, begin = table_of(source)
        pool = open_table(
            table, folder=Path(folder or begin or "."), meaning=meaning, progress=progress,
            find_name=not again, show=beside, remote=allowed, again=again, **tabular,
        )  # fmt: skip
        pool.keys = table.keys or (range(len(table.numbers)) if id is None else table.columns[id])
        where = "The table"
    if not len(pool):
        if not pool.unreadable:
            raise InvalidInput(f"{where} has nothing to label. {_WANTED}")
        raise InvalidInput(
            f"{where} has nothing to label; {len(pool.unreadable):,} could not be read. "
            f"The first, {pool.unreadable[0].id}: {pool.unreadable[0].reason}"
        )
    return pool


def _from_path(
    source: str | os.PathLike[str],
    tabular: dict[str, str | None],
    show: Sequence[str],
    meaning: Meaning,
    folder: str | Path | None,
    progress: Callable[[float], None] | None,
    again: bool,
    remote: Remote | None,
) -> OpenedPool:
    path = demo.PICTURES if source == "demo" else Path(source)
    try:
        is_folder, exists = path.is_dir(), path.exists()
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{str(source)!r} is not the name of a source: {error}.") from None
    if is_folder:
        from askless.pools.image_folder import open_image_folder

        what = f"{path} is a folder of pictures"
        _refuse(tabular, ("text", "image", "prob", "name"), what, show)
        return open_image_folder(path, label=tabular["label"], meaning=meaning, progress=progress)
    if not exists:
        raise InvalidInput(
            f"There is no {path}; name a folder of pictures, a table or an .npz file."
        )
    if path.suffix.lower() == ".npz":
        from askless.pools.arrays import open_npz

        _refuse(tabular, ("text", "image"), f"{path} holds arrays", show)
        return open_npz(
            path,
            label=tabular["label"],
            prob=tabular["prob"],
            name=tabular["name"],
            meaning=meaning,
        )
    if path.suffix.lower() in (*SUFFIXES, *annotated.SUFFIXES):
        from askless.pools.table import open_table

        try:
            table = _table_in(path)
            return open_table(
                table,
                folder=Path(folder or path.parent),
                meaning=meaning,
                progress=progress,
                find_name=not again,
                remote=remote,
                again=again,
                show=show,
                **tabular,
            )
        except InvalidInput as error:
            told = str(error)
            raise InvalidInput(told if str(path) in told else f"{path}: {told}") from error
    raise InvalidInput(
        "A source is a folder of pictures or a file that ends in "
        f"{', '.join((*SUFFIXES, *annotated.SUFFIXES))} or .npz; got {path}."
    )


def _table_in(path: Path) -> Table:
    """The table in a file, whoever wrote it."""
    if path.suffix.lower() in annotated.SUFFIXES:
        return annotated.read_annotated(path)
    table = read_table(path)
    return as_examples(table) if path.suffix.lower() in JSON_LINES else table


def _check_name(word: str, value: Any) -> None:
    if value is not None and not isinstance(value, str):
        raise InvalidInput(
            f"{word} is the name of a column, as text; got {type(value).__name__}. Values of your "
            "own are a column of the table too."
        )


def _names(word: str, value: Any) -> tuple[str, ...] | None:
    """One text or several, as several; None for None."""
    if value is None:
        return None
    several = (value,) if isinstance(value, str) else value
    if not isinstance(several, Sequence) or not all(isinstance(one, str) for one in several):
        raise InvalidInput(
            f"{word} is a text, or a list of texts; got {type(value).__name__}, {value!r:.60}."
        )
    return tuple(several)


def _refuse(tabular: Mapping[str, str | None], names: Any, why: str, show: Sequence[str]) -> None:
    said = [("id" if name == "name" else name, tabular[name]) for name in names]
    for word, value in [*said, ("show", show[0] if show else None)]:
        if value is not None:
            raise InvalidInput(f"{word}={value!r} names a column of a table; {why}.")
