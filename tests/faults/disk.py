"""A disk that keeps what it promised to keep: the log of `shim.c` played on a model of a disk.

What was written before a sync of its file that succeeded is there after the power comes back.
Anything else may be there or not, in pieces of 512 bytes, in any combination; after a sync
that failed, what it should have covered stays in doubt for ever, whatever is synced later. Names
(made, removed, renamed) are certain once the folder was synced; later ones arrive in order,
up to any point. This is less than most file systems give.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Literal

SECTOR = 512
_HEADER = struct.Struct("<cQQQ")


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing a process did; see `shim.c` for the letters."""

    op: str
    file: int
    at: int
    content: bytes

    @property
    def name(self) -> str:
        """The name in an operation on names."""
        return self.content.decode()


def read_log(path: Path) -> Iterator[Operation]:
    """The operations in a log, in order."""
    content = path.read_bytes()
    position = 0
    while position < len(content):
        op, file, at, length = _HEADER.unpack_from(content, position)
        position += _HEADER.size
        yield Operation(op.decode(), file, at, content[position : position + length])
        position += length


Survives = Literal["synced", "doubtful", "pending"]


@dataclass(slots=True)
class File:
    """What is certain of a file, and the changes since, each with what is known of it."""

    certain: bytearray = field(default_factory=bytearray)
    changes: list[tuple[Survives, Operation]] = field(default_factory=list)

    def mark(self, survives: Survives) -> None:
        """Settle what is known of everything that was pending."""
        self.changes = [
            (survives if known == "pending" else known, change) for known, change in self.changes
        ]
        while self.changes and self.changes[0][0] == "synced":
            _apply(self.certain, self.changes.pop(0)[1])

    def image(self, luck: float, rng: Random) -> bytes:
        """The file after the power came back; each uncertain piece is there with chance `luck`."""
        content = bytearray(self.certain)
        for known, change in self.changes:
            if known == "synced":
                _apply(content, change)
            elif change.op == "T":
                if rng.random() < luck:
                    _apply(content, change)
            else:
                for piece in _pieces(change):
                    if rng.random() < luck:
                        _apply(content, piece)
        return bytes(content)


@dataclass(slots=True)
class Disk:
    """One folder of a disk; `do` every operation, `crash` at any time."""

    files: dict[int, File] = field(default_factory=dict)
    names: dict[str, File] = field(default_factory=dict)
    """Names that are certain."""
    renaming: list[Operation | tuple[str, File]] = field(default_factory=list)
    """Changes of names since: a made file comes with its name."""

    def do(self, operation: Operation) -> None:
        """Take in the next operation."""
        match operation.op:
            case "C":
                made = self.files[operation.file] = File()
                self.renaming.append((operation.name, made))
            case "W" | "T":
                self.files[operation.file].changes.append(("pending", operation))
            case "S":
                self.files[operation.file].mark("synced")
            case "F":
                self.files[operation.file].mark("doubtful")
            case "D":
                self.names = self._named(len(self.renaming))
                self.renaming.clear()
            case "U" | "R":
                self.renaming.append(operation)
            case _:
                raise ValueError(operation.op)

    def crash(self, folder: Path, luck: float, rng: Random) -> None:
        """Write into `folder` what would be found there if the power went now."""
        arrived = round(luck) if luck in (0, 1) else rng.random()
        names = self._named(round(arrived * len(self.renaming)))
        for name, file in names.items():
            # SQLite makes its shared memory anew, and what was acknowledged is ours to know.
            if not name.endswith(("-shm", "acknowledged")):
                (folder / name).write_bytes(file.image(luck, rng))

    def _named(self, changes: int) -> dict[str, File]:
        names = dict(self.names)
        for change in self.renaming[:changes]:
            if isinstance(change, tuple):
                names[change[0]] = change[1]
            elif change.op == "U":
                del names[change.name]
            else:
                old, new = change.name.split("\0")
                names[new] = names.pop(old)
        return names


def _pieces(change: Operation) -> Iterator[Operation]:
    start, end = change.at, change.at + len(change.content)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        yield Operation(
            "W", change.file, start, change.content[start - change.at : stop - change.at]
        )
        start = stop


def _apply(content: bytearray, change: Operation) -> None:
    if change.op == "T":
        del content[change.at :]
        content.extend(bytes(change.at - len(content)))
        return
    if len(content) < change.at:
        content.extend(bytes(change.at - len(content)))
    content[change.at : change.at + len(change.content)] = change.content
