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
class Folder:
    """The names in a folder that are certain, and what happened to names since."""

    names: dict[str, File | Folder] = field(default_factory=dict)
    changes: list[tuple[str, str, File | Folder | None]] = field(default_factory=list)
    """Each an old name, a new one, and what is made; one of the three may be empty."""

    def named(self, arrived: int) -> dict[str, File | Folder]:
        """The names if so many of the changes arrive."""
        names = dict(self.names)
        for old, new, made in self.changes[:arrived]:
            # A process can be killed when it has made a name and not yet written that down.
            thing = made or names.pop(old, None)
            if new and thing is not None:
                names[new] = thing
        return names

    def sync(self) -> None:
        """Make every change certain."""
        self.names = self.named(len(self.changes))
        self.changes.clear()

    def left(self, luck: float, rng: Random) -> Iterator[tuple[str, bytes | None]]:
        """Everything that would be found in it: names, and contents or None for a folder."""
        arrived = round(luck) if luck in (0, 1) else rng.random()
        for name, thing in self.named(round(arrived * len(self.changes))).items():
            if isinstance(thing, Folder):
                yield name, None
                for below, content in thing.left(luck, rng):
                    yield f"{name}/{below}", content
            # SQLite makes its shared memory again, and what was acknowledged is ours to know.
            elif not name.endswith(("-shm", "acknowledged")):
                yield name, thing.image(luck, rng)


Image = tuple[tuple[str, bytes | None], ...]
"""What is found after a power loss: names, and contents or None for a folder."""


def write_image(image: Image, place: Path) -> None:
    """Put what was found into a real folder."""
    for name, content in image:
        if content is None:
            (place / name).mkdir()
        else:
            (place / name).write_bytes(content)


@dataclass(slots=True)
class Disk:
    """A folder of a disk and all below it; `do` every operation, `crash` at any time."""

    files: dict[int, File] = field(default_factory=dict)
    folders: dict[str, Folder] = field(default_factory=lambda: {"": Folder()})

    def do(self, operation: Operation) -> None:
        """Take in the next operation."""
        match operation.op:
            case "C":
                made = self.files[operation.file] = File()
                self._rename("", operation.name, made)
            case "M":
                folder = self.folders[operation.name] = Folder()
                self._rename("", operation.name, folder)
            case "W" | "T":
                self.files[operation.file].changes.append(("pending", operation))
            case "S":
                self.files[operation.file].mark("synced")
            case "F":
                self.files[operation.file].mark("doubtful")
            case "D":
                self.folders[operation.name].sync()
            case "U":
                self._rename(operation.name, "")
            case "R":
                old, new = operation.name.split("\0")
                self._rename(old, new)
            case _:
                raise ValueError(operation.op)

    def crash(self, luck: float, rng: Random) -> Image:
        """What would be found if the power went now."""
        return tuple(self.folders[""].left(luck, rng))

    def _rename(self, old: str, new: str, made: File | Folder | None = None) -> None:
        parent, _, _ = (old or new).rpartition("/")
        change = (old.rpartition("/")[2], new.rpartition("/")[2], made)
        self.folders[parent].changes.append(change)


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
