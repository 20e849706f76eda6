"""The items themselves, as a function or a pipeline takes them: texts, a table, or an array.

    rows = rows_of(items_of(pool))
    rows(np.array([3, 5]))            # the texts of items 3 and 5

Written to a file, another process can have them too. Imported by `askless.assemble` and
`askless.labelling`; tested in tests/predictors/test_item_rows.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput, NotInstalled
from askless.files import read_bytes, write_whole
from askless.seams import Pool

_MOST_BYTES: Final = 2**32

GiveRows = Callable[[NDArray[np.intp]], Any]


def items_of(pool: Pool) -> dict[str, Any]:
    """All items: ``texts``, or the ``columns`` of a table, or an ``array`` without names.

    Raises
    ------
    InvalidInput
        The items are pictures.
    """
    if pool.kind == "images":
        raise InvalidInput(
            "A pipeline is given the items as they are, and these are pictures; say what it is to "
            "learn from with features=..., on the command line --features."
        )
    if pool.kind == "texts":
        gone = getattr(pool, "missing", ())
        return {"texts": [pool.text(at) if at not in gone else "" for at in range(len(pool))]}
    columns = dict(pool.columns())
    if not getattr(pool, "shown", True):  # columns that have no names of their own
        return {"array": np.stack(list(columns.values()), axis=1)}
    return {"columns": columns}


def rows_of(items: Mapping[str, Any]) -> GiveRows:
    """Gives items by number.

    Parameters
    ----------
    items
        From `items_of` or `read_items`.
    """
    if "texts" in items:
        texts = items["texts"]
        return lambda numbers: [texts[item] for item in numbers]
    if "array" in items:
        array = np.asarray(items["array"])
        return lambda numbers: array[numbers]
    try:
        import pandas
    except ImportError:
        raise NotInstalled(
            "A pipeline is given the rows of a table as a DataFrame of pandas, which is not "
            "installed; install it, or say what to learn from."
        ) from None
    frame = pandas.DataFrame(items["columns"])
    return lambda numbers: frame.iloc[numbers]


def write_items(path: Path, items: Mapping[str, Any]) -> None:
    """Put what `items_of` gave into a file, as JSON."""
    body = json.dumps(items, default=lambda array: array.tolist()).encode()
    write_whole(path, lambda file: file.write(body))


def read_items(path: Path) -> dict[str, Any]:
    """What `write_items` wrote."""
    found = json.loads(read_bytes(path, _MOST_BYTES))
    if not isinstance(found, dict) or not found.keys() & {"texts", "array", "columns"}:
        raise InvalidInput(f"{path} must hold items that askless wrote; make it again.")
    return found
