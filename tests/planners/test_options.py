from __future__ import annotations

import pytest

from askless.core.pace import Pace
from askless.errors import InvalidInput
from askless.planners import make_planner


@pytest.mark.parametrize("planner", ["auto", "grid", "nested"])
def test_every_planner_takes_a_pace_or_refuses_it(planner: str) -> None:
    assert make_planner(planner, seconds=[2, 0.5, 0]).seconds == Pace(2.0, 0.5, 0.0)  # type: ignore[attr-defined]
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
