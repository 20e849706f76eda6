from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.predictors.logistic import Logistic
from askless.trainer.in_thread import ThreadTrainer
from askless.trainer.inline import InlineTrainer

X = np.array([[0.0], [1.0], [0.1], [0.9]])
LABELS = np.array([0, 1, -1, -1], np.int8)


class _Slow(InlineTrainer):
    """Fits when it is let."""

    def __init__(self) -> None:
        super().__init__(Logistic(), X)
        self.let, self.begun, self.fits = threading.Event(), threading.Event(), list[int]()

    def submit(self, labels: NDArray[np.int8], clauses: Sequence[Clause], answers: int) -> None:
        self.fits.append(answers)
        self.begun.set()
        self.let.wait(60)
        super().submit(labels, clauses, answers)


def test_nobody_waits_and_only_the_newest_is_fitted() -> None:
    inner = _Slow()
    trainer = ThreadTrainer(inner)
    trainer.submit(LABELS, (), 1)
    assert inner.begun.wait(60)
    for answers in (2, 3, 4):
        trainer.submit(LABELS, (), answers)
    assert trainer.poll() is None
    assert trainer.status().state == "fitting"
    inner.let.set()
    assert trainer.wait(60)
    assert inner.fits == [1, 4]
    fresh = trainer.poll()
    assert fresh is not None
    assert fresh.answers == 4
    assert fresh.probs.values[1] > 0.5
    assert trainer.poll() is None
    trainer.close()
    assert trainer.status().state == "closed"
    assert inner.status().state != "closed"
