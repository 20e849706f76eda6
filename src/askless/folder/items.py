"""What the pool calls its items, kept with the session: ids, checksums, duplicates.

One line an item, ``["id", "checksum"]`` or ``["id", "checksum", ["copy", ...]]``, after a line
that says the format; then a checksum (`askless.files.checksummed`). So labels can be exported
by name when the pool is elsewhere. About 100 bytes and 2 microseconds an item.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

from askless.errors import InvalidInput
from askless.files import open_to_read
from askless.files.checksummed import verify_checksum, write_checksummed
from askless.history.source_record import SourceRecord
from askless.seams import Pool

_MOST_BYTES: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class Items:
    """What items are called.

    Parameters
    ----------
    ids, checksums, copies
        As in `askless.seams.Pool`. Without a pool: numbers for ids, and no checksums.
    missing
        The items that are not in the source now.
    """

    ids: Sequence[str]
    checksums: Sequence[str]
    copies: Mapping[int, Sequence[str]] = field(default_factory=dict)
    missing: Collection[int] = ()

    @classmethod
    def numbered(cls, n: int) -> Items:
        """Items of a pool nobody knows: called by their numbers."""
        return cls([str(item) for item in range(n)], [""] * n)

    def after(self, source: SourceRecord) -> Items:
        """The same after what has become of the source since."""
        ids, copies = [*self.ids, *source.ids], {**self.copies, **source.copies}
        for item, name in source.names.items():
            ids[item] = name
        copies = {item: some for item, some in copies.items() if some}
        return Items(ids, [*self.checksums, *source.checksums], copies, frozenset(source.gone))


def write_items(path: Path, pool: Pool) -> str:
    """Keep what the pool calls its items; returns the checksum of the file."""

    def write(file: BinaryIO) -> None:
        file.write(_line({"format": 1, "items": len(pool)}))
        for item, (name, checksum) in enumerate(zip(pool.ids, pool.checksums, strict=True)):
            copies = pool.copies.get(item)
            file.write(_line([name, checksum, list(copies)] if copies else [name, checksum]))

    return write_checksummed(path, write)


def read_items(path: Path) -> tuple[str, Items]:
    """The checksum of the file, found to be right, and what is in it.

    Raises
    ------
    InvalidInput
        It is missing, damaged, or of an unknown format.
    """
    try:
        with open_to_read(path, _MOST_BYTES) as file:
            checksum = verify_checksum(file)
            about = json.loads(file.readline())
            match about:
                case {"format": 1, "items": int(count)} if count >= 0:
                    rows = [_row(file.readline()) for _ in range(count)]
                case _:
                    raise ValueError(f"{about!r:.60} is no first line of names in format 1")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}.") from error
    except InvalidInput:
        raise
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} must list one item a line; {error}.") from error
    copies = {item: tuple(row[2]) for item, row in enumerate(rows) if len(row) > 2}
    return checksum, Items([row[0] for row in rows], [row[1] for row in rows], copies)


def _row(line: bytes) -> list[Any]:
    row = json.loads(line)
    match row:
        case [str(), str()]:
            return [*row]
        case [str(), str(), [*copies]] if all(isinstance(copy, str) for copy in copies):
            return [*row]
    raise ValueError(f"{line!r:.60} is none")


def _line(value: object) -> bytes:
    # Escapes keep any name in one line, also one that is no proper Unicode.
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
