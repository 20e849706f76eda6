"""What every family of parts does with names and options."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

from askless.errors import InvalidInput, UnknownPart
from askless.registry import Registry

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
        file: Path | None = None,
        side: int | None = None,
        hours: float = 1.0,
        bright: bool = False,
        name: str = "a",
        many: tuple[int, ...] = (),
        mood: Literal["calm", "loud"] = "calm",
        strange: Lamp | None = None,
    ) -> None:
        pass


class Bare:
    """A part whose options say nothing that can be looked up."""

    def __init__(self, *, free: Fraction | None = None, five: Fraction | int = 5) -> None:
        pass


def lamps(*, allow_import_path: bool = False) -> Registry[Lamp]:
    return Registry(
        "lamp", {"lamp": "tests.test_registry:Lamp"}, allow_import_path=allow_import_path
    )


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


def test_parts_of_your_own_are_named_by_their_place_where_that_is_allowed() -> None:
    made = lamps(allow_import_path=True).make("tests.test_registry:Lamp", {"colour": "blue"})
    assert made.words == "blue 5"
    with pytest.raises(UnknownPart, match="no lamp named 'fractions:Fraction'"):
        lamps().make("fractions:Fraction", {})
    with pytest.raises(InvalidInput, match=r"your own lamp is found, as package\.module:NAME"):
        lamps(allow_import_path=True).make("no.such:Thing", {})
    with pytest.raises(UnknownPart, match="choose one of: lamp"):
        lamps(allow_import_path=True).make("torch", {})


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
        ("name", "none", "none"),
        ("mood", "loud", "loud"),
        ("strange", "x", "x"),
    ],
)
def test_a_text_is_read_as_what_the_annotation_declares(
    option: str, text: str, value: object
) -> None:
    read = odd().check("odd", option, text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("side", "1.5", "The option side of the part 'odd' is int | None; got '1.5': it should be"),
        ("side", 1.5, "is int | None; got 1.5: it should be a valid integer."),
        ("side", True, "is int | None; got True: it should be a valid integer."),
        ("hours", "inf", "is float; got 'inf': it should be a finite number."),
        ("hours", "none", "is float; got 'none': it should be a valid number"),
        ("hours", None, "is float; got None: it should be a valid number."),
        ("bright", "maybe", "is bool; got 'maybe': it should be a valid boolean"),
        ("bright", 1, "is bool; got 1: it should be a valid boolean."),
        ("name", None, "is str; got None: it should be a valid string."),
        ("many", "1,2", "is tuple[int, ...]; got '1,2': it should be a valid array."),
        ("mood", "sad", "got 'sad': it should be 'calm' or 'loud'."),
        ("file", 5, "Path | None; got 5: it should be an instance of Path."),
        (
            "size",
            "1",
            "'odd' has the options bright, file, hours, many, mood, name, side, strange; got size.",
        ),
    ],
)
def test_a_value_that_does_not_fit_is_refused(option: str, value: object, sentence: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        odd().check("odd", option, value)
    assert sentence in str(refused.value)
    with pytest.raises(UnknownPart, match="no part named 'even'"):
        odd().check("even", option, value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("file", Path("w")),
        ("side", None),
        ("side", np.int64(3)),
        ("hours", 2),
        ("hours", np.float32(0.5)),
        ("bright", True),
        ("name", "a"),
        ("many", (1, 2)),
        ("strange", 5),
    ],
)
def test_a_value_of_the_declared_type_is_left_as_it_is(option: str, value: object) -> None:
    assert odd().check("odd", option, value) == value


def test_without_an_annotation_the_default_tells_the_type() -> None:
    assert odd().check("bare", "five", "6") == 6
    assert odd().check("bare", "free", "6") == "6"


@pytest.mark.parametrize("part", ["Type", "Divided", "Spelt"])
def test_an_annotation_that_cannot_be_resolved_is_passed_over(part: str) -> None:
    parts = Registry[Any]("part", {"it": f"tests.test_registry:{part}"})
    assert parts.check("it", "five", "6") == 6


def test_pydantic_is_loaded_for_options_alone() -> None:
    code = (
        "import sys; from askless.planners import make_planner; make_planner('auto', max_n=4); "
        "print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_what_is_no_class_with_options_is_a_sentence() -> None:
    for place in ("builtins:dict", "math:pi"):
        with pytest.raises(InvalidInput, match="a class that declares its options; got"):
            lamps(allow_import_path=True).make(place, {})


@pytest.mark.parametrize("place", ["os:getcwd", "tests.test_registry:Odd", "math:pi"])
def test_parts_of_your_own_are_derived_from_what_is_asked(place: str) -> None:
    parts = Registry[Lamp]("lamp", {}, allow_import_path=True, base=Lamp)
    with pytest.raises(InvalidInput, match=r"derived from tests\.test_registry\.Lamp; got"):
        parts.options(place)
    assert parts.make("tests.test_registry:Lamp", {"colour": "red"}).words == "red 5"


def odd() -> Registry[Any]:
    places = {"odd": "tests.test_registry:Odd", "bare": "tests.test_registry:Bare"}
    return Registry("part", places)


def offer(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Install a package that offers lamps at these places."""
    for number, line in enumerate(lines):
        about = folder / f"lamps{number}-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: lamps{number}\nVersion: 1\n")
        (about / "entry_points.txt").write_text(f"[askless.lamps]\n{line}\n")
    monkeypatch.syspath_prepend(folder)


def test_parts_of_installed_packages_are_found_by_their_entry_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(tmp_path, monkeypatch, "torch = tests.test_registry:Lamp", "lamp = fractions:Fraction")
    parts = Registry[Lamp](
        "lamp", {"lamp": "tests.test_registry:Lamp"}, entry_points="askless.lamps"
    )
    assert parts.names() == ("lamp", "torch")
    assert parts.make("torch", {"colour": "red"}).words == "red 5"
    assert parts.find("lamp") is Lamp  # a name of our own stays our own
    assert set(parts.find_all()) == {"lamp", "torch"}
    with pytest.raises(UnknownPart, match="choose one of: lamp, torch"):
        parts.find("candle")
    assert lamps().names() == ("lamp",)


def test_a_broken_package_is_named_when_its_part_is_wanted_and_disturbs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(tmp_path, monkeypatch, "broken = no.such:Thing", "two = a:B", "two = c:D")
    parts = Registry[Lamp](
        "lamp", {"lamp": "tests.test_registry:Lamp"}, entry_points="askless.lamps"
    )
    assert set(parts.find_all()) == {"lamp"}
    with pytest.raises(InvalidInput, match=r"found at no\.such:Thing; it cannot be loaded"):
        parts.find("broken")
    with pytest.raises(InvalidInput, match=r"is offered at a:B and c:D\. Uninstall"):
        parts.find("two")
