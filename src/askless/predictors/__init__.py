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

from collections.abc import Mapping
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


_RUN_NO_CODE: Final = ("fixed", "kernel", "logistic", "network")


def may_run_code(name: str) -> bool:
    """Whether this predictor may run code that does not come with askless; nothing is loaded.

    If the name comes from a file, do not make such a one unless the user asks for it.
    """
    return name not in _RUN_NO_CODE


def predictor_names() -> tuple[str, ...]:
    """Every registered name `make_predictor` accepts, in alphabetical order."""
    return PREDICTORS.names()


def predictor_options(name: str) -> dict[str, Any]:
    """The options of the predictor called `name`, with their defaults."""
    return PREDICTORS.options(name)


def read_predictor_option(name: str, option: str, text: str) -> Any:
    """The value of an option of the predictor called `name`, as it is typed on a command line."""
    return PREDICTORS.check(name, option, text)


def check_predictor_options(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the predictor called `name`, each as the type that it declares.

    Raises
    ------
    UnknownPart
        No predictor has that name.
    InvalidInput
        It has no such option, or the option cannot have that value.
    """
    return {option: PREDICTORS.check(name, option, value) for option, value in options.items()}


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
