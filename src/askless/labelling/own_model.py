"""A model given as an object: a predictor, or an estimator of scikit-learn or like it.

- One that is not fitted is fitted again, as a fresh copy, after every answer.
- One that is fitted gives the first guesses, and a predictor of ours learns where to trust them: to
  fit it again would lose what it knows.
- A pipeline is given the items as they are, texts or rows; so is whatever wraps one. Any other
  estimator is given features. Where features are said, they are what it gets.

Imported by `askless.labelling.opening`; tested in tests/labelling/test_own_model.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.app.names import Names
from askless.errors import InvalidInput
from askless.labelling.own_features import feature_arrays, sparse_rows
from askless.pools import OpenedPool
from askless.predictors.item_rows import items_of, rows_of
from askless.predictors.sklearn_adapter import SklearnAdapter, takes_items
from askless.seams import Predictor

_WANTED: Final = (
    "A model is the name of a predictor, an object with its methods (askless.seams.Predictor), or "
    "an estimator with fit and predict_proba"
)


@dataclass(frozen=True, eq=False, slots=True)
class OwnModel:
    """What becomes of a model that was given as an object.

    Parameters
    ----------
    predictor
        What learns from the answers; None for a predictor of ours.
    x
        What that is fitted on, if it is no feature set.
    probs
        P(label is True) by item, as the model sees it before any answer; None if it does not.
    """

    predictor: Predictor | None = None
    x: NDArray[Any] | None = None
    probs: NDArray[np.float64] | None = None


def check_model(model: Any) -> None:
    """Refuse what is no model; nothing is fitted.

    Raises
    ------
    InvalidInput
        It is none.
    """
    if model is None or isinstance(model, str) or _is_predictor(model):
        return
    if isinstance(model, type):
        raise InvalidInput(
            f"{_WANTED}; got the class {model.__name__}. Make one of it: {model.__name__}()."
        )
    if not hasattr(model, "fit"):
        raise InvalidInput(f"{_WANTED}; got {type(model).__name__}.")
    if not hasattr(model, "predict_proba"):
        raise InvalidInput(
            f"{_WANTED}; this {type(model).__name__} says no probabilities. Wrap it: "
            "sklearn.calibration.CalibratedClassifierCV does."
        )


def is_fitted(model: Any) -> bool:
    """Whether an estimator has been fitted."""
    if model is None or isinstance(model, str) or _is_predictor(model):
        return False
    try:
        return hasattr(model, "classes_")
    except Exception:  # a wrapper may raise anything before it is fitted
        return False


def own_model(
    model: Any, pool: OpenedPool, names: Names, features: Mapping[str, Any], *, named: bool
) -> OwnModel:
    """What becomes of a model that was given as an object.

    Parameters
    ----------
    model
        What `check_model` lets through, and no name.
    pool
        The items.
    names
        What the labels are called: the classes of a fitted model may be these.
    features
        Features given as objects, by name.
    named
        Whether feature sets were named.
    """
    if _is_predictor(model):
        return OwnModel(model)
    if is_fitted(model):
        return OwnModel(probs=_guesses(model, pool, names, features, named))
    numbers = np.arange(len(pool), dtype=np.float64)[:, None]
    if (matrix := sparse_rows(features, pool)) is not None and not named:
        return OwnModel(SklearnAdapter(estimator=model, rows=lambda at: matrix[at]), numbers)
    if not features and not named and takes_items(model):
        return OwnModel(SklearnAdapter(estimator=model, rows=rows_of(items_of(pool))), numbers)
    return OwnModel(SklearnAdapter(estimator=model))


def _guesses(
    model: Any, pool: OpenedPool, names: Names, features: Mapping[str, Any], named: bool
) -> NDArray[np.float64]:
    """What a fitted estimator says of every item."""
    called = type(model).__name__
    column = _column_of_true(model, names)
    if named:
        raise InvalidInput(
            f"A fitted model is given what it was fitted on; this {called} was not fitted on "
            "features that askless makes. Give them as an array, or leave features out."
        )
    if features:
        matrix = sparse_rows(features, pool)
        if matrix is None:
            sets = feature_arrays(features, pool, len(pool.source_rows))
            matrix = np.concatenate(list(sets.values()), axis=1)
        given = matrix
    elif pool.kind == "rows" or takes_items(model):
        given = rows_of(items_of(pool))(np.arange(len(pool)))
    else:
        raise InvalidInput(
            f"A fitted model is given what it was fitted on, and this {called} takes no "
            f"{pool.kind}; give that as features=..., one row for each row of the source."
        )
    try:
        probs = np.asarray(model.predict_proba(given), np.float64)[:, column]
    except Exception as error:  # the caller's own code
        raise InvalidInput(
            f"A fitted model is given what it was fitted on; this {called} could not predict: "
            f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        ) from error
    if probs.shape != (len(pool),) or not np.all((probs >= 0) & (probs <= 1)):
        raise InvalidInput(
            f"A model says one probability for each item, from 0 to 1; {called} does not."
        )
    return probs


def _column_of_true(model: Any, names: Names) -> int:
    """Which of a fitted estimator's classes is the positive label."""
    classes = [str(one) for one in model.classes_]
    positive = {"1", "1.0", "True", names.positive, names.one(True), names.many(True)}
    found = [at for at, one in enumerate(classes) if one in positive]
    if len(classes) != 2 or len(found) != 1:
        raise InvalidInput(
            "A fitted model has two classes, 0 and 1, False and True, or the names of the labels; "
            f"this {type(model).__name__} has {', '.join(classes)[:200]}. Name the positive one "
            "with positive=..."
        )
    return found[0]


def _is_predictor(model: Any) -> bool:
    needed = ("fit", "predict", "arrays", "restore")
    return not isinstance(model, type) and all(hasattr(model, verb) for verb in needed)
