"""A folder as the loaders of Hugging Face datasets read it, for pictures, texts and rows.

Certain labels alone are written, and on request accepted ones: the random test sample is the split
``test``, all others are ``train``. Pictures are in a folder for each split, beside a
``metadata.jsonl`` whose ``file_name`` names them (``load_dataset("imagefolder", data_dir=...)``).
Texts and rows are in ``train.jsonl`` and ``test.jsonl`` (``load_dataset(FOLDER)``): JSON, so that a
text is as it was.
Tested in tests/exports/test_hugging_face.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from askless.exports.contents import Contents, Row
from askless.exports.exporter import FolderExporter, Place
from askless.exports.jsonl_file import write_line
from askless.exports.picture_folder import safe_path, with_file_name

_SPLITS: Final = {"train": False, "test": True}


def write_splits(contents: Contents, place: Place) -> None:
    """Write everything that has a label into ``train`` or ``test``."""
    if contents.kind == "images":
        _write_pictures(contents, place)
        return
    for split in _SPLITS:
        rows = _rows_in(contents, split)
        first = next(rows, None)
        if first is not None:
            with place.open(f"{split}.jsonl") as file:
                for _, row in (first, *rows):
                    write_line(dict(zip(contents.columns, row.values, strict=True)), file)


def _write_pictures(contents: Contents, place: Place) -> None:
    columns = with_file_name(contents.columns)
    for split in _SPLITS:
        names: dict[int, str] = {}
        for number, row in _rows_in(contents, split):
            content, suffix = contents.picture(row)
            # Numbered: unique, and in order.
            names[number] = f"{number:08d}-{safe_path(row.id, suffix).rpartition('/')[2]}"
            place.put(f"{split}/{names[number]}", content)
        if names:
            with place.open(f"{split}/metadata.jsonl") as file:
                for number, row in _rows_in(contents, split):
                    values = (names[number], *row.values)
                    write_line(dict(zip(columns, values, strict=True)), file)


def _rows_in(contents: Contents, split: str) -> Iterator[tuple[int, Row]]:
    """The rows of a split, with their numbers."""
    for number, row in enumerate(contents.rows()):
        if row.label is not None and row.test_split is _SPLITS[split]:
            yield number, row


HUGGINGFACE: Final = FolderExporter(
    title="Hugging Face folder",
    purpose="for load_dataset: certain labels in train, the random sample in test",
    write=write_splits,
)
