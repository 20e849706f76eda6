"""Labels for other annotation tools: what is written there can be read from there again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from askless.errors import InvalidInput
from askless.exports import EXPORTERS, export
from askless.exports.contents import Contents, ExportOptions, Items
from askless.exports.label_arrays import LabelArrays
from askless.history.labels import Labelled
from askless.pools import open_pool
from tests.exports.making import LABELS, NAMES

FILES = Path(__file__).parents[1] / "pools" / "annotated" / "files"
TOOLS = ("argilla", "coco", "cvat", "label-studio", "prodigy")
TEXTS = {"review": ["=fine & <good>", "hm", 'bad "quoted"', "new"], "stars": [5, 3, 1, 4]}


def contents_of(source: Any, options: ExportOptions | None = None, **how: Any) -> Contents:
    """What is exported of a source whose first items have the labels of `LABELS`."""
    pool = open_pool(source, **how)
    items = Items(lambda: NAMES, lambda: pool)
    more = [Labelled(item, None, "", (), (), 0.5, "") for item in range(4, len(pool))]
    arrays = LabelArrays([*LABELS[: len(pool)], *more], len(pool))
    return Contents(pool.source_rows, arrays, pool.ids, items, options)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    (folder / "sub").mkdir(parents=True)
    for number, name in enumerate(('a "b" & c.png', "d.png", "sub/e.png", "z.png")):
        Image.fromarray(np.full((6, 8, 3), 50 * number, np.uint8)).save(folder / name)
    return folder


def _written(contents: Contents, path: Path, name: str) -> Any:
    export(contents, path, name)
    return json.loads(path.read_text())


@pytest.mark.parametrize("name", ["label-studio", "prodigy"])
def test_labels_of_texts_come_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"labels{EXPORTERS.find(name).suffix}"
    export(contents_of(TEXTS, text="review"), path)  # by its suffix
    again = open_pool(
        path, text="text" if name == "prodigy" else "review", label="label", true=NAMES[1]
    )
    known = {again.text(item): int(again.known[item]) for item in range(len(again))}
    assert known["=fine & <good>"] == 1
    assert known['bad "quoted"'] == 0
    assert known["hm"] == -1
    assert known.get("new", -1) == -1


@pytest.mark.parametrize("name", ["coco", "cvat"])
def test_labels_of_pictures_come_back(name: str, photos: Path, tmp_path: Path) -> None:
    path = tmp_path / ("labels.xml" if name == "cvat" else "labels.json")
    export(contents_of(photos), path, name)
    again = open_pool(path, folder=photos, label="label", true=NAMES[1])
    assert again.ids == ('a "b" & c.png', "d.png", "sub/e.png", "z.png")
    assert again.known.tolist() == [1, -1, 0, -1]


def test_a_file_of_label_studio_goes_back_with_its_own_names(tmp_path: Path) -> None:
    source = FILES / "label-studio.json"
    contents = contents_of(source, text="review", label="sentiment", true="praise", false="*")
    tasks = _written(contents, tmp_path / "back.json", "label-studio")
    before = json.loads(source.read_text())
    assert [(task["id"], task["data"]) for task in tasks] == [
        (task["id"], task["data"]) for task in before
    ]
    (result,) = tasks[0]["annotations"][0]["result"]
    assert (result["from_name"], result["to_name"]) == ("sentiment", "txt")
    assert result["value"] == {"choices": ["foot/wear"]}
    assert tasks[1]["annotations"] == tasks[3]["annotations"] == []
    assert contents.notes == []


def test_guesses_are_predictions_with_their_probability(tmp_path: Path) -> None:
    contents = contents_of(TEXTS, ExportOptions(guess_above=0.9), text="review")
    tasks = _written(contents, tmp_path / "a.json", "label-studio")
    assert tasks[3]["annotations"] == []
    assert tasks[3]["predictions"][0]["score"] == 0.96875
    assert 'value="$review"' in contents.notes[0]


def test_pictures_are_shown_by_their_paths(photos: Path, tmp_path: Path) -> None:
    tasks = _written(contents_of(photos), tmp_path / "a.json", "label-studio")
    assert [task["data"] for task in tasks][2] == {"image": "sub/e.png"}
    records = _written(contents_of(photos), tmp_path / "b.json", "argilla")
    assert records[2]["fields"] == {"image": "sub/e.png"}
    export(contents_of(photos), tmp_path / "c.jsonl", "prodigy")
    first = json.loads((tmp_path / "c.jsonl").read_text().splitlines()[0])
    assert (first["image"], first["answer"]) == ('a "b" & c.png', "accept")


def test_records_of_argilla_keep_fields_and_metadata(tmp_path: Path) -> None:
    contents = contents_of(FILES / "argilla.json", text="review", label="sentiment", true="praise",
                           false="*")  # fmt: skip
    records = _written(contents, tmp_path / "a.json", "argilla")
    assert records[0]["id"] == "r1"
    assert records[0]["fields"] == {"review": "a lovely day", "title": "review 1"}
    assert records[0]["metadata"]["stars"] == 1
    said = {"value": "foot/wear", "score": 1.0, "agent": "askless"}
    assert records[0]["suggestions"] == {"sentiment": said}
    assert records[3]["suggestions"] == {}


def test_open_items_are_left_out_for_prodigy_which_would_take_them_for_accepted(
    tmp_path: Path,
) -> None:
    contents = contents_of(TEXTS, text="review")
    export(contents, tmp_path / "a.jsonl", "prodigy")
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [line["answer"] for line in lines] == ["accept", "ignore", "reject"]
    assert contents.notes == ["Items without a label, which are not in the file: 1."]


def test_sizes_are_those_of_the_pictures_and_an_accepted_label_is_not_manual(
    photos: Path, tmp_path: Path
) -> None:
    pool = open_pool(photos)
    labels = [*LABELS[:3], Labelled(3, None, "accepted", (), (), 0.9, "", accepted=True, claim=1)]
    arrays, items = LabelArrays(labels, 4), Items(lambda: NAMES, lambda: pool)
    options = ExportOptions(accepted=True)
    contents = Contents(pool.source_rows, arrays, pool.ids, items, options)
    export(contents, tmp_path / "a.cvat.xml")
    images = ElementTree.fromstring((tmp_path / "a.cvat.xml").read_text()).findall("image")
    assert {(image.get("width"), image.get("height")) for image in images} == {("8", "6")}
    assert [tag.get("source") for image in images for tag in image] == ["manual", "manual", "auto"]


@pytest.mark.parametrize("name", TOOLS)
def test_pictures_without_files_are_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    contents = contents_of(np.zeros((4, 6, 6), np.uint8) + np.arange(4)[:, None, None])
    with pytest.raises(InvalidInput, match="these pictures are in none"):
        export(contents, tmp_path / "a.json", name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["coco", "cvat"])
def test_lists_of_pictures_refuse_texts(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="the items of this session are texts"):
        export(contents_of(TEXTS, text="review"), tmp_path / "a.json", name)


def test_the_record_is_a_table_and_no_file_of_a_tool(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="The record is a table"):
        export(contents_of(TEXTS, text="review"), tmp_path / "a.label-studio.json", "full")


def test_a_plain_json_name_tells_no_format(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"\.label-studio\.json.*Name the format"):
        export(contents_of(TEXTS, text="review"), tmp_path / "a.json")
