"""Open a pool from any source: a folder, a file, a table or an array.

Tested in tests/pools/test_open_pool.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from askless.errors import InvalidInput
from askless.pools import demo
from askless.pools._read_table import SUFFIXES, Table, read_table
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
    positive: str | Sequence[str] | None = None,
    folder: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> OpenedPool:
    """The pool of what is to be labelled.

    Parameters
    ----------
    source
        A folder of pictures; a CSV, TSV, JSONL or Parquet file; an ``.npz`` file with ``images`` or
        ``x``; or, from Python, a pandas, polars or Arrow table, a mapping of columns, an array of
        pictures or rows, or a list of texts. ``demo`` is the pool that comes with askless.
    text, image
        Of a table: the column to show, as text or as paths to pictures. With neither, a
        column called ``text`` or ``image``, an only column of words, or else whole rows.
    label
        The column, or array, with what is already known; ``folder`` if pictures lie in one
        subfolder per label.
    prob
        The column, or array, with P(label is True).
    id
        The column, or array, with the items' names.
    positive
        Which value, or values, of the label mean True.
    folder
        Where paths to pictures begin, and what they may not leave: by default the folder of the
        table, from Python the working folder.
    progress
        Told the share of the pictures that has been read.

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
    if isinstance(source, str | os.PathLike):
        pool = _from_path(source, tabular, positive, folder, progress)
        where = str(source)
    elif isinstance(source, np.ndarray) and source.dtype.kind in "biuf":
        from askless.pools.arrays import open_arrays

        _refuse(tabular, tabular, "arrays have no columns")
        pool, where = open_arrays(source, positive=positive), "The array"
    else:
        from askless.pools.table import open_table

        table = _table_of(source)
        pool = open_table(
            table, folder=Path(folder or "."), positive=positive, progress=progress, **tabular
        )
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
    positive: str | Sequence[str] | None,
    folder: str | Path | None,
    progress: Callable[[float], None] | None,
) -> OpenedPool:
    path = demo.PICTURES if source == "demo" else Path(source)
    try:
        is_folder, exists = path.is_dir(), path.exists()
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{str(source)!r} is not the name of a source: {error}.") from None
    if is_folder:
        from askless.pools.image_folder import open_image_folder

        _refuse(tabular, ("text", "image", "prob", "name"), f"{path} is a folder of pictures")
        return open_image_folder(path, label=tabular["label"], positive=positive, progress=progress)
    if not exists:
        raise InvalidInput(
            f"There is no {path}; name a folder of pictures, a table or an .npz file."
        )
    if path.suffix.lower() == ".npz":
        from askless.pools.arrays import open_npz

        _refuse(tabular, ("text", "image"), f"{path} holds arrays")
        return open_npz(
            path,
            label=tabular["label"],
            prob=tabular["prob"],
            name=tabular["name"],
            positive=positive,
        )
    if path.suffix.lower() in SUFFIXES:
        from askless.pools.table import open_table

        table = read_table(path)
        try:
            return open_table(
                table,
                folder=Path(folder or path.parent),
                positive=positive,
                progress=progress,
                **tabular,
            )
        except InvalidInput as error:
            raise InvalidInput(f"{path}: {error}") from error
    raise InvalidInput(
        f"A source is a folder of pictures or a file that ends in {', '.join(SUFFIXES)} or .npz; "
        f"got {path}."
    )


def _refuse(tabular: Mapping[str, str | None], names: Any, why: str) -> None:
    for name in names:
        if tabular[name] is not None:
            word = "id" if name == "name" else name
            raise InvalidInput(f"{word}={tabular[name]!r} names a column of a table; {why}.")


def _table_of(source: Any) -> Table:
    """Columns of plain values out of whatever table Python people use."""
    if isinstance(source, Mapping):
        columns = {str(name): list(values) for name, values in source.items()}
    elif hasattr(source, "column_names") and hasattr(source, "to_pydict"):  # Arrow
        columns = source.to_pydict()
    elif hasattr(source, "columns") and hasattr(source, "__getitem__"):  # pandas, polars
        columns = {str(name): source[name].to_list() for name in source.columns}
    elif isinstance(source, Sequence | np.ndarray):
        columns = {"text": list(source)}
    else:
        raise InvalidInput(
            "A source is a path, a table (pandas, polars, Arrow, or a mapping of columns), "
            f"an array or a list of texts; got {type(source).__name__}."
        )
    lengths = {len(values) for values in columns.values()}
    if len(lengths) != 1:
        found = ", ".join(map(str, sorted(lengths))) or "no column"
        raise InvalidInput(f"Columns of a table have one length; got {found}.")
    return Table(columns, range(1, lengths.pop() + 1))
