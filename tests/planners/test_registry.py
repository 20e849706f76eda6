"""The registry: planners by name, loaded when one is made."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from askless.errors import InvalidInput, UnknownPart
from askless.planners import make_planner, planner_names, planner_options


def test_names_are_sorted_and_include_the_papers_planner() -> None:
    assert list(planner_names()) == sorted(planner_names())
    assert {"lookahead", "one-by-one"} <= set(planner_names())


def test_an_unknown_planner_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownPart, match=r"no planner named 'clever'.*lookahead.*one-by-one"):
        make_planner("clever")


@pytest.mark.parametrize("name", planner_names())
def test_an_unknown_option_is_refused_with_the_accepted_ones(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"has the options .*max_n.*seed.*; got colour, size\."):
        make_planner(name, size=3, colour="red")


@pytest.mark.parametrize("name", planner_names())
def test_every_option_is_keyword_only_and_has_a_default(name: str) -> None:
    planner = make_planner(name)
    for parameter in inspect.signature(type(planner)).parameters.values():
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert parameter.default is not inspect.Parameter.empty
    assert {"max_n", "seed"} <= set(planner_options(name))


@pytest.mark.parametrize("name", planner_names())
@pytest.mark.parametrize("max_n", [0, -1, 2.5, True, "8"])
def test_a_largest_guess_that_means_nothing_is_refused(name: str, max_n: object) -> None:
    with pytest.raises(InvalidInput, match="max_n is a whole number, 1 or more, or None"):
        make_planner(name, max_n=max_n)


def test_importing_the_registry_loads_no_planner() -> None:
    code = (
        "import sys, askless.planners;"
        "print([m for m in sys.modules if m.startswith('askless.planners.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
