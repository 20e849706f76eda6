from __future__ import annotations

import math
from typing import Any

import pytest

from askless.errors import InvalidInput
from askless.planners import _options, make_planner


def test_seconds_are_three_numbers() -> None:
    assert _options.seconds((1, 0.3, 0)) == (1.0, 0.3, 0.0)


@pytest.mark.parametrize("wrong", [(1.0, 2.0), 3.0, "abcd", None])
def test_anything_but_three_seconds_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="three numbers"):
        _options.seconds(wrong)


@pytest.mark.parametrize("wrong", [(-1.0, 0.0, 0.0), (0.0, math.nan, 0.0), (0.0, 0.0, math.inf)])
def test_seconds_below_nought_or_without_end_are_refused(wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="0 or more"):
        _options.seconds(wrong)


@pytest.mark.parametrize("planner", ["auto", "grid", "nested"])
def test_every_planner_refuses_the_same_seconds(planner: str) -> None:
    with pytest.raises(InvalidInput, match="three numbers"):
        make_planner(planner, seconds=(1.0,))


def test_nested_says_what_to_use_where_asking_takes_no_time() -> None:
    with pytest.raises(InvalidInput, match="one-by-one, or auto"):
        make_planner("nested", seconds=(0.0, 1.0, 1.0))
    assert make_planner("auto", objective="seconds", seconds=(0.0, 1.0, 1.0)).max_n == 8


def test_planners_that_heed_no_wishes_say_so() -> None:
    own = {
        name: getattr(make_planner(name), "own_order", False) for name in ("fill", "nested", "grid")
    }
    assert not any(own.values())
    assert all(make_planner(name).own_order for name in ("lookahead", "one-by-one"))  # type: ignore[attr-defined]
    hurried = make_planner("auto", objective="seconds", seconds=(0.0, 1.0, 1.0))
    assert hurried.own_order  # type: ignore[attr-defined]
    assert not make_planner("auto").own_order  # type: ignore[attr-defined]
