"""Parts by name, loaded when they are made.

A family of parts (planners, predictors, stores) is a `Registry` in the ``__init__`` of
its folder: a new part is one file there and one line in the table. Importing the table loads no
part. Tested in tests/test_registry.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

from askless.errors import InvalidInput, UnknownPart

Part = TypeVar("Part")


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
    """

    def __init__(self, family: str, places: Mapping[str, str], *, strangers: bool = False) -> None:
        self._family = family
        self._places = dict(places)
        self._strangers = strangers

    def names(self) -> tuple[str, ...]:
        """Every registered name, in alphabetical order."""
        return tuple(sorted(self._places))

    def options(self, name: str) -> dict[str, Any]:
        """The options of the part called `name`, with their defaults."""
        parameters = inspect.signature(self._class(name)).parameters
        return {key: parameter.default for key, parameter in parameters.items()}

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
        wanted = [key for key, default in accepted.items() if default is inspect.Parameter.empty]
        if set(options) - set(accepted) or set(wanted) - set(options):
            must = f" (it must have {', '.join(wanted)})" if wanted else ""
            raise InvalidInput(
                f"The {self._family} {name!r} has the options "
                f"{', '.join(sorted(accepted)) or '(none)'}{must}; "
                f"got {', '.join(sorted(options)) or 'none'}."
            )
        part: Part = self._class(name)(**options)
        return part

    def _class(self, name: str) -> Any:
        module, colon, cls = self._places.get(name, name).partition(":")
        if name not in self._places and not (self._strangers and colon):
            raise UnknownPart(self._family, name, self._places)
        try:
            return getattr(import_module(module), cls)
        except (ImportError, AttributeError) as error:
            if name in self._places:
                raise
            raise InvalidInput(
                f"The name of a {self._family} is a registered one or says where its class is "
                f"found, as package.module:Class; got {name!r}, and: {error}."
            ) from error
