"""Tables out of files: CSV, TSV, JSONL and Parquet become columns of plain values.

A row that cannot be read is left out with its reason. Text is UTF-8, with or without a
byte order mark; a row with other bytes in it is left out.
Tested in tests/pools/test_table.py.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from askless.errors import InvalidInput
from askless.seams import Unreadable

SUFFIXES: Final = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
MAX_CELL: Final = 2**28
"""The most characters of one cell."""
_NOT_UTF8: Final = "The row is not UTF-8 text; save the table with that encoding."


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of one length, row by row.

    Parameters
    ----------
    columns
        Values by name: text, numbers, booleans or None.
    numbers
        Of each row that could be read: its number in the source, from 1.
    unreadable
        The other rows.
    """

    columns: Mapping[str, Sequence[Any]]
    numbers: Sequence[int]
    unreadable: Sequence[Unreadable] = ()


def read_table(path: Path) -> Table:
    """The table in a file whose name ends in one of `SUFFIXES`."""
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return _parquet(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}.") from error
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InvalidInput(f"{path} is in UTF-16; save it as UTF-8.")
    # Bytes that are no UTF-8 become lone surrogates, which are then found row by row.
    text = content.decode("utf-8-sig", "surrogateescape")
    if suffix in (".jsonl", ".ndjson"):
        return _jsonl(path, text)
    return _csv(path, text, "\t" if suffix == ".tsv" else None)


def is_text(value: str) -> bool:
    """Whether every character is a whole one; bytes that were not UTF-8 are not."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _csv(path: Path, text: str, delimiter: str | None) -> Table:
    head = text[: text.find("\n") + 1 or len(text)]
    delimiter = delimiter or max(",;\t", key=head.count)
    before = csv.field_size_limit(MAX_CELL)
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        try:
            names = [name.strip() for name in next(rows, [])]
        except csv.Error as error:
            raise InvalidInput(
                f"{path} does not begin with the names of columns: {_words(error)}."
            ) from None
        _check_names(path, names)
        numbers, good, unreadable = list[int](), list[list[str]](), list[Unreadable]()
        number = 0
        while True:
            try:
                row = next(rows)
            except StopIteration:
                break
            except csv.Error as error:
                number += 1
                reason = f"The row cannot be read: {_words(error)}."
                unreadable.append(Unreadable(f"row {number}", reason))
                continue
            if not row:  # an empty line
                continue
            number += 1
            if len(row) != len(names):
                reason = _uneven(row, len(names))
            elif not is_text("".join(row)):
                reason = _NOT_UTF8
            else:
                good.append(row)
                numbers.append(number)
                continue
            unreadable.append(Unreadable(f"row {number}", reason))
    finally:
        csv.field_size_limit(before)
    columns = zip(*good, strict=True) if good else ([] for _ in names)
    return Table(dict(zip(names, columns, strict=True)), numbers, unreadable)


def _uneven(row: list[str], columns: int) -> str:
    cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
    reason = f"The row has {cells}; the header names {columns} columns."
    if any("\n" in cell for cell in row):
        reason += " Perhaps a quotation mark in it is not closed."
    return reason


def _jsonl(path: Path, text: str) -> Table:
    rows, numbers, unreadable = list[dict[str, Any]](), list[int](), list[Unreadable]()
    number = 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        number += 1
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = _NOT_UTF8 if not is_text(line) else f"The line is not JSON: {_words(error)}."
        else:
            if isinstance(row, dict) and is_text(line):
                rows.append({str(name): _flat(value) for name, value in row.items()})
                numbers.append(number)
                continue
            reason = "The line is not a JSON object." if is_text(line) else _NOT_UTF8
        unreadable.append(Unreadable(f"row {number}", reason))
    names = list(dict.fromkeys(name for row in rows for name in row))
    _check_names(path, names)
    return Table({name: [row.get(name) for row in rows] for name in names}, numbers, unreadable)


def _parquet(path: Path) -> Table:
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise InvalidInput(
            "Reading Parquet needs pyarrow: pip install 'askless[parquet]', "
            "or save the table as CSV."
        ) from None
    try:
        table = parquet.read_table(path)
        columns = {name: _flat_all(table[name].to_pylist()) for name in table.column_names}
    except Exception as error:  # pyarrow's own errors, and whatever a damaged file brings about
        raise InvalidInput(f"{path} cannot be read as Parquet: {_words(error)}.") from error
    _check_names(path, list(columns))
    return Table(columns, range(1, table.num_rows + 1))


def _words(error: Exception) -> str:
    """What a library says, without the full stop that our sentence has."""
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__


def _check_names(path: Path, names: list[str]) -> None:
    if not names or not any(names):
        raise InvalidInput(f"{path} is empty; the first row of a table names its columns.")
    repeated = [name for name in set(names) if names.count(name) > 1]
    if repeated:
        raise InvalidInput(
            f"Columns of a table have different names; {path} repeats {repeated[0]!r}."
        )
    if not is_text("".join(names)):
        raise InvalidInput(f"{path} is not UTF-8 text; save it with that encoding.")


def _flat_all(values: Sequence[Any]) -> list[Any]:
    return [_flat(value) for value in values]


def _flat(value: Any) -> Any:
    """A value that can be shown on one line: lists and objects as JSON."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value
