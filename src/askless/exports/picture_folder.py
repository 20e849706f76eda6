"""Pictures in folders for others, with their labels.

Two layouts:

- ``folders``: one folder a label, as most programs that train on pictures read them. Pictures that
  are only predicted stand apart under ``predicted/``, those set aside under ``unsure/``.
  ``labels.csv`` says the rest.
- ``huggingface``: ``train/`` and, if some items were drawn at random, ``test/``, each with a
  ``metadata.csv`` beside its pictures, whose column ``file_name`` names them
  (``load_dataset("imagefolder", data_dir=...)``). Pictures set aside are left out.

The pictures are copied from the folder the pool was opened from, and must be what they were
then. The new folder appears whole or not at all. Cost: reading and writing every picture once.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final

from askless.errors import InvalidInput, UnknownPart
from askless.exports.csv_file import write_csv, write_table
from askless.exports.row import COLUMNS, Row
from askless.files import sync_folder

LAYOUTS: Final = ("folders", "huggingface")


def export_pictures(
    rows: Iterable[Row],
    out: Path,
    pictures: Path,
    layout: str = "folders",
    names: tuple[str, str] = ("negative", "positive"),
) -> None:
    """Make the folder `out` with a copy of every picture.

    Parameters
    ----------
    rows
        One for each item; ids are paths below `pictures`.
    out
        Must not exist yet.
    pictures
        The folder the pool was opened from.
    layout
        One of `LAYOUTS`.
    names
        What to call a False and a True label.

    Raises
    ------
    InvalidInput
        A picture is missing or has changed, or `out` is there already.
    """
    if layout not in LAYOUTS:
        raise UnknownPart("export format", layout, LAYOUTS)
    if out.exists():
        raise InvalidInput(f"Pictures are exported to a new folder; {out} is there already.")
    source = pictures.resolve()
    if not source.is_dir():
        raise InvalidInput(f"Pictures are copied from the folder of the pool; {pictures} is none.")
    partial = out.with_name(f".{out.name}.{os.getpid()}.partial")
    try:
        partial.mkdir()
        (_by_label if layout == "folders" else _by_split)(rows, partial, source, names)
        os.sync()  # all of it is on the disk before it has its name
        os.rename(partial, out)
        sync_folder(out.parent)
    except OSError as error:
        raise InvalidInput(
            "Pictures are exported to a folder that can be made and has room; "
            f"{out} cannot: {error.strerror or error}."
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _by_label(rows: Iterable[Row], out: Path, source: Path, names: tuple[str, str]) -> None:
    kept = list(rows)
    for row in kept:
        place = "unsure" if row.label is None else _folder_name(names[row.label])
        if row.how == "predicted":
            place = f"predicted/{place}"
        _copy(row, source, out / place / row.id)
    with (out / "labels.csv").open("w+b") as file:
        write_csv(kept, file)


def _by_split(rows: Iterable[Row], out: Path, source: Path, names: tuple[str, str]) -> None:
    splits: dict[str, list[tuple[str, Row]]] = {"train": [], "test": []}
    for number, row in enumerate(rows):
        if row.label is not None:
            # Numbered: unique, in order, and nothing a spreadsheet would run.
            file_name = f"{number:08d}-{PurePosixPath(row.id).name}"
            splits["test" if row.test_split else "train"].append((file_name, row))
    for split, members in splits.items():
        if not members:
            continue
        for file_name, row in members:
            _copy(row, source, out / split / file_name)
        with (out / split / "metadata.csv").open("w+b") as file:
            _write_metadata(members, names, file)


def _write_metadata(members: list[tuple[str, Row]], names: tuple[str, str], file: BinaryIO) -> None:
    rest = [column for column in COLUMNS if column != "label"]
    table = (
        [file_name, names[bool(row.label)], *(getattr(row, column) for column in rest)]
        for file_name, row in members
    )
    write_table(["file_name", "label", *rest], table, file)


def _copy(row: Row, source: Path, target: Path) -> None:
    path = (source / row.id).resolve()
    if not path.is_relative_to(source) or not path.is_file():
        raise InvalidInput(
            f"Every item must be a picture below {source}; {row.id!r} is not there. "
            "Name the folder the session was begun with."
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    content = path.read_bytes()
    if row.checksum and hashlib.sha256(content).hexdigest() != row.checksum:
        raise InvalidInput(
            f"A picture must be what it was when it was labelled; {row.id!r} has changed since. "
            "Put the old one back, or set the item aside."
        )
    target.write_bytes(content)


def _folder_name(name: str) -> str:
    """A label as the name of a folder."""
    plain = "".join(c if c.isalnum() or c in " -_." else "_" for c in name).strip(" .")
    return plain or "_"
