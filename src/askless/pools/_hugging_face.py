"""A `Dataset` of Hugging Face as a `Table`: its columns, class names instead of their numbers.

Pictures stay in the dataset, which maps its files into memory, and are read when they are shown. A
dataset that streams, and one of several splits, are refused in a sentence. The package ``datasets``
is never imported here: who holds a dataset has it.
Imported by `askless.pools` and `askless.labelling`; tested in tests/pools/test_hugging_face.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, overload

from askless.errors import InvalidInput
from askless.pools._read_table import Table


def is_dataset(source: Any) -> bool:
    """Whether this is a `datasets.Dataset`; one that streams or has splits is refused.

    Raises
    ------
    InvalidInput
        It is a `DatasetDict`, or an `IterableDataset`.
    """
    kinds = {
        one.__name__ for one in type(source).__mro__ if one.__module__.split(".")[0] == "datasets"
    }
    if kinds & {"DatasetDict", "IterableDatasetDict"}:
        names = [str(name) for name in source]
        first = names[0] if names else "train"
        raise InvalidInput(
            f"One split is labelled at a time; got a {type(source).__name__} with the splits "
            f"{', '.join(map(repr, names)) or '(none)'}. Give one of them, as data[{first!r}]."
        )
    if "IterableDataset" in kinds:
        raise InvalidInput(
            "Questions go back and forth over all items, and a dataset that streams gives each of "
            "them once, in order; got an IterableDataset. Load it without streaming=True, or take "
            "a part: datasets.Dataset.from_list(list(data.take(1000)))."
        )
    return "Dataset" in kinds


def table_of_dataset(dataset: Any) -> Table:
    """The columns of a dataset."""
    if repeated := [name for name in dataset.column_names if dataset.column_names.count(name) > 1]:
        raise InvalidInput(f"Columns of a table have different names; {repeated[0]!r} is repeated.")
    columns: dict[str, Sequence[Any]] = {
        name: Pictures(dataset, name) if is_image(feature) else values_of(dataset, name)
        for name, feature in dataset.features.items()
    }
    if not columns:
        raise InvalidInput("Columns of a table have one length; got no column.")
    return Table(columns, range(1, len(dataset) + 1), partial(_rows, columns))


def values_of(dataset: Any, name: str) -> list[Any]:
    """A column as plain values; those of a `ClassLabel` by their names."""
    found = dataset.select_columns([name]).with_format("arrow")[:]
    values: list[Any] = found.column(0).to_pylist()
    names = getattr(dataset.features[name], "names", None)
    if type(dataset.features[name]).__name__ != "ClassLabel" or names is None:
        return values
    return [None if value is None or not 0 <= value < len(names) else names[value]
            for value in values]  # fmt: skip


def is_image(feature: Any) -> bool:
    """Whether a column holds pictures."""
    return type(feature).__name__ == "Image"


class Pictures(Sequence[bytes | None]):
    """A column of pictures, each read when it is asked for, as the content of its file.

    Parameters
    ----------
    dataset
        Of Hugging Face.
    name
        The column.
    """

    def __init__(self, dataset: Any, name: str) -> None:
        self._stored = dataset.select_columns([name]).with_format("arrow")
        self._name = name

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, at: int) -> bytes | None: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[bytes | None]: ...
    def __getitem__(self, at: int | slice) -> bytes | Sequence[bytes | None] | None:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        kept = self._kept(at)
        if kept is None or kept.get("bytes") is not None:
            return None if kept is None else kept["bytes"]
        return _read(str(kept.get("path") or ""))

    def names(self) -> Iterator[str]:
        """What the file of each is called; empty where there is none."""
        for place in range(len(self)):
            kept = self._kept(place)
            yield "" if kept is None else str(kept.get("path") or "").rpartition("/")[2]

    def _kept(self, place: int) -> Mapping[str, Any] | None:
        if not 0 <= place < len(self):
            raise IndexError(place)
        (found,) = self._stored[place : place + 1].column(0).to_pylist()
        return found  # type: ignore[no-any-return]


def _read(path: str) -> bytes | None:
    """A picture that the dataset has the path of; nothing is fetched."""
    from askless.pools._pictures import MAX_BYTES  # loads pillow

    if not path or "://" in path:
        return None
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError:
        return b""


def _rows(columns: Mapping[str, Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """The rows for an export, pictures by their names."""
    told = (
        column.names() if isinstance(column, Pictures) else column for column in columns.values()
    )
    return zip(*told, strict=True)
