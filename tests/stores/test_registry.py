from __future__ import annotations

import subprocess
import sys

import pytest

from askless.errors import InvalidInput, UnknownPart
from askless.stores import make_store, store_names
from askless.stores.memory import MemoryStore


def test_every_store_has_a_name() -> None:
    assert store_names() == ("memory", "sqlite")
    assert isinstance(make_store("memory"), MemoryStore)


def test_unknown_store_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownPart, match="no store named 'paper'; choose one of: memory, sqlite"):
        make_store("paper")


@pytest.mark.parametrize("options", [{}, {"path": "x", "colour": "red"}])
def test_options_that_do_not_fit_are_refused_with_those_that_do(options: dict[str, str]) -> None:
    with pytest.raises(InvalidInput, match="'sqlite' has the options path, write"):
        make_store("sqlite", **options)


def test_memory_needs_no_database() -> None:
    code = (
        "import sys; from askless.stores import make_store; make_store('memory');"
        "print({'sqlite3', 'sqlalchemy', 'alembic'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
