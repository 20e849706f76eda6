"""What is written for other tools, read by the tools' own libraries, where these are installed.

pip install label-studio-sdk argilla datumaro pycocotools
"""

from __future__ import annotations

import json
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from askless.exports import export
from askless.exports.label_studio import interface
from tests.exports.making import NAMES
from tests.exports.test_tools import FILES, TEXTS, contents_of, photos

__all__ = ["photos"]  # a fixture
pytestmark = [pytest.mark.foreign, pytest.mark.filterwarnings("ignore")]


def _library(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip(name, exc_type=ImportError)
    return sys.modules[name]


@pytest.mark.parametrize("of_its_own", [False, True])
def test_label_studio_accepts_every_task(of_its_own: bool, tmp_path: Path) -> None:
    label_interface = _library("label_studio_sdk.label_interface").LabelInterface
    source = FILES / "label-studio.json" if of_its_own else TEXTS
    said: dict[str, Any] = {"label": "sentiment", "true": "praise", "false": "*"}
    contents = contents_of(source, text="review", **(said if of_its_own else {}))
    export(contents, tmp_path / "a.json", "label-studio")
    project = label_interface(interface(contents))
    project.validate()
    annotated = 0
    for task in json.loads((tmp_path / "a.json").read_text()):
        assert project.validate_task({"data": task["data"]})
        for annotation in task["annotations"]:
            assert project._validate_object(annotation, return_errors=True) == []
            annotated += 1
    assert annotated == 2


def test_label_studio_converts_the_tasks_into_its_own_table(tmp_path: Path) -> None:
    converter = _library("label_studio_sdk.converter")
    contents = contents_of(TEXTS, text="review")
    export(contents, tmp_path / "a.json", "label-studio")
    made = converter.Converter(interface(contents), str(tmp_path))
    made.convert_to_csv(
        str(tmp_path / "a.json"), str(tmp_path / "out"), is_dir=False, sep=",", header=True
    )
    (table,) = (tmp_path / "out").iterdir()
    assert "foot/wear" in table.read_text()


def test_argilla_reads_the_records_and_keeps_their_suggestions(tmp_path: Path) -> None:
    _library("argilla")
    reader = _library("argilla.records._io").JsonIO
    export(contents_of(TEXTS, text="review"), tmp_path / "a.json", "argilla")
    records = reader._records_from_json(tmp_path / "a.json")
    assert [record.fields["review"] for record in records] == TEXTS["review"]
    said = [[one.value for one in record.suggestions] for record in records]
    assert said == [[NAMES[1]], [], [NAMES[0]], []]


def test_pycocotools_finds_the_images_of_each_category(photos: Path, tmp_path: Path) -> None:
    coco = _library("pycocotools.coco").COCO
    export(contents_of(photos), tmp_path / "a.json", "coco")
    found = coco(str(tmp_path / "a.json"))
    (category,) = found.getCatIds(catNms=[NAMES[1]])
    images = found.loadImgs(found.getImgIds(catIds=[category]))
    assert [image["file_name"] for image in images] == ['a "b" & c.png']


@pytest.mark.parametrize(("name", "form"), [("coco", "coco_labels"), ("cvat", "cvat")])
def test_datumaro_imports_the_labels(name: str, form: str, photos: Path, tmp_path: Path) -> None:
    datumaro = _library("datumaro")
    contents = contents_of(photos)
    where = tmp_path / "data"
    shutil.copytree(photos, where / "images" / ("default" if name == "coco" else ""))
    if name == "coco":
        (where / "annotations").mkdir()
        export(contents, where / "annotations" / "labels_default.json", name)
    else:
        export(contents, where / "default.xml", name)
    found = datumaro.Dataset.import_from(str(where), form)
    names = [one.name for one in found.categories()[datumaro.AnnotationType.label]]
    said = {item.id: [names[one.label] for one in item.annotations] for item in found}
    assert said == {'a "b" & c': [NAMES[1]], "d": [], "sub/e": [NAMES[0]], "z": []}
