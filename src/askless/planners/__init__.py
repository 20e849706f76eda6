"""The planners by name: how the next question is chosen.

A new planner is one file in this folder and one line in `PLANNERS`. Its class
is an `askless.seams.Planner` made with keyword-only options that all have defaults,
`max_n` and `seed` among them.

Importing this module loads no planner; `make_planner` loads the one it makes.
Tested in tests/planners/test_registry.py.
"""

from __future__ import annotations

from typing import Any, Final

from askless.registry import Registry
from askless.seams import Planner

PLANNERS: Final = Registry[Planner](
    "planner",
    {
        "auto": "askless.planners.auto:Auto",
        "fill": "askless.planners.fill:Fill",
        "grid": "askless.planners.grid:Grid",
        "lookahead": "askless.planners.lookahead:Lookahead",
        "nested": "askless.planners.nested:Nested",
        "one-by-one": "askless.planners.one_by_one:OneByOne",
    },
    entry_points="askless.planners",
)


def planner_names() -> tuple[str, ...]:
    """Every name `make_planner` accepts, in alphabetical order."""
    return PLANNERS.names()


def planner_options(name: str) -> dict[str, Any]:
    """The options of the planner called `name`, with their defaults."""
    return PLANNERS.options(name)


def read_planner_option(name: str, option: str, text: str) -> Any:
    """The value of an option of the planner called `name`, as it is typed on a command line."""
    return PLANNERS.check(name, option, text)


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
    return PLANNERS.make(name, options)
