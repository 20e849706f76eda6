"""Image lists of COCO: JSON with ``images``, ``categories`` and ``annotations``.

An image is labelled by the names of the categories of its annotations, whether they are of the
whole image or of a part of it: it has such a thing in it. An image without annotations has no
label, since nobody can tell whether it was looked at.
Imported by `askless.pools.annotated`; tested in tests/pools/annotated/test_reading.py.
"""

from __future__ import annotations

from typing import Any

from askless.errors import InvalidInput
from askless.pools._read_table import Table
from askless.pools.annotated.items import Item, items_table
from askless.pools.source_rows import Roles


def is_mine(found: Any) -> bool:
    """Whether it lists images."""
    return isinstance(found, dict) and isinstance(found.get("images"), list)


def read(found: dict[str, Any]) -> Table:
    """The images as a table, with their categories in the column ``label``."""
    items: dict[Any, Item] = {}
    for number, image in enumerate(found["images"], start=1):
        if not isinstance(image, dict) or not isinstance(image.get("file_name"), str):
            raise InvalidInput(f"An image of COCO has a file_name; image {number} has none.")
        key = _key(image.get("id"), f"Image {number}")
        if key in items:
            raise InvalidInput(f"Images of COCO have different ids; {key!r} is repeated.")
        items[key] = Item({"image_id": key, "image": image["file_name"]})
    names = {
        _key(one.get("id"), "A category"): str(one.get("name") or "")
        for one in _list(found, "categories")
    }
    chosen: dict[Any, list[str]] = {}
    for number, one in enumerate(_list(found, "annotations"), start=1):
        image = _key(one.get("image_id"), f"The image of annotation {number}")
        category = _key(one.get("category_id"), f"The category of annotation {number}")
        if image not in items or category not in names:
            what = f"image {image!r}" if image not in items else f"category {category!r}"
            raise InvalidInput(f"Annotation {number} is of the {what}, and there is none.")
        chosen.setdefault(image, []).append(names[category])
    for image, values in chosen.items():
        items[image].answer("label", values)
    return items_table(list(items.values()), Roles(task="image_id"))


def _list(found: dict[str, Any], name: str) -> list[dict[str, Any]]:
    given = found.get(name, [])
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise InvalidInput(f"COCO has a list of objects under {name!r}; this file has not.")
    return given


def _key(value: Any, what: str) -> int | str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise InvalidInput(f"{what} of COCO has an id, a number or text; got {value!r:.40}.")
    return value
