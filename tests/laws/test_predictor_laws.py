"""Every registered predictor obeys every law of its seam, and a law can be broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from askless.checks import LawBroken, MakePredictor, predictor_laws
from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.predictors import make_predictor, predictor_names
from askless.predictors.logistic import Logistic

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "fixed": [{}, {"probs": 0.0}],
    "logistic": [{}, {"most_labels": 5}],
    "network": [{"width": 2, "epochs": 1, "device": "cpu"}],
    "sklearn": [
        {"estimator": "sklearn.tree:DecisionTreeClassifier"},
        {
            "estimator": "sklearn.ensemble:RandomForestClassifier",
            "params": {"n_estimators": 3},
        },
        {"estimator": "sklearn.neighbors:KNeighborsClassifier", "params": {"n_neighbors": 1}},
    ],
}
"""Options worth their own run."""


def predictors() -> Iterator[Any]:
    for name in predictor_names():
        for options in OPTIONS.get(name, [{}]):
            words = " ".join(f"{key}={value}" for key, value in options.items())
            marks = [pytest.mark.torch] if name == "network" else []
            yield pytest.param(name, options, id=f"{name} {words}", marks=marks)


@pytest.mark.parametrize("law", predictor_laws(), ids=lambda law: law.__name__)
@pytest.mark.parametrize(("name", "options"), list(predictors()))
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32 - 1))
def test_predictor_obeys(
    name: str, options: dict[str, Any], law: Callable[[MakePredictor, int], None], seed: int
) -> None:
    law(lambda: make_predictor(name, **options), seed)


class NotANumber(Logistic):
    """Has lost its head."""

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        return np.full(len(x), np.nan)


class Untidy(Logistic):
    """Scales the features where they lie."""

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        x.flags.writeable = True
        x[:] = x + 1


class Forgetful(Logistic):
    """Gives away nothing of what it knows."""

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        return {name: array * 0 for name, array in super().arrays().items()}


class Moody(Logistic):
    """Never says the same twice."""

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        return np.random.default_rng().random(len(x))


class Trusting(Logistic):
    """Takes any arrays."""

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        with suppress(InvalidInput):
            super().restore(arrays)


class Sharing(Logistic):
    """Hands out its own memory."""

    _own: NDArray[np.float64] | None = None

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        if self._own is None:
            self._own = np.zeros(len(x))
        self._own[:] = super().predict(x)
        return self._own


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (NotANumber, r"not in \[0, 1\]"),
        (Untidy, "changes the features"),
        (Forgetful, "predicts otherwise once restored"),
        (Moody, "after the same calls"),
        (Trusting, "not its own"),
        (Sharing, "changes probabilities it gave before"),
    ],
)
def test_law_is_broken_by(make: MakePredictor, sentence: str) -> None:
    with pytest.raises(LawBroken, match=sentence):
        _obey_every_law(make)


def _obey_every_law(make: MakePredictor) -> None:
    for seed in range(30):
        for law in predictor_laws():
            law(make, seed)
