"""Parts given as objects work in a session beside what its method names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askless.assemble import Method, OwnParts, open_session
from askless.errors import InvalidInput
from askless.lab.simulate import simulate
from askless.planners import make_planner
from askless.pools import open_pool
from askless.predictors.logistic import Logistic
from askless.predictors.sklearn_adapter import SklearnAdapter

TRUTH = np.arange(40) % 2 == 0
X = np.where(TRUTH, 1.0, -1.0)[:, None] + np.random.default_rng(0).normal(0, 0.1, (40, 1))
POOL = open_pool([f"text number {number}" for number in range(40)])


def _questions(own: OwnParts, folder: Path | None = None) -> int:
    method = Method(test_sample=1, recalibrate=False)
    with open_session(POOL, method, folder, trainer="inline", own=own) as opened:
        return simulate(opened.session, TRUTH).questions


def test_own_features_are_learnt_from_alone() -> None:
    assert _questions(OwnParts(features={"mine": X})) < 25 <= _questions(OwnParts())


def test_own_predictor_is_fitted_on_own_features() -> None:
    assert _questions(OwnParts(predictor=Logistic(), features={"mine": X})) < 25


def test_an_estimator_is_fitted_on_the_items_themselves() -> None:
    from sklearn.tree import DecisionTreeClassifier

    seen: list[int] = []

    def rows(items: np.ndarray[tuple[int], np.dtype[np.intp]]) -> object:
        seen.extend(items.tolist())
        return X[items]

    tree = DecisionTreeClassifier()
    own = SklearnAdapter(estimator=tree, rows=rows)
    assert _questions(OwnParts(predictor=own, x=np.arange(40)[:, None])) < 25
    assert set(seen) == set(range(40))
    assert not hasattr(tree, "tree_")  # a copy was fitted


def test_own_planner_asks() -> None:
    assert _questions(OwnParts(planner=make_planner("one-by-one"))) == 40


def test_a_session_on_disk_is_given_its_own_parts_again(tmp_path: Path) -> None:
    own = OwnParts(features={"mine": X})
    folder = tmp_path / "s"
    with open_session(POOL, Method(recalibrate=False), folder, trainer="inline", own=own) as opened:
        simulate(opened.session, TRUTH, max_questions=6)
    with open_session(folder=folder) as again:
        again.learn(POOL, folder, own)
        assert simulate(again.session, TRUTH).labels_right == 40


def test_a_trainer_in_another_process_refuses_an_object(tmp_path: Path) -> None:
    own = OwnParts(predictor=Logistic())
    with pytest.raises(InvalidInput, match="one of your own, Logistic"):
        open_session(POOL, None, tmp_path / "s", trainer="background", own=own)
