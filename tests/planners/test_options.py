from __future__ import annotations

import pytest

from askless.core.annotation_cost import AnnotationCost
from askless.errors import InvalidInput
from askless.planners import make_planner, planner_names, planner_options


@pytest.mark.parametrize("planner", ["auto", "grid", "nested"])
def test_every_planner_takes_a_pace_or_refuses_it(planner: str) -> None:
    assert make_planner(planner, seconds=[2, 0.5, 0]).seconds == AnnotationCost(2.0, 0.5, 0.0)  # type: ignore[attr-defined]
    with pytest.raises(InvalidInput, match="three numbers"):
        make_planner(planner, seconds=(1.0,))


def test_nested_says_what_to_use_where_asking_takes_no_time() -> None:
    with pytest.raises(InvalidInput, match="one-by-one, or auto"):
        make_planner("nested", seconds=(0.0, 1.0, 1.0))
    assert make_planner("auto", objective="seconds", seconds=(0.0, 1.0, 1.0)).max_n == 8


def test_planners_that_ask_in_an_order_of_their_own_say_so() -> None:
    follows = {name: make_planner(name).describe(100).follows_priority for name in planner_names()}
    assert follows == {
        "auto": True,
        "fill": True,
        "grid": True,
        "lookahead": False,
        "nested": True,
        "one-by-one": False,
    }
    hurried = make_planner("auto", objective="seconds", seconds=(0.0, 1.0, 1.0))
    assert not hurried.describe(100).follows_priority


@pytest.mark.parametrize("name", ["auto", "fill", "grid", "lookahead", "nested", "one-by-one"])
def test_a_planner_tells_its_options_as_they_are_in_effect(name: str) -> None:
    info = make_planner(name, max_n=3).describe(100)
    assert set(info.options) == set(planner_options(name))
    assert info.options["max_n"] == 3
    assert info.answers == ("pointed" if name == "grid" else "yes-no")


def test_a_default_that_depends_on_another_option_is_told_as_a_number() -> None:
    options = make_planner("lookahead", cost="entropy").describe(100).options
    assert options["reduce_certainty_factor"] == 0.01
