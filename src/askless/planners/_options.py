"""Options that planners share, refused with a sentence when they make no sense.

Tested in tests/planners/test_options.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypeVar

from askless.errors import InvalidInput

Objective = Literal["questions", "labels", "seconds"]
"""What to save; with ``labels`` the first ones come soonest."""

S = TypeVar("S", bound=str)


def choice(name: str, value: S, allowed: Sequence[str]) -> S:
    """`value`, which must be one of a few words."""
    if value not in allowed:
        raise InvalidInput(f"{name} is one of: {', '.join(allowed)}; got {value!r}.")
    return value


def whole(name: str, value: int, least: int) -> int:
    """`value`, which must be a whole number not below `least`."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or value.__index__() < least:
        raise InvalidInput(f"{name} is a whole number, {least} or more; got {value!r}.")
    return value.__index__()


def size(name: str, value: int | None) -> int | None:
    """`value`, which must be a positive whole number, or None for no limit."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__") or value.__index__() < 1:
        raise InvalidInput(
            f"{name} is a whole number, 1 or more, or None for no limit; got {value!r}."
        )
    return value.__index__()


def number(
    name: str, value: float, least: float, most: float, *, open_below: bool = False
) -> float:
    """`value`, which must be a finite number between `least` and `most`."""
    try:
        real = float(value)
    except (TypeError, ValueError):
        real = math.nan
    if (
        isinstance(value, bool)
        or not math.isfinite(real)
        or not least <= real <= most
        or (open_below and real == least)
    ):
        below = f"above {least:g}" if open_below else f"{least:g} or more"
        above = "" if math.isinf(most) else f" and at most {most:g}"
        raise InvalidInput(f"{name} is a number {below}{above}; got {value!r}.")
    return real


def flag(name: str, value: bool) -> bool:
    """`value`, which must be True or False."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} is True or False; got {value!r}.")
    return value
