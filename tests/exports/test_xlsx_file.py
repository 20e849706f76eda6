"""Workbooks, as a spreadsheet finds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from askless.errors import InvalidInput, NotInstalled
from askless.exports import export
from tests.exports.making import table_of


def test_without_the_package_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(NotInstalled, match=r"install askless\[tables\], or export to csv"):
        export(table_of(["one"]), tmp_path / "labels.xlsx")


def test_a_workbook_has_numbers_as_numbers_and_no_formula(tmp_path: Path) -> None:
    openpyxl: Any = pytest.importorskip("openpyxl")
    source = {"text": ["=1+1", "a\x07b", "c", "d"], "n": [1, -2.5, None, "=x"]}
    export(table_of(source), tmp_path / "labels.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "labels.xlsx")["labels"]
    rows = [[(cell.value, cell.data_type) for cell in row] for row in sheet.iter_rows()]
    assert [value for value, _ in rows[0]] == [
        "text", "n", "label", "certain", "how", "probability",
    ]  # fmt: skip
    assert rows[1][:4] == [("=1+1", "s"), (1, "n"), ("foot/wear", "s"), (True, "b")]
    assert rows[2][0] == ("a\\x07b", "s")
    assert rows[2][1] == (-2.5, "n")
    assert rows[4][1] == ("=x", "s")


def test_what_a_workbook_has_no_room_for_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openpyxl")
    with pytest.raises(InvalidInput, match=r"row 3 has one of 40,000\. Export to csv"):
        export(table_of(["a", "b" * 40_000]), tmp_path / "labels.xlsx")
    monkeypatch.setattr("askless.exports.xlsx_file._MOST_ROWS", 2)
    with pytest.raises(InvalidInput, match="at most 2 rows"):
        export(table_of(["a", "b"]), tmp_path / "labels.xlsx")
