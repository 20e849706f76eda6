"""A simulated session in which the predictor learns: every label right, few questions."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.core.state import replay
from askless.errors import InvalidInput
from askless.lab.learning import _calibration_error, _round, simulate_learning
from askless.planners import make_planner
from askless.predictors import make_predictor


def clusters(n: int = 240) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 4, n)
    x = np.eye(4)[group] * 3 + 0.3 * rng.standard_normal((n, 4))
    return x, group < 2


@pytest.mark.parametrize("predictor", ["kernel", "logistic", "fixed"])
def test_every_label_is_right_whatever_learns(predictor: str) -> None:
    x, truth = clusters()
    done = simulate_learning(
        make_planner("nested", max_n=None), make_predictor(predictor), x, truth, seed=3
    )
    assert done.run.labels_right == len(truth)
    assert replay(len(truth), done.run.trace.answers).done
    assert done.found[-1] == truth.sum()


def test_learning_saves_questions_on_clusters() -> None:
    x, truth = clusters()
    run = {
        name: simulate_learning(make_planner("nested", max_n=None), make_predictor(name), x, truth)
        for name in ("kernel", "fixed")
    }
    assert run["kernel"].run.questions < 0.25 * run["fixed"].run.questions
    assert run["kernel"].prequential_bits < 0.25 * run["fixed"].prequential_bits


def test_same_seed_gives_the_same_run_and_another_starts_elsewhere() -> None:
    x, truth = clusters(60)
    runs = [
        simulate_learning(make_planner("nested"), make_predictor("kernel"), x, truth, seed=seed)
        for seed in (1, 1, 2)
    ]
    first = [run.run.trace.answers for run in runs]
    assert first[0] == first[1]
    assert first[0][0] != first[2][0]


def test_run_stops_at_its_limit() -> None:
    x, truth = clusters(60)
    done = simulate_learning(
        make_planner("nested"), make_predictor("fixed"), x, truth, max_questions=5
    )
    assert done.run.questions == 5


def test_round_is_over_when_a_tenth_is_left() -> None:
    order = np.arange(200)
    labels = np.full(200, -1, np.int8)
    wish = _round(order, labels, 0.5)
    assert wish is not None
    assert np.flatnonzero(wish).tolist() == list(range(16))
    labels[:15] = 1
    wish = _round(order, labels, 0.5)
    assert wish is not None
    assert np.count_nonzero(wish) == 24
    labels[:] = 1
    assert _round(order, labels, 0.5) is None
    assert _round(order, np.full(200, -1, np.int8), 0.0) is None


def test_calibration_error_is_nothing_when_what_was_said_came_true() -> None:
    probs = np.repeat([0.25, 0.75], 4)
    labels = np.array([1, 0, 0, 0, 1, 1, 1, 0], bool)
    assert _calibration_error(probs, labels) == 0.0
    assert np.isclose(_calibration_error(probs, ~labels), 0.5)


def test_features_and_labels_of_unequal_length_are_refused() -> None:
    with pytest.raises(InvalidInput, match="each of its items"):
        simulate_learning(
            make_planner("nested"), make_predictor("fixed"), np.zeros((3, 1)), [True, False]
        )
