"""Tables out of files: CSV, TSV, JSONL and Parquet, row by row, or as columns of plain values.

A row that cannot be read is left out with its reason. Text is UTF-8, with or without a
byte order mark; a row with other bytes in it is left out.
Tested in tests/pools/test_table.py.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from askless.errors import InvalidInput
from askless.pools.source_rows import NO_ROLES, Roles, changed
from askless.seams import Unreadable

JSON_LINES: Final = (".jsonl", ".ndjson")
SUFFIXES: Final = (".csv", ".tsv", *JSON_LINES, ".parquet")
MAX_CELL: Final = 2**28
"""The most characters of one cell."""
MOST_EMPTY: Final = 10**7
"""So many cells may be empty, however few have a value."""
_MOST_CELLS_A_VALUE: Final = 100
_NOT_UTF8: Final = "The row is not UTF-8 text; save the table with that encoding."
_BATCH: Final = 10_000

Row = Sequence[Any] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of one length, row by row.

    Parameters
    ----------
    columns
        Values by name: text, numbers, booleans or None.
    numbers
        Of each row that could be read: its number in the source, from 1.
    read
        Gives the rows that could be read again, with values as the source has them.
    unreadable
        The other rows.
    texts
        Whether every value is text.
    index
        The column that is the index of a pandas table, if there is one.
    header
        The names of the columns as the source writes them, blanks around them included; empty
        where they are the same.
    keys
        What Python calls each row: the labels of a pandas index. Empty for its place, from 0.
    labels
        Columns of labels that another tool's file has beside the rows; never shown.
    roles
        What the columns are for, as far as the source tells.
    """

    columns: Mapping[str, Sequence[Any]]
    numbers: Sequence[int]
    read: Callable[[], Iterator[Sequence[Any]]]
    unreadable: Sequence[Unreadable] = ()
    texts: bool = False
    index: str | None = None
    header: Sequence[str] = ()
    keys: Sequence[Any] = ()
    labels: Sequence[str] = ()
    roles: Roles = NO_ROLES


def read_table(path: Path) -> Table:
    """The table in a file whose name ends in one of `SUFFIXES`."""
    stamp = _stamp(path)
    rows = _rows(path)
    header: Sequence[str] | None = next(rows)
    numbers, good, unreadable = list[int](), list[Any](), list[Unreadable]()
    for number, row in enumerate(rows, start=1):
        if isinstance(row, str):
            unreadable.append(Unreadable(f"row {number}", row))
        else:
            numbers.append(number)
            good.append(row)
    if header is None:
        header = names_in(good)
        _check_names(path, header)
    text = path.suffix.lower() in (".csv", ".tsv")
    names = [name.strip() for name in header] if text else header
    columns = (
        zip(*(_values(row, names) for row in good), strict=True) if good else ([] for _ in names)
    )
    flat = {
        name: values if text else [on_one_line(value) for value in values]
        for name, values in zip(names, columns, strict=True)
    }

    def read_again() -> Iterator[Sequence[Any]]:
        if _stamp(path) != stamp:
            raise changed(path)
        again = _rows(path)
        next(again)
        yield from (_values(row, names) for row in again if not isinstance(row, str))

    return Table(flat, numbers, read_again, unreadable, text, _index(names), header)


def names_in(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of the values in some records, in their order, each a column of their table.

    Raises
    ------
    InvalidInput
        They share so few names that the table would be much larger than they are.
    """
    names = list(dict.fromkeys(name for record in records for name in record))
    cells, given = len(names) * len(records), sum(map(len, records))
    if cells > MOST_EMPTY and cells > _MOST_CELLS_A_VALUE * given:
        raise InvalidInput(
            f"Records of a table share the names of their values; these {len(records):,} have "
            f"{len(names):,} names, and hardly any in common."
        )
    return names


def spell_out(value: str) -> str:
    """A text that can be written anywhere: half characters are spelt out."""
    return value.encode("utf-8", "backslashreplace").decode()


def is_text(value: str) -> bool:
    """Whether every character is a whole one; bytes that were not UTF-8 are not."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _stamp(path: Path) -> tuple[int, int]:
    """Differs where a file has changed."""
    try:
        now = path.stat()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}.") from error
    return now.st_size, now.st_mtime_ns


def _rows(path: Path) -> Iterator[Any]:
    """The names of the columns, if they come first, else None; then each row, or why not."""
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        yield from _parquet(path)
        return
    try:
        with path.open("rb") as file:
            if file.read(2) in (b"\xff\xfe", b"\xfe\xff"):
                raise InvalidInput(f"{path} is in UTF-16; save it as UTF-8.")
        # Bytes that are no UTF-8 become lone surrogates, which are then found row by row.
        end = "\n" if suffix in JSON_LINES else ""
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline=end) as lines:
            yield from (
                _jsonl(lines) if end else _csv(path, lines, "\t" if suffix == ".tsv" else None)
            )
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}.") from error


def _csv(path: Path, lines: Any, delimiter: str | None) -> Iterator[Row | str]:
    delimiter = delimiter or max(",;\t", key=lines.readline().count)
    lines.seek(0)
    csv.field_size_limit(MAX_CELL)  # for the whole process: never lowered while others read
    rows = csv.reader(lines, delimiter=delimiter)
    try:
        names = next(rows, [])
    except csv.Error as error:
        raise InvalidInput(
            f"{path} does not begin with the names of columns: {_words(error)}."
        ) from None
    _check_names(path, [name.strip() for name in names])
    yield names
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield f"The row cannot be read: {_words(error)}."
            continue
        if not row:  # an empty line
            continue
        if len(row) != len(names):
            yield _uneven(row, len(names))
        else:
            yield row if is_text("".join(row)) else _NOT_UTF8


def _uneven(row: list[str], columns: int) -> str:
    cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
    reason = f"The row has {cells}; the header names {columns} columns."
    if any("\n" in cell for cell in row):
        reason += " Perhaps a quotation mark in it is not closed."
    return reason


def _jsonl(lines: Any) -> Iterator[Row | str | None]:
    yield None
    for line in lines:
        if not line.strip():
            continue
        if not is_text(line):
            yield _NOT_UTF8
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield f"The line is not JSON: {_words(error)}."
        else:
            yield row if isinstance(row, dict) else "The line is not a JSON object."


def _parquet(path: Path) -> Iterator[Row]:
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise InvalidInput(
            "Reading Parquet needs pyarrow: pip install 'askless[tables]', "
            "or save the table as CSV."
        ) from None
    try:
        with parquet.ParquetFile(path) as file:
            names = list(file.schema_arrow.names)
            _check_names(path, names)
            yield names
            for batch in file.iter_batches(_BATCH):
                yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
    except InvalidInput:
        raise
    except Exception as error:  # pyarrow's own errors, and whatever a damaged file brings about
        raise InvalidInput(f"{path} cannot be read as Parquet: {_words(error)}.") from error


def _values(row: Any, names: Sequence[str]) -> Sequence[Any]:
    return [row.get(name) for name in names] if isinstance(row, dict) else row


def _words(error: Exception) -> str:
    """What a library says, without the full stop that our sentence has."""
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__


def _check_names(path: Path, names: Sequence[str]) -> None:
    if not names or not any(names):
        raise InvalidInput(f"{path} is empty; the first row of a table names its columns.")
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise InvalidInput(
            f"Columns of a table have different names; {path} repeats {repeated[0]!r}."
        )
    if not is_text("".join(names)):
        raise InvalidInput(f"{path} is not UTF-8 text; save it with that encoding.")


def _index(names: Sequence[str]) -> str | None:
    """What pandas calls the index of a table when it writes one, or reads what it wrote."""
    if names[0] in ("", "Unnamed: 0"):
        return names[0]
    return next((name for name in names if name == "__index_level_0__"), None)


def on_one_line(value: Any) -> Any:
    """A value that can be shown on one line: lists and objects as JSON."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value
