"""Every registered planner obeys every law of its seam."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.checks import MakePlanner, planner_laws
from askless.planners import make_planner, planner_names

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "fill": [{}, {"same_guess": False}],
    "lookahead": [
        {"al_method": "random", "cost": "entropy"},
        {"al_method": "random", "cost": "log-size"},
        {"al_method": "uncertainty", "cost": "entropy"},
        {"al_method": "uncertainty", "cost": "log-size", "reset_tree": True},
    ],
    "nested": [{}, {"objective": "labels"}, {"same_guess": False}],
    "one-by-one": [{"order": "random"}, {"order": "uncertainty"}],
}
"""Options worth their own run, beside the group sizes that every planner is tried with."""


def planners() -> Iterator[Any]:
    for name in planner_names():
        for options in OPTIONS.get(name, [{}]):
            for max_n in (1, 3, 8, None):
                chosen = {"max_n": max_n, "seed": 0, **options}
                if name == "one-by-one" and max_n != 1:
                    continue
                words = " ".join(f"{key}={value}" for key, value in chosen.items())
                yield pytest.param(name, chosen, id=f"{name} {words}")


@pytest.mark.parametrize("law", planner_laws(), ids=lambda law: law.__name__)
@pytest.mark.parametrize(("name", "options"), list(planners()))
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_planner_obeys(
    name: str, options: dict[str, Any], law: Callable[[MakePlanner, int], None], seed: int
) -> None:
    law(lambda: make_planner(name, **options), seed)
