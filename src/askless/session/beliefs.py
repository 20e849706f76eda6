"""The probabilities questions are planned with, and where better ones come from.

The newest checkpoint of the trainer, or what the session was opened with, corrected by
what is known so far. Nothing here ever waits for a fit.
Imported by the session room alone; tested in tests/session/test_session.py.
"""

from __future__ import annotations

from collections.abc import Callable

from askless.core.probability import Probs
from askless.core.state import State
from askless.seams import Checkpoint, Trainer

Calibrate = Callable[[Probs, State], Probs]
"""Corrects probs by what is known so far; hands back the same object while nothing changes."""


class Beliefs:
    """What is believed about the open items.

    Parameters
    ----------
    probs
        What the predictor said before anything was asked.
    trainer
        Makes better probabilities in the background; None for fixed ones.
    calibrate
        Corrects probabilities by what is known so far; None to take them as they are.
    checkpoint
        Number of the checkpoint that `probs` are of; 0 for none.
    """

    def __init__(
        self,
        probs: Probs,
        trainer: Trainer | None,
        calibrate: Calibrate | None,
        checkpoint: int = 0,
    ) -> None:
        self.probs = self._raw = probs
        self.trainer = trainer
        self.calibrate = calibrate
        self.checkpoint = checkpoint
        """Number of the checkpoint in use; 0 for none."""
        self.change = 0
        """How many times questions were planned with other probabilities than before."""
        self.used = False
        """Whether a question was planned with these."""

    def take(self) -> Checkpoint | None:
        """The trainer's newest checkpoint, from now on in use, if there is a new one."""
        fresh = self.trainer.poll() if self.trainer else None
        if fresh is not None:
            self._raw = fresh.probs
            self._change_to(fresh.probs)
            self.checkpoint = fresh.number
        return fresh

    def follow(self, state: State) -> Probs:
        """The probabilities as corrected by this state."""
        if self.calibrate is not None:
            self._change_to(self.calibrate(self._raw, state))
        return self.probs

    def teach(self, state: State, answers: int) -> None:
        """Let the trainer know, unless it is at work: the newest data are taken up then."""
        if self.trainer is not None and self.trainer.free:
            self.trainer.submit(state.labels(), state.clauses, answers)

    def _change_to(self, probs: Probs) -> None:
        if probs is not self.probs and self.used:
            self.change, self.used = self.change + 1, False
        self.probs = probs
