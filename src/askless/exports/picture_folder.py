"""Pictures in folders, with their labels, in two layouts.

- ``folders``: one folder for each label, as most programs that train on pictures read them.
  Pictures with a predicted label are under ``predicted/``, those set aside under ``unsure/``.
  ``labels.csv`` has the columns of every export.
- ``huggingface``: ``train/`` and, if there is a random test sample, ``test/``, each with a
  ``metadata.csv`` whose column ``file_name`` names the pictures beside it
  (``load_dataset("imagefolder", data_dir=...)``). Pictures set aside are left out.

Files are copied as they are; pictures in arrays are written as PNG. Cost: reading and writing every
picture once. Tested in tests/exports/test_picture_folder.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from askless.errors import InvalidInput
from askless.exports.csv_file import write_table
from askless.exports.exporter import ExportContext, FolderExporter
from askless.exports.row import COLUMNS, Row

_PREDICTED: Final = "predicted"
_UNSURE: Final = "unsure"
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
    if len(folded) < len(plain) or folded & {_PREDICTED, _UNSURE, _TABLE}:
        return tuple(f"{name} ({label})" for label, name in enumerate(plain))
    return tuple(plain)


def write_folders(rows: Iterable[Row], out: Path, context: ExportContext) -> None:
    """Copy every picture into a folder named by its label."""
    _check_kind(context)
    rows, folders = list(rows), folder_names(context.label_names)
    files, taken = list[str](), set[str]()
    for row in rows:
        place = _UNSURE if row.label is None else folders[row.label]
        if row.how == "predicted":
            place = f"{_PREDICTED}/{place}"
        content, suffix = context.picture(row)
        files.append(_free(place, _path(row.id, suffix), taken))
        _write(out / files[-1], content)
    table = ([file_name, *row.values()] for file_name, row in zip(files, rows, strict=True))
    with (out / _TABLE).open("w+b") as file:
        write_table(["file_name", *COLUMNS], table, file)


def write_splits(rows: Iterable[Row], out: Path, context: ExportContext) -> None:
    """Copy every labelled picture into ``train`` or ``test``, with a table beside the pictures."""
    _check_kind(context)
    members: dict[str, list[tuple[str, Row]]] = {"train": [], "test": []}
    for number, row in enumerate(rows):
        if row.label is not None:
            split = "test" if row.test_split else "train"
            content, suffix = context.picture(row)
            # Numbered: unique, in order, and nothing a spreadsheet would run.
            file_name = f"{number:08d}-{_path(row.id, suffix).rpartition('/')[2]}"
            _write(out / split / file_name, content)
            members[split].append((file_name, row))
    for split, found in members.items():
        if found:
            with (out / split / "metadata.csv").open("w+b") as file:
                _write_metadata(found, context.label_names, file)


def _check_kind(context: ExportContext) -> None:
    if context.kind != "images":
        raise InvalidInput(
            f"Only pictures are copied, and the items of this session are {context.kind}; "
            "export them as csv, jsonl or parquet."
        )


def _write_metadata(members: list[tuple[str, Row]], names: Sequence[str], file: BinaryIO) -> None:
    """The columns of every export, with the name of the label instead of its value."""
    at = COLUMNS.index("label")
    table = (
        [file_name, names[bool(row.label)], *row.values()[:at], *row.values()[at + 1 :]]
        for file_name, row in members
    )
    write_table(["file_name", "label", *COLUMNS[:at], *COLUMNS[at + 1 :]], table, file)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _path(name: str, suffix: str) -> str:
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
)
HUGGINGFACE: Final = FolderExporter(
    title="Hugging Face image folder",
    purpose='for load_dataset("imagefolder", data_dir=...)',
    write=write_splits,
)
