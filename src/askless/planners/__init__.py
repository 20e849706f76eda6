"""The planners by name: how the next question is chosen.

A new planner is one file in this folder and one line in `_PLANNERS`. Its class
is an `askless.seams.Planner` made with keyword-only options that all have defaults,
`max_n` and `seed` among them.

Importing this module loads no planner; `make_planner` loads the one it makes.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any, Final

from askless.errors import InvalidInput, UnknownPart
from askless.seams import Planner

_PLANNERS: Final = {
    "auto": "askless.planners.auto:Auto",
    "fill": "askless.planners.fill:Fill",
    "grid": "askless.planners.grid:Grid",
    "lookahead": "askless.planners.lookahead:Lookahead",
    "nested": "askless.planners.nested:Nested",
    "one-by-one": "askless.planners.one_by_one:OneByOne",
}


def planner_names() -> tuple[str, ...]:
    """Every name `make_planner` accepts, in alphabetical order."""
    return tuple(sorted(_PLANNERS))


def planner_options(name: str) -> dict[str, Any]:
    """The options of the planner called `name`, with their defaults."""
    parameters = inspect.signature(_planner_class(name)).parameters
    return {key: parameter.default for key, parameter in parameters.items()}


def make_planner(name: str, **options: Any) -> Planner:
    """The planner called `name`.

    Parameters
    ----------
    name
        One of `planner_names`.
    options
        Its options by name; `planner_options` lists them.

    Raises
    ------
    UnknownPart
        No planner has that name.
    InvalidInput
        The planner has no such option, or the option cannot have that value.
    """
    accepted = planner_options(name)
    strangers = sorted(set(options).difference(accepted))
    if strangers:
        raise InvalidInput(
            f"The planner {name!r} has the options {', '.join(sorted(accepted))}; "
            f"got {', '.join(strangers)}."
        )
    planner: Planner = _planner_class(name)(**options)
    return planner


def _planner_class(name: str) -> Any:
    if name not in _PLANNERS:
        raise UnknownPart("planner", name, _PLANNERS)
    module, _, cls = _PLANNERS[name].partition(":")
    return getattr(import_module(module), cls)
