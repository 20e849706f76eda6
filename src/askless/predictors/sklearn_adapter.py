"""An adapter for classifiers with the interface of scikit-learn, ``fit`` and ``predict_proba``.

The estimator is named by its import path, ``sklearn.ensemble:RandomForestClassifier``,
so that another process can build it: a class, a function that makes one, or the estimator; or it is
given as an object. An object is copied for every fit and never fitted itself. Anything that offers
the two methods will do, from scikit-learn or not. A
pipeline that starts from texts or from tables is fitted on the items themselves (`rows`, or
`items` in a file). Every fit builds a new one and fits it to the known labels alone:
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

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.predictors._row_blocks import row_blocks
from askless.predictors.item_rows import read_items, rows_of
from askless.registry import Registry

_ESTIMATORS: Final = Registry[Any]("scikit-learn estimator", {}, allow_import_path=True)


class SklearnAdapter:
    """A predictor made of an estimator with ``predict_proba``.

    Parameters
    ----------
    estimator
        The import path of its class, of a function that makes it, or of the estimator, as
        ``package.module:NAME``; or the estimator itself.
    params
        Parameters of the class or the function, by name.
    seed
        Passed on as ``random_state``, if there is such a parameter and `params` does not say it.
    rows
        Gives the items with these numbers, in whatever form the estimator takes them; features are
        then the numbers of the items, in one column. None to be fitted on the features.
    items
        A file of the items, for the same, written by `askless.predictors.item_rows`; None for none.
    """

    def __init__(
        self,
        *,
        estimator: Any = "sklearn.linear_model:LogisticRegression",
        params: Mapping[str, Any] | None = None,
        seed: int = 0,
        rows: Callable[[NDArray[np.intp]], Any] | None = None,
        items: str | None = None,
    ) -> None:
        named = isinstance(estimator, str)
        self.estimator = estimator if named else type(estimator).__name__
        self.params = dict(params or {})
        self._made = _load(estimator) if named else _checked(estimator, self.estimator)
        self._named = named and not hasattr(type(self._made), "fit")  # else it is an object
        self._rows = rows if items is None else rows_of(read_items(Path(items)))
        if self._named and "random_state" in _parameters(self._made):
            self.params.setdefault("random_state", seed)
        self._fitted: Any = None
        self._least = 0.5
        self._rate = 0.5
        self.takes_items = takes_items(self._build())  # a wrong parameter is refused at once
        """Whether it makes its own features, out of the items."""

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
            estimator.fit(self._taken(x[known]), given.astype(np.int64))
            self._fitted = estimator

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """The estimator's probability of True, within the rule of succession."""
        if self._fitted is None:
            return np.full(len(x), self._rate)
        column = list(self._fitted.classes_).index(1)
        probs = np.empty(len(x))
        for rows in row_blocks(*x.shape):
            probs[rows] = self._fitted.predict_proba(self._taken(x[rows]))[:, column]
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

    def _taken(self, x: NDArray[Any]) -> Any:
        """What the estimator is given for these rows of features."""
        return np.asarray(x) if self._rows is None else self._rows(x[:, 0].astype(np.intp))

    def _build(self) -> Any:
        if not self._named:
            return _unfitted(self._made)
        try:
            made = self._made(**self.params)
        except TypeError as error:
            raise InvalidInput(
                f"{self.estimator} does not take these parameters: {error}."
            ) from error
        except Exception as error:  # the user's own code
            raise InvalidInput(
                f"{self.estimator} must make an estimator; it failed: {type(error).__name__}: "
                f"{' '.join(str(error).split())[:300]}."
            ) from error
        return _checked(made, f"what {self.estimator} makes")


class SklearnClassAdapter(SklearnAdapter):
    """The same for more than two classes: ``predict_proba`` may have any width.

    Classes that the estimator has not seen, and those it holds next to impossible, get the rule of
    succession's least chance, 1 / (m + K) after m labels.

    Parameters
    ----------
    classes
        How many classes there are, K.
    estimator, params, seed
        As for `SklearnAdapter`.
    """

    def __init__(
        self,
        *,
        classes: int,
        estimator: Any = "sklearn.linear_model:LogisticRegression",
        params: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(estimator=estimator, params=params, seed=seed)
        self._shares = np.full(int(classes), 1.0 / int(classes))

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Build the estimator and fit it to the known class numbers."""
        known = np.flatnonzero(labels >= 0)
        given, classes = labels[known], len(self._shares)
        counts = np.bincount(given, minlength=classes) + 1.0
        self._shares, self._least = counts / counts.sum(), 1.0 / (len(known) + classes)
        self._fitted = None
        if len(np.unique(given)) > 1 and x.shape[1]:
            self._fitted = self._build()
            self._fitted.fit(self._taken(x[known]), given.astype(np.int64))

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """The estimator's class probabilities, shape (n, classes), none below the least."""
        probs = np.tile(self._shares, (len(x), 1))
        if self._fitted is not None:
            probs[:] = 0.0
            for rows in row_blocks(*x.shape):
                said = self._fitted.predict_proba(self._taken(x[rows]))
                probs[rows, np.asarray(self._fitted.classes_, np.intp)] = said
            probs = np.maximum(probs, self._least)
        return np.asarray(probs / probs.sum(axis=1, keepdims=True))


def _load(place: str) -> Any:
    if ":" not in place:
        raise InvalidInput(
            "An estimator is named by its import path, as package.module:Class; "
            f"got {place!r}. Write for example sklearn.ensemble:RandomForestClassifier."
        )
    found = _ESTIMATORS.find(place)
    made_by = callable(found) and not isinstance(found, type) and not hasattr(found, "fit")
    return found if made_by else _checked(found, place)


def takes_items(model: Any) -> bool:
    """Whether an estimator makes its own features: a pipeline, or what wraps one."""
    if hasattr(model, "steps"):
        return True
    inner = [getattr(model, "estimator", None)]
    inner += [one for _, one in getattr(model, "estimators", None) or ()]
    return any(takes_items(one) for one in inner if one is not None and not isinstance(one, str))


def _parameters(made_by: Any) -> Mapping[str, Any]:
    try:
        return inspect.signature(made_by).parameters
    except (TypeError, ValueError):  # built into Python
        return {}


def _checked(estimator: Any, called: str) -> Any:
    """An estimator, or its class, if it has what is needed of it."""
    missing = [verb for verb in ("fit", "predict_proba") if not hasattr(estimator, verb)]
    if missing:
        raise InvalidInput(
            f"An estimator needs fit and predict_proba; {called} has no {' or '.join(missing)}."
        )
    return estimator


def _unfitted(estimator: Any) -> Any:
    """A copy that has learnt nothing, as scikit-learn makes it; else a copy as it is."""
    if not hasattr(estimator, "get_params"):
        return copy.deepcopy(estimator)
    from sklearn.base import clone

    return clone(estimator)
