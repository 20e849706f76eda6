"""Fit where one stands: the trainer for simulations and tests, where waiting costs nobody anything.

`submit` fits and predicts before it returns, so the same calls give the same checkpoints
in the same places. Given a folder it keeps them there, as the trainer in the background does, so
that a simulated session can be read, and taken up, with what it believed last. Not for people who
answer questions: they would wait for every fit; `askless.trainer.background` is for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.seams import Checkpoint, Predictor, TrainerStatus
from askless.trainer._job import Request
from askless.trainer.checkpoint import (
    fit_checkpoint,
    read_checkpoint,
    read_model,
    remove_older,
    take_up,
    write_checkpoint,
    write_model,
)


class InlineTrainer:
    """A predictor at work in this very process.

    Parameters
    ----------
    predictor
        What is fitted.
    x
        The features, shape (n, columns).
    folder
        Where checkpoints are kept, made if it is not there; None for nowhere. A good one that is
        there already is what the first `poll` gives.
    model
        File for what the predictor has learnt, to go on from the next time; None for nowhere.
    made_by
        Name and options of the predictor, in plain JSON values: it is restored from a model of
        its own alone.
    """

    def __init__(
        self,
        predictor: Predictor,
        x: NDArray[Any],
        *,
        folder: Path | None = None,
        model: Path | None = None,
        made_by: Mapping[str, Any] | None = None,
    ) -> None:
        self.predictor, self._x = predictor, x
        self._folder, self._model, self._made_by = folder, model, made_by or {}
        self._fresh: Checkpoint | None = None
        self._status = TrainerStatus("idle")
        self._last_number = 0
        self._begun = False

    @property
    def free(self) -> bool:
        """Always, until it is closed."""
        return self._status.state != "closed"

    def submit(self, labels: NDArray[np.int8], clauses: Sequence[Clause], answers: int) -> None:
        """Fit to everything known so far, here and now (`askless.seams.Trainer`)."""
        if not self.free:
            return
        self._begin()
        request = Request(labels, tuple(clauses), answers)
        try:
            fresh = fit_checkpoint(self.predictor, self._x, request, self._last_number + 1)
            fresh = self._kept(fresh)
        except Exception as error:  # a predictor is anybody's code; the session goes on without it
            sentence = f"The predictor failed: {type(error).__name__}: {error}"
            failures = self._status.failures + 1
            self._status = replace(self._status, failures=failures, last_failure=sentence)
            return
        self._publish(fresh)

    def poll(self) -> Checkpoint | None:
        """The newest checkpoint, if it is newer than what `poll` gave before."""
        self._begin()
        fresh, self._fresh = self._fresh, None
        return fresh

    def status(self) -> TrainerStatus:
        """What came of it."""
        return self._status

    def close(self) -> None:
        """Fit nothing any more."""
        self._status = replace(self._status, state="closed")

    def _begin(self) -> None:
        """Take up what is in the folder: at the first call, when whoever calls has the session."""
        if self._begun or self._folder is None:
            return
        self._begun = True
        found = take_up(self._folder, len(self._x))
        self._last_number = found.last_number
        if found.checkpoint is not None:
            self._publish(found.checkpoint)
        if self._model is not None:
            # Only a head start: what was learnt can be learnt again.
            with suppress(InvalidInput, OSError):
                arrays = read_model(self._model, self._made_by)
                if arrays is not None:
                    self.predictor.restore(arrays)

    def _kept(self, fresh: Checkpoint) -> Checkpoint:
        """The same, safe on disk if it is to be."""
        if self._folder is None:
            return fresh
        path = write_checkpoint(self._folder, fresh)
        if self._model is not None:
            with suppress(OSError):
                write_model(self._model, self.predictor.arrays(), self._made_by)
        remove_older(self._folder, fresh.number)
        return read_checkpoint(path, len(self._x))

    def _publish(self, fresh: Checkpoint) -> None:
        self._fresh = fresh
        self._last_number = max(self._last_number, fresh.number)
        self._status = replace(
            self._status,
            checkpoint=fresh.number,
            answers=fresh.answers,
            fit_s=fresh.fit_s,
            failures=0,
        )
