"""What every family of parts does with names and options."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from askless.errors import InvalidInput, UnknownPart
from askless.registry import Kind, Registry

if TYPE_CHECKING:
    from fractions import Fraction

PLACES = {"path": "pathlib:PurePosixPath", "fraction": "fractions:Fraction"}


class Lamp:
    """A part with an option that must be given."""

    def __init__(self, *, colour: str, watts: int = 5) -> None:
        self.words = f"{colour} {watts}"


class Odd:
    """A part with options of every type."""

    def __init__(
        self,
        *,
        file: str | Path | None = None,
        side: int | None = None,
        hours: float = 1.0,
        bright: bool = False,
        name: str = "a",
        many: tuple[int, ...] = (),
        folder: Path | None = None,
    ) -> None:
        pass


class Bare:
    """A part whose options say nothing that can be looked up."""

    def __init__(self, *, free: Fraction | None = None, five: Fraction | int = 5) -> None:
        pass


def lamps(*, strangers: bool = False) -> Registry[Lamp]:
    return Registry("lamp", {"lamp": "tests.test_registry:Lamp"}, strangers=strangers)


def _part(annotation: str) -> type:
    """A part with one option, five, whose annotation is that text."""

    class Part:
        def __init__(self, *, five: object = 5) -> None:
            pass

    Part.__init__.__annotations__["five"] = annotation
    return Part


Type, Divided, Spelt = _part("int | 'Lamp'"), _part("1 / 0"), _part("a whole number")


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


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("file", "a b=c/1.pth", Path("a b=c/1.pth")),
        ("file", "12", Path("12")),
        ("file", "none", None),
        ("side", "112", 112),
        ("side", "None", None),
        ("hours", "20", 20.0),
        ("hours", "1e-3", 0.001),
        ("bright", "True", True),
        ("bright", "false", False),
        ("name", "5", "5"),
    ],
)
def test_a_typed_option_becomes_what_its_annotation_says(
    option: str, text: str, value: object
) -> None:
    read = odd().read("odd", option, text)
    assert (read, type(read)) == (value, type(value))


def test_a_path_of_ones_own_folder_is_spelt_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert odd().read("odd", "file", "~/w.pth") == Path("/home/ann/w.pth")


@pytest.mark.parametrize(
    ("option", "text", "sentence"),
    [
        ("side", "1.5", "The option side of the part 'odd' is none or a whole number; got '1.5'."),
        ("hours", "inf", "is a number; got 'inf'."),
        ("hours", "none", "is a number; got 'none'."),
        ("bright", "1", "is true or false; got '1'."),
        ("many", "1,2", "is set in Python alone; got '1,2'."),
        (
            "size",
            "1",
            "'odd' has the options bright, file, folder, hours, many, name, side; got size.",
        ),
    ],
)
def test_a_typed_option_that_makes_no_sense_is_refused(
    option: str, text: str, sentence: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        odd().read("odd", option, text)
    assert sentence in str(refused.value)
    with pytest.raises(UnknownPart, match="no part named 'even'"):
        odd().read("even", option, text)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("free", "none", None),
        ("free", "true", True),
        ("free", "3", 3),
        ("free", "0.5", 0.5),
        ("free", "blue", "blue"),
        ("five", "6", 6),
    ],
)
def test_a_typed_option_without_an_annotation_is_read_by_its_default_or_its_looks(
    option: str, text: str, value: object
) -> None:
    read = odd().read("bare", option, text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize("part", ["Type", "Divided", "Spelt"])
def test_an_annotation_that_cannot_be_looked_up_is_passed_over(part: str) -> None:
    parts = Registry[Any]("part", {"it": f"tests.test_registry:{part}"})
    assert parts.read("it", "five", "6") == 6
    parts.check("it", {"five": "anything"})


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("file", 5, "The option file of the part 'odd' is none or a path or a text; got 5."),
        ("side", 1.5, "is none or a whole number; got 1.5."),
        ("side", True, "is none or a whole number; got True."),
        ("hours", "1", "is a number; got '1'."),
        ("bright", 1, "is true or false; got 1."),
        ("name", None, "is a text; got None."),
    ],
)
def test_a_value_of_another_type_is_refused(option: str, value: object, sentence: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        odd().check("odd", {option: value})
    assert sentence in str(refused.value)


def test_values_that_fit_and_options_without_plain_types_are_let_through() -> None:
    fitting = {"file": Path("w"), "side": None, "hours": 2, "bright": True, "name": "a"}
    odd().check("odd", {**fitting, "many": "x", "no such": 5})
    odd().check("bare", {"free": object()})


def test_what_is_no_class_with_options_is_a_sentence() -> None:
    for place in ("builtins:dict", "math:pi"):
        with pytest.raises(InvalidInput, match="a class that says its options; got"):
            lamps(strangers=True).make(place, {})


@pytest.mark.parametrize("place", ["os:getcwd", "tests.test_registry:Odd", "math:pi"])
def test_parts_of_ones_own_are_derived_from_what_is_asked(place: str) -> None:
    parts = Registry[Lamp]("lamp", {}, strangers=True, base=Lamp)
    with pytest.raises(InvalidInput, match=r"derived from tests\.test_registry\.Lamp; got"):
        parts.options(place)
    assert parts.make("tests.test_registry:Lamp", {"colour": "red"}).words == "red 5"


def odd() -> Registry[Any]:
    places = {"odd": "tests.test_registry:Odd", "bare": "tests.test_registry:Bare"}
    path = Kind(
        "a path", lambda text: Path(os.path.expanduser(text)), os.PathLike, kept_as_text=True
    )
    return Registry("part", places, kinds={Path: path})


def test_a_path_that_was_kept_as_text_is_one_again() -> None:
    given = {"folder": "a/b", "file": "c", "name": "d", "side": 3}
    assert odd().check("odd", given) == given | {"folder": Path("a/b")}
    with pytest.raises(InvalidInput, match="folder of the part 'odd' is none or a path; got 5"):
        odd().check("odd", {"folder": 5})
