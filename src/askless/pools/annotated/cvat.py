"""CVAT for images 1.1: XML, one element for each image.

An image is labelled by what its tags and its shapes are called. It is read by expat, element by
element. A document type is refused, and with it every entity: nothing is expanded or fetched.
Imported by `askless.pools.annotated`; tested in tests/pools/annotated/test_reading.py.
"""

from __future__ import annotations

from typing import Any, Final
from xml.parsers import expat

from askless.errors import InvalidInput
from askless.pools._read_table import Table
from askless.pools.annotated.items import Item, items_table
from askless.pools.source_rows import Roles

_SAYS: Final = frozenset(
    ("tag", "box", "polygon", "polyline", "points", "cuboid", "mask", "ellipse", "skeleton")
)


def read(content: bytes) -> Table:
    """The images as a table, with what is in them in the column ``label``."""
    seen = _Seen()
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.ExternalEntityRefHandler = _refuse
    parser.StartElementHandler = seen.start
    parser.EndElementHandler = seen.end
    try:
        parser.Parse(content, True)
    except InvalidInput:
        raise
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise InvalidInput(f"The file is not XML: {error}.") from None
    if not seen.items:
        raise InvalidInput("The file has no images in it; it should be 'CVAT for images 1.1'.")
    return items_table(seen.items, Roles(task="image_id"))


class _Seen:
    """What has been read so far."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._depth = 0
        self._labels: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1 and name != "annotations":
            raise InvalidInput(
                "An XML file is one of CVAT for images, whose root is <annotations>; got "
                f"<{name[:60]}>."
            )
        if self._depth == 2 and name == "track":
            raise InvalidInput(
                "This is the file of a video, with tracks; export the task as 'CVAT for images'."
            )
        if self._depth == 2 and name == "image":
            number = len(self.items)
            if not attributes.get("name"):
                raise InvalidInput(f"An image of CVAT has a name; image {number} has none.")
            own = {"image_id": attributes.get("id", str(number)), "image": attributes["name"]}
            self.items.append(Item(own))
            self._labels = []
        elif self._depth == 3 and name in _SAYS and self.items:
            self._labels.append(attributes.get("label", ""))

    def end(self, name: str) -> None:
        if self._depth == 2 and name == "image":
            self.items[-1].answer("label", self._labels)
        self._depth -= 1


def _refuse(*_: Any) -> int:
    raise InvalidInput(
        "A file of CVAT has no document type and no entities; this one has, and they are not read."
    )
