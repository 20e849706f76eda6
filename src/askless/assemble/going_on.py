"""A session goes on as it was begun: what must be the same, and the sentence if it is not.

Imported by the assemble room alone; tested in tests/assemble/test_opening.py and
test_simulation.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from askless.assemble.method import Method, differences
from askless.errors import InvalidInput


def check_same(folder: Path, begun: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse to go on otherwise than the session was begun.

    Parameters
    ----------
    folder
        Where the session is.
    begun, wanted
        What it was begun with, and what is asked for, in plain values by name.
    """
    other = [name for name in {**begun, **wanted} if begun.get(name) != wanted.get(name)]
    if other:
        was = ", ".join(f"{name} {_word(begun.get(name))}" for name in other)
        now = ", ".join(f"{name} {_word(wanted.get(name))}" for name in other)
        raise InvalidInput(
            f"The session in {folder} goes on as it was begun, with {was}; got {now}. "
            "Ask for the same, or name another folder."
        )


def check_same_method(folder: Path, begun: Method, wanted: Method | None) -> None:
    """Refuse to go on with another method than the session has now."""
    if wanted is not None:
        found = differences(begun, wanted)
        if "planner" in found:  # options of another planner say nothing
            found = {"planner": found["planner"]}
        check_same(folder, *({name: pair[k] for name, pair in found.items()} for k in (0, 1)))


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(_word, value)) or "none"
    if isinstance(value, Mapping):
        return ",".join(f"{name}={_word(each)}" for name, each in value.items()) or "none"
    return "none" if value is None else str(value)
