"""Make the files in ``files`` with the tools' own libraries; run where these are installed.

    python -m tests.pools.annotated.make_files

Made with label-studio-sdk 2.1.2, argilla 2.8.0 and datumaro 1.13.12 (which writes COCO and CVAT).
``prodigy.jsonl`` is written by hand after Prodigy's documentation: that tool cannot be had from the
package index.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import uuid
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

FILES = Path(__file__).parent / "files"
CONFIG = (
    '<View><Text name="txt" value="$review"/><Choices name="sentiment" toName="txt" '
    'choice="multiple"><Choice value="praise"/><Choice value="complaint"/><Choice value="other"/>'
    "</Choices></View>"
)
SAID: list[tuple[str, list[list[str]]]] = [
    ("a lovely day", [["praise"]]),
    ("it broke at once", [["complaint"], ["complaint"]]),
    ("so so", [["praise"], ["complaint"]]),
    ("who knows", []),
    ("good, then bad", [["praise", "complaint"]]),
    ("the manual is in French", [["other"]]),
]
PICTURES: list[list[str]] = [["cat"], ["dog"], [], ["cat", "dog"]]


def make_label_studio() -> None:
    interface = import_module("label_studio_sdk.label_interface").LabelInterface(CONFIG)
    tasks = []
    for number, (text, answers) in enumerate(SAID, start=1):
        annotations = []
        for chosen in answers:
            regions = interface.create_regions({"sentiment": chosen})
            result = [region._dict() for region in regions]
            annotations.append({"result": result, "was_cancelled": False, "ground_truth": False})
        cancelled = interface.generate_sample_annotation() | {"was_cancelled": True}
        tasks.append(
            {
                "id": 100 + number,
                "data": {"review": text, "stars": number % 5},
                "annotations": [*annotations, *([cancelled] if number == 4 else [])],
                "predictions": [interface.generate_sample_prediction()],
            }
        )
        for annotation in annotations:
            assert interface.validate_annotation(annotation), annotation
    _write("label-studio.json", tasks)


def make_argilla() -> None:
    rg = import_module("argilla")
    records = []
    for number, (text, answers) in enumerate(SAID, start=1):
        responses = [
            rg.Response("sentiment", chosen, user_id=uuid.UUID(int=who), status="submitted")
            for who, chosen in enumerate(answers)
        ]
        suggestions = [rg.Suggestion("sentiment", ["praise"], score=0.7, agent="some model")]
        records.append(
            rg.Record(
                id=f"r{number}", fields={"review": text, "title": f"review {number}"},
                metadata={"stars": number % 5}, responses=responses, suggestions=suggestions,
            )
        )  # fmt: skip
    path = FILES / "argilla.json"
    path.unlink(missing_ok=True)
    import_module("argilla.records._io").JsonIO.to_json(records, path)


def make_picture_lists() -> None:
    dm = import_module("datumaro")
    image = import_module("datumaro.components.media").Image
    names = ["cat", "dog"]
    items = [
        dm.DatasetItem(
            id=f"sub/pic{number}" if number == 1 else f"pic{number}",
            media=image.from_numpy(np.full((6, 8, 3), 50 * number, np.uint8)),
            annotations=[dm.Label(names.index(one)) for one in chosen],
            attributes={"frame": number},
        )
        for number, chosen in enumerate(PICTURES)
    ]
    data = dm.Dataset.from_iterable(items, categories=names)
    with tempfile.TemporaryDirectory() as folder:
        for form, made, name in (
            ("coco_labels", "annotations/labels_default.json", "coco.json"),
            ("cvat", "default.xml", "cvat.xml"),
        ):
            data.export(f"{folder}/{form}", form)
            shutil.copyfile(f"{folder}/{form}/{made}", FILES / name)


def _write(name: str, found: Any) -> None:
    (FILES / name).write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    make_label_studio()
    make_argilla()
    make_picture_lists()
