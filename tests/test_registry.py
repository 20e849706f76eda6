"""What every family of parts does with names and options."""

from __future__ import annotations

import pytest

from askless.errors import InvalidInput, UnknownPart
from askless.registry import Registry

PLACES = {"path": "pathlib:PurePosixPath", "fraction": "fractions:Fraction"}


class Lamp:
    """A part with an option that must be given."""

    def __init__(self, *, colour: str, watts: int = 5) -> None:
        self.words = f"{colour} {watts}"


def lamps(*, strangers: bool = False) -> Registry[Lamp]:
    return Registry("lamp", {"lamp": "tests.test_registry:Lamp"}, strangers=strangers)


def test_names_come_sorted_and_nothing_is_loaded_for_them() -> None:
    assert Registry[object]("part", PLACES).names() == ("fraction", "path")
    assert Registry[object]("part", {"ghost": "no.such:Thing"}).names() == ("ghost",)


def test_a_part_is_made_with_its_options() -> None:
    made = lamps().make("lamp", {"colour": "red"})
    assert made.words == "red 5"
    assert lamps().options("lamp")["watts"] == 5


@pytest.mark.parametrize("options", [{}, {"colour": "red", "size": 3}])
def test_options_that_do_not_fit_are_refused_with_those_that_do(options: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match=r"'lamp' has the options colour, watts \(it must have"):
        lamps().make("lamp", options)


def test_parts_of_ones_own_are_named_by_their_place_where_that_is_allowed() -> None:
    made = lamps(strangers=True).make("tests.test_registry:Lamp", {"colour": "blue"})
    assert made.words == "blue 5"
    with pytest.raises(UnknownPart, match="no lamp named 'fractions:Fraction'"):
        lamps().make("fractions:Fraction", {})
    with pytest.raises(InvalidInput, match=r"package\.module:Class"):
        lamps(strangers=True).make("no.such:Thing", {})
    with pytest.raises(UnknownPart, match="choose one of: lamp"):
        lamps(strangers=True).make("torch", {})
