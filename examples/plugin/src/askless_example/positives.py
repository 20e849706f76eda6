"""An export format: the names of the items that are certainly positive, one a line."""

from __future__ import annotations

from typing import BinaryIO

from askless.exports.contents import Contents
from askless.exports.exporter import Exporter


def write_positives(contents: Contents, file: BinaryIO) -> None:
    """Write the names into `file`."""
    for row in contents.rows():
        if row.label:
            file.write(f"{row.id}\n".encode())


POSITIVES = Exporter(
    title="Positive names",
    purpose="the names of the positive items, one a line",
    suffix=".positives.txt",
    media_type="text/plain",
    write=write_positives,
)
