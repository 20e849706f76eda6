"""What the formats of other annotation tools have in common: an item as it is shown there.

A text is shown as it is, a row as lines ``name: value``, a picture by the path that the source has
for it. Pictures that are in no file of their own cannot be shown there.
Imported by the formats of tools in `askless.exports`; tested in tests/exports/test_tools.py.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from PIL import Image

from askless.errors import InvalidInput
from askless.exports.contents import Contents, Row
from askless.exports.jsonl_file import json_bytes


def items_of(contents: Contents) -> Iterator[Row]:
    """The rows that are items, exact duplicates each as one."""
    return (row for row in contents.rows() if row.item >= 0)


def own_values(contents: Contents, row: Row) -> dict[str, Any]:
    """The source's own values, by name."""
    return dict(zip(contents.own, row.values, strict=False))


def added_values(contents: Contents, row: Row) -> dict[str, Any]:
    """What the export adds to say how the label came about: certain, how, probability."""
    values = row.values[len(contents.own) :]
    return dict(zip(("label", "certain", "how", "probability"), values, strict=False))


def about(contents: Contents, row: Row) -> dict[str, Any]:
    """What is said of the label beside it, where it is said."""
    found = added_values(contents, row)
    return {name: value for name, value in found.items() if name != "label" and value is not None}


def shown(contents: Contents, row: Row) -> str:
    """The text of an item, or the path of its picture.

    Raises
    ------
    InvalidInput
        The item is a picture without a file.
    """
    if contents.kind != "images":
        return contents.text(row)
    own, column = own_values(contents, row), contents.roles.shown
    if not isinstance(own.get(column), str) or not own[column]:
        raise InvalidInput(
            "Other tools show a picture by the path of its file, and these pictures are in none; "
            "write them into files first, with --as folders, or export labels as csv or jsonl."
        )
    return str(own[column])


def size_of(contents: Contents, row: Row) -> tuple[int, int]:
    """Width and height of a picture, as its file has them."""
    if contents.kind != "images":
        raise InvalidInput(
            f"This format lists pictures, and the items of this session are {contents.kind}; "
            "export them as label-studio, argilla, prodigy, csv or jsonl."
        )
    content, _ = contents.picture(row)
    with Image.open(io.BytesIO(content)) as image:
        return image.size


def number_of(contents: Contents, row: Row, taken: set[int], place: int) -> int:
    """The number that the tool had for the item, if it is a free one; else the place itself."""
    given = str(own_values(contents, row).get(contents.roles.task))
    number = int(given) if given.isdecimal() and given.isascii() and len(given) < 16 else place
    while number in taken:
        number += 1
    taken.add(number)
    return number


def write_list(found: Iterator[dict[str, Any]] | Sequence[dict[str, Any]], file: BinaryIO) -> None:
    """Write a JSON list, an entry a line."""
    between = b"[\n"
    for one in found:
        file.write(between + json_bytes(one))
        between = b",\n"
    file.write(b"\n]\n" if between == b",\n" else b"[]\n")
