"""The trainer with a real process and predictors that behave; tests/faults has the others."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askless.core.clause import Clause
from askless.errors import InvalidInput, UnknownPart
from askless.files.arrays import write_array
from askless.predictors.logistic import Logistic
from askless.seams import Checkpoint, Trainer
from askless.trainer.background import BackgroundTrainer

N = 40
X = np.random.default_rng(1).standard_normal((N, 3))
LABELS = np.where(np.arange(N) < 20, X[:, 0] > 0, -1).astype(np.int8)


@pytest.fixture
def features(tmp_path: Path) -> Path:
    path = tmp_path / "x.npy"
    write_array(path, X)
    return path


def result(trainer: Trainer, answers: int, clauses: tuple[Clause, ...] = ()) -> Checkpoint:
    trainer.submit(LABELS, clauses, answers)
    return awaited(trainer)


def awaited(trainer: Trainer) -> Checkpoint:
    end = time.monotonic() + 600
    while (fresh := trainer.poll()) is None:
        assert time.monotonic() < end, trainer.status()
        time.sleep(0.005)
    return fresh


def test_process_gives_what_the_predictor_gives_here(tmp_path: Path, features: Path) -> None:
    clauses = (Clause((30, 31), (True, False), 3),)
    with BackgroundTrainer(tmp_path / "t", N, options={"scale": 2.0}, features=features) as trainer:
        fresh = result(trainer, 12, clauses)
    here = Logistic(scale=2.0)
    here.fit(X, LABELS, clauses)
    assert np.array_equal(fresh.probs.values, here.predict(X))
    assert (fresh.number, fresh.answers) == (1, 12)


def test_one_process_serves_fit_after_fit(tmp_path: Path, features: Path) -> None:
    with BackgroundTrainer(tmp_path / "t", N, features=features) as trainer:
        assert [result(trainer, answers).number for answers in (1, 2, 3, 4)] == [1, 2, 3, 4]
        assert trainer.status().restarts == 0
    kept = sorted(path.name for path in (tmp_path / "t").glob("checkpoint-*"))
    assert kept == [f"checkpoint-0000000{number}.npz" for number in (2, 3, 4)]


def test_pool_without_features_learns_its_base_rate(tmp_path: Path) -> None:
    with BackgroundTrainer(tmp_path / "t", N) as trainer:
        fresh = result(trainer, 1)
    assert len(set(fresh.probs.values.tolist())) == 1


def test_estimator_is_built_by_name_in_the_process(tmp_path: Path, features: Path) -> None:
    options = {"estimator": "sklearn.tree:DecisionTreeClassifier", "params": {"max_depth": 2}}
    with BackgroundTrainer(
        tmp_path / "t", N, predictor="sklearn", options=options, features=features
    ) as trainer:
        fresh = result(trainer, 1)
    assert np.array_equal(fresh.probs.values[:20] > 0.5, LABELS[:20] == 1)


def test_next_trainer_begins_with_the_last_checkpoint(tmp_path: Path, features: Path) -> None:
    with BackgroundTrainer(tmp_path / "t", N, features=features) as trainer:
        last = result(trainer, 5)
    with BackgroundTrainer(tmp_path / "t", N, features=features) as trainer:
        found = trainer.poll()
        assert found is not None
        assert (found.number, found.answers, found.checksum) == (1, 5, last.checksum)
        assert result(trainer, 6).number == 2


def test_labels_may_change_once_submitted(tmp_path: Path) -> None:
    told = LABELS.copy()
    with BackgroundTrainer(tmp_path / "t", N) as trainer:
        trainer.submit(told, (), 1)
        told[:] = 1
        fresh = awaited(trainer)
    unchanged = Logistic()
    unchanged.fit(np.empty((N, 0)), LABELS)
    assert np.allclose(fresh.probs.values, unchanged.predict(np.empty((N, 0))))


def test_closing_twice_is_closing_once_and_ends_the_thread(tmp_path: Path) -> None:
    trainer = BackgroundTrainer(tmp_path / "t", N)
    trainer.close()
    trainer.close()
    trainer.submit(LABELS, (), 1)
    assert trainer.poll() is None
    assert not trainer.free
    assert "askless-trainer" not in [thread.name for thread in threading.enumerate()]


def test_number_of_labels_must_be_that_of_the_pool(tmp_path: Path) -> None:
    with (
        BackgroundTrainer(tmp_path / "t", N) as trainer,
        pytest.raises(InvalidInput, match=r"40 of them; got \(39,\)"),
    ):
        trainer.submit(LABELS[1:], (), 1)


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"predictor": "logisitc"}, UnknownPart),
        ({"options": {"scale": np.zeros(3)}}, InvalidInput),
        ({"options": {"scale": Path("x")}}, InvalidInput),
    ],
)
def test_what_cannot_travel_to_another_process_is_refused_at_the_door(
    tmp_path: Path, given: dict[str, Any], kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        BackgroundTrainer(tmp_path / "t", N, **given)
    assert not (tmp_path / "t").exists()


def test_features_of_another_pool_are_shown_as_a_failure(tmp_path: Path, features: Path) -> None:
    with BackgroundTrainer(tmp_path / "t", N + 1, features=features) as trainer:
        trainer.submit(np.full(N + 1, -1, np.int8), (), 1)
        end = time.monotonic() + 600
        while not trainer.status().failures:
            assert time.monotonic() < end
            time.sleep(0.005)
        reason = str(trainer.status().last_failure)
    assert "one row per item, 41 of them; got an array of shape (40, 3)" in reason
