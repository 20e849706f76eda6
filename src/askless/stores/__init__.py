"""The stores by name: where events are kept.

A new store is one file in this folder and one line in `_STORES`; the laws it must keep are
in `askless.checks.store_laws`. Importing this module loads no store and no
database; `make_store` loads the one it makes.
Tested in tests/stores/test_registry.py.
"""

from __future__ import annotations

from typing import Any, Final

from askless.registry import Registry
from askless.seams import Store

_STORES: Final = Registry[Store](
    "store",
    {
        "memory": "askless.stores.memory:MemoryStore",
        "sqlite": "askless.stores.sqlite:SqliteStore",
    },
)


def store_names() -> tuple[str, ...]:
    """Every name `make_store` accepts, in alphabetical order."""
    return _STORES.names()


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
    return _STORES.make(name, options)
