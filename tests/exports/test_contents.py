"""What is exported: the source's own table with its labels, or the record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askless.errors import InvalidInput
from askless.exports.contents import Contents, ExportOptions, Items, numbered_contents
from askless.exports.record import FULL
from tests.exports.making import LABELS, record_of, table_of

TABLE = "key,text,n\n7,one,-3\n8,two,\n9,,5\n10,one,1\n11,three,2\n12,four,x\n"


def values(contents: Contents) -> list[dict[str, Any]]:
    return [dict(zip(contents.columns, row.values, strict=True)) for row in contents.rows()]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_the_table_is_the_sources_own_in_its_order_with_the_labels_behind(table: Path) -> None:
    contents = table_of(table)
    assert contents.columns == ("key", "text", "n", "label", "certain", "how", "probability")
    found = values(contents)
    assert ["".join(row[name] for name in ("key", "text", "n")) for row in found] == [
        "7one-3", "8two", "95", "10one1", "11three2", "12fourx",
    ]  # fmt: skip
    assert [row["label"] for row in found] == [
        "foot/wear",
        None,
        None,
        "foot/wear",
        "clothes",
        None,
    ]
    assert [row["certain"] for row in found] == [True, False, False, True, True, False]
    assert [row["how"] for row in found] == ["alone", "unsure", "", "alone", "group", ""]
    assert [row["probability"] for row in found] == [0.875, 0.5, None, 0.875, 0.25, 0.96875]
    assert contents.counts() == (6, 3, 1, 1, 1, 0, 0, 0, 0.0, 0, 0)
    assert [row.test_split for row in contents.rows()] == [True, False, False, True, False, False]


def test_a_guess_has_a_column_of_its_own_and_a_cut_off(table: Path) -> None:
    contents = table_of(table, options=ExportOptions(guess_above=0.95, probability=False))
    found = values(contents)
    assert [row["guess"] for row in found] == [None] * 5 + ["foot/wear"]
    assert {row["label"] for row in found} == {"foot/wear", "clothes", None}
    assert {row["probability"] for row in found} == {None}
    assert (contents.counts().guesses, contents.counts().expected_wrong) == (1, 0.03125)
    assert table_of(table, options=ExportOptions(0.97)).counts().guesses == 0


def test_how_many_guesses_are_expected_to_be_wrong_counts_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("text\none\ntwo\none\n")
    labels = [replace(LABELS[3], item=0, probability=0.25), replace(LABELS[3], item=1)]
    contents = table_of(path, labels, ExportOptions(0.5))
    assert [row["guess"] for row in values(contents)] == ["clothes", "foot/wear", "clothes"]
    assert contents.counts().expected_wrong == 0.25 + 0.25 + 0.03125


@pytest.mark.parametrize("share", [0.49, 1.0, 95, float("nan")])
def test_a_cut_off_is_a_share_from_a_half_on(share: float) -> None:
    with pytest.raises(InvalidInput, match="at least 50 % and less than 100 %"):
        ExportOptions(guess_above=share)


def test_a_cut_off_that_is_refused_is_said_as_it_was_given() -> None:
    with pytest.raises(InvalidInput, match=r"got 0\.95 %\."):
        ExportOptions(guess_above=0.0095)


def test_a_column_of_the_source_keeps_its_name_and_ours_gets_another(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("text,label,askless_label,guess\none,a,b,c\n")
    contents = table_of(path, options=ExportOptions(0.5))
    assert contents.columns == (
        "text", "label", "askless_label", "guess",
        "askless_label_2", "certain", "how", "probability", "askless_guess",
    )  # fmt: skip
    assert next(contents.rows()).values[:5] == ("one", "a", "b", "c", "foot/wear")


def test_columns_of_an_earlier_export_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("text,label,certain,how,probability,guess,n\none,x,true,alone,0.5,y,5\n")
    contents = table_of(path)
    assert contents.columns == ("text", "n", "label", "certain", "how", "probability")
    assert next(contents.rows()).values == ("one", "5", "foot/wear", True, "alone", 0.875)


@pytest.mark.parametrize("more", [(), ("guess",)])
def test_own_columns_stay_when_the_export_that_had_to_avoid_their_names_is_labelled_again(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    own = ["text", "label", "how"]
    added = ["askless_label", "certain", "askless_how", "probability", *more]
    path.write_text(f"{','.join([*own, *added])}\none,mine,so,x,true,alone,0.5{',y' * len(more)}\n")
    contents = table_of(path, options=ExportOptions(0.5 if more else None))
    assert list(contents.columns) == [*own, *added]
    assert next(contents.rows()).values[:5] == ("one", "mine", "so", "foot/wear", True)


def test_the_record_has_each_item_followed_by_its_duplicates(tmp_path: Path) -> None:
    contents = record_of("abcd", copies={0: ("a copy", "another")})
    assert contents.columns == tuple(FULL)
    found = values(contents)
    assert [row["id"] for row in found] == ["a", "a copy", "another", "b", "c", "d"]
    assert [row["checksum"] for row in found] == ["c0", "c0", "c0", "c1", "c2", "c3"]
    assert [row["copy_of"] for row in found] == ["", "a", "a", "", "", ""]
    assert [row["label"] for row in found[2:]] == ["foot/wear", None, "clothes", None]
    assert [row["test_split"] for row in found] == [True] * 3 + [False] * 3
    assert (found[0]["answers"], found[0]["annotators"]) == ((3, 9), ("ann", "bob"))
    assert [row["unsure"] for row in found[3:]] == [True, False, False]
    assert found[3]["note"].startswith("=1+1")
    guessed = values(record_of("abcd", options=ExportOptions(0.9)))
    assert [row["guess"] for row in guessed] == [None, None, None, "foot/wear"]


def test_without_a_pool_items_are_called_by_their_numbers() -> None:
    contents = numbered_contents(LABELS, 4)
    assert [row.values[:3] for row in contents.rows()] == [
        ("0", "positive", True), ("1", None, False), ("2", "negative", True), ("3", None, False),
    ]  # fmt: skip


def test_an_export_can_read_the_text_of_a_row_and_of_its_duplicate(table: Path) -> None:
    contents = table_of(table)
    assert contents.kind == "texts"
    texts = [contents.text(row) for row in contents.rows() if row.item >= 0]
    assert texts == ["one", "two", "one", "three", "four"]
    with pytest.raises(InvalidInput, match="they have no pictures"):
        contents.picture(next(contents.rows()))


def test_nothing_is_read_before_an_export_asks_for_it() -> None:
    def fail() -> tuple[str, str]:
        raise InvalidInput("read")

    items = Items(read_names=fail)
    with pytest.raises(InvalidInput, match="read"):
        _ = items.label_names
    with pytest.raises(InvalidInput, match="does not know where they are; say so with --source"):
        _ = items.pool
