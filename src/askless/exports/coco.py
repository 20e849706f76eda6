"""Labels as an image list of COCO: JSON with ``images``, ``categories`` and ``annotations``.

An annotation is of the whole image and has no box. Images without a label are listed without one.
The paths are those of the source; every picture is read, for its width and height.
Read by `askless.pools.annotated.coco`; tested in tests/exports/test_tools.py.
"""

from __future__ import annotations

from typing import Any, BinaryIO, Final

from askless.exports.contents import Contents
from askless.exports.exporter import Exporter
from askless.exports.jsonl_file import json_bytes
from askless.exports.shown_item import about, items_of, number_of, shown, size_of


def write_coco(contents: Contents, file: BinaryIO) -> None:
    """Write the image list into `file`."""
    images, annotations, taken = list[dict[str, Any]](), list[dict[str, Any]](), set[int]()
    for place, row in enumerate(items_of(contents), start=1):
        width, height = size_of(contents, row)
        number = number_of(contents, row, taken, place)
        name = shown(contents, row)
        images.append({"id": number, "file_name": name, "width": width, "height": height})
        if row.label is not None:
            annotations.append({
                "id": len(annotations) + 1, "image_id": number, "category_id": row.label + 1,
                "attributes": about(contents, row),
            })  # fmt: skip
    categories = [
        {"id": number, "name": name, "supercategory": ""}
        for number, name in enumerate(contents.label_names, start=1)
    ]
    found = {
        "info": {"description": "Labels by askless"}, "licenses": [], "images": images,
        "categories": categories, "annotations": annotations,
    }  # fmt: skip
    file.write(json_bytes(found) + b"\n")


COCO: Final = Exporter(
    title="COCO",
    purpose="an image list with a category for each picture",
    suffix=".coco.json",
    media_type="application/json",
    write=write_coco,
    tool=True,
    pictures_only=True,
)
