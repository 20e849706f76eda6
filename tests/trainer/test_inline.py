from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.predictors.fixed import Fixed
from askless.predictors.kernel import Kernel
from askless.predictors.logistic import Logistic
from askless.seams import Checkpoint
from askless.trainer.checkpoint import write_checkpoint, write_model
from askless.trainer.inline import InlineTrainer

X = np.arange(6.0).reshape(6, 1)
LABELS = np.array([0, 0, -1, -1, 1, 1], np.int8)


class Broken(Fixed):
    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        return np.full(len(x), np.nan)


def test_checkpoint_is_there_when_submit_returns() -> None:
    trainer = InlineTrainer(Logistic(), X)
    trainer.submit(LABELS, (), 4)
    fresh = trainer.poll()
    assert fresh is not None
    assert (fresh.number, fresh.answers) == (1, 4)
    assert fresh.probs.values[0] < 0.5 < fresh.probs.values[5]
    assert trainer.poll() is None


def test_failure_is_shown_and_the_next_submit_tries_again() -> None:
    trainer = InlineTrainer(Broken(), X)
    trainer.submit(LABELS, (), 4)
    trainer.submit(LABELS, (), 5)
    status = trainer.status()
    assert trainer.poll() is None
    assert (status.state, status.failures, status.checkpoint) == ("idle", 2, 0)
    assert "got nan for item 0" in str(status.last_failure)
    assert trainer.free


def test_closed_trainer_fits_nothing() -> None:
    trainer = InlineTrainer(Logistic(), X)
    trainer.close()
    trainer.submit(LABELS, (), 4)
    assert trainer.poll() is None
    assert not trainer.free
    assert trainer.status().state == "closed"


def test_checkpoints_kept_in_a_folder_are_taken_up_with_their_numbers(tmp_path: Path) -> None:
    folder, about = tmp_path / "a" / "training", {"predictor": "logistic"}
    model = tmp_path / "models" / "a.npz"
    trainer = InlineTrainer(Logistic(), X, folder=folder, model=model, made_by=about)
    assert trainer.poll() is None
    for answers in range(1, 6):
        trainer.submit(LABELS, (), answers)
    before = trainer.poll()
    assert before is not None
    assert (before.number, len(before.checksum)) == (5, 64)
    assert len(list(folder.iterdir())) == 3
    (folder / ".checkpoint-00000006.npz.1.partial").touch()
    predictor = Logistic()
    again = InlineTrainer(predictor, X, folder=folder, model=model, made_by=about)
    after = again.poll()
    assert after is not None
    assert (after.number, after.answers, after.checksum) == (5, 5, before.checksum)
    assert np.array_equal(predictor.predict(X), before.probs.values)
    again.submit(LABELS, (), 6)
    newest = again.poll()
    assert newest is not None
    assert newest.number == again.status().checkpoint == 6
    assert not list(folder.glob(".*"))


def test_a_predictor_of_another_name_learns_from_nothing(tmp_path: Path) -> None:
    model = tmp_path / "a.npz"
    first = InlineTrainer(Logistic(), X, folder=tmp_path, model=model, made_by={"predictor": "a"})
    first.submit(LABELS, (), 4)
    predictor = Logistic()
    InlineTrainer(predictor, X, folder=tmp_path, model=model, made_by={"predictor": "b"}).poll()
    assert len(set(predictor.predict(X))) == 1


def test_checkpoint_whose_model_no_longer_fits_gives_its_probs_and_is_fitted_again(
    tmp_path: Path,
) -> None:
    about = {"predictor": "kernel"}
    probs = Probs(np.linspace(0.1, 0.9, 6))
    old = {"fair": np.array(True), "brought": np.array(0), "spread0": np.eye(2)}
    write_checkpoint(tmp_path, Checkpoint(3, probs, 2))
    write_model(tmp_path / "model.npz", old, about)
    trainer = InlineTrainer(
        Kernel(), X, folder=tmp_path, model=tmp_path / "model.npz", made_by=about
    )
    taken_up = trainer.poll()
    assert taken_up is not None
    assert np.array_equal(taken_up.probs.values, probs.values)
    trainer.submit(LABELS, (), 4)
    fresh = trainer.poll()
    assert fresh is not None
    assert (fresh.number, trainer.status().failures) == (4, 0)
    assert fresh.probs.values[0] < 0.5 < fresh.probs.values[5]


def test_a_folder_that_cannot_be_written_is_a_failure_and_no_end(tmp_path: Path) -> None:
    trainer = InlineTrainer(Logistic(), X, folder=tmp_path / "t")
    assert list(tmp_path.iterdir()) == []  # nothing is touched before it is called
    trainer.poll()
    (tmp_path / "t").rmdir()
    trainer.submit(LABELS, (), 4)
    assert trainer.poll() is None
    assert "No such file" in str(trainer.status().last_failure)
