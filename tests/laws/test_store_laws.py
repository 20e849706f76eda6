"""Every store obeys every law of its seam."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askless.checks import LawBroken, OpenStore, store_laws
from askless.checks.stores import (
    accepts_a_key_once,
    keeps_an_append_whole_or_not_at_all,
    reads_what_was_appended,
)
from askless.core.event import Event
from askless.stores._codec import Fields
from askless.stores.sqlite import SqliteStore
from tests.stores.memory_store import MemoryStore
from tests.stores.servers import Server, server

__all__ = ["server"]  # a fixture


@contextmanager
def place(name: str) -> Iterator[OpenStore]:
    """Somewhere for a store to be, and how to open it there."""
    if name == "memory":
        kept: list[Fields] = []
        yield lambda: MemoryStore(kept)
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield lambda: SqliteStore(Path(folder) / "store.db")


@pytest.mark.postgres
@pytest.mark.parametrize("law", store_laws(), ids=lambda law: law.__name__)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1))
def test_store_on_a_server_obeys(
    server: Server, law: Callable[[OpenStore, int], None], seed: int
) -> None:
    from askless.stores.postgresql import PostgresqlStore

    url = server.url()
    law(lambda: PostgresqlStore(url), seed)


@pytest.mark.parametrize("law", store_laws(), ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", ["memory", "sqlite"])
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32 - 1))
def test_store_obeys(name: str, law: Callable[[OpenStore, int], None], seed: int) -> None:
    with place(name) as make:
        law(make, seed)


class Forgetful(MemoryStore):
    """Keeps the first event of an append only."""

    def append(self, events: Sequence[Event]) -> int:
        return super().append(events[:1])


class Careless(MemoryStore):
    """Does not look at keys."""

    def append(self, events: Sequence[Event]) -> int:
        return super().append([replace(event, key=None) for event in events])


class Hasty(MemoryStore):
    """Keeps the sound events of an append that it refuses."""

    def append(self, events: Sequence[Event]) -> int:
        return min([super(Hasty, self).append([event]) for event in events], default=0)


@pytest.mark.parametrize(
    ("sinner", "law"),
    [
        (Forgetful, reads_what_was_appended),
        (Careless, accepts_a_key_once),
        (Hasty, keeps_an_append_whole_or_not_at_all),
    ],
)
def test_law_is_broken_by_a_store_that_does_not_keep_it(
    sinner: type[MemoryStore], law: Callable[[OpenStore, int], None]
) -> None:
    with pytest.raises(LawBroken):
        law(lambda: sinner(), 0)
