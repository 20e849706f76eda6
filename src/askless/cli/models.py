"""Who predicts, as it is typed: ``--predictor``, ``--predictor-option``, ``--model``.

    --predictor logistic --predictor-option scale=2
    --model mine:make_pipeline --trust-here

Code that is named so is found where Python finds installed packages; in the current folder only
with ``--trust-here``, since anything may lie there. Imported by the commands alone.
Tested in tests/cli/test_models.py.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Annotated, Any, Final

import typer

from askless.cli.features import DEFAULT
from askless.errors import InvalidInput
from askless.predictors import PREDICTORS, read_predictor_option

_ESTIMATORS: Final = "sklearn"
"""The predictor that fits an estimator of the user's."""

Predictor = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"Who says how likely the labels are: {PREDICTORS.own}, or package.module:Class; or "
        f"{DEFAULT}. [default: as before, or kernel, which learns; fixed if there is nothing to "
        "learn from]",
    ),
]
PredictorOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--predictor-option",
        metavar="OPTION=VALUE",
        help="An option of the predictor; may be repeated.",
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="package.module:NAME",
        help="An estimator of your own with fit and predict_proba, its class, or a function that "
        "makes it. A pipeline is given texts or rows; any other, features.",
    ),
]
TrustHere = Annotated[
    bool,
    typer.Option(
        "--trust-here",
        help="Look for code named as package.module:NAME in the current folder too.",
    ),
]


def parse_predictor(
    predictor: str | None,
    options: Sequence[str] | None,
    model: str | None,
    *,
    trust_here: bool,
    usual: str,
) -> dict[str, dict[str, Any]] | None:
    """The predictor that was asked for, with its options.

    None if nothing was asked for, and none at all if the default was.

    Parameters
    ----------
    predictor, options, model, trust_here
        As they are typed.
    usual
        The predictor that options are of where none is named.

    Raises
    ------
    UnknownPart
        No predictor has that name.
    InvalidInput
        An option is not of its form, is given twice, does not exist or cannot have that value; or
        a predictor and a model are both named.
    """
    if trust_here and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # last, so that nothing installed is hidden
    if model is not None:
        top = model.partition(":")[0].partition(".")[0]
        if top and not trust_here and find_spec(top) is None:
            raise InvalidInput(
                "--model names code as package.module:NAME, of an installed package or, with "
                f"--trust-here, of the current folder; got {model!r}, and: No module named {top!r}."
            )
        if predictor not in (None, _ESTIMATORS):
            raise InvalidInput(
                f"One model predicts; got --predictor {predictor} and --model {model}. Give one of "
                "them."
            )
        options = [*(options or ()), f"estimator={model}"]
        predictor = _ESTIMATORS
    if predictor == DEFAULT:
        if options:
            raise InvalidInput(f"--predictor {DEFAULT} has no options; got {options[0]!r}.")
        return {}
    if predictor is None and not options:
        return None
    name = predictor or usual
    return {name: read_options(name, options, read_predictor_option)}


def typed_predictor(asked: Mapping[str, Mapping[str, Any]], *, trust_here: bool) -> list[str]:
    """A predictor and its options as arguments of the command line."""
    words = ["--trust-here"] if trust_here else []
    for name, options in asked.items():
        words += ["--predictor", name]
        for option, value in options.items():
            words += ["--predictor-option", f"{option}={value}"]
    return words


def read_options(
    name: str, texts: Sequence[str] | None, read: Callable[[str, str, str], Any]
) -> dict[str, Any]:
    """Options of a part as they are typed, each OPTION=VALUE."""
    found: dict[str, Any] = {}
    for text in texts or ():
        option, equals, value = (part.strip() for part in text.partition("="))
        if not option or not equals:
            raise InvalidInput(f"An option is OPTION=VALUE, such as cost=entropy; got {text!r}.")
        if option in found:
            raise InvalidInput(f"An option is given once; got {option} twice.")
        found[option] = read(name, option, value)
    return found
