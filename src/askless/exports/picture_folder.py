"""Pictures in folders for others, with their labels.

Two layouts:

- ``folders``: one folder a label, as most programs that train on pictures read them. Pictures that
  are only predicted stand apart under ``predicted/``, those set aside under ``unsure/``.
  ``labels.csv`` says the rest.
- ``huggingface``: ``train/`` and, if some items were drawn at random, ``test/``, each with a
  ``metadata.csv`` beside its pictures, whose column ``file_name`` names them
  (``load_dataset("imagefolder", data_dir=...)``). Pictures set aside are left out.

Files are copied as they are, pictures out of arrays written as PNG. The new folder appears
whole or not at all. Cost: reading and writing every picture once.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, Final

from askless.errors import InvalidInput, UnknownPart
from askless.exports.csv_file import write_table
from askless.exports.row import COLUMNS, Row
from askless.files import sync

LAYOUTS: Final = ("folders", "huggingface")
_PREDICTED: Final = "predicted"
_UNSURE: Final = "unsure"
_TABLE: Final = "labels.csv"
_LONGEST: Final = 200
"""Bytes of a name; file systems take 255."""

_SIGNS: Final = '/\\<>:"|?*'
"""What some file system does not allow in a name."""

Original = Callable[[str], tuple[bytes, str]]
"""By an item's id: its picture as a file, and how the name of that ends."""


def export_pictures(
    rows: Iterable[Row],
    out: Path,
    original: Original,
    layout: str = "folders",
    names: tuple[str, str] = ("negative", "positive"),
) -> None:
    """Make the folder `out` with a copy of every picture.

    Parameters
    ----------
    rows
        One for each item.
    out
        Must not exist yet.
    original
        Gives the pictures; raises `InvalidInput` for one that is missing or has changed.
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
    partial = out.with_name(f".{out.name}.{os.getpid()}.partial")
    try:
        partial.mkdir()
        (_by_label if layout == "folders" else _by_split)(rows, partial, original, names)
        os.sync()  # all of it is on the disk before it has its name
        os.rename(partial, out)
        sync(out.parent)
    except OSError as error:
        raise InvalidInput(
            "Pictures are exported to a folder that can be made and has room; "
            f"{out} cannot: {error.strerror or error}."
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def folder_names(names: tuple[str, str]) -> tuple[str, str]:
    """Two labels as names of folders, which differ from one another and from all else there.

    Parameters
    ----------
    names
        What a False and a True label are called.
    """
    false, true = (_plain(name) for name in names)
    taken = {_PREDICTED, _UNSURE, _TABLE}
    if false.casefold() == true.casefold() or {false.casefold(), true.casefold()} & taken:
        return f"{false} (false)", f"{true} (true)"
    return false, true


def _by_label(rows: Iterable[Row], out: Path, original: Original, names: tuple[str, str]) -> None:
    kept, called = list(rows), folder_names(names)
    files, taken = list[str](), set[str]()
    for row in kept:
        place = _UNSURE if row.label is None else called[row.label]
        if row.how == "predicted":
            place = f"{_PREDICTED}/{place}"
        content, ending = original(row.id)
        files.append(_free(place, _path(row.id, ending), taken))
        _write(out / files[-1], content)
    table = (
        [file_name, *(getattr(row, column) for column in COLUMNS)]
        for file_name, row in zip(files, kept, strict=True)
    )
    with (out / _TABLE).open("w+b") as file:
        write_table(["file_name", *COLUMNS], table, file)


def _by_split(rows: Iterable[Row], out: Path, original: Original, names: tuple[str, str]) -> None:
    members: dict[str, list[tuple[str, Row]]] = {"train": [], "test": []}
    for number, row in enumerate(rows):
        if row.label is not None:
            split = "test" if row.test_split else "train"
            content, ending = original(row.id)
            # Numbered: unique, in order, and nothing a spreadsheet would run.
            file_name = f"{number:08d}-{_path(row.id, ending).rpartition('/')[2]}"
            _write(out / split / file_name, content)
            members[split].append((file_name, row))
    for split, found in members.items():
        if found:
            with (out / split / "metadata.csv").open("w+b") as file:
                _write_metadata(found, names, file)


def _write_metadata(members: list[tuple[str, Row]], names: tuple[str, str], file: BinaryIO) -> None:
    rest = [column for column in COLUMNS if column != "label"]
    table = (
        [file_name, names[bool(row.label)], *(getattr(row, column) for column in rest)]
        for file_name, row in members
    )
    write_table(["file_name", "label", *rest], table, file)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _path(name: str, ending: str) -> str:
    """Where an item of this name may stand below a folder, whatever the name is."""
    parts = [_plain(part) for part in name.split("/") if part.strip(" .")] or ["_"]
    if ending and not parts[-1].casefold().endswith(ending.casefold()):
        parts[-1] += ending
    return "/".join(parts)


def _free(place: str, path: str, taken: set[str]) -> str:
    """The path with a number, if one that a file system may hold for the same was taken."""
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
