"""Labels in files for others, each written whole or not at all; the formats by name.

A new format is one file in this folder and one line in `EXPORTERS`. Everything that offers formats
reads that table: ``askless export --as``, the app's HTTP API and its Finish page. Importing this
module loads no format. Stands above `session`; knows nothing of stores and planners.
Tested in tests/exports/test_export.py.
"""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Union

from askless.errors import InvalidInput
from askless.files import sync, write_whole
from askless.registry import Registry

if TYPE_CHECKING:
    from askless.exports.contents import Contents
    from askless.exports.exporter import Exporter, FolderExporter, Place

EXPORTERS: Final = Registry[Union["Exporter", "FolderExporter"]](
    "export format",
    {
        "argilla": "askless.exports.argilla:ARGILLA",
        "cleanlab": "askless.exports.cleanlab:CLEANLAB",
        "coco": "askless.exports.coco:COCO",
        "csv": "askless.exports.csv_file:CSV",
        "cvat": "askless.exports.cvat:CVAT",
        "folders": "askless.exports.picture_folder:FOLDERS",
        "full": "askless.exports.csv_file:FULL",
        "huggingface": "askless.exports.hugging_face:HUGGINGFACE",
        "jsonl": "askless.exports.jsonl_file:JSONL",
        "label-studio": "askless.exports.label_studio:LABEL_STUDIO",
        "parquet": "askless.exports.parquet_file:PARQUET",
        "prodigy": "askless.exports.prodigy:PRODIGY",
        "xlsx": "askless.exports.xlsx_file:XLSX",
    },
    allow_import_path=True,
    entry_points="askless.exports",
)
ZIP: Final = ".zip"
CERTIFICATE: Final = "certificate.json"
"""The certificate of accepted labels: in a folder under this name, beside a file behind its own."""


def file_exporters() -> dict[str, Exporter]:
    """By name, the registered formats that are one file."""
    from askless.exports.exporter import Exporter

    found = EXPORTERS.find_all().items()
    return {name: format_ for name, format_ in found if isinstance(format_, Exporter)}


def find_exporter(name: str | None, path: Path) -> Exporter | FolderExporter:
    """The format of that name, or by the suffix of `path`; errors as for `export`."""
    named = name if name is not None else _name_by_suffix(path)
    found: Exporter | FolderExporter = EXPORTERS.find(named)
    return found


def is_full(name: str | None, path: Path) -> bool:
    """Whether that format is the record."""
    from askless.exports.exporter import Exporter

    found = find_exporter(name, path)
    return isinstance(found, Exporter) and found.full


def export(contents: Contents, path: Path, name: str | None = None) -> None:
    """Write `contents` to `path`, whole or not at all.

    Parameters
    ----------
    contents
        What to write.
    path
        An existing file is replaced; a folder must not exist yet. A format of several files is
        written into one ZIP file if `path` ends in ``.zip``.
    name
        One of the `EXPORTERS`, or ``package.module:EXPORTER`` for one of your own; None to go by
        the suffix of `path`. The record (``full``) is CSV unless the suffix says otherwise.

    Raises
    ------
    UnknownPart
        There is no such format.
    InvalidInput
        It cannot be written, an item is missing or has changed, or the format needs a package that
        is not installed.
    """
    try:  # loading a format may fail as writing may: without a file descriptor, say
        from askless.exports.exporter import Exporter, FolderExporter, ZipPlace

        exporter = find_exporter(name, path)
        if isinstance(exporter, Exporter):
            write = exporter.write
            if exporter.full and (other := _by_suffix(path)) is not None:
                if other.tool:
                    raise InvalidInput(
                        f"The record is a table, and {other.title} shows items in its own way; "
                        f"name a file that ends in .csv, .jsonl or .parquet, not to {path.name}."
                    )
                write = other.write
            write_whole(path, lambda file: write(contents, file), private=False)
            if (said := contents.certificate) is not None:
                beside = certificate_path(path)
                write_whole(beside, lambda file: file.write(said), private=False)
        elif not isinstance(exporter, FolderExporter):
            raise InvalidInput(
                "An export format is an askless.exports.exporter.Exporter or FolderExporter; "
                f"got {name!r}, which is none."
            )
        elif path.suffix.lower() == ZIP:
            several = exporter

            def write_zip(file: BinaryIO) -> None:
                with closing(ZipPlace(file)) as place:
                    _write_several(several, contents, place)

            write_whole(path, write_zip, private=False)
        else:
            _write_folder(path, contents, exporter)
    except OSError as error:
        raise InvalidInput(
            "Labels are written to a place in a folder that exists and has room; "
            f"{path} cannot be written: {error.strerror or error}."
        ) from error


def certificate_path(path: Path) -> Path:
    """Where the certificate of the accepted labels in the file at `path` is written."""
    format_ = _by_suffix(path)
    name = path.stem if format_ is None else path.name[: -len(format_.suffix)]
    return path.with_name(f"{name or path.name}.{CERTIFICATE}")


def _write_several(exporter: FolderExporter, contents: Contents, place: Place) -> None:
    exporter.write(contents, place)
    if contents.certificate is not None:
        place.put(CERTIFICATE, contents.certificate)


def _by_suffix(path: Path) -> Exporter | None:
    """The format with the longest suffix that the name of the file ends in."""
    fitting = [one for one in file_exporters().values() if path.name.lower().endswith(one.suffix)]
    return max(fitting, key=lambda exporter: len(exporter.suffix), default=None)


def _name_by_suffix(path: Path) -> str:
    if path.suffix.lower() == ZIP:
        return "folders"
    formats = file_exporters()
    fitting = _by_suffix(path)
    if fitting is None:
        suffixes = (*(exporter.suffix for exporter in formats.values()), ZIP)
        raise InvalidInput(
            f"The name of the file tells the format if it ends in {', '.join(suffixes)}; got "
            f"{path.name!r}. Name the format (on the command line with --as): "
            f"{', '.join(EXPORTERS.names())}."
        )
    return next(name for name, exporter in formats.items() if exporter is fitting)


def _write_folder(path: Path, contents: Contents, exporter: FolderExporter) -> None:
    from askless.exports.exporter import FolderPlace

    if path.exists():
        raise InvalidInput(f"This format makes a new folder; {path} is there already.")
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.mkdir()
        _write_several(exporter, contents, FolderPlace(partial))
        os.sync()  # all of it is on the disk before it has its name
        os.rename(partial, path)
        sync(path.parent)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
