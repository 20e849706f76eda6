"""Copies of pictures, sorted by label or as others load them."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from askless.errors import InvalidInput, UnknownPart
from askless.exports.picture_folder import export_pictures
from askless.exports.row import Row

NAMES = ("clothes", "foot/wear")


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.png", "deep/b.png", "c.png", "d.png"):
        (folder / name).write_bytes(name.encode())
    return folder


def rows() -> list[Row]:
    def row(name: str, label: bool | None, how: str, **more: bool) -> Row:
        checksum = hashlib.sha256(name.encode()).hexdigest()
        final = how == "group"
        return Row(
            name, checksum, label, how, final, 0.5, (), (), label is None, "",
            more.get("test_split", False), None, "",
        )  # fmt: skip

    return [
        row("a.png", True, "group", test_split=True),
        row("deep/b.png", False, "group"),
        row("c.png", True, "predicted"),
        row("d.png", None, "unsure"),
    ]


def files(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


def test_pictures_stand_in_one_folder_a_label(pictures: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_pictures(rows(), out, pictures, "folders", NAMES)
    assert files(out) == {
        "foot_wear/a.png",
        "clothes/deep/b.png",
        "predicted/foot_wear/c.png",
        "unsure/d.png",
        "labels.csv",
    }
    assert (out / "clothes/deep/b.png").read_bytes() == b"deep/b.png"


def test_pictures_drawn_at_random_are_the_test_split(pictures: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_pictures(rows(), out, pictures, "huggingface", NAMES)
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


def test_what_cannot_be_copied_leaves_nothing_behind(pictures: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "secret.png").write_bytes(b"secret")
    changed = [replace(rows()[0], checksum="0" * 64)]
    gone = [replace(rows()[0], id="gone.png")]
    outside = [replace(rows()[0], id="../secret.png", checksum="")]
    for bad, match in ((changed, "has changed"), (gone, "not there"), (outside, "not there")):
        with pytest.raises(InvalidInput, match=match):
            export_pictures(bad, out, pictures)
    with pytest.raises(InvalidInput, match="is none"):
        export_pictures(rows(), out, tmp_path / "nowhere")
    with pytest.raises(UnknownPart, match="huggingface"):
        export_pictures(rows(), out, pictures, "zip")
    assert {path.name for path in tmp_path.iterdir()} == {"pictures", "secret.png"}
    out.mkdir()
    with pytest.raises(InvalidInput, match="is there already"):
        export_pictures(rows(), out, pictures)
