"""Fit where one stands: the trainer for simulations and tests, where waiting costs nobody anything.

`submit` fits and predicts before it returns, so the same calls give the same checkpoints
in the same places. Nothing is kept on disk. Not for people who answer questions: they would
wait for every fit; `askless.trainer.background` is for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.seams import Checkpoint, Predictor, TrainerStatus
from askless.trainer.checkpoint import checked_probs


class InlineTrainer:
    """A predictor at work in this very process.

    Parameters
    ----------
    predictor
        What is fitted.
    x
        The features, shape (n, columns).
    clock
        Seconds; only to say how long a fit took.
    """

    def __init__(
        self,
        predictor: Predictor,
        x: NDArray[Any],
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._predictor, self._x, self._clock = predictor, x, clock
        self._fresh: Checkpoint | None = None
        self._status = TrainerStatus("idle")

    @property
    def free(self) -> bool:
        """Always, until it is closed."""
        return self._status.state != "closed"

    def submit(self, labels: NDArray[np.int8], clauses: Sequence[Clause], answers: int) -> None:
        """Fit to everything known so far, here and now.

        Parameters
        ----------
        labels
            1 and 0 for settled labels, -1 open, -2 unsure (`State.labels`).
        clauses
            The refuted guesses that are still open (`State.clauses`).
        answers
            How many answers this is the sum of; the checkpoint will say so.
        """
        if not self.free:
            return
        began = self._clock()
        try:
            self._predictor.fit(self._x, labels, clauses)
            probs = checked_probs(self._predictor.predict(self._x), len(self._x))
        except Exception as error:  # a predictor is anybody's code; the session goes on without it
            sentence = f"The predictor failed: {type(error).__name__}: {error}"
            failures = self._status.failures + 1
            self._status = replace(self._status, failures=failures, last_failure=sentence)
            return
        fit_s = self._clock() - began
        number = self._status.checkpoint + 1
        self._fresh = Checkpoint(number, probs, answers, fit_s=fit_s)
        self._status = replace(
            self._status, checkpoint=number, answers=answers, fit_s=fit_s, failures=0
        )

    def poll(self) -> Checkpoint | None:
        """The newest checkpoint, if it is newer than what `poll` gave before."""
        fresh, self._fresh = self._fresh, None
        return fresh

    def status(self) -> TrainerStatus:
        """What came of it."""
        return self._status

    def close(self) -> None:
        """Fit nothing any more."""
        self._status = replace(self._status, state="closed")
