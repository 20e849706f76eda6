import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.bounds import code_length_bits
from askless.core.entropy import independent_entropy_bits
from askless.lab.known_pool import KnownPool, as_labels, as_probs
from askless.lab.posthoc_calibration import calibrated_bits


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40))
def test_calibration_in_hindsight_never_makes_the_labels_worth_more(
    items: list[tuple[float, bool]],
) -> None:
    pool = KnownPool(as_probs([p for p, _ in items]), as_labels([y for _, y in items]))
    found = calibrated_bits(pool)
    assert 0 <= found <= code_length_bits(pool.probs.values, pool.labels) + 1e-3


def test_a_distortion_of_the_logits_of_one_guess_is_undone() -> None:
    rng = np.random.default_rng(0)
    logit = rng.normal(0, 2, 20_000)
    true = 1 / (1 + np.exp(-logit))
    labels = rng.random(20_000) < true
    bold = np.where(logit > 0, 3 * logit + 1, logit)
    distorted = KnownPool(as_probs(1 / (1 + np.exp(-bold))), labels)
    honest = code_length_bits(true, labels)
    assert code_length_bits(distorted.probs.values, labels) > 1.2 * honest
    assert calibrated_bits(distorted) == pytest.approx(honest, rel=0.002)


def test_probs_that_were_calibrated_stay_as_they_were() -> None:
    rng = np.random.default_rng(1)
    probs = rng.random(20_000)
    pool = KnownPool(as_probs(probs), rng.random(20_000) < probs)
    assert calibrated_bits(pool) == pytest.approx(independent_entropy_bits(probs), rel=0.02)


def test_guesses_that_are_never_wrong_are_worth_nothing_in_hindsight() -> None:
    pool = KnownPool(as_probs(np.linspace(0.6, 0.9, 50)), np.ones(50, dtype=bool))
    assert calibrated_bits(pool) == pytest.approx(0, abs=0.01)
