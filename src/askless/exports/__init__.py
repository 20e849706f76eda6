"""Labels in files for others, each written whole or not at all; the formats by name.

A new format is one file in this folder and one line in `EXPORTERS`. Everything that offers formats
reads that table: ``askless export --as``, the app's HTTP API and its Finish page. Importing this
module loads no format. Stands above `session`; knows nothing of stores and planners.
Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Union

from askless.errors import InvalidInput
from askless.files import sync, write_whole
from askless.registry import Registry

if TYPE_CHECKING:
    from askless.exports.exporter import ExportContext, Exporter, FolderExporter
    from askless.exports.row import Row

EXPORTERS: Final = Registry[Union["Exporter", "FolderExporter"]](
    "export format",
    {
        "csv": "askless.exports.csv_file:CSV",
        "folders": "askless.exports.picture_folder:FOLDERS",
        "huggingface": "askless.exports.picture_folder:HUGGINGFACE",
        "jsonl": "askless.exports.jsonl_file:JSONL",
        "parquet": "askless.exports.parquet_file:PARQUET",
    },
    allow_import_path=True,
)


def file_exporters() -> dict[str, Exporter]:
    """By name, the registered formats that are one file."""
    from askless.exports.exporter import Exporter

    found = {name: EXPORTERS.find(name) for name in EXPORTERS.names()}
    return {name: format_ for name, format_ in found.items() if isinstance(format_, Exporter)}


def export(
    rows: Iterable[Row], path: Path, name: str | None = None, context: ExportContext | None = None
) -> None:
    """Write `rows` to `path`, whole or not at all.

    Parameters
    ----------
    rows
        One for each item.
    path
        An existing file is replaced; a folder must not exist yet.
    name
        One of the `EXPORTERS`, or ``package.module:EXPORTER`` for one of your own; None to go by
        the suffix of `path`.
    context
        The names of the labels, and the items themselves for formats that write them.

    Raises
    ------
    UnknownPart
        There is no such format.
    InvalidInput
        It cannot be written, an item is missing or has changed, or the format needs a package that
        is not installed.
    """
    try:  # loading a format may fail as writing may: without a file descriptor, say
        from askless.exports.exporter import ExportContext, Exporter, FolderExporter

        exporter = EXPORTERS.find(name if name is not None else _name_by_suffix(path))
        context = context or ExportContext()
        if isinstance(exporter, Exporter):
            write_whole(path, lambda file: exporter.write(rows, file, context), private=False)
        elif isinstance(exporter, FolderExporter):
            _write_folder(path, rows, exporter, context)
        else:
            raise InvalidInput(
                "An export format is an askless.exports.exporter.Exporter or FolderExporter; "
                f"got {name!r}, which is none."
            )
    except OSError as error:
        raise InvalidInput(
            "Labels are written to a place in a folder that exists and has room; "
            f"{path} cannot be written: {error.strerror or error}."
        ) from error


def _name_by_suffix(path: Path) -> str:
    """The format with the longest suffix that the name of the file ends in."""
    suffixes = {exporter.suffix: name for name, exporter in file_exporters().items()}
    fitting = [suffix for suffix in suffixes if path.name.lower().endswith(suffix)]
    if not fitting:
        raise InvalidInput(
            f"The name of the file tells the format if it ends in {', '.join(suffixes)}; got "
            f"{path.name!r}. Name the format, with --as: {', '.join(EXPORTERS.names())}."
        )
    return suffixes[max(fitting, key=len)]


def _write_folder(
    path: Path, rows: Iterable[Row], exporter: FolderExporter, context: ExportContext
) -> None:
    if path.exists():
        raise InvalidInput(f"This format makes a new folder; {path} is there already.")
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.mkdir()
        exporter.write(rows, partial, context)
        os.sync()  # all of it is on the disk before it has its name
        os.rename(partial, path)
        sync(path.parent)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
