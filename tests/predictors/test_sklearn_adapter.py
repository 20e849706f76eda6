from __future__ import annotations

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.predictors.sklearn_adapter import SklearnAdapter

X = np.array([[0.0], [1.0], [2.0], [3.0]])


def adapter(estimator: str = "sklearn.tree:DecisionTreeClassifier") -> SklearnAdapter:
    return SklearnAdapter(estimator=estimator)


def test_estimator_is_fitted_to_the_known_labels() -> None:
    predictor = adapter()
    predictor.fit(X, np.array([0, 0, 1, -1], np.int8))
    probs = predictor.predict(X)
    assert probs[0] < 0.5 < probs[3]


@pytest.mark.parametrize(
    ("labels", "rate"),
    [([-1, -1, -1, -1], 1 / 2), ([1, 1, -2, -1], 3 / 4), ([0, -1, -1, -1], 1 / 3)],
)
def test_labels_of_one_kind_give_the_rule_of_succession(labels: list[int], rate: float) -> None:
    predictor = adapter()
    predictor.fit(X, np.array(labels, np.int8))
    assert predictor.predict(X) == pytest.approx(np.full(4, rate))


def test_certainty_is_bounded_by_the_number_of_labels() -> None:
    predictor = adapter()
    predictor.fit(X, np.array([0, 0, 1, 1], np.int8))
    assert predictor.predict(X) == pytest.approx([1 / 6, 1 / 6, 5 / 6, 5 / 6])


def test_pool_of_one_kind_again_forgets_the_estimator() -> None:
    predictor = adapter()
    predictor.fit(X, np.array([0, 0, 1, 1], np.int8))
    predictor.fit(X, np.array([0, -1, -1, -1], np.int8))
    assert predictor.predict(X) == pytest.approx(np.full(4, 1 / 3))


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("RandomForestClassifier", "package.module:Class"),
        ("no_such_package.at_all:Thing", "No module named 'no_such_package'"),
        ("sklearn.ensemble:RandomFroest", "no attribute 'RandomFroest'"),
        ("sklearn.svm:LinearSVC", "has no predict_proba"),
    ],
)
def test_estimator_that_will_not_do_is_refused(place: str, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        adapter(place)


def test_parameter_the_estimator_does_not_know_is_refused_before_any_fit() -> None:
    with pytest.raises(InvalidInput, match="does not take these parameters"):
        SklearnAdapter(estimator="sklearn.tree:DecisionTreeClassifier", params={"trees": 3})


def test_parameters_reach_the_estimator() -> None:
    stump = SklearnAdapter(
        estimator="sklearn.tree:DecisionTreeClassifier", params={"max_depth": 1, "random_state": 7}
    )
    stump.fit(X, np.array([0, 1, 0, 1], np.int8))
    assert len(set(stump.predict(X).tolist())) == 2
    assert stump.params == {"max_depth": 1, "random_state": 7}


def test_it_has_no_arrays_and_restores_from_none() -> None:
    assert adapter().arrays() is None
    with pytest.raises(InvalidInput, match="fit it again from the answers"):
        adapter().restore({})
