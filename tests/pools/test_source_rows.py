"""The source's own rows in its own order, and which item each of them is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from askless.errors import InvalidInput
from askless.exports import export
from askless.exports.contents import Contents
from askless.exports.label_arrays import LabelArrays
from askless.pools import as_before, open_pool

TABLE = "\ufeffkey;Größe;text\n7;-3;one\n8;;two\n9;5;\n10;1;one\nbroken\n11;2;three\n"


def test_rows_come_in_their_order_with_every_column_and_the_item_each_of_them_is(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")
    rows = open_pool(path).source_rows
    assert rows.names == ("key", "Größe", "text")
    assert [(item, list(row)) for item, row in rows] == [
        (0, ["7", "-3", "one"]), (1, ["8", "", "two"]), (-1, ["9", "5", ""]),
        (0, ["10", "1", "one"]), (2, ["11", "2", "three"]),
    ]  # fmt: skip
    assert (rows.left_out, rows.texts) == (1, True)


def test_blanks_around_the_name_of_a_column_are_the_sources_own(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Datum ,text,  label\n1.4.,one,\n2.4.,two,\n")
    pool = open_pool(path, text="text", id="Datum")
    assert (pool.source_rows.names, pool.id_column) == (("Datum ", "text", "  label"), "Datum")
    out = tmp_path / "out.csv"
    export(Contents(pool.source_rows, LabelArrays((), 2), pool.ids), out)
    assert out.read_text().splitlines()[0] == (
        "Datum ,text,  label,askless_label,certain,how,probability"
    )
    again = open_pool(out, text="text").source_rows.names
    assert again[:4] == ("Datum ", "text", "  label", "askless_label")


def test_values_of_json_lines_and_parquet_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"text": "a", "n": [1, 2]}\n[]\n{"text": "b", "m": null}\n')
    rows = open_pool(tmp_path / "t.jsonl", text="text").source_rows
    assert [list(row) for _, row in rows] == [["a", [1, 2], None], ["b", None, None]]
    assert rows.names == ("text", "n", "m")
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"text": ["a", "b"], "n": [1, None]}), tmp_path / "t.parquet")
    rows = open_pool(tmp_path / "t.parquet").source_rows
    assert [(item, *row) for item, row in rows] == [(0, "a", 1), (1, "b", None)]


def test_a_folder_of_pictures_has_names_only(tmp_path: Path) -> None:
    for name, shade in (("a.png", 1), ("b.png", 2), ("c.png", 1)):
        Image.new("L", (3, 3), shade).save(tmp_path / name)
    rows = open_pool(tmp_path).source_rows
    assert rows.names == ("id",)
    assert [(item, *row) for item, row in rows] == [(0, "a.png"), (1, "b.png"), (0, "c.png")]


def test_a_table_that_changed_after_it_was_opened_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("text\none\ntwo\n")
    rows = open_pool(path).source_rows
    path.write_text("text\ntwo\none\nthree\n")
    with pytest.raises(InvalidInput, match=r"t\.csv has changed since it was opened"):
        list(rows)


def test_rows_of_a_source_that_changed_are_the_items_of_before(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("text,n\none,1\ntwo,2\nthree,3\n")
    before = open_pool(path)
    path.write_text("text,n\nnew,0\nthree,4\none,1\nthree,5\n")
    pool = as_before(open_pool(path), before.ids, before.checksums).pool
    assert [(item, *row) for item, row in pool.source_rows] == [
        (-1, "new", "0"), (2, "three", "4"), (0, "one", "1"), (2, "three", "5"),
    ]  # fmt: skip
    assert set(pool.missing) == {1}


def test_ids_are_found_in_a_column_called_id_or_in_the_index_of_pandas(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "t.csv"
    path.write_text("ID,text\nx,one\ny,two\n")
    pool = open_pool(path)
    assert (pool.ids, pool.id_column, pool.kind) == (("x", "y"), "ID", "texts")
    assert open_pool(path, again=True).ids == ("1", "2")
    frame = pandas.DataFrame({"text": ["one", "two"]}, index=["p", "q"])
    assert open_pool(frame).ids == ("p", "q")
    assert [row for _, row in open_pool(frame).source_rows] == [("p", "one"), ("q", "two")]
    frame.to_csv(path)
    pool = open_pool(path)
    assert (pool.ids, pool.id_column, pool.kind) == (("p", "q"), "", "texts")
    assert pool.source_rows.names == ("", "text")


def test_a_column_of_ids_is_no_value_to_learn_from(tmp_path: Path) -> None:
    table = {"id": [5, 6, 7], "u": [1.0, 2.0, 2.0], "v": [0.5, 0.25, 0.25]}
    pool = open_pool(table)
    assert (list(pool.columns()), pool.ids, pool.copies) == (["u", "v"], ("5", "6"), {1: ("7",)})
    assert list(open_pool(table, again=True).columns()) == ["id", "u", "v"]
    assert open_pool({"id": ["a", "b"]}).ids == ("1", "2")
    assert np.array_equal(open_pool(table).source_rows.items, [0, 1, 1])
