from __future__ import annotations

import numpy as np
import pytest

from askless.errors import InvalidInput
from askless.predictors.fixed import Fixed

NOTHING = np.empty((3, 0))


def test_answers_change_nothing() -> None:
    predictor = Fixed(probs=[0.1, 0.2, 0.9])
    predictor.fit(NOTHING, np.array([1, 1, 0], np.int8))
    assert predictor.predict(NOTHING).tolist() == [0.1, 0.2, 0.9]


def test_one_number_serves_a_pool_of_any_size() -> None:
    assert Fixed(probs=0.25).predict(np.empty((4, 2))).tolist() == [0.25] * 4


def test_pool_of_another_size_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"one number per item.*got 2 for 3 items"):
        Fixed(probs=[0.1, 0.2]).predict(NOTHING)


@pytest.mark.parametrize("probs", [1.5, [0.1, float("nan")], [[0.1], [0.2]]])
def test_what_is_no_probability_is_refused_at_the_door(probs: object) -> None:
    with pytest.raises(InvalidInput):
        Fixed(probs=probs)  # type: ignore[arg-type]


def test_single_number_stays_a_single_number_once_restored() -> None:
    restored = Fixed(probs=[0.1, 0.2, 0.3])
    restored.restore(Fixed(probs=0.75).arrays())
    assert restored.predict(np.empty((5, 0))).tolist() == [0.75] * 5
