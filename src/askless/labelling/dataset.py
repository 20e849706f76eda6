"""The labels as a `datasets.Dataset` of Hugging Face, with the source's own columns.

Of a dataset, its columns and their features are kept as they are; of any other source they are what
its Parquet export has. The label is a `ClassLabel`. Pictures of other sources are put into the
dataset, so they must fit in memory together. Needs the package ``datasets``.
Imported by `askless.labelling.labelling`; tested in tests/labelling/test_dataset.py.
"""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any

from askless.errors import NotInstalled
from askless.exports.columns import free_name
from askless.exports.contents import Contents
from askless.exports.parquet_file import write_parquet
from askless.pools import is_dataset


def to_dataset(data: Any, contents: Contents) -> Any:
    """The source with its labels, as a dataset.

    Parameters
    ----------
    data
        What the caller gave.
    contents
        The export: names, values and how they came to be.
    """
    datasets = _package()
    added = list(contents.added)
    if is_dataset(data):
        own = [name for name in contents.columns if name not in added]
        labels = dataset_of_columns({
            name: [row.values[at - len(added)] for row in contents.rows()]
            for at, name in enumerate(added)
        })  # fmt: skip
        found = datasets.concatenate_datasets([data.select_columns(own), labels], axis=1)
    else:
        written = io.BytesIO()
        write_parquet(contents, written)
        found = datasets.Dataset(import_module("pyarrow.parquet").read_table(written))
        if contents.kind == "images":
            found = found.add_column(
                free_name("image", found.column_names),
                [_picture(contents, row) for row in contents.rows()],
                feature=datasets.Image(),
            )
    return found.cast_column(added[0], datasets.ClassLabel(names=list(contents.label_names)))


def dataset_of_columns(columns: dict[str, list[Any]]) -> Any:
    """Columns that an export adds as a dataset; their types do not depend on how far it is."""
    datasets = _package()
    types = {"certain": "bool", "probability": "float64"}
    features = {
        name: datasets.Value(types.get(name.removeprefix("askless_"), "string")) for name in columns
    }
    return datasets.Dataset.from_dict(columns, features=datasets.Features(features))


def _picture(contents: Contents, row: Any) -> dict[str, Any] | None:
    if row.item < 0:
        return None
    content, suffix = contents.picture(row)
    return {"bytes": content, "path": row.id if row.id.endswith(suffix) else row.id + suffix}


def _package() -> Any:
    try:
        return import_module("datasets")
    except ImportError:
        raise NotInstalled(
            "A dataset of Hugging Face needs the package datasets, which is not installed: "
            "pip install datasets. labels() needs nothing."
        ) from None
