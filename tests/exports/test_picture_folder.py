"""Copies of pictures, sorted by label or as others load them."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from askless.errors import InvalidInput
from askless.exports import export
from askless.exports.exporter import ExportContext
from askless.exports.picture_folder import folder_names
from askless.exports.row import Row
from askless.session.labels import Known

NAMES = ("clothes", "foot/wear")


class Pictures(ExportContext):
    """A pool of pictures whose content is their name."""

    kind = "images"
    label_names = NAMES

    def picture(self, row: Row) -> tuple[bytes, str]:
        if row.id == "gone.png":
            raise InvalidInput("gone.png is no longer there.")
        return row.id.encode(), ".png"


def rows() -> list[Row]:
    def row(name: str, label: bool | None, how: Known, test_split: bool = False) -> Row:
        return Row(
            0, label, how, (), (), 0.5, "", id=name,
            checksum=hashlib.sha256(name.encode()).hexdigest(), final=how == "group",
            unsure=label is None, test_split=test_split, copy_of="",
        )  # fmt: skip

    return [
        row("a.png", True, "group", test_split=True),
        row("deep/b.png", False, "group"),
        row("c.png", True, "predicted"),
        row("d.png", None, "unsure"),
    ]


def files(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


def test_pictures_stand_in_one_folder_a_label(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(rows(), out, "folders", Pictures())
    assert files(out) == {
        "foot_wear/a.png",
        "clothes/deep/b.png",
        "predicted/foot_wear/c.png",
        "unsure/d.png",
        "labels.csv",
    }
    assert (out / "clothes/deep/b.png").read_bytes() == b"deep/b.png"
    with (out / "labels.csv").open(newline="", encoding="utf-8") as file:
        table = {row["id"]: row["file_name"] for row in csv.DictReader(file)}
    assert set(table.values()) == files(out) - {"labels.csv"}
    assert table["deep/b.png"] == "clothes/deep/b.png"


def test_pictures_drawn_at_random_are_the_test_split(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(rows(), out, "huggingface", Pictures())
    found = {}
    for split in ("train", "test"):
        with (out / split / "metadata.csv").open(newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        assert {row["file_name"] for row in table} == files(out / split) - {"metadata.csv"}
        found[split] = {row["id"]: row["label"] for row in table}
    assert found == {
        "test": {"a.png": "foot/wear"},
        "train": {"deep/b.png": "clothes", "c.png": "foot/wear"},
    }


@pytest.mark.parametrize(
    "names",
    [("cats?", "cats*"), ("Cats", "cats"), ("unsure", "sure"), ("a", "predicted"), ("..", " "),
     ("labels.csv", "b"), ("x" * 400, "x" * 401)],
)  # fmt: skip
def test_two_labels_are_two_folders_whatever_they_are_called(names: tuple[str, str]) -> None:
    false, true = folder_names(names)
    assert false.casefold() != true.casefold()
    assert not {false.casefold(), true.casefold()} & {"unsure", "predicted", "labels.csv"}
    assert all(len(name.encode()) <= 255 and "/" not in name for name in (false, true))


def test_labels_that_differ_keep_their_names() -> None:
    assert folder_names(("Kühe", "schöne Kühe!")) == ("Kühe", "schöne Kühe!")


@pytest.mark.parametrize("layout", ["folders", "huggingface"])
@pytest.mark.parametrize(
    "name", ["../../evil.png", "/etc/evil.png", "a/../../../evil", "..", "", "con:x\n", "é" * 300]
)
def test_no_name_of_an_item_leads_out_of_the_folder(tmp_path: Path, name: str, layout: str) -> None:
    out = tmp_path / "deep" / "out"
    out.parent.mkdir()
    row = replace(rows()[1], id=name)
    export([row], out, layout, Pictures())
    (found,) = files(tmp_path) - {"deep/out/labels.csv", "deep/out/train/metadata.csv"}
    assert found.startswith("deep/out/")
    assert found.endswith(".png")


def test_names_that_would_be_one_file_stay_two(tmp_path: Path) -> None:
    out = tmp_path / "out"
    names = ("a?.png", "a*.png", "A_.PNG")
    export([replace(rows()[1], id=name) for name in names], out, "folders", Pictures())
    assert len({name.casefold() for name in files(out)}) == 4


def test_what_cannot_be_copied_leaves_nothing_behind(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(InvalidInput, match="no longer there"):
        export([*rows(), replace(rows()[0], id="gone.png")], out, "folders", Pictures())
    with pytest.raises(InvalidInput, match="does not know where they are"):
        export(rows(), out, "folders")
    assert list(tmp_path.iterdir()) == []
    out.mkdir()
    with pytest.raises(InvalidInput, match="is there already"):
        export(rows(), out, "folders", Pictures())
