"""Features given as objects: arrays, sparse matrices, columns of embeddings, functions.

One row for each row of the source comes in; one row for each item goes out, since copies and what
cannot be read are no items. A matrix that is sparse or very wide is reduced to its principal
components, as our own features are. Imported by `askless.labelling.opening`; tested in
tests/labelling/test_own_features.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.features import FEATURES, is_feature_set
from askless.pools import OpenedPool
from askless.pools.pool import MISSING
from askless.predictors.item_rows import items_of, rows_of

OWN: Final = "own"
"""What a feature set is called that nobody has named."""
_MOST_COLUMNS: Final = 4096
_KEPT_COLUMNS: Final = 400
_PICTURES: Final = 64
"""So many pictures a function is given at once."""

Named = dict[str, Mapping[str, Any]]


def split_features(
    features: Any, columns: Mapping[str, Any]
) -> tuple[Named | None, dict[str, Any]]:
    """Feature sets by name, with their options; and those that are objects, by name too.

    Parameters
    ----------
    features
        As for `askless.label`.
    columns
        The columns of the caller's table, by name.
    """
    if features is None:
        return None, {}
    if isinstance(features, str):
        return _by_name([features], columns)
    if isinstance(features, Mapping):
        named: Named = {
            name: {option: _plain(value) for option, value in each.items()}
            for name, each in features.items()
            if isinstance(each, Mapping)
        }
        own = {str(name): each for name, each in features.items() if name not in named}
        return (named or None), own
    texts = isinstance(features, list | tuple) and all(isinstance(one, str) for one in features)
    if texts and features:
        return _by_name(features, columns)
    return None, {OWN: features}


def _plain(value: Any) -> Any:
    """An option as a session can keep it: a path from the root of the disk on, as text."""
    return str(value.expanduser().resolve()) if isinstance(value, Path) else value


def _by_name(
    names: Sequence[str], columns: Mapping[str, Any]
) -> tuple[Named | None, dict[str, Any]]:
    """Names of feature sets, and of columns of the table."""
    named, own = Named(), dict[str, Any]()
    for name in names:
        is_set = is_feature_set(name)
        if name in columns and is_set:
            raise InvalidInput(
                f"{name!r} is the name of a feature set and of a column; give the column itself."
            )
        if name in columns:
            own[name] = columns[name]
        elif is_set:
            named[name] = {}
        else:
            known = ", ".join([*FEATURES.names(), *map(repr, columns)])
            raise InvalidInput(
                f"Features are named by a feature set, or by a column of the table: {known}; got "
                f"{name!r}. Features of your own are an array, a matrix or a function."
            )
    return (named or None), own


def feature_arrays(own: Mapping[str, Any], pool: OpenedPool, rows: int) -> dict[str, NDArray[Any]]:
    """Feature sets as arrays, one row an item.

    Parameters
    ----------
    own
        What the caller gave, by name.
    pool
        The items.
    rows
        How many rows the source has.
    """
    return {name: _one_set(name, given, pool, rows) for name, given in own.items()}


def sparse_rows(own: Mapping[str, Any], pool: OpenedPool) -> Any | None:
    """The only set, by item, if it is a sparse matrix: an estimator may take it as it is."""
    if len(own) != 1:
        return None
    (given,) = own.values()
    return given.tocsr()[pool.places] if hasattr(given, "tocsr") else None


def _one_set(name: str, given: Any, pool: OpenedPool, rows: int) -> NDArray[Any]:
    if isinstance(given, type) or hasattr(given, "fit_transform"):
        raise InvalidInput(
            f"Features are made by a function of the items; got {_called(given)}. Give its method, "
            "as features=TfidfVectorizer().fit_transform."
        )
    if callable(given) and not hasattr(given, "shape"):
        return _matrix(name, _made_by(given, pool), len(pool))
    matrix = _matrix(name, given, rows)
    found = matrix[pool.places]
    if (gone := pool.places == MISSING).any():
        found[gone] = 0.0
    return found


def _made_by(make: Callable[[Any], Any], pool: OpenedPool) -> Any:
    """What a function makes of the items: of texts and rows at once, of pictures some at a time."""
    called = f"The function that makes features, {_called(make)},"
    try:
        if pool.kind != "images":
            return make(rows_of(items_of(pool))(np.arange(len(pool))))
        from PIL import Image

        parts = []
        for start in range(0, len(pool), _PICTURES):
            some = range(start, min(start + _PICTURES, len(pool)))
            made = _dense(make([Image.fromarray(pool.picture(item)) for item in some]))
            if len(made) != len(some):
                raise InvalidInput(
                    f"{called} gives one row an item; got {len(made)} for {len(some)} pictures."
                )
            parts.append(made)
        return np.concatenate(parts)
    except InvalidInput:
        raise
    except Exception as error:  # the caller's own code
        raise InvalidInput(f"{called} failed: {type(error).__name__}: {error}.") from error


def _matrix(name: str, given: Any, rows: int) -> NDArray[np.float32]:
    """Numbers, one row for each of `rows`."""
    matrix = _dense(given)
    if matrix.dtype.kind not in "biuf" or matrix.ndim not in (1, 2):
        raise InvalidInput(
            "Features are numbers, one row an item: an array, a sparse matrix, a column of lists, "
            f"or a function that makes such; got {_called(given)} of {matrix.dtype} and shape "
            f"{matrix.shape} for {name!r}."
        )
    if len(matrix) != rows:
        raise InvalidInput(
            f"Features have one row for each of the {rows:,} rows of the source; got "
            f"{len(matrix):,} for {name!r}."
        )
    numbers = matrix.astype(np.float32).reshape(len(matrix), -1)
    if not np.isfinite(numbers).all():
        row = int(np.flatnonzero(~np.isfinite(numbers).all(axis=1))[0])
        raise InvalidInput(
            f"Features are finite numbers; row {row} of {name!r} holds one that is not. Fill in "
            "what is missing."
        )
    return numbers


def _dense(given: Any) -> NDArray[Any]:
    """An array out of whatever holds numbers; what is sparse or very wide is reduced."""
    if hasattr(given, "tocsr"):
        return _reduced(given.tocsr())
    if hasattr(given, "to_numpy"):
        given = given.to_numpy()
    elif type(given).__module__.partition(".")[0] == "torch":
        given = given.detach().cpu().numpy()
    try:
        array = np.asarray(given)
        if array.dtype == object and array.ndim == 1 and len(array):
            array = np.array([np.asarray(one, np.float32) for one in array])
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            f"Features are numbers, and each row has as many; got {_called(given)}: {error}."
        ) from error
    if array.ndim == 2 and array.shape[1] > _MOST_COLUMNS and array.dtype.kind in "biuf":
        return _reduced(array.astype(np.float32))
    return array


def _reduced(matrix: Any) -> NDArray[np.float32]:
    """The leading principal components of a wide matrix, dense or sparse."""
    from askless.features.reduction import principal_axes

    n, columns = matrix.shape
    if columns <= _KEPT_COLUMNS:
        return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix, np.float32)
    axes = principal_axes(matrix, min(_KEPT_COLUMNS, n), np.random.default_rng(0))
    return np.asarray(matrix @ axes, np.float32)


def _called(given: Any) -> str:
    if isinstance(given, type):
        return f"the class {given.__name__}"
    return str(getattr(given, "__qualname__", type(given).__name__))
