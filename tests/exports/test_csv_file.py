"""CSV cells, attacked: whatever the text, its readers find the same text in the same cell."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from askless.exports.csv_file import write_csv, write_table
from askless.exports.record import FULL
from askless.history.labels import Labelled
from tests.exports.making import record_of

pandas: Any = pytest.importorskip("pandas")

STARTS_A_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")
ANY_TEXT = st.text() | st.text(st.sampled_from("=+-@'\t\r\n\"\0, a\ud800\u2028\ufeff\\"))
COLUMNS = tuple(FULL)
BLANK = Labelled(0, None, "unsure", (), (), 0.5, "")


def written(name: str = "", **changes: Any) -> bytes:
    file = io.BytesIO()
    write_csv(record_of([name, ""], [replace(BLANK, **changes), replace(BLANK, item=1)]), file)
    return file.getvalue()


def is_formula(cell: str) -> bool:
    if re.fullmatch(r"[-+]?\d+([.,]\d+)*([eE][-+]?\d+)?", cell):
        return False  # a plain number
    return cell.startswith(STARTS_A_FORMULA) or cell.lstrip().startswith(STARTS_A_FORMULA)


def unguarded(cell: str) -> str:
    """What a reader does who wants the text back: drop one guarding apostrophe."""
    return cell[1:] if cell.startswith("'") and is_formula(cell.lstrip("'")) else cell


def storable(text: str) -> str:
    """The text as UTF-8 without NUL can say it."""
    return text.replace("\0", "\\x00").encode(errors="backslashreplace").decode()


@given(name=ANY_TEXT, note=ANY_TEXT, annotator=ANY_TEXT)
@example(name="a\r=1+1", note="x\r\ny", annotator="\r")
@example(name="\0", note="a\0b", annotator="\udce9")
@example(name='"', note='\r"', annotator="'=1")
@example(name="\u2028=1", note="\x85", annotator="\ufeff")
def test_every_text_comes_back_to_its_own_cell(name: str, note: str, annotator: str) -> None:
    content = written(name, note=note, annotators=(annotator,))
    expected = [storable(text) for text in (name, note, annotator)]

    header, *table = csv.reader(io.TextIOWrapper(io.BytesIO(content), "utf-8", newline=""))
    assert tuple(header) == COLUMNS
    assert [len(row) for row in table] == [len(COLUMNS)] * 2
    cells = dict(zip(header, table[0], strict=True))
    assert [unguarded(cells[key]) for key in ("id", "note", "annotators")] == expected

    frame = pandas.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    assert tuple(frame.columns) == COLUMNS
    assert len(frame) == 2
    found = frame.iloc[0]
    assert [unguarded(found[key]) for key in ("id", "note", "annotators")] == expected


@given(text=ANY_TEXT, start=st.sampled_from(STARTS_A_FORMULA), quote=st.sampled_from(["", "'"]))
def test_no_cell_begins_as_a_formula_does(text: str, start: str, quote: str) -> None:
    for value in (start + text, quote + start + text, " " + start + text):
        content = written(value, note=value).decode()
        first, second = list(csv.reader(io.StringIO(content, newline="")))[1:]
        assert not [cell for cell in first + second if is_formula(cell)]


@pytest.mark.parametrize("cell", ["a\rb", "\r", "a\r\nb", "a\nb", 'a"b', "a,b"])
def test_a_cell_with_a_line_break_a_quote_or_a_comma_is_quoted(cell: str) -> None:
    file = io.BytesIO()
    write_table(["one", "two"], [["x", cell]], file)
    last = file.getvalue().removeprefix(b"one,two\nx,")
    assert (last[:1], last[-2:]) == (b'"', b'"\n')


def test_lines_end_in_a_line_feed_alone() -> None:
    assert b"\r" not in written()


@pytest.mark.parametrize("number", ["-5", "+3.25", "-1,5", "-2e-7", "1.000,5"])
def test_a_number_in_the_sources_table_stays_a_number(number: str) -> None:
    file = io.BytesIO()
    write_table(["one", "two"], [["x", number], ["x", f"{number}a"]], file)
    (_, first, second) = csv.reader(io.StringIO(file.getvalue().decode()))
    assert first[1] == number
    assert second[1] == (f"{number}a" if number[0] == "1" else f"'{number}a")


def test_values_of_a_source_that_are_no_text_are_written_plainly() -> None:
    file = io.BytesIO()
    row = [None, True, float("nan"), [1, "ä"], {"a": None}, 2.5]
    write_table(list("abcdef"), [row], file)
    assert list(csv.reader(io.StringIO(file.getvalue().decode())))[1] == [
        "", "true", "", '[1, "ä"]', '{"a": null}', "2.5",
    ]  # fmt: skip
