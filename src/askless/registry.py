"""Parts by name, loaded when they are made.

A family of parts (planners, predictors, stores) is a `Registry` in the ``__init__`` of
its folder: a new part is one file there and one line in the table. Importing the table loads no
part. Tested in tests/test_registry.py.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from numbers import Integral, Real
from types import UnionType
from typing import Any, Final, Generic, NamedTuple, TypeVar, Union, get_args, get_origin

from askless.errors import InvalidInput, UnknownPart

Part = TypeVar("Part")


def _word(text: str, words: Mapping[str, Any]) -> Any:
    if text.lower() not in words:
        raise ValueError(text)
    return words[text.lower()]


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


class Kind(NamedTuple):
    """A type of options.

    Parameters
    ----------
    word
        Its name in messages.
    read
        Makes one of a text.
    alike
        What passes for one.
    kept_as_text
        Whether a text stands for one, as in JSON, which has no such type.
    """

    word: str
    read: Callable[[str], Any]
    alike: type
    kept_as_text: bool = False


PLAIN: Final[Mapping[type, Kind]] = {
    type(None): Kind("none", lambda text: _word(text, {"none": None}), type(None)),
    bool: Kind("true or false", lambda text: _word(text, {"true": True, "false": False}), bool),
    int: Kind("a whole number", int, Integral),
    float: Kind("a number", _number, Real),
    str: Kind("a text", str, str),
}
"""The types every family has, the narrowest first; numbers of numpy pass for numbers."""


class Registry(Generic[Part]):
    """The parts of one family.

    Parameters
    ----------
    family
        What one of them is called, for messages.
    places
        By name, where the class is found: ``package.module:Class``.
    strangers
        Whether a name may also be such a place itself, for parts of one's own.
    base
        What the class of such a one must be derived from; None for nothing in particular.
    kinds
        Types of options beside the plain ones. They are tried before a text.
    """

    def __init__(
        self,
        family: str,
        places: Mapping[str, str],
        *,
        strangers: bool = False,
        base: type | None = None,
        kinds: Mapping[type, Kind] | None = None,
    ) -> None:
        self._family = family
        self._places = dict(places)
        self._strangers = strangers
        self._base = base
        self._known = {**PLAIN, **(kinds or {})}
        self._known[str] = self._known.pop(str)  # last: anything is one

    def names(self) -> tuple[str, ...]:
        """Every registered name, in alphabetical order."""
        return tuple(sorted(self._places))

    def options(self, name: str) -> dict[str, Any]:
        """The options of the part called `name`, with their defaults."""
        part = self.find(name)
        try:
            parameters = inspect.signature(part).parameters
        except (TypeError, ValueError) as error:  # built into Python, or nothing that is called
            raise InvalidInput(
                f"A {self._family} of one's own is a class that says its options; got {name!r}, "
                f"and: {error}."
            ) from error
        return {key: parameter.default for key, parameter in parameters.items()}

    def read(self, name: str, option: str, text: str) -> Any:
        """The value of an option as it is typed on a command line.

        Of which type it is tells the option's annotation, or else its default.

        Raises
        ------
        UnknownPart
            No part has that name.
        InvalidInput
            It has no such option, or the text is no value of it.
        """
        accepted = self.options(name)
        if option not in accepted:
            raise self._strange(name, [option])
        said, default = _annotated(self.find(name), option), accepted[option]
        types = [*said, type(default)]
        if said == [inspect.Parameter.empty] and default is None:
            types = list(PLAIN)  # it may be anything
        kinds = [kind for known, kind in self._known.items() if known in types]
        for kind in kinds:
            with suppress(ValueError):
                return kind.read(text)
        raise InvalidInput(
            f"The option {option} of the {self._family} {name!r} is "
            f"{' or '.join(kind.word for kind in kinds) or 'set in Python alone'}; got {text!r}."
        )

    def check(self, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options, of the types that their annotations say; a value of another is refused.

        Options that the part does not have, and annotations that are not plain, are passed over.

        Raises
        ------
        UnknownPart
            No part has that name.
        InvalidInput
            A value is of another type.
        """
        part, accepted, checked = self.find(name), self.options(name), dict(options)
        for option in [option for option in options if option in accepted]:
            types, value = _annotated(part, option), options[option]
            kinds = [kind for known, kind in self._known.items() if known in types]
            kept = [kind for kind in kinds if kind.kept_as_text]
            if isinstance(value, str) and str not in types and kept:
                value = checked[option] = kept[0].read(value)
            if len(kinds) == len(types) and not any(_is_a(value, kind) for kind in kinds):
                raise InvalidInput(
                    f"The option {option} of the {self._family} {name!r} is "
                    f"{' or '.join(kind.word for kind in kinds)}; got {value!r:.60}."
                )
        return checked

    def make(self, name: str, options: Mapping[str, Any]) -> Part:
        """The part called `name`, made with these options.

        Raises
        ------
        UnknownPart
            No part has that name.
        InvalidInput
            It has no such option, wants one that was not given, or refuses a value.
        """
        accepted = self.options(name)
        wanted = _wanted(accepted)
        if set(options) - set(accepted) or set(wanted) - set(options):
            raise self._strange(name, options)
        part: Part = self.find(name)(**options)
        return part

    def _strange(self, name: str, given: Iterable[str]) -> InvalidInput:
        """What to say about options that do not fit."""
        accepted = self.options(name)
        wanted = _wanted(accepted)
        must = f" (it must have {', '.join(wanted)})" if wanted else ""
        return InvalidInput(
            f"The {self._family} {name!r} has the options "
            f"{', '.join(sorted(accepted)) or '(none)'}{must}; "
            f"got {', '.join(sorted(given)) or 'none'}."
        )

    def find(self, name: str) -> Any:
        """What `name` stands for, loaded: a class, or whatever the family is made of.

        Raises
        ------
        UnknownPart
            No part has that name.
        InvalidInput
            The name is a place, and there is nothing of the right kind there.
        """
        module, colon, cls = self._places.get(name, name).partition(":")
        if name not in self._places and not (self._strangers and colon):
            raise UnknownPart(self._family, name, self._places)
        try:
            found = getattr(import_module(module), cls)
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            if name in self._places:
                raise
            raise InvalidInput(
                f"The name of a {self._family} is a registered one or says where its class is "
                f"found, as package.module:Class; got {name!r}, and: {error}."
            ) from error
        base = self._base
        if base is not None and not (isinstance(found, type) and issubclass(found, base)):
            raise InvalidInput(
                f"A {self._family} of one's own is a class derived from "
                f"{base.__module__}.{base.__qualname__}; got {name!r}, which is none."
            )
        return found


def _wanted(options: Mapping[str, Any]) -> list[str]:
    """Those that must be given."""
    return [key for key, default in options.items() if default is inspect.Parameter.empty]


def _annotated(part: Any, option: str) -> list[Any]:
    """The types that an option's annotation names; one that is empty if it cannot be looked up."""
    try:
        said = inspect.signature(part, eval_str=True).parameters[option].annotation
    except Exception:  # an annotation that is for type checkers alone; it may be any text
        said = inspect.Parameter.empty
    return list(get_args(said)) if get_origin(said) in (Union, UnionType) else [said]


def _is_a(value: Any, kind: Kind) -> bool:
    if isinstance(value, bool):  # which Python takes for a whole number
        return kind.alike is bool
    return isinstance(value, kind.alike)
