"""A folder of pictures, nested as it may be.

Items are sorted by their path, which is their id. The content decides what is a picture,
not the name; files that neither look nor are named like one are no concern of ours. Hidden
files, hidden folders and folders of sessions (``*.askless``) are passed over. Links that
lead out of the folder are not followed. Every file is read once, for its checksum: a gigabyte takes
a second or two beside what the disk takes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.pools._labels import NOTHING_SAID, Labels, Meaning, known_from
from askless.pools._pictures import (
    MAX_BYTES,
    OTHER_SUFFIXES,
    SUFFIXES,
    decoded,
    looks_like_a_picture,
    why_not_a_picture,
)
from askless.pools.pool import OpenedPool, SourceContent, gathered
from askless.pools.source_rows import Roles
from askless.seams import PoolKind, Unreadable

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class PictureFiles(SourceContent):
    """Pictures that stay in their files until they are shown.

    Parameters
    ----------
    folder
        Where they must be.
    paths
        Where each one is.
    """

    folder: Path
    paths: tuple[Path, ...]
    kind: ClassVar[PoolKind] = "images"

    def picture(self, place: int, checksum: str, side: int | None) -> NDArray[np.uint8]:
        """The picture at `place`; `InvalidInput` if its file is gone or another one."""
        content, _ = self.original(place, checksum)
        try:
            return decoded(content, side)
        except InvalidInput as error:
            raise InvalidInput(f"{self.paths[place].name}: {error}") from error

    def original(self, place: int, checksum: str) -> tuple[bytes, str]:
        """The file at `place`; `InvalidInput` if it is gone or another one."""
        path = self.paths[place]
        content = self._content(path)
        if hashlib.sha256(content).hexdigest() != checksum:
            raise InvalidInput(_has_changed(path))
        return content, path.suffix

    def changed(self, place: int, checksum: str) -> str | None:
        """Why the file at `place` is not the one with that checksum; None if it is."""
        try:
            self.original(place, checksum)
        except InvalidInput as error:
            return str(error)
        return None

    def _content(self, path: Path) -> bytes:
        try:
            if not path.resolve().is_relative_to(self.folder):
                raise InvalidInput(f"{path.name} has become a link that leads elsewhere.")
            return path.read_bytes()
        except (OSError, RuntimeError) as error:
            raise InvalidInput(
                f"{path.name} can no longer be read: {getattr(error, 'strerror', None) or error}. "
                "Put the file back, or set the item aside."
            ) from error


def open_image_folder(
    folder: Path,
    *,
    label: str | None = None,
    meaning: Meaning = NOTHING_SAID,
    progress: Progress | None = None,
) -> OpenedPool:
    """A pool of the pictures in `folder` and below.

    Parameters
    ----------
    folder
        The folder.
    label
        ``folder`` if the name of the subfolder at the top is a label.
    meaning
        Which values of the label mean what.
    progress
        Told the share of the files that has been read.
    """
    if label not in (None, "folder"):
        raise InvalidInput(
            "A folder of pictures has no columns; label can only be 'folder', for one "
            f"subfolder per label; got {label!r}."
        )
    root = folder.resolve()
    ids, paths, checksums = list[str](), list[Path](), list[str]()
    unreadable = list[Unreadable]()
    found = sorted(_files(root, unreadable))
    for number, (name, path) in enumerate(found):
        reason, content = read_picture(path, root)
        if reason is None:
            ids.append(name)
            paths.append(path)
            checksums.append(hashlib.sha256(content).hexdigest())
        elif reason:
            unreadable.append(Unreadable(name, reason))
        if progress is not None and (number % 64 == 0 or number + 1 == len(found)):
            progress((number + 1) / len(found))
    labels = Labels()
    if label is not None:
        tops = [name.partition("/")[0] if "/" in name else "" for name in ids]
        labels = known_from(tops, meaning, "subfolders")
    files = PictureFiles(root, tuple(paths))
    return gathered(
        files, range(len(ids)), ids, checksums, unreadable, labels.known, None, labels.names,
        roles=Roles(shown="id"),
    )  # fmt: skip


def read_picture_files(
    names: Sequence[str], folder: Path, progress: Progress | None = None
) -> tuple[PictureFiles, list[str], dict[int, str]]:
    """Pictures that are named one by one: their files, checksums, and reasons by place.

    Parameters
    ----------
    names
        Paths from the folder on; empty where there is none.
    folder
        Where paths begin, and what they may not leave.
    progress
        Told the share of the files that has been read.
    """
    root = folder.resolve()
    paths, checksums, reasons = list[Path](), list[str](), dict[int, str]()
    for place, name in enumerate(names):
        path = root / name
        paths.append(path)
        reason, content = read_picture(path, root) if name else ("The row names no picture.", b"")
        if reason is not None:
            reasons[place] = reason or "The file is no picture."
        checksums.append("" if reason is not None else hashlib.sha256(content).hexdigest())
        if progress is not None and (place % 64 == 0 or place + 1 == len(names)):
            progress((place + 1) / len(names))
    return PictureFiles(root, tuple(paths)), checksums, reasons


def read_picture(path: Path, folder: Path) -> tuple[str | None, bytes]:
    """Why the file is no picture, and its content; the reason is '' if it was not meant as one.

    Parameters
    ----------
    path
        The file.
    folder
        Where it must be, after all links; itself without links.
    """
    try:
        if not path.resolve().is_relative_to(folder):
            return "The name or link leads out of the folder, and nothing outside is read.", b""
        if path.is_dir():
            return "This is a folder, or a link to one, which is not followed.", b""
        if not path.is_file():
            return "There is no such file.", b""
        return _read(path)
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, null bytes
        return f"The file cannot be read: {getattr(error, 'strerror', None) or error}.", b""


def _read(path: Path) -> tuple[str | None, bytes]:
    suffix = path.suffix.lower()
    with path.open("rb") as file:
        head = file.read(16)
        if not looks_like_a_picture(head):
            if suffix in OTHER_SUFFIXES:
                return f"Pictures in the format {suffix[1:].upper()} are not read.", b""
            if suffix not in SUFFIXES:
                return "", b""
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            return f"The file is larger than {MAX_BYTES:,} bytes; make the picture smaller.", b""
        content = head + file.read()
    return why_not_a_picture(content), content


def _files(root: Path, unreadable: list[Unreadable]) -> Iterator[tuple[str, Path]]:
    """Every file that is not hidden, with its id; what cannot be listed goes to `unreadable`."""

    def note(error: OSError) -> None:
        where = Path(error.filename or root)
        unreadable.append(
            Unreadable(
                _id(where.relative_to(root)),
                f"The folder cannot be read: {error.strerror or error}.",
            )
        )

    for where, folders, files in os.walk(root, onerror=note):
        hidden = [name for name in folders if name.startswith(".") or name.endswith(".askless")]
        for name in hidden:
            folders.remove(name)
        links = [name for name in folders if os.path.islink(os.path.join(where, name))]
        for name in [*files, *links]:
            if not name.startswith("."):
                path = Path(where, name)
                yield _id(path.relative_to(root)), path


def _id(path: Path) -> str:
    """The path as text; bytes that are not UTF-8 are written out."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def _has_changed(path: Path) -> str:
    return (
        f"{path.name} has changed since the pool was opened. "
        "Put the old file back, or set the item aside."
    )
