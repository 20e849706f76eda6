"""Every calibrator obeys every law of its seam, and each law is broken by some calibrator."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.calibration.base_rate import BaseRate
from askless.calibration.online import OnlineRecalibration
from askless.checks import MakeCalibrator, calibrator_laws
from askless.core.probability import Probs
from askless.core.state import State
from askless.errors import LawBroken
from askless.seams import Calibrator


@pytest.mark.parametrize("law", calibrator_laws(), ids=lambda law: law.__name__)
@pytest.mark.parametrize("make", [BaseRate, OnlineRecalibration])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_calibrator_obeys(
    make: MakeCalibrator, law: Callable[[MakeCalibrator, int], None], seed: int
) -> None:
    law(make, seed)


def drops_settled_items() -> Calibrator:
    def calibrate(probs: Probs, state: State) -> Probs:
        return Probs(probs.values[state.open_items()])

    return calibrate


def is_new_every_time() -> Calibrator:
    return lambda probs, state: Probs(probs.values)


def draws_at_random() -> Calibrator:
    rng = np.random.default_rng()
    return lambda probs, state: Probs(rng.random(len(probs)))


def is_broken(law: Callable[[MakeCalibrator, int], None], make: MakeCalibrator) -> bool:
    try:
        for seed in range(20):
            law(make, seed)
    except LawBroken:
        return True
    return False


@pytest.mark.parametrize(
    ("make", "law"),
    [
        (drops_settled_items, "gives_every_item_a_probability_whatever_is_known"),
        (is_new_every_time, "hands_back_the_same_object_while_nothing_changes"),
        (draws_at_random, "same_calls_same_probabilities"),
    ],
)
def test_a_calibrator_that_misbehaves_breaks_a_law(make: MakeCalibrator, law: str) -> None:
    broken = {each.__name__ for each in calibrator_laws() if is_broken(each, make)}
    assert law in broken
