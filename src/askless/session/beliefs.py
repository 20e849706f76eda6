"""The probabilities questions are planned with, and where better ones come from.

The newest checkpoint of the trainer, or what the session was opened with, calibrated by
what is known so far; and which items come first. Nothing here ever waits for a fit.

Each set of probabilities that questions are planned with has a version of its own: 0 is what the
session was opened with, and every change counts on. Whoever takes a session up cannot know whether
a calibration comes out as it did before, so then it counts on as well.
Imported by the session room alone; tested in tests/session/test_versions.py.
"""

from __future__ import annotations

from askless.core.probability import Probs
from askless.core.state import State
from askless.seams import Calibrator, Checkpoint, Priority, Schedule, Trainer


class Beliefs:
    """What is believed about the open items.

    Parameters
    ----------
    probs
        What the session was opened with.
    trainer
        Makes better probabilities in the background; None for fixed ones.
    calibrator
        Corrects probabilities by what is known so far; None to take them as they are.
    schedule
        Says which items to ask about first; None to let the planner choose.
    checkpoint
        The newest there is; None for none.
    """

    def __init__(
        self,
        probs: Probs,
        trainer: Trainer | None,
        calibrator: Calibrator | None,
        schedule: Schedule | None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.probs = self._raw = probs if checkpoint is None else checkpoint.probs
        self.trainer = trainer
        self.calibrator = calibrator
        self.schedule = schedule
        self.priority: Priority | None = None
        """The items to ask about first, by the state followed last."""
        self.checkpoint = 0 if checkpoint is None else checkpoint.number
        """Number of the checkpoint in use; 0 for none."""
        self.version = min(self.checkpoint, 1)
        """Which probabilities these are."""
        self._used = False
        self._behind = False

    def take_up(self, version: int) -> None:
        """Go on after questions were planned with versions up to this one."""
        fixed = self.trainer is None and self.calibrator is None and self.checkpoint == 0
        self.version = 0 if fixed and version == 0 else version + 1

    def name(self) -> dict[str, int]:
        """What a question that is planned with these has to say about them."""
        self._used = True
        named = {"probs_version": self.checkpoint}
        return {**named, "probs": self.version} if self.version else named

    def take(self) -> Checkpoint | None:
        """The trainer's newest checkpoint, from now on in use, if there is a new one."""
        fresh = self.trainer.poll() if self.trainer else None
        if fresh is not None:
            self._raw = fresh.probs
            self._change_to(fresh.probs)
            self.checkpoint = fresh.number
            self.version = max(self.version, 1)  # 0 is what the session was opened with
        return fresh

    def follow(self, state: State) -> Probs:
        """The probabilities as calibrated by this state."""
        if self.calibrator is not None:
            self._change_to(self.calibrator(self._raw, state))
        if self.schedule is not None:
            self.priority = self.schedule(self._raw, state)
        return self.probs

    def teach(self, state: State, answers: int) -> None:
        """Let the trainer know; if it is at work, it is told when it has finished."""
        if self.trainer is None:
            return
        self._behind = not self.trainer.free
        if not self._behind:
            self.trainer.submit(state.labels(), state.clauses, answers)

    def catch_up(self, state: State, answers: int) -> None:
        """Let the trainer know what has happened while it was at work."""
        if self._behind:
            self.teach(state, answers)

    def _change_to(self, probs: Probs) -> None:
        if probs is not self.probs and self._used:
            self.version, self._used = self.version + 1, False
        self.probs = probs
