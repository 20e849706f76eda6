"""Files of other annotation tools as tables: their items, and the labels that people gave there.

Which tool a file is of is told by what is in it, never by its name: Label Studio, Argilla and COCO
are JSON, Prodigy is JSON lines, CVAT is XML. Everything becomes a `Table` whose columns are what
there is to show, with one more column for each question that was asked there (``label`` where the
tool has just one). Such a column is read as any other, by what its values mean: a cell has one
value, a list of them where an item has several, and none where nobody answered, the answer was
withdrawn, or people gave different ones.

A JSON file of plain records is a table of them. A new tool is one file here, and one line in
`_KNOWN`. Files are bounded, and nothing in them is followed, fetched or run.
Imported by `askless.pools.opening`; tested in tests/pools/annotated.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from askless.errors import InvalidInput
from askless.pools._read_table import Table
from askless.pools.annotated import argilla, coco, label_studio
from askless.pools.annotated.items import records_table

SUFFIXES: Final = (".json", ".xml")
MAX_BYTES: Final = 2**29
"""Of a file that is read whole."""
_KNOWN: Final[tuple[tuple[Callable[[Any], bool], Callable[[Any], Table]], ...]] = (
    (label_studio.is_mine, label_studio.read),
    (argilla.is_mine, argilla.read),
    (coco.is_mine, coco.read),
)


def read_annotated(path: Path) -> Table:
    """The items and labels in a file whose name ends in one of `SUFFIXES`.

    Raises
    ------
    InvalidInput
        It is the file of no tool that is known here, is too large, or cannot be read.
    """
    content = _content(path)
    if path.suffix.lower() == ".xml":
        from askless.pools.annotated import cvat

        return cvat.read(content)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        told = " ".join(str(error).split()).rstrip(".")
        raise InvalidInput(f"The file is not JSON: {told[:200]}.") from None
    for is_mine, read in _KNOWN:
        if is_mine(found):
            return read(found)
    if isinstance(found, list) and found and all(isinstance(one, dict) for one in found):
        return records_table(found)
    raise InvalidInput(
        "A JSON file is a list of records, or the file of Label Studio (tasks), Argilla (records) "
        f"or COCO (images and annotations); got {_what(found)}."
    )


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidInput(f"The file cannot be read: {error.strerror or error}.") from error
    if len(content) > MAX_BYTES:
        raise InvalidInput(
            f"The file is larger than {MAX_BYTES:,} bytes, and is read whole; make it smaller, or "
            "a table of it."
        )
    return content


def _what(found: Any) -> str:
    if isinstance(found, dict):
        return f"an object with {', '.join(map(repr, list(found)[:8])) or 'nothing in it'}"
    return "an empty list" if found == [] else f"{type(found).__name__}, {found!r:.60}"
