from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.predictors.fixed import Fixed
from askless.predictors.logistic import Logistic
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
