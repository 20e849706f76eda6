"""Tables and lists that Python people hold, as a `Table`; whatever is neither is refused.

This is the one place that knows about pandas, polars, Arrow and their kin, all through narwhals,
which installs none of them; datasets of Hugging Face are read by `askless.pools._hugging_face`. A
list is read by what it holds: texts, pictures, paths of pictures, records or rows of numbers, all
of one kind. Nothing is turned into text that is not text.
Imported by `askless.pools.opening`; tested in tests/pools/test_python_tables.py.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from numbers import Real
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.pools._hugging_face import is_dataset, table_of_dataset
from askless.pools._read_table import Table, on_one_line

_SOURCES: Final = (
    "A source is a path, a table (pandas, polars, Arrow, a Dataset of Hugging Face, or a mapping "
    "of columns), an array, or a list of texts, of pictures, of paths of pictures or of records"
)
_HINTS: Final = {
    "to_pandas": "give what its to_pandas() returns",
    "toarray": "it is something to learn from, not to look at: give it as features, and what can "
    "be shown as the source",
    "predict": "a model goes to askless.label(source, model=...)",
}


def numbers_of(source: Any) -> NDArray[Any] | None:
    """An array of numbers, whoever holds it, or a list of such; None if it is something else."""
    if isinstance(source, np.ndarray):
        return source if source.dtype.kind in "biuf" else None
    if isinstance(source, list | tuple) and source:
        first = source[0]
        nested = isinstance(first, np.ndarray) or (
            isinstance(first, list | tuple) and all(isinstance(one, Real) for one in first)
        )
        return _stacked(source) if nested else None
    if type(source).__module__.partition(".")[0] in ("torch", "jax", "jaxlib", "tensorflow"):
        try:
            return numbers_of(np.asarray(source))
        except Exception as error:  # on another device, or not yet computed
            raise InvalidInput(
                f"{_SOURCES}; this {type(source).__name__} gives no array: {_words(error)}."
            ) from error
    return None


def _stacked(source: Sequence[Any]) -> NDArray[Any]:
    shapes = {
        np.shape(one) if isinstance(one, np.ndarray) else len(one)
        for one in source
        if isinstance(one, np.ndarray | list | tuple)
    }
    try:
        array = np.array(source)
    except ValueError:
        array = np.empty(0, object)
    if array.dtype.kind not in "biuf":
        raise InvalidInput(
            "A list of arrays or of rows has numbers in it, and each has the same shape; got "
            f"{', '.join(map(str, sorted(map(str, shapes)))):.120}. Give pictures of several sizes "
            "as those of Pillow (PIL.Image.fromarray)."
        )
    return array


def table_of(source: Any) -> tuple[Table, Path | None]:
    """The source as columns of plain values; and where its paths begin, if it is a list of paths.

    Raises
    ------
    InvalidInput
        It is no table and no list, or its values are not of one kind.
    """
    if is_dataset(source):
        return table_of_dataset(source), None
    if isinstance(source, Mapping):
        return _of_columns({str(name): _column(name, each) for name, each in source.items()}), None
    found = _through_narwhals(source)
    if found is not None:
        return found
    if isinstance(source, np.ndarray) and source.ndim == 1:
        return _of_list(source.tolist())
    if isinstance(source, Sequence) and not isinstance(source, str | bytes | bytearray | range):
        return _of_list(list(source))
    raise refused(source)


def refused(source: Any) -> InvalidInput:
    """What to say of something that is no source."""
    hint = next((f"; {words}" for method, words in _HINTS.items() if hasattr(source, method)), "")
    what = f"the class {source.__name__}" if isinstance(source, type) else type(source).__name__
    if isinstance(source, np.ndarray):
        what = f"an array of {source.dtype} of shape {source.shape}"
    return InvalidInput(f"{_SOURCES}; got {what}{hint}.")


def _through_narwhals(source: Any) -> tuple[Table, Path | None] | None:
    """A table or a column of any library that narwhals knows; None if it is neither."""
    import narwhals as nw

    try:
        known = nw.from_native(source, pass_through=True, allow_series=True)
    except Exception as error:  # what a library says of its own table, such as repeated names
        raise InvalidInput(f"The table cannot be read: {_words(error)}.") from error
    if isinstance(known, nw.LazyFrame):
        raise InvalidInput(
            f"A source is a table that is there; got a {type(source).__name__}, which is yet to be "
            "computed. Give what its collect() returns."
        )
    if isinstance(known, nw.Series):
        table, folder = _of_list(_values(known))
        return _with_index(table, source), folder
    if not isinstance(known, nw.DataFrame):
        return None
    names = list(known.columns)
    if repeated := [name for name in names if names.count(name) > 1]:
        raise InvalidInput(f"Columns of a table have different names; {repeated[0]!r} is repeated.")
    if len({str(name) for name in names}) != len(names):
        raise InvalidInput(f"Columns of a table have different names as text; got {names!r:.120}.")
    columns = {str(name): _values(known.get_column(name)) for name in names}
    return _with_index(_of_columns(columns), source), None


def _with_index(table: Table, source: Any) -> Table:
    """The table with the index of a pandas one as its first column, and for names of the rows."""
    if type(source).__module__.partition(".")[0] != "pandas":
        return table
    labels = source.index.to_list()
    name = str(source.index.name or "index")
    while name in table.columns:
        name += "_"
    if table.header:  # a list of things that are not written out
        return Table(
            table.columns, table.numbers, table.read, header=table.header, keys=tuple(labels)
        )
    columns = {name: labels, **table.columns}
    return Table(columns, table.numbers, _reader(columns), index=name, keys=tuple(labels))


def _values(column: Any) -> list[Any]:
    """A column's values; what is missing is None, in whatever way it is written."""
    values: list[Any] = column.to_list()
    missing = column.is_null()
    if missing.any():
        gaps = missing.to_list()
        return [None if gap else value for gap, value in zip(gaps, values, strict=True)]
    return values


def _column(name: Any, values: Any) -> list[Any]:
    """A column of a mapping."""
    if isinstance(values, str | bytes | bytearray | Mapping) or not (
        isinstance(values, Sequence | np.ndarray) or hasattr(values, "to_list")
    ):
        raise InvalidInput(
            f"A column of a table is a list of values; got {type(values).__name__} for {name!r}."
        )
    if isinstance(values, np.ndarray):
        if values.ndim == 0:
            raise InvalidInput(f"A column of a table is a list of values; {name!r} is one value.")
        return list(values) if values.ndim > 1 else list(values.tolist())
    return list(values.to_list() if hasattr(values, "to_list") else values)


def _of_columns(columns: Mapping[str, list[Any]]) -> Table:
    lengths = {len(values) for values in columns.values()}
    if len(lengths) != 1:
        found = ", ".join(map(str, sorted(lengths))) or "no column"
        raise InvalidInput(f"Columns of a table have one length; got {found}.")
    return Table(columns, range(1, lengths.pop() + 1), _reader(columns))


def _reader(columns: Mapping[str, Sequence[Any]]) -> Any:
    return partial(zip, *columns.values(), strict=True)


# --- lists ------------------------------------------------------------------------------------


def _of_list(values: list[Any]) -> tuple[Table, Path | None]:
    """A list by what it holds."""
    kinds = {_kind(value): place for place, value in reversed(list(enumerate(values)))}
    kinds.pop("nothing", None)
    if len(kinds) > 1:
        told = " and ".join(f"{kind} (number {place})" for kind, place in sorted(kinds.items()))
        raise InvalidInput(f"A list holds things of one kind; got {told}, counted from 0.")
    kind = next(iter(kinds), "texts")
    if kind == "texts":
        _refuse_paths(values)
        return _of_columns({"text": values}), None
    if kind == "records":
        return _of_records(values), None
    numbers = range(1, len(values) + 1)
    if kind == "pictures":
        names = [(str(number),) for number in numbers]
        return Table({"image": values}, numbers, partial(iter, names), header=("id",)), None
    if kind == "paths":
        paths = [Path("" if value is None else value).absolute() for value in values]
        parents = [str(path.parent) for path, value in zip(paths, values, strict=True) if value]
        folder = Path(os.path.commonpath(parents))
        inside = [
            None if value is None else str(path.relative_to(folder))
            for path, value in zip(paths, values, strict=True)
        ]
        return _of_columns({"image": inside}), folder
    raise InvalidInput(f"{_SOURCES}; got a list of {kind}.")


def _kind(value: Any) -> str:
    """What a value of a list is, in a word or two."""
    if isinstance(value, str):
        return "texts"
    if value is None or (isinstance(value, float) and np.isnan(value)) or _is_na(value):
        return "nothing"
    if isinstance(value, os.PathLike):
        return "paths"
    if is_picture(value):
        return "pictures"
    if isinstance(value, Mapping):
        return "records"
    return type(value).__name__


def _is_na(value: Any) -> bool:
    return type(value).__name__ in ("NAType", "NaTType")


def is_picture(value: Any) -> bool:
    """Whether this is a picture as Python people hold one: of Pillow, or a file's content."""
    if isinstance(value, bytes | bytearray | memoryview):
        return True
    return type(value).__module__.startswith("PIL.") and hasattr(value, "convert")


def _refuse_paths(values: Sequence[Any]) -> None:
    texts = [value for value in values if isinstance(value, str)]
    from askless.pools._pictures import SUFFIXES  # loads pillow

    if texts and all(Path(text).suffix.lower() in SUFFIXES for text in texts):
        raise InvalidInput(
            "A list of texts is shown as it is, and these look like names of pictures, as "
            f"{texts[0]!r:.80}. Give pathlib.Path objects to label the pictures, or "
            "{'text': [...]} to label the names."
        )


def _of_records(values: Sequence[Any]) -> Table:
    records = [value if isinstance(value, Mapping) else {} for value in values]
    names = list(dict.fromkeys(name for record in records for name in record))
    strange = [name for name in names if not isinstance(name, str)]
    if strange:
        raise InvalidInput(
            f"A record has the names of columns for its keys, as text; got {strange[0]!r:.80}."
        )
    if not names:
        raise InvalidInput("A record has values by the names of columns; all of these are empty.")
    columns = {name: [on_one_line(record.get(name)) for record in records] for name in names}
    return _of_columns(columns)


def _words(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")[:300] or type(error).__name__
