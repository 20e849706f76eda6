from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from askless.errors import InvalidInput
from askless.pools import OpenedPool, open_pool

pandas: Any = pytest.importorskip("pandas")


def csv(folder: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def texts(pool: OpenedPool) -> list[str]:
    return [pool.text(item) for item in range(len(pool))]


def test_a_text_column_makes_a_pool_of_texts(tmp_path: Path) -> None:
    path = csv(tmp_path, 'id,words,spam\nu1,"hello, you",0\nu2,"two\nlines",1\nu3,third,\n')
    pool = open_pool(path, text="words", label="spam", id="id")
    assert (pool.kind, pool.ids) == ("texts", ("u1", "u2", "u3"))
    assert texts(pool) == ["hello, you", "two\nlines", "third"]
    assert pool.known.tolist() == [0, 1, -1]


def test_rows_are_numbered_from_one_when_no_column_names_them(tmp_path: Path) -> None:
    assert open_pool(csv(tmp_path, "text\na\nb\n")).ids == ("1", "2")


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_the_usual_marks_between_cells_are_understood(tmp_path: Path, mark: str) -> None:
    path = csv(tmp_path, f"a{mark}text\n1{mark}x\n2{mark}y\n")
    assert texts(open_pool(path)) == ["x", "y"]


def test_a_byte_order_mark_and_windows_lines_are_no_matter(tmp_path: Path) -> None:
    path = csv(tmp_path, b"\xef\xbb\xbftext,y\r\nn\xc3\xa4h,1\r\n\r\nfern,0\r\n")
    pool = open_pool(path, text="text", label="y")
    assert (texts(pool), pool.ids) == (["näh", "fern"], ("1", "2"))


def test_rows_in_another_encoding_are_left_out_and_named(tmp_path: Path) -> None:
    pool = open_pool(csv(tmp_path, b"text\nfine\nsch\xf6n\nalso fine\n"))
    assert texts(pool) == ["fine", "also fine"]
    assert [(left.id, "UTF-8" in left.reason) for left in pool.unreadable] == [("row 2", True)]
    with pytest.raises(InvalidInput, match="UTF-16"):
        open_pool(csv(tmp_path, "text\nx\n".encode("utf-16")))
    with pytest.raises(InvalidInput, match="not UTF-8"):
        open_pool(csv(tmp_path, b"sch\xf6n,text\n1,2\n"))


def test_rows_with_too_many_or_too_few_cells_are_left_out(tmp_path: Path) -> None:
    pool = open_pool(csv(tmp_path, "text,y\na,1\nb\nc,0,9\nd,1\n"))
    assert pool.ids == ("1", "4")
    assert [left.id for left in pool.unreadable] == ["row 2", "row 3"]


def test_blank_texts_are_left_out_and_repeated_ones_asked_once(tmp_path: Path) -> None:
    pool = open_pool(csv(tmp_path, 'n,text\n1,same\n2," "\n3,same\n4,other\n'), text="text")
    assert (pool.ids, pool.copies) == (("1", "4"), {0: ("3",)})
    assert [(left.id, left.reason) for left in pool.unreadable] == [("row 2", "The text is empty.")]


def test_null_bytes_formulas_and_markup_are_only_text(tmp_path: Path) -> None:
    strange = [
        "a\0b",
        "=cmd|' /C calc'!A0",
        "<script>alert(1)</script>",
        "{{7*7}}",
        "\u202egnp.exe",
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in strange))
    assert texts(open_pool(tmp_path / "t.jsonl")) == strange
    pandas.DataFrame({"text": strange}).to_csv(tmp_path / "t.csv", index=False)
    assert texts(open_pool(tmp_path / "t.csv")) == strange


def test_a_cell_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    pool = open_pool(csv(tmp_path, f"text\nshort\n{'x' * 10_000_000}\n"))
    assert [len(text) for text in texts(pool)] == [5, 10_000_000]


def test_half_characters_are_left_out(tmp_path: Path) -> None:
    path = csv(tmp_path, '{"text": "fine"}\n{"text": "\\ud800"}\n[1]\n{"no\n', "t.jsonl")
    pool = open_pool(path)
    assert texts(pool) == ["fine"]
    assert [left.id for left in pool.unreadable] == ["row 3", "row 4", "row 2"]


def test_without_text_or_image_a_table_is_rows_of_values(tmp_path: Path) -> None:
    path = csv(tmp_path, "size,colour,y\n1,red,0\n,blue,1\n2.5,,1\n,,0\n")
    pool = open_pool(path, label="y")
    columns = pool.columns()
    assert pool.kind == "rows"
    assert np.array_equal(columns["size"], [1, np.nan, 2.5], equal_nan=True)
    assert columns["colour"].tolist() == ["red", "blue", ""]
    assert pool.text(2) == "size: 2.5\ncolour: "
    assert [(left.id, left.reason) for left in pool.unreadable] == [("row 4", "The row is empty.")]


def test_a_column_of_mixed_types_is_text() -> None:
    pool = open_pool({"mixed": [1, "two", 3.5, None, True], "n": [1, 2, 3, 4, 5]})
    assert pool.columns()["mixed"].tolist() == ["1", "two", "3.5", "", "True"]


def test_an_only_column_of_words_is_the_text() -> None:
    assert open_pool({"review": ["good", "bad"]}).kind == "texts"
    assert open_pool({"height": [1.5, 2.5]}).kind == "rows"


def test_probabilities_come_along_and_must_be_some(tmp_path: Path) -> None:
    path = csv(tmp_path, "text,p\na,0.25\nb,\n")
    assert open_pool(path, prob="p").probs.tolist() == [0.25, 0.5]  # type: ignore[union-attr]
    with pytest.raises(InvalidInput, match=r"'1\.5' in row 2"):
        open_pool(csv(tmp_path, "text,p\na,0.25\nb,1.5\n"), prob="p")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 0, 1, None], [1, 0, 1, -1]),
        ([True, False, True, None], [1, 0, 1, -1]),
        (["Yes", "no", "y", ""], [1, 0, 1, -1]),
        ([1.0, 0.0, float("nan"), -1], [1, 0, -1, -1]),
    ],
)
def test_labels_that_speak_for_themselves_need_no_name(
    values: list[Any], expected: list[int]
) -> None:
    pool = open_pool({"text": list("abcd"), "y": values}, label="y")
    assert pool.known.tolist() == expected


def test_other_labels_need_the_positive_one_named() -> None:
    table = {"text": list("abcd"), "y": ["spam", "ham", "ham", ""]}
    with pytest.raises(InvalidInput, match=r"Say which.*'ham', 'spam'"):
        open_pool(table, label="y")
    pool = open_pool(table, label="y", true="spam")
    assert (pool.known.tolist(), pool.label_names) == ([1, 0, 0, -1], ("spam", "ham"))
    assert open_pool(table, label="y", false="ham").known.tolist() == [1, 0, 0, -1]
    digits = {"text": list("abcd"), "y": [3, 5, 7, 8]}
    assert open_pool(digits, label="y", true=["3", "7"], false="*").known.tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("values", "options"),
    [
        (["maybe", "no", "yes"], "--true yes --false no"),
        (["No", "a bit", "very"], "--true 'a bit' --false No"),
        (["it's", "so"], "--true 'it'\"'\"'s' --false so"),
        (["other"], "--true other --false '*'"),
        (["x" * 99], "--true VALUE --false '*'"),
    ],
)
def test_a_refusal_of_labels_has_options_that_can_be_typed(values: list[str], options: str) -> None:
    table = {"text": [f"text {item}" for item in range(len(values))], "y": values}
    with pytest.raises(InvalidInput, match=re.escape(f"as in {options} (each")):
        open_pool(table, label="y")


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ({"true": "spam"}, "--true spam --false ham"),
        ({"false": "ignore"}, "--true ham --false ignore"),
        ({"true": ["spam", "ignore"]}, "--true spam --true ignore --false ham"),
    ],
)
def test_a_refusal_of_labels_keeps_what_was_said(said: dict[str, Any], options: str) -> None:
    table = {"text": list("abcd"), "y": ["spam", "ham", "ignore", "odd"]}
    with pytest.raises(InvalidInput, match=re.escape(f"as in {options} (each")):
        open_pool(table, label="y", **said)


def test_a_value_that_means_neither_label_is_no_label() -> None:
    table = {"text": list("abcde"), "y": ["spam", "ham", "ignore", "", "spam"]}
    for said in ({}, {"true": "spam"}, {"false": "ham"}, {"false": ["ignore"]}):
        with pytest.raises(InvalidInput, match=r"in neither is no label\. Got 'ham', 'ignore', 's"):
            open_pool(table, label="y", **said)
    pool = open_pool(table, label="y", true="spam", false="ham")
    assert (pool.known.tolist(), pool.label_names) == ([1, 0, -1, -1, 1], ("spam", "ham"))
    others = open_pool(table, label="y", true="spam", false="*")
    assert (others.known.tolist(), others.label_names) == ([1, 0, 0, -1, 1], ("spam", None))
    with pytest.raises(InvalidInput, match="'ham' for both"):
        open_pool(table, label="y", true=["spam", "ham"], false="ham")
    with pytest.raises(InvalidInput, match="among the values of 'y'; got 'no', and they are"):
        open_pool(table, label="y", true="spam", false="no")
    with pytest.raises(InvalidInput, match=r"Say which.*Got '1', 'yes', 'maybe'|'maybe'"):
        open_pool({"text": list("abc"), "y": ["yes", "1", "maybe"]}, label="y")


def test_a_column_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"t\.csv: There is no column 'words'.*'text', 'y'"):
        open_pool(csv(tmp_path, "text,y\na,1\n"), text="words")


@pytest.mark.parametrize("content", ["", "\n", "text\n", "text,text\na,b\n", ",\n1,2\n"])
def test_empty_and_nameless_tables_are_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(InvalidInput):
        open_pool(csv(tmp_path, content))


class TestPaths:
    """Paths to pictures, some of which want to get out."""

    def test_pictures_are_found_from_the_folder_of_the_table(self, tmp_path: Path) -> None:
        (tmp_path / "sub").mkdir()
        self.picture(tmp_path / "sub" / "ä b.png", 1)
        self.picture(tmp_path / "c.png", 2)
        path = csv(tmp_path, f"file,y\nsub/ä b.png,1\n{tmp_path}/c.png,0\n")
        pool = open_pool(path, image="file", label="y")
        assert (pool.kind, pool.ids[0], pool.known.tolist()) == ("images", "sub/ä b.png", [1, 0])
        assert pool.picture(1).shape == (5, 6, 3)

    def test_nothing_outside_the_folder_is_read(self, tmp_path: Path) -> None:
        inside = tmp_path / "inside"
        inside.mkdir()
        self.picture(tmp_path / "secret.png", 1)
        self.picture(inside / "fine.png", 2)
        (inside / "link.png").symlink_to(tmp_path / "secret.png")
        names = [
            "../secret.png", f"{tmp_path}/secret.png", "link.png", "sub/../../secret.png",
            "/etc/passwd", "file:///etc/passwd", "http://127.0.0.1/a.png", "nul\0.png", "", ".",
            "~/a.png", "\\\\host\\share\\a.png", "x" * 5000 + ".png",
        ]  # fmt: skip
        lines = [json.dumps({"file": name}) for name in [*names, "fine.png"]]
        path = csv(inside, "\n".join(lines), "t.jsonl")
        pool = open_pool(path, image="file")
        assert pool.ids == ("fine.png",)
        assert len(pool.unreadable) == len(names)

    def test_another_folder_can_be_named(self, tmp_path: Path) -> None:
        (tmp_path / "pictures").mkdir()
        self.picture(tmp_path / "pictures" / "a.png", 1)
        pool = open_pool({"image": ["a.png"]}, folder=tmp_path / "pictures")
        assert pool.picture(0).shape == (5, 6, 3)

    def picture(self, path: Path, seed: int) -> None:
        pixels = np.random.default_rng(seed).integers(0, 255, (5, 6, 3)).astype(np.uint8)
        Image.fromarray(pixels).save(path)


class TestPython:
    """Tables that are already in memory."""

    table = pandas.DataFrame({"words": ["a", "b", "a"], "y": [1, 0, 1]})

    def test_pandas(self) -> None:
        before = self.table.copy()
        pool = open_pool(self.table, text="words", label="y")
        assert (texts(pool), pool.known.tolist(), pool.copies) == (["a", "b"], [1, 0], {0: ("2",)})
        assert self.table.equals(before)

    def test_arrow(self) -> None:
        arrow: Any = pytest.importorskip("pyarrow")
        pool = open_pool(arrow.Table.from_pandas(self.table), text="words", label="y")
        assert texts(pool) == ["a", "b"]

    def test_parquet(self, tmp_path: Path) -> None:
        pytest.importorskip("pyarrow")
        self.table.to_parquet(tmp_path / "t.parquet")
        pool = open_pool(tmp_path / "t.parquet", text="words", label="y")
        assert (texts(pool), pool.known.tolist()) == (["a", "b"], [1, 0])
        (tmp_path / "t.parquet").write_bytes(b"PAR1 and nothing more")
        with pytest.raises(InvalidInput, match="cannot be read as Parquet"):
            open_pool(tmp_path / "t.parquet")

    def test_parquet_without_pyarrow_is_a_sentence(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
        with pytest.raises(InvalidInput, match=r"askless\[tables\]"):
            open_pool(csv(tmp_path, b"PAR1", "t.parquet"))

    def test_columns_of_two_lengths_are_refused(self) -> None:
        with pytest.raises(InvalidInput, match="one length; got 1, 2"):
            open_pool({"a": [1], "b": [1, 2]})

    def test_what_is_no_table_is_refused(self) -> None:
        with pytest.raises(InvalidInput, match="got int"):
            open_pool(7)


def test_a_quotation_mark_that_is_not_closed_is_suspected(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('text,x\nfine,0\n"unclosed,1\nmore,2\n')
    (left,) = open_pool(tmp_path / "t.csv").unreadable
    assert left.reason.startswith("The row has 1 cell;")
    assert "quotation mark in it is not closed" in left.reason


def test_what_a_library_says_gets_one_full_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow.parquet")

    def failing(path: Path) -> None:
        raise OSError("It is\nbroken.")

    monkeypatch.setattr("pyarrow.parquet.ParquetFile", failing)
    (tmp_path / "t.parquet").touch()
    with pytest.raises(InvalidInput, match=r"Parquet: It is broken\.$"):
        open_pool(tmp_path / "t.parquet")


def test_labels_that_an_earlier_export_accepted_are_none() -> None:
    table = {
        "text": ["a", "b", "c", "d"],
        "label": ["cat", "dog", "cat", "dog"],
        "certain": ["true", "true", "false", "false"],
        "how": ["alone", "group", "accepted", "accepted"],
    }
    pool = open_pool(table, label="label", true="cat", false="dog")
    assert pool.known is not None
    assert pool.known.tolist() == [1, 0, -1, -1]
    del table["certain"]  # somebody's own column of that name
    own = open_pool(table, text="text", label="label", true="cat", false="dog").known
    assert own is not None
    assert own.tolist() == [1, 0, 1, 0]
