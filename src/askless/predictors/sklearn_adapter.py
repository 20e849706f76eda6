"""An adapter for classifiers with the interface of scikit-learn, ``fit`` and ``predict_proba``.

The estimator is named by its import path, ``sklearn.ensemble:RandomForestClassifier``,
so that another process can build it. Anything that offers the two methods will do,
from scikit-learn or not. Every fit builds a new one and fits it to the known labels alone:
refuted guesses teach it nothing.

Most estimators refuse labels of one kind. If k of m known labels are True and these are all of one
kind, or there are none, every item gets the rule of succession, (k + 1) / (m + 2).
The same rule bounds the estimator's probabilities: m labels cannot support an error rate
below 1 / (m + 2), yet a forest says 0 and 1 after three of them.

It gives no arrays, so it is fitted again from the answers after a restart.
Cost: the estimator's. Prediction goes block by block, so memory stays bounded at any n.
Needs scikit-learn installed if the estimator is from there. Not for estimators that are badly
calibrated with few labels: nothing here recalibrates them.
Tested in tests/predictors/test_sklearn_adapter.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.predictors._row_blocks import row_blocks


class SklearnAdapter:
    """A predictor made of an estimator with ``predict_proba``.

    Parameters
    ----------
    estimator
        The import path of its class, as ``package.module:Class``.
    params
        Its parameters by name.
    seed
        Passed on as ``random_state``, if the estimator has one and `params` does not.
    """

    def __init__(
        self,
        *,
        estimator: str = "sklearn.linear_model:LogisticRegression",
        params: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        self.estimator = estimator
        self.params = dict(params or {})
        self._class = _load(estimator)
        if "random_state" in inspect.signature(self._class).parameters:
            self.params.setdefault("random_state", seed)
        self._fitted: Any = None
        self._least = 0.5
        self._rate = 0.5
        self._build()  # so that a wrong parameter is refused at once

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Build the estimator and fit it to the known labels."""
        known = np.flatnonzero(labels >= 0)
        given = labels[known]
        trues = int(np.count_nonzero(given))
        self._rate = (trues + 1) / (len(known) + 2)
        self._least = 1 / (len(known) + 2)
        self._fitted = None
        if 0 < trues < len(known) and x.shape[1]:
            estimator = self._build()
            estimator.fit(np.asarray(x[known]), given.astype(np.int64))
            self._fitted = estimator

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """The estimator's probability of True, within the rule of succession."""
        if self._fitted is None:
            return np.full(len(x), self._rate)
        column = list(self._fitted.classes_).index(1)
        probs = np.empty(len(x))
        for rows in row_blocks(*x.shape):
            probs[rows] = self._fitted.predict_proba(np.asarray(x[rows]))[:, column]
        # NaN stays NaN: the caller refuses it with a reason.
        return np.clip(probs, self._least, 1 - self._least)

    def arrays(self) -> Mapping[str, NDArray[Any]] | None:
        """None: an estimator has no arrays that are known here."""
        return None

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Not possible."""
        raise InvalidInput(
            f"{self.estimator} cannot be restored from arrays; fit it again from the answers."
        )

    def _build(self) -> Any:
        try:
            return self._class(**self.params)
        except TypeError as error:
            raise InvalidInput(
                f"{self.estimator} does not take these parameters: {error}."
            ) from error


def _load(place: str) -> Any:
    module, colon, name = place.partition(":")
    if not colon:
        raise InvalidInput(
            "An estimator is named by its import path, as package.module:Class; "
            f"got {place!r}. Write for example sklearn.ensemble:RandomForestClassifier."
        )
    try:
        loaded = getattr(import_module(module), name)
    except ImportError as error:
        raise InvalidInput(
            f"{place} could not be imported: {error}. Install the package it comes from."
        ) from error
    except AttributeError as error:
        raise InvalidInput(f"There is no {name} in {module}; check the spelling.") from error
    missing = [verb for verb in ("fit", "predict_proba") if not hasattr(loaded, verb)]
    if missing:
        raise InvalidInput(
            f"An estimator needs fit and predict_proba; {place} has no {' or '.join(missing)}."
        )
    return loaded
