"""What an export format is: an `Exporter` writes one file, a `FolderExporter` a new folder.

A new format is one file in this folder that makes one of them, and one line in `EXPORTERS` in
``askless/exports/__init__.py``. The command line, the app and its page read that table. A format
may write the items themselves and call the labels by their names: `ExportContext` knows both.
Tested in tests/exports/test_exporter.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from askless.errors import InvalidInput
from askless.exports.row import Row
from askless.seams import Pool, PoolKind


class ExportContext:
    """What an export may need beside the rows.

    Parameters
    ----------
    read_names
        Gives the names of the labels, by label: False, then True.
    open_pool
        Opens the pool, with its items numbered as in the session; None if nobody knows where the
        items are. Both are called when an export first asks for what they give.
    """

    def __init__(
        self,
        read_names: Callable[[], Sequence[str]] = lambda: ("negative", "positive"),
        open_pool: Callable[[], Pool] | None = None,
    ) -> None:
        self._read_names = read_names
        self._open_pool = open_pool

    @cached_property
    def label_names(self) -> tuple[str, ...]:
        """What the labels are called, by label: ``label_names[row.label]``."""
        return tuple(self._read_names())

    @property
    def kind(self) -> PoolKind:
        """How an item is shown: a picture, a text, or a row of named values."""
        return self._pool.kind

    def text(self, row: Row) -> str:
        """An item of a pool of texts; of a pool of rows, a line ``name: value`` for each value."""
        return self._pool.text(row.item)

    def picture(self, row: Row) -> tuple[bytes, str]:
        """An item of a pool of pictures as a file: its content, and the suffix of its name.

        Raises
        ------
        InvalidInput
            The picture is missing or has changed, or the items are not pictures.
        """
        return self._pool.original(row.item)

    @cached_property
    def _pool(self) -> Pool:
        if self._open_pool is None:
            raise InvalidInput(
                "This format writes the items themselves, and the session does not know where they "
                "are; say so with --source, or export to csv or jsonl."
            )
        return self._open_pool()


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
        How the names of such files end, with the dot; no two formats share one.
    media_type
        For browsers.
    write
        Writes the rows into a file that is open for writing bytes. The file takes its name only
        when this returns.
    """

    title: str
    purpose: str
    suffix: str
    media_type: str
    write: Callable[[Iterable[Row], BinaryIO, ExportContext], None]


@dataclass(frozen=True, slots=True)
class FolderExporter:
    """A format that is a folder of files.

    Parameters
    ----------
    title, purpose
        As in `Exporter`.
    write
        Writes the rows into an empty folder, which takes its name only when this returns.
    """

    title: str
    purpose: str
    write: Callable[[Iterable[Row], Path, ExportContext], None]
