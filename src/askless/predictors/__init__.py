"""The predictors by name: where probabilities come from.

A new predictor is one file in this folder and one line in `_PREDICTORS`. Its
class takes keyword-only options with defaults and offers what
`askless.seams.Predictor` asks. A predictor that is to be fitted in the background is
made by name in another process, so its options must be plain JSON values there.

A predictor of one's own needs no registration: its name is where it is found,
``package.module:Class``.

Importing this module loads no predictor; `make_predictor` loads the one it makes.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any, Final

from askless.errors import InvalidInput, UnknownPart
from askless.seams import Predictor

_PREDICTORS: Final = {
    "fixed": "askless.predictors.fixed:Fixed",
    "logistic": "askless.predictors.logistic:Logistic",
    "sklearn": "askless.predictors.sklearn_adapter:SklearnAdapter",
}


def predictor_names() -> tuple[str, ...]:
    """Every registered name `make_predictor` accepts, in alphabetical order."""
    return tuple(sorted(_PREDICTORS))


def predictor_options(name: str) -> dict[str, Any]:
    """The options of the predictor called `name`, with their defaults."""
    parameters = inspect.signature(_predictor_class(name)).parameters
    return {key: parameter.default for key, parameter in parameters.items()}


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
    accepted = predictor_options(name)
    strangers = sorted(set(options).difference(accepted))
    if strangers:
        raise InvalidInput(
            f"The predictor {name!r} has the options {', '.join(sorted(accepted)) or '(none)'}; "
            f"got {', '.join(strangers)}."
        )
    predictor: Predictor = _predictor_class(name)(**options)
    return predictor


def _predictor_class(name: str) -> Any:
    place = _PREDICTORS.get(name, name)
    module, colon, cls = place.partition(":")
    if not colon:
        raise UnknownPart("predictor", name, _PREDICTORS)
    try:
        return getattr(import_module(module), cls)
    except (ImportError, AttributeError) as error:
        raise InvalidInput(
            "A predictor's name is a registered one or says where its class is found, "
            f"as package.module:Class; got {name!r}, and: {error}."
        ) from error
