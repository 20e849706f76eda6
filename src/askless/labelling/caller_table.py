"""What the caller calls the items, and their labels in the caller's own kind of table.

A pandas index names its rows, a column named by ``id`` those of other tables; a place in a list or
an array, from 0, names what stands there; files are called by their names. Imported by
`askless.labelling`; tested in tests/labelling/test_caller_table.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from askless.errors import InvalidInput
from askless.exports.columns import ADDED
from askless.exports.contents import Contents
from askless.labelling.dataset import dataset_of_columns
from askless.pools import OpenedPool, is_dataset


@dataclass(frozen=True, eq=False, slots=True)
class CallerIds:
    """Items by what the caller calls them.

    Parameters
    ----------
    pool
        The items.
    """

    pool: OpenedPool

    def of(self, item: int) -> Any:
        """What an item is called."""
        if self.pool.keys is None or item in self.pool.missing:
            return self.pool.ids[item]
        return self.pool.keys[int(self.pool.places[item])]

    def items(self, ids: Iterable[Any], among: Sequence[int]) -> list[int]:
        """The items that these are, among some.

        Raises
        ------
        InvalidInput
            One of them is no such item, or may be several.
        """
        called: dict[Any, list[int]] = {}
        for item in among:
            called.setdefault(_hashable(self.of(item)), []).append(item)
        found = []
        for name in ids:
            items = called.get(_hashable(name), [])
            if len(items) != 1:
                shown = ", ".join(repr(self.of(item)) for item in among[:8])
                why = "is none of them" if not items else "stands for several of them"
                raise InvalidInput(
                    f"Items are named by their ids in the question, {shown}"
                    f"{', ...' if len(among) > 8 else ''}; got {name!r:.80}, which {why}."
                )
            found.append(items[0])
        return found


def labels_like(data: Any, contents: Contents) -> Any:
    """The labels as a table of the caller's kind, one row for each of theirs.

    Parameters
    ----------
    data
        What the caller gave.
    contents
        The export: names, values and how they came to be.
    """
    rows = list(contents.rows())
    width = len(ADDED)
    added = [row.values[-width:] for row in rows]
    columns = {name: [values[at] for values in added] for at, name in enumerate(ADDED)}
    if is_dataset(data):
        return dataset_of_columns(columns)
    library = type(data).__module__.partition(".")[0]
    if library == "pandas":
        import pandas

        return pandas.DataFrame(_typed(columns), index=data.index)
    import narwhals as nw

    known = nw.from_native(data, pass_through=True, allow_series=True)
    if isinstance(known, nw.DataFrame | nw.Series):
        return nw.from_dict(columns, backend=known.implementation).to_native()
    return {"id": [row.id for row in rows], **columns}


def _typed(columns: Mapping[str, list[Any]]) -> dict[str, Any]:
    """Columns whose type does not depend on how far it is."""
    types: dict[str, Any] = {"certain": bool, "probability": float}
    return {
        name: np.array([np.nan if v is None else v for v in values], types[name])
        if name in types
        else np.array([*values, None], object)[:-1]
        for name, values in columns.items()
    }


def _hashable(name: Any) -> Any:
    """A name to look up: numpy's numbers are those of Python."""
    if isinstance(name, np.generic):
        name = name.item()
    try:
        hash(name)
    except TypeError:
        raise InvalidInput(f"An item's id is a single value; got {name!r:.80}.") from None
    return name
