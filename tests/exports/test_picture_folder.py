"""Copies of pictures, sorted by label."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from askless.errors import InvalidInput
from askless.exports import export
from askless.exports.contents import Contents, ExportOptions, Row
from askless.exports.label_arrays import LabelArrays
from askless.exports.picture_folder import folder_names
from askless.history.labels import Labelled
from askless.pools.source_rows import rows_of_ids
from tests.exports.making import LABELS, NAMES, table_of


class Pictures(Contents):
    """A pool of pictures whose content is their name."""

    kind = "images"
    label_names = NAMES

    def __init__(
        self,
        ids: Sequence[str],
        options: ExportOptions | None = None,
        entries: Sequence[Labelled] = LABELS,
    ) -> None:
        labels = LabelArrays(entries, 4)
        super().__init__(rows_of_ids(ids, [0, 2, 3, 1][: len(ids)]), labels, ids, None, options)

    def picture(self, row: Row) -> tuple[bytes, str]:
        if row.id == "gone.png":
            raise InvalidInput("gone.png is no longer there.")
        return row.id.encode(), ".png"


IDS = ("a.png", "deep/b.png", "c.png", "d.png")


def files(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


def test_pictures_with_a_certain_label_stand_in_one_folder_a_label(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(Pictures(IDS), out, "folders")
    assert files(out) == {"foot_wear/a.png", "clothes/deep/b.png", "labels.csv"}
    assert (out / "clothes/deep/b.png").read_bytes() == b"deep/b.png"
    with (out / "labels.csv").open(newline="", encoding="utf-8") as file:
        table = {row["id"]: row for row in csv.DictReader(file)}
    assert [table[name]["file_name"] for name in IDS] == [
        "foot_wear/a.png", "clothes/deep/b.png", "", "",
    ]  # fmt: skip
    assert [table[name]["how"] for name in IDS] == ["alone", "group", "", "unsure"]


def test_guesses_that_were_asked_for_have_folders_of_their_own(tmp_path: Path) -> None:
    out = tmp_path / "out.ZIP"
    export(Pictures(IDS, ExportOptions(0.9)), out, "folders")
    with zipfile.ZipFile(out) as packed:
        assert set(packed.namelist()) == {
            "foot_wear/a.png", "clothes/deep/b.png", "guess/foot_wear/c.png", "labels.csv",
        }  # fmt: skip
        assert packed.read("guess/foot_wear/c.png") == b"c.png"


@pytest.mark.parametrize(
    "names",
    [("cats?", "cats*"), ("Cats", "cats"), ("guess", "sure"), ("..", " "),
     ("labels.csv", "b"), ("x" * 400, "x" * 401)],
)  # fmt: skip
def test_two_labels_are_two_folders_whatever_they_are_called(names: tuple[str, str]) -> None:
    false, true = folder_names(names)
    assert false.casefold() != true.casefold()
    assert not {false.casefold(), true.casefold()} & {"guess", "labels.csv"}
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
    export(Pictures([name]), out, layout)
    (found,) = files(tmp_path) - {"deep/out/labels.csv", "deep/out/test/metadata.jsonl"}
    assert found.startswith("deep/out/")
    assert found.endswith(".png")


def test_names_that_would_be_one_file_stay_two(tmp_path: Path) -> None:
    out = tmp_path / "out"
    contents = Pictures(["a?.png", "a*.png", "A_.PNG"], ExportOptions(0.5))
    contents._labels.code[:] = 1
    export(contents, out, "folders")
    assert len({name.casefold() for name in files(out)}) == 4


def test_what_cannot_be_copied_leaves_nothing_behind(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for name in ("out", "out.zip"):
        with pytest.raises(InvalidInput, match="no longer there"):
            export(Pictures(["a.png", "gone.png"]), tmp_path / name, "folders")
    assert list(tmp_path.iterdir()) == []
    out.mkdir()
    with pytest.raises(InvalidInput, match="is there already"):
        export(Pictures(IDS), out, "folders")


def test_texts_are_not_copied_as_pictures(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="are texts; export them as csv"):
        export(table_of(["one", "two"]), tmp_path / "out", "folders")
