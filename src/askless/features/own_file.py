"""Features that the user has in a file: embeddings made elsewhere.

    --features embeddings.npy          one row for each row of the source, in its order
    --features embeddings.npz          arrays 'ids' and one more
    --features embeddings.parquet      a column 'id', and one of lists or some of numbers
    --features embeddings.lance        likewise, where the package pylance is installed

Nothing in a file is unpickled. An array in an ``.npy`` file is memory-mapped, so it may be larger
than memory; the others are read whole, up to 16 GiB. The content of the file is part of the key in
the cache, so a file that was made again is read again.

Cost: one reading of the file for its checksum, and one for its numbers.
Tested in tests/features/test_own_numbers.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput, TooLarge
from askless.features._checksum import file_checksum
from askless.features._own_rows import (
    blocks_of,
    checksum,
    numbers,
    rows_by_id,
    rows_by_place,
)
from askless.features._torch import lacking
from askless.features.cache import FeatureCache, PartialWork, Rows
from askless.features.extractor import ANY_KIND, FeatureExtractor
from askless.files.arrays import MALFORMED
from askless.files.npz import MAX_BYTES, array_names, read_arrays
from askless.seams import Pool

_IDS: Final = ("ids", "id")
_NEEDS: Final = {".parquet": ("pyarrow", "pyarrow"), ".lance": ("lance", "pylance")}


@dataclass(frozen=True, eq=False, slots=True)
class _Content:
    """What is in a file: how many rows, their ids if it has any, and the numbers when wanted."""

    count: int
    ids: list[str] | None
    matrix: Callable[[], NDArray[Any]]


@dataclass(kw_only=True)
class OwnFile(FeatureExtractor):
    """Numbers in a file, one row an item.

    Parameters
    ----------
    path
        The file, named ``.npy``, ``.npz``, ``.parquet`` or ``.lance``.
    ids
        The array or column of ids; None for one called ids or id. Without ids, rows are in the
        order of the source.
    column
        The array or column of numbers; None for the only one.
    """

    path: Path
    ids: str | None = None
    column: str | None = None

    kind = ANY_KIND
    version = 1
    cost_ms = 0.05

    def lacks(self) -> str | None:
        """The file, or what reads it."""
        suffix = self.path.suffix.lower()
        if not (self.path.is_dir() if suffix == ".lance" else self.path.is_file()):
            return f"Features of your own are in a file; there is none at {self.path}."
        if suffix == ".npy" and (self.ids or self.column):
            return (
                f"An .npy file holds one array and no ids; got ids or column for {self.path}. "
                "Save both arrays as .npz."
            )
        if suffix not in _NEEDS:
            return None
        module, package = _NEEDS[suffix]
        install = "askless[tables]" if package == "pyarrow" else None
        return lacking(f"Reading {self.path.name}", {module: package}, install)

    def about(self) -> Mapping[str, Any]:
        """The file by its content, and which part of it."""
        return {"content": file_checksum(self.path), "ids": self.ids, "column": self.column}

    def beside(self, pool: Pool) -> Mapping[str, Any]:
        """Which row is whose."""
        return {"rows": checksum(self._rows(pool, self._open()))}

    def misfit(self, pool: Pool) -> str | None:
        """Counts or ids that are not those of the source."""
        try:
            self._rows(pool, self._open())
        except InvalidInput as error:
            return str(error)
        return None

    def extract(self, pool: Pool, work: PartialWork, cache: FeatureCache) -> Rows:
        """The feature set, as blocks of rows."""
        content = self._open()
        rows = self._rows(pool, content)
        return blocks_of(numbers(content.matrix(), str(self.path)), rows, work, str(self.path))

    def _rows(self, pool: Pool, content: _Content) -> NDArray[np.intp]:
        if content.ids is None:
            return rows_by_place(pool, content.count, str(self.path))
        return rows_by_id(pool, content.ids, str(self.path))

    def _open(self) -> _Content:
        suffix = self.path.suffix.lower()
        if suffix == ".npy":
            matrix = numbers(_mapped(self.path), str(self.path))
            return _Content(len(matrix), None, lambda: matrix)
        return self._arrays() if suffix == ".npz" else self._columns(suffix)

    def _arrays(self) -> _Content:
        names = array_names(self.path)
        named = self._id_name(names)
        column = self.column or _only(self.path, [name for name in names if name != named])
        read = read_arrays(self.path, (column,) if named is None else (column, named))
        matrix = numbers(read[column], f"{column!r} in {self.path}")
        if named is not None and read[named].ndim != 1:
            raise InvalidInput(
                f"{self.path} has an id for each row; {named!r} has the shape {read[named].shape}."
            )
        ids = None if named is None else _as_ids(self.path, read[named].tolist(), len(matrix))
        return _Content(len(matrix), ids, lambda: matrix)

    def _columns(self, suffix: str) -> _Content:
        with _in_words(self.path):
            source = _Parquet(self.path) if suffix == ".parquet" else _Lance(self.path)
            named = self._id_name(tuple(source.schema.names))
            wanted = [self.column] if self.column else self._number_columns(source.schema, named)
            count = source.count()
            ids = None
            if named is not None:
                values = [v for batch in source.batches([named]) for v in batch[0].to_pylist()]
                ids = _as_ids(self.path, values, count)
            return _Content(
                count, ids, lambda: _joined(self.path, count, wanted, source.batches(wanted))
            )

    def _id_name(self, names: tuple[str, ...]) -> str | None:
        for word, said in (("ids", self.ids), ("column", self.column)):
            if said is not None and said not in names:
                raise InvalidInput(
                    f"{self.path} has {', '.join(map(repr, names)) or 'nothing'}; got "
                    f"{word}={said!r}."
                )
        return self.ids or next((name for name in _IDS if name in names), None)

    def _number_columns(self, schema: Any, named: str | None) -> list[str]:
        import pyarrow

        lists, plain = list[str](), list[str]()
        for field in schema:
            if field.name == named:
                continue
            if _is_list(field.type):
                lists.append(field.name)
            elif pyarrow.types.is_floating(field.type) or pyarrow.types.is_integer(field.type):
                plain.append(field.name)
        if lists:
            return [_only(self.path, lists)]
        if not plain:
            raise InvalidInput(f"{self.path} has no column of lists, and none of numbers.")
        return plain


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Say in a sentence what pyarrow says of a file, and whatever a damaged one brings about."""
    try:
        yield
    except InvalidInput:
        raise
    except Exception as error:
        said = " ".join(str(error).split())[:200].rstrip(".")
        raise InvalidInput(f"{path} cannot be read: {said}.") from error


class _Parquet:
    """A Parquet file, in batches."""

    def __init__(self, path: Path) -> None:
        self._file = import_module("pyarrow.parquet").ParquetFile(path)
        self.schema = self._file.schema_arrow

    def count(self) -> int:
        return int(self._file.metadata.num_rows)

    def batches(self, columns: list[str]) -> Iterable[Any]:
        return self._file.iter_batches(10_000, columns=columns)  # type: ignore[no-any-return]


class _Lance:
    """A Lance dataset, in batches."""

    def __init__(self, path: Path) -> None:
        self._data = import_module("lance").dataset(str(path))
        self.schema = self._data.schema

    def count(self) -> int:
        return int(self._data.count_rows())

    def batches(self, columns: list[str]) -> Iterable[Any]:
        return self._data.to_batches(columns=columns, batch_size=10_000)  # type: ignore[no-any-return]


def _mapped(path: Path) -> Any:
    """The array of an ``.npy`` file, where it is."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (*MALFORMED, OSError) as error:
        said = " ".join(str(error).split())[:200]
        raise InvalidInput(
            f"{path} must hold one array of numbers, as numpy.save writes it; got: {said}."
        ) from error


def _joined(
    path: Path, count: int, columns: list[str], batches: Iterable[Any]
) -> NDArray[np.float32]:
    """Columns side by side, or the one of lists, as one matrix."""
    with _in_words(path):
        return _stacked(path, count, columns, batches)


def _stacked(
    path: Path, count: int, columns: list[str], batches: Iterable[Any]
) -> NDArray[np.float32]:
    parts, width = list[NDArray[np.float32]](), 0
    for batch in batches:
        part = np.concatenate([_block(path, column) for column in batch.columns], axis=1)
        if not parts:
            width = part.shape[1]
            if 4 * count * width > MAX_BYTES:
                raise TooLarge(f"{path} unfolds to more than {MAX_BYTES:,} bytes; use .npy.")
        if part.shape[1] != width:
            raise InvalidInput(
                f"Features have as many numbers in each row; {columns[0]!r} in {path} has rows of "
                f"{width:,} and of {part.shape[1]:,}."
            )
        parts.append(part)
    return np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)


def _block(path: Path, column: Any) -> NDArray[np.float32]:
    """Some rows of one column."""
    if column.null_count:
        raise InvalidInput(f"Features are numbers in every row; in {path} some are missing.")
    if not _is_list(column.type):
        return np.asarray(column.to_numpy(zero_copy_only=False), np.float32)[:, None]
    flat = np.asarray(column.flatten().to_numpy(zero_copy_only=False), np.float32)
    rows = len(column)
    if not rows:
        return np.zeros((0, 0), np.float32)
    lengths = {len(value) for value in column}
    if len(lengths) != 1:
        raise InvalidInput(
            f"Features have as many numbers in each row; {path} has rows of "
            f"{min(lengths):,} and of {max(lengths):,}."
        )
    return flat.reshape(rows, -1)


def _is_list(kind: Any) -> bool:
    import pyarrow

    types = pyarrow.types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _only(path: Path, names: list[str]) -> str:
    if len(names) != 1:
        raise InvalidInput(
            f"{path} must say which of its parts are the numbers; it has "
            f"{', '.join(map(repr, names)) or 'none'}. Name one with the option column."
        )
    return names[0]


def _as_ids(path: Path, values: list[Any], count: int) -> list[str]:
    if len(values) != count:
        raise InvalidInput(
            f"{path} has an id for each row; got {len(values):,} ids and {count:,} rows."
        )
    whole = (int(v) if isinstance(v, float) and v.is_integer() else v for v in values)
    return [
        each.decode(errors="replace") if isinstance(each, bytes) else str(each) for each in whole
    ]
