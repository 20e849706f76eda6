"""Any estimator in the manner of scikit-learn that has ``predict_proba``.

The estimator is named by where it is found, ``sklearn.ensemble:RandomForestClassifier``,
so that another process can build it; anything that offers ``fit`` and ``predict_proba`` will do,
from scikit-learn or not. It is built anew for every fit, from the known labels alone:
refuted guesses teach it nothing.

With k of m known labels True, all of one kind (or none known), there is nothing to tell
apart and most estimators refuse; then every item gets the rule of succession, (k + 1) / (m + 2).
The same rule bounds what an estimator may claim: m labels cannot speak for an error rate
below 1 / (m + 2), yet a forest says 0 and 1 after three of them.

It gives no arrays, so it is fitted again from the answers after a restart.
Cost: the estimator's. Prediction goes block by block, so memory stays bounded at any n.
Needs scikit-learn installed if the estimator is from there.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.errors import InvalidInput

_BLOCK: Final = 2_000_000  # numbers in a block of rows


class SklearnAdapter:
    """An estimator with ``predict_proba``, made a predictor.

    Parameters
    ----------
    estimator
        Where the estimator's class is found, as ``package.module:Class``.
    params
        What it is built with, by name.
    seed
        Given to the estimator as ``random_state``, if it takes one and `params` has none.
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
        self._class = _found(estimator)
        if "random_state" in inspect.signature(self._class).parameters:
            self.params.setdefault("random_state", seed)
        self._built: Any = None
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
        self._built = None
        if 0 < trues < len(known) and x.shape[1]:
            built = self._build()
            built.fit(np.asarray(x[known]), given.astype(np.int64))
            self._built = built

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """What the estimator gives for the label True, within what its labels can speak for."""
        if self._built is None:
            return np.full(len(x), self._rate)
        column = list(self._built.classes_).index(1)
        step = max(1, _BLOCK // max(1, x.shape[1]))
        probs = np.empty(len(x))
        for start in range(0, len(x), step):
            rows = np.asarray(x[start : start + step])
            probs[start : start + step] = self._built.predict_proba(rows)[:, column]
        # Not a number stays what it is: whoever takes the probabilities refuses it with a reason.
        return np.clip(probs, self._least, 1 - self._least)

    def arrays(self) -> Mapping[str, NDArray[Any]] | None:
        """None: an estimator cannot be taken apart into arrays in general."""
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
            raise InvalidInput(f"{self.estimator} cannot be built so: {error}.") from error


def _found(place: str) -> Any:
    module, colon, name = place.partition(":")
    if not colon:
        raise InvalidInput(
            "An estimator is named by where it is found, as package.module:Class; "
            f"got {place!r}. Write for example sklearn.ensemble:RandomForestClassifier."
        )
    try:
        found = getattr(import_module(module), name)
    except ImportError as error:
        raise InvalidInput(
            f"{place} could not be imported: {error}. Install the package it comes from."
        ) from error
    except AttributeError as error:
        raise InvalidInput(f"There is no {name} in {module}; check the spelling.") from error
    lacking = [verb for verb in ("fit", "predict_proba") if not hasattr(found, verb)]
    if lacking:
        raise InvalidInput(
            f"An estimator needs fit and predict_proba; {place} has no {' or '.join(lacking)}."
        )
    return found
