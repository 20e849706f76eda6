"""The predictors by name: where probabilities come from.

A new predictor is one file in this folder and one line in `PREDICTORS`. Its
class takes keyword-only options with defaults and has the methods of
`askless.seams.Predictor`. The background trainer makes it by name in another process, so
there its options must be plain JSON values.

A predictor of your own needs no registration: its name is its import path,
``package.module:Class``.

Importing this module loads no predictor; `make_predictor` loads the one it makes.
Tested in tests/predictors/test_registry.py.
"""

from __future__ import annotations

from typing import Any, Final

from askless.registry import Registry
from askless.seams import Predictor

PREDICTORS: Final = Registry[Predictor](
    "predictor",
    {
        "fixed": "askless.predictors.fixed:Fixed",
        "kernel": "askless.predictors.kernel:Kernel",
        "logistic": "askless.predictors.logistic:Logistic",
        "network": "askless.predictors.network:Network",
        "sklearn": "askless.predictors.sklearn_adapter:SklearnAdapter",
    },
    allow_import_path=True,
    entry_points="askless.predictors",
)


def predictor_names() -> tuple[str, ...]:
    """Every registered name `make_predictor` accepts, in alphabetical order."""
    return PREDICTORS.names()


def predictor_options(name: str) -> dict[str, Any]:
    """The options of the predictor called `name`, with their defaults."""
    return PREDICTORS.options(name)


def read_predictor_option(name: str, option: str, text: str) -> Any:
    """The value of an option of the predictor called `name`, as it is typed on a command line."""
    return PREDICTORS.check(name, option, text)


def make_predictor(name: str, **options: Any) -> Predictor:
    """The predictor called `name`.

    Parameters
    ----------
    name
        One of `predictor_names`, or ``package.module:Class`` for one of your own.
    options
        Its options by name; `predictor_options` lists them.

    Raises
    ------
    UnknownPart
        No predictor has that name.
    InvalidInput
        The predictor has no such option, or the option cannot have that value.
    """
    return PREDICTORS.make(name, options)
