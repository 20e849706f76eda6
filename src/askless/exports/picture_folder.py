"""Copies of pictures in one folder for each label, as most programs read them for training.

Pictures without a label are left out; guesses that were asked for are under ``guess/``, one
folder for each label again. ``labels.csv`` has every row with its columns, and in front of them
``file_name``, the copy that was made of it. Files are copied as they are; pictures in arrays are
written as PNG. Cost: reading and writing every picture once.
Tested in tests/exports/test_picture_folder.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from askless.errors import InvalidInput
from askless.exports import CERTIFICATE
from askless.exports.contents import Contents
from askless.exports.csv_file import note_guarded, write_table
from askless.exports.exporter import FolderExporter, Place

_GUESS: Final = "guess"
_TABLE: Final = "labels.csv"
_LONGEST: Final = 200
"""Bytes of a name; file systems take 255."""

_SIGNS: Final = '/\\<>:"|?*'
"""What some file system does not allow in a name."""


def folder_names(label_names: Sequence[str]) -> tuple[str, ...]:
    """The labels as names of folders that differ from one another and from all else there.

    Parameters
    ----------
    label_names
        What the labels are called, by label.
    """
    plain = [_plain(name) for name in label_names]
    folded = {name.casefold() for name in plain}
    if len(folded) < len(plain) or folded & {_GUESS, _TABLE, CERTIFICATE}:
        return tuple(f"{name} ({label})" for label, name in enumerate(plain))
    return tuple(plain)


def write_folders(contents: Contents, place: Place) -> None:
    """Copy every picture that has a label, or a guess, into a folder named by it."""
    if contents.kind != "images":
        raise InvalidInput(
            f"Only pictures are copied, and the items of this session are {contents.kind}; "
            "export them as csv, jsonl, parquet or huggingface."
        )
    folders = folder_names(contents.label_names)
    files, taken = list[str](), set[str]()
    for row in contents.rows():
        if row.label is not None:
            where = folders[row.label]
        elif row.guess is not None:
            where = f"{_GUESS}/{folders[row.guess]}"
        else:
            files.append("")
            continue
        content, suffix = contents.picture(row)
        files.append(_free(where, safe_path(row.id, suffix), taken))
        place.put(files[-1], content)
    table = ([name, *row.values] for name, row in zip(files, contents.rows(), strict=True))
    with place.open(_TABLE) as file:
        note_guarded(write_table(with_file_name(contents.columns), table, file), contents)


def with_file_name(columns: Sequence[str]) -> list[str]:
    """The columns behind one called ``file_name``; the source's own of that name gets another."""
    return [
        "file_name", *(f"your_{name}" if name == "file_name" else name for name in columns)
    ]  # fmt: skip


def safe_path(name: str, suffix: str) -> str:
    """A safe relative path for an item, whatever its name is."""
    parts = [_plain(part) for part in name.split("/") if part.strip(" .")] or ["_"]
    if suffix and not parts[-1].casefold().endswith(suffix.casefold()):
        parts[-1] += suffix
    return "/".join(parts)


def _free(place: str, path: str, taken: set[str]) -> str:
    """The path, with a number if a file system might take it for one that is there already."""
    stem, dot, ending = path.rpartition(".")
    candidate, number = f"{place}/{path}", 1
    while candidate.casefold() in taken:
        number += 1
        candidate = f"{place}/{stem}-{number}.{ending}" if dot else f"{place}/{path}-{number}"
    taken.add(candidate.casefold())
    return candidate


def _plain(name: str) -> str:
    """A name that every file system takes."""
    plain = "".join(c if c.isprintable() and c not in _SIGNS else "_" for c in name).strip(" .")
    if len(plain.encode()) > _LONGEST:
        stem, dot, ending = plain.rpartition(".")
        ending = dot + ending if dot and len(ending.encode()) <= 10 else ""
        short = (stem if ending else plain).encode()[: _LONGEST - 10]
        plain = short.decode("utf-8", "ignore").strip(" .") + ending
    return plain or "_"


FOLDERS: Final = FolderExporter(
    title="Folders of pictures",
    purpose="one folder for each label, with a copy of every picture",
    write=write_folders,
    pictures_only=True,
)
