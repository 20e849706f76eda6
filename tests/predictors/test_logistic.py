from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.predictors.logistic import Logistic


def pool(n: int = 400, columns: int = 5, seed: int = 0) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, columns)) + 3
    return x, rng.random(n) < 1 / (1 + np.exp(-2 * (x[:, 0] - 3)))


def known(truth: NDArray[np.bool_], items: Any) -> NDArray[np.int8]:
    labels = np.full(len(truth), -1, np.int8)
    labels[items] = truth[items]
    return labels


def loss_bits(probs: NDArray[np.float64], truth: NDArray[np.bool_]) -> float:
    return -float(np.mean(np.log2(np.where(truth, probs, 1 - probs))))


def test_nothing_known_is_one_half_for_everything() -> None:
    x, truth = pool()
    predictor = Logistic()
    predictor.fit(x, known(truth, []))
    assert np.allclose(predictor.predict(x), 0.5)


def test_more_labels_predict_the_rest_better() -> None:
    x, truth = pool(n=2000)
    losses = []
    for count in (0, 20, 200):
        predictor = Logistic()
        predictor.fit(x, known(truth, range(count)))
        losses.append(loss_bits(predictor.predict(x)[200:], truth[200:]))
    assert losses[0] > losses[1] > losses[2]


def test_labels_of_one_kind_leave_some_doubt() -> None:
    x, truth = pool()
    predictor = Logistic()
    predictor.fit(x, known(np.ones_like(truth), range(50)))
    probs = predictor.predict(x)
    assert 0.5 < probs.mean() < 1
    assert probs.max() < 1


@given(seed=st.integers(0, 1000), columns=st.sampled_from([1, 4, 30]), count=st.integers(1, 20))
def test_weights_are_where_the_posterior_is_flat(seed: int, columns: int, count: int) -> None:
    # The gradient is worked out here in all columns; the predictor works in the span of the rows.
    x, truth = pool(60, columns, seed)
    predictor = Logistic(scale=2.0)
    predictor.fit(x, known(truth, range(count)))
    found = predictor.arrays()
    z = (x[:count] - x.mean(axis=0)) / x.std(axis=0)
    error = predictor.predict(x[:count]) - truth[:count]
    by_weight = z.T @ error + found["weights"] * columns / 2.0**2
    by_bias = error.sum() + found["bias"] / 2.0**2
    assert np.abs(by_weight).max() < 1e-3
    assert abs(by_bias) < 1e-3


def test_units_of_the_features_do_not_matter() -> None:
    x, truth = pool()
    labels = known(truth, range(40))
    plain, other = Logistic(), Logistic()
    plain.fit(x, labels)
    other.fit(x * [1e-6, 1, 1e3, 10, 5] + [0, 1e6, -3, 0, 0], labels)
    moved = other.predict(x * [1e-6, 1, 1e3, 10, 5] + [0, 1e6, -3, 0, 0])
    assert np.allclose(plain.predict(x), moved, atol=1e-5)


def test_way_to_the_present_labels_does_not_matter() -> None:
    x, truth = pool()
    straight, winding = Logistic(), Logistic()
    straight.fit(x, known(truth, range(60)))
    for count in (300, 3, 60):
        winding.fit(x, known(truth, range(count)))
    assert np.allclose(straight.predict(x), winding.predict(x), atol=1e-4)


def test_unsure_and_open_items_teach_nothing() -> None:
    x, truth = pool()
    labels = known(truth, range(30))
    aside = labels.copy()
    aside[200:] = -2
    one, other = Logistic(), Logistic()
    one.fit(x, labels)
    other.fit(x, aside)
    assert np.array_equal(one.predict(x), other.predict(x))


def test_no_more_labels_are_used_than_allowed() -> None:
    x, truth = pool()
    thinned = Logistic(most_labels=10)
    thinned.fit(x, known(truth, range(400)))
    full = Logistic()
    full.fit(x, known(truth, range(400)))
    # Ten labels cannot make the weights as sure as four hundred do.
    assert loss_bits(thinned.predict(x), truth) > loss_bits(full.predict(x), truth)


def test_pool_larger_than_a_block_is_predicted_like_its_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, truth = pool()
    whole, parts = Logistic(), Logistic()
    whole.fit(x, known(truth, range(40)))
    monkeypatch.setattr("askless.predictors._row_blocks.NUMBERS", 35)
    parts.fit(x, known(truth, range(40)))
    assert np.allclose(whole.predict(x), parts.predict(x), atol=1e-9)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_features_that_are_not_finite_are_refused_with_their_column(bad: float) -> None:
    x, truth = pool()
    x[17, 3] = bad
    with pytest.raises(InvalidInput, match="column 3"):
        Logistic().fit(x, known(truth, range(5)))


def test_features_of_another_pool_are_refused() -> None:
    x, truth = pool()
    predictor = Logistic()
    predictor.fit(x, known(truth, range(5)))
    with pytest.raises(InvalidInput, match="5 features an item; got features of shape"):
        predictor.predict(x[:, :3])


@pytest.mark.parametrize("change", [{"weights": np.zeros(2)}, {"bias": np.array(np.nan)}])
def test_arrays_that_do_not_fit_together_are_refused(change: dict[str, NDArray[Any]]) -> None:
    x, truth = pool()
    predictor = Logistic()
    predictor.fit(x, known(truth, range(5)))
    with pytest.raises(InvalidInput, match="one number per feature"):
        Logistic().restore({**predictor.arrays(), **change})


@pytest.mark.parametrize("options", [{"scale": 0.0}, {"scale": math.nan}, {"most_labels": 0}])
def test_option_that_means_nothing_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Logistic(**options)
