"""Parts by name, loaded when they are made.

A family of parts (planners, predictors, feature sets, export formats) is a `Registry` in the
``__init__`` of its folder: a new part is one file there and one line in the table. A part in a
package of its own is found by its entry point, once the package is installed: one rule for every
family, told in docs/plugins.md. Importing the table loads no part, and asks for no entry point.
Options are checked against the annotations of the part's constructor by
pydantic, which is loaded only then. Imports nothing but `errors`.
Tested in tests/test_registry.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import import_module
from numbers import Integral
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin

from askless.doors import of_kind
from askless.errors import InvalidInput, UnknownPart

Part = TypeVar("Part")


class Registry(Generic[Part]):
    """The parts of one family.

    Parameters
    ----------
    family
        What one of them is called, for messages.
    places
        By name, where the part is found: ``package.module:Class``.
    allow_import_path
        Whether a name may also be such a place itself, for parts of your own. Whoever gives the
        name decides which code is run: False where names are read from files.
    base
        What the class of such a part must be derived from; None for nothing in particular.
    entry_points
        The group of entry points in which installed packages offer parts of this family; None for
        none. A name of askless's own stays its own.
    """

    def __init__(
        self,
        family: str,
        places: Mapping[str, str],
        *,
        allow_import_path: bool = False,
        base: type | None = None,
        entry_points: str | None = None,
    ) -> None:
        self._family = family
        self._places = dict(places)
        self._entry_points = entry_points
        self._allow_import_path = allow_import_path
        self._base = base

    @property
    def own(self) -> str:
        """The names of askless's own parts, with commas: for help texts, which ask no package."""
        return ", ".join(sorted(self._places))

    def names(self) -> tuple[str, ...]:
        """Every name, of askless and of installed packages, in alphabetical order."""
        return tuple(sorted({*self._places, *self._installed}))

    @cached_property
    def _installed(self) -> dict[str, list[str]]:
        """By name, the places at which installed packages offer a part of this family."""
        found: dict[str, list[str]] = {}
        if self._entry_points is not None:
            from importlib.metadata import entry_points

            for offered in entry_points(group=self._entry_points):
                places = found.setdefault(offered.name, [])
                if offered.value not in places:
                    places.append(offered.value)
        return found

    def _place(self, name: str) -> str:
        """Where the part called `name` is found, as ``package.module:NAME``."""
        of_kind(f"The name of a {self._family}", name, str, "text")
        if name in self._places:
            return self._places[name]
        offered = self._installed.get(name, ())
        if len(offered) > 1:
            raise InvalidInput(
                f"A {self._family} is offered by one installed package; {name!r} is offered at "
                f"{' and '.join(sorted(offered))}. Uninstall all but one of them."
            )
        if offered:
            return offered[0]
        if self._allow_import_path and ":" in name:
            return name
        raise UnknownPart(self._family, name, self.names())

    def find(self, name: str) -> Any:
        """What `name` stands for, loaded: a class, or whatever the family is made of.

        Raises
        ------
        UnknownPart
            No part has that name.
        InvalidInput
            The name is a place, and there is nothing of the right kind there.
        """
        place = self._place(name)
        module, _, attribute = place.partition(":")
        try:
            found = getattr(import_module(module), attribute)
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            if name in self._places:
                raise
            if name in self._installed:
                raise InvalidInput(
                    f"The {self._family} {name!r} of an installed package is found at {place}; "
                    f"it cannot be loaded: {error}. Mend or uninstall that package."
                ) from error
            names = ", ".join(self.names())
            raise InvalidInput(
                f"{f'Name one of {names}, or say' if names else 'Say'} where your own "
                f"{self._family} is found, as package.module:NAME; got {name!r}, and: {error}."
            ) from error
        base = self._base
        if base is not None and not (isinstance(found, type) and issubclass(found, base)):
            raise InvalidInput(
                f"Your own {self._family} must be a class derived from "
                f"{base.__module__}.{base.__qualname__}; got {name!r}, which is not."
            )
        return found

    def find_all(self) -> dict[str, Any]:
        """Every part by name, loaded; without those of installed packages that cannot be."""
        found = {}
        for name in self.names():
            try:
                found[name] = self.find(name)
            except InvalidInput:
                if name in self._places:
                    raise
        return found

    def options(self, name: str) -> dict[str, Any]:
        """The options of the part called `name`, with their defaults."""
        return {key: option.default for key, option in self._parameters(name).items()}

    def check(self, name: str, option: str, value: Any) -> Any:
        """The value of an option, as the type that its annotation declares.

        A text is read as it is typed on a command line: ``112``, ``true``, ``none``, a path. Any
        other value must be of the declared type already. Nothing is checked where the annotation
        is not one that pydantic knows.

        Raises
        ------
        UnknownPart
            No part has that name.
        InvalidInput
            It has no such option, or the value does not fit.
        """
        from pydantic import ConfigDict, PydanticUserError, TypeAdapter, ValidationError

        parameters = self._parameters(name)
        if option not in parameters:
            raise self._wrong_options(name, [option])
        declared = _declared_type(self.find(name), parameters[option])
        try:
            adapter = TypeAdapter[Any](declared, config=ConfigDict(allow_inf_nan=False))
        except PydanticUserError:
            return value
        try:
            if isinstance(value, str):
                return _read_text(adapter, value)
            if not isinstance(value, bool) and isinstance(value, Integral):
                value = int(value)  # numpy has whole numbers of its own
            return adapter.validate_python(value, strict=True)
        except ValidationError as error:
            why = error.errors()[-1]["msg"].replace("Input should be", "it should be")
            plain = get_args(declared)[0] if get_origin(declared) is Annotated else declared
            raise InvalidInput(
                f"The option {option} of the {self._family} {name!r} is "
                f"{inspect.formatannotation(plain)}; got {value!r:.60}: {why}."
            ) from error

    def make(self, name: str, options: Mapping[str, Any]) -> Part:
        """The part called `name`, made with these options.

        Raises
        ------
        UnknownPart
            No part has that name.
        InvalidInput
            It has no such option, needs one that was not given, or refuses a value.
        """
        accepted = self.options(name)
        if set(options) - set(accepted) or set(_required(accepted)) - set(options):
            raise self._wrong_options(name, options)
        part: Part = self.find(name)(**options)
        return part

    def _parameters(self, name: str) -> Mapping[str, inspect.Parameter]:
        part = self.find(name)
        try:
            return inspect.signature(part).parameters
        except (TypeError, ValueError) as error:  # built into Python, or not callable
            raise InvalidInput(
                f"Your own {self._family} must be a class that declares its options; got "
                f"{name!r}, and: {error}."
            ) from error

    def _wrong_options(self, name: str, given: Iterable[str]) -> InvalidInput:
        accepted = self.options(name)
        required = _required(accepted)
        must = f" (it must have {', '.join(required)})" if required else ""
        return InvalidInput(
            f"The {self._family} {name!r} has the options "
            f"{', '.join(sorted(accepted)) or '(none)'}{must}; "
            f"got {', '.join(sorted(given)) or 'none'}."
        )


def _required(options: Mapping[str, Any]) -> list[str]:
    return [key for key, default in options.items() if default is inspect.Parameter.empty]


def _declared_type(part: Any, parameter: inspect.Parameter) -> Any:
    """The type of an option by its annotation, or by its default if that cannot be resolved."""
    try:
        found = inspect.signature(part, eval_str=True).parameters[parameter.name].annotation
    except Exception:  # an annotation for type checkers alone; evaluating it may raise anything
        found = inspect.Parameter.empty
    if found is not inspect.Parameter.empty:
        return found
    return Any if parameter.default in (None, inspect.Parameter.empty) else type(parameter.default)


def _read_text(adapter: Any, text: str) -> Any:
    from pydantic import ValidationError

    if text.lower() == "none":
        try:
            return adapter.validate_python(None, strict=True)
        except ValidationError:
            pass
    return adapter.validate_strings(text)
