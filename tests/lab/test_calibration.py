"""Reliability: what was said against what came."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from askless.lab.calibration import EDGES, reliability


def test_calibration_error_is_nothing_when_what_was_said_came_true() -> None:
    probs = np.repeat([0.25, 0.75], 4)
    labels = np.array([1, 0, 0, 0, 1, 1, 1, 0], bool)
    assert reliability(probs, labels).ece == 0.0
    assert np.isclose(reliability(probs, ~labels).ece, 0.5)


def test_nothing_predicted_is_no_error() -> None:
    found = reliability([], [])
    assert found.ece == 0.0
    assert found.plain()["count"] == []


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_bins_hold_every_label_once_and_their_means_lie_inside(
    pairs: list[tuple[float, bool]],
) -> None:
    probs, labels = np.array(pairs, dtype=float).T
    found = reliability(probs, labels)
    assert found.count.sum() == len(pairs)
    held = found.count > 0
    assert np.all(found.said[held] >= EDGES[:-1][held] - 1e-12)
    assert np.all(found.said[held] <= EDGES[1:][held] + 1e-12)
    assert np.isclose(found.count[held] @ found.came[held], labels.sum())


def test_there_are_ten_bins_or_more() -> None:
    assert len(EDGES) > 10
