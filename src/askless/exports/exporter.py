"""What an export format is: an `Exporter` writes one file, a `FolderExporter` several.

A new format is one file in this folder that makes one of them, and one line in `EXPORTERS` in
``askless/exports/__init__.py``. The command line, the app and its page read that table. A format
is given `askless.exports.contents.Contents`: rows with named columns, and the items behind them.
Tested in tests/exports/test_exporter.py.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from askless.exports.contents import Contents


@dataclass(frozen=True, slots=True)
class Exporter:
    """A format that is one file.

    Parameters
    ----------
    title
        What people call the format.
    purpose
        Who reads such files, in a few words.
    suffix
        How the names of such files end, with the dot; no two formats share one. A format that is a
        kind of JSON, say, has a longer one, ``.coco.json``: other names need the format's own.
    media_type
        For browsers.
    write
        Writes the contents into a file that is open for writing bytes. The file takes its name only
        when this returns.
    needs
        A package that `write` imports and askless does not bring by itself; empty for none.
    full
        Whether it writes the record (`askless.exports.record.FullContents`).
    tool
        Whether it is for one program, with its own way of showing items; the record, which is a
        table, cannot be written so.
    pictures_only
        Whether it is of no use where items are no pictures.
    """

    title: str
    purpose: str
    suffix: str
    media_type: str
    write: Callable[[Contents, BinaryIO], None]
    needs: str = ""
    full: bool = False
    tool: bool = False
    pictures_only: bool = False

    @property
    def works(self) -> bool:
        """Whether what it needs is installed; others are not offered."""
        return not self.needs or find_spec(self.needs) is not None


@dataclass(frozen=True, slots=True)
class FolderExporter:
    """A format that is several files, in a new folder or in one ZIP file.

    Parameters
    ----------
    title, purpose
        As in `Exporter`.
    write
        Writes the contents into a place that is empty, and takes its name only when this returns.
    pictures_only
        Whether it is of no use where items are no pictures.
    """

    title: str
    purpose: str
    write: Callable[[Contents, Place], None]
    pictures_only: bool = False


def file_of(name: str, exporter: Exporter | FolderExporter) -> str:
    """What a file in the format of this name is called; several files are one ZIP file."""
    return f"labels{exporter.suffix}" if isinstance(exporter, Exporter) else f"labels-{name}.zip"


def media_type_of(exporter: Exporter | FolderExporter) -> str:
    """The media type of that file."""
    return exporter.media_type if isinstance(exporter, Exporter) else "application/zip"


class Place(Protocol):
    """Where files are put, by their relative path."""

    def put(self, path: str, content: bytes) -> None:
        """Put a file there."""

    def open(self, path: str) -> AbstractContextManager[BinaryIO]:
        """A new file, open for writing."""


class FolderPlace:
    """Files in a folder.

    Parameters
    ----------
    folder
        An empty one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, path: str, content: bytes) -> None:
        """Put a file there."""
        with self.open(path) as file:
            file.write(content)

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """A new file, open for writing."""
        place = self._folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as file:
            yield file


class ZipPlace:
    """Files in a ZIP file: pictures as they are, since they are small already, the rest packed.

    Parameters
    ----------
    file
        Open for writing bytes.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(file, "w")

    def put(self, path: str, content: bytes) -> None:
        """Put a file there."""
        self._zip.writestr(path, content)

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """A new file, open for writing."""
        about = zipfile.ZipInfo(path)
        about.compress_type = zipfile.ZIP_DEFLATED
        with self._zip.open(about, "w", force_zip64=True) as file:
            yield cast(BinaryIO, file)

    def close(self) -> None:
        """Write the list of the files."""
        self._zip.close()
