"""What the other labels say is what a fit without the left-out ones says."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.errors import InvalidInput
from askless.predictors import held_out
from askless.predictors.held_out import held_out_probs, held_out_scores


def made(n: int = 120, d: int = 5, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d)).astype(np.float32)
    return x, x[:, 0] + 0.3 * x[:, 1] > 0


@pytest.mark.parametrize("size", [1, 3, 30])
def test_a_score_is_that_of_a_fit_without_the_group(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_out, "_RIDGES", (3.0,))
    x, truth = made()
    signs, groups = np.where(truth, 1.0, -1.0), np.arange(len(x)) // size
    found = held_out_scores(x, np.arange(len(x)), signs, groups)
    rows = np.column_stack([x, np.full(len(x), 2.0)]).astype(float)
    for group in range(0, groups.max() + 1, 5):
        kept, out = groups != group, groups == group
        gram = rows[kept].T @ rows[kept] + 3.0 * np.eye(rows.shape[1])
        weights = np.linalg.solve(gram, rows[kept].T @ signs[kept])
        assert found[out] == pytest.approx(rows[out] @ weights, abs=1e-3)


def test_a_label_says_nothing_about_itself_or_its_group() -> None:
    x, truth = made()
    labels, groups = truth.astype(np.int8), np.arange(len(x)) // 4
    before = held_out_probs(x, labels, groups)
    changed = labels.copy()
    changed[:4] = 1 - changed[:4]
    after = held_out_probs(x, changed, groups)
    assert before is not None
    assert after is not None
    assert after.probs[:4] == pytest.approx(before.probs[:4], abs=0.15)
    assert np.array_equal(after.probs[:4] > 0.5, before.probs[:4] > 0.5)


def test_one_question_that_settled_a_whole_kind_does_not_make_it_unknown() -> None:
    x, truth = made(400)
    found = held_out_probs(x, truth.astype(np.int8), np.where(truth, 7, -1))
    assert found is not None
    assert np.mean((found.probs > 0.5) == truth) > 0.9


def test_wrong_labels_stand_out_and_their_rate_is_told() -> None:
    x, truth = made(2000, 6)
    wrong = np.random.default_rng(1).random(2000) < 0.03
    wrong &= np.abs(x[:, 0] + 0.3 * x[:, 1]) > 0.5
    found = held_out_probs(x, (truth ^ wrong).astype(np.int8), np.full(2000, -1))
    assert found is not None
    against = np.where(truth ^ wrong, 1 - found.probs, found.probs)
    first = np.argsort(-against)[: 2 * wrong.sum()]
    assert wrong[first].sum() >= 0.95 * wrong.sum()
    assert 0.5 * wrong.mean() <= found.noise <= 2 * wrong.mean()


def test_open_and_unsure_items_are_not_learnt_from_and_stay_undecided() -> None:
    x, truth = made()
    labels = truth.astype(np.int8)
    labels[:10], labels[10:20] = -1, -2
    found = held_out_probs(x, labels, np.arange(len(x)))
    assert found is not None
    assert np.all(found.probs[:20] == 0.5)
    x[:20] = 1e6
    again = held_out_probs(x, labels, np.arange(len(x)))
    assert again is not None
    assert np.array_equal(again.probs, found.probs)


@pytest.mark.parametrize(
    "labels", [np.full(120, -1), np.ones(120), np.r_[np.zeros(1), np.ones(119)]]
)
def test_too_few_labels_of_a_kind_say_nothing(labels: NDArray[np.float64]) -> None:
    x, _ = made()
    assert held_out_probs(x, labels.astype(np.int8), np.arange(120)) is None


def test_arrays_of_another_pool_are_refused() -> None:
    x, truth = made()
    with pytest.raises(InvalidInput, match="a row for every item"):
        held_out_probs(x[:-1], truth.astype(np.int8), np.arange(120))
