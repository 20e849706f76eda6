"""Labels as CVAT for images 1.1: XML, to be uploaded as annotations of a task.

A label is a tag of its image. CVAT finds the images of a task by their names, which are the paths
of the source; every picture is read, for its width and height.
Read by `askless.pools.annotated.cvat`; tested in tests/exports/test_tools.py.
"""

from __future__ import annotations

from typing import BinaryIO, Final
from xml.sax.saxutils import escape, quoteattr

from askless.exports.contents import Contents
from askless.exports.exporter import Exporter
from askless.exports.shown_item import about, items_of, number_of, shown, size_of
from askless.exports.xlsx_file import in_xml


def write_cvat(contents: Contents, file: BinaryIO) -> None:
    """Write the images into `file`."""
    labels = "".join(
        f"<label><name>{escape(in_xml(name))}</name><type>tag</type><attributes></attributes></label>"
        for name in contents.label_names
    )
    _write(file, '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>')
    _write(file, f"<meta><task><name>askless</name><labels>{labels}</labels></task></meta>")
    taken: set[int] = set()
    for place, row in enumerate(items_of(contents)):
        width, height = size_of(contents, row)
        number, name = (
            number_of(contents, row, taken, place),
            quoteattr(in_xml(shown(contents, row))),
        )
        _write(file, f'<image id="{number}" name={name} width="{width}" height="{height}">')
        if row.label is not None:
            source = "manual" if about(contents, row)["certain"] else "auto"
            label = quoteattr(in_xml(contents.label_names[row.label]))
            _write(file, f'<tag label={label} source="{source}"></tag>')
        _write(file, "</image>")
    _write(file, "</annotations>")


def _write(file: BinaryIO, line: str) -> None:
    file.write(line.encode() + b"\n")


CVAT: Final = Exporter(
    title="CVAT",
    purpose="tags of images, to upload as CVAT for images 1.1",
    suffix=".cvat.xml",
    media_type="application/xml",
    write=write_cvat,
    tool=True,
    pictures_only=True,
)
