"""The stores by name: where events are kept.

A new store is one file in this folder and one line in `_STORES`; the laws it must keep are
in `askless.checks.store_laws`. Importing this module loads no store and no
database; `make_store` loads the one it makes.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any, Final

from askless.errors import InvalidInput, UnknownPart
from askless.seams import Store

_STORES: Final = {
    "memory": "askless.stores.memory:MemoryStore",
    "sqlite": "askless.stores.sqlite:SqliteStore",
}


def store_names() -> tuple[str, ...]:
    """Every name `make_store` accepts, in alphabetical order."""
    return tuple(sorted(_STORES))


def make_store(name: str, **options: Any) -> Store:
    """The store called `name`, open.

    Parameters
    ----------
    name
        One of `store_names`.
    options
        Its options by name: ``path`` and ``write`` for ``sqlite``, ``kept`` for ``memory``.

    Raises
    ------
    UnknownPart
        No store has that name.
    InvalidInput
        The store has no such option, or wants one that was not given.
    StoreError
        It cannot be opened; the sentence says why.
    """
    if name not in _STORES:
        raise UnknownPart("store", name, _STORES)
    module, _, cls = _STORES[name].partition(":")
    make = getattr(import_module(module), cls)
    accepted = inspect.signature(make).parameters
    try:
        inspect.signature(make).bind(**options)
    except TypeError:
        raise InvalidInput(
            f"The store {name!r} has the options {', '.join(accepted)}; "
            f"got {', '.join(options) or 'none'}."
        ) from None
    store: Store = make(**options)
    return store
