"""The probabilities questions are planned with, and where better ones come from.

New probabilities enter a session here and nowhere else: `ProbsInUse.refresh` takes the trainer's
newest checkpoint, and `ProbsInUse.follow` calibrates it by what is known so far and says which
items come first. Nothing here ever waits for a fit.

Each set of probabilities that questions are planned with has a version of its own: 0 is what the
session was opened with, and every change counts on. After a restart nobody can know whether a
calibration comes out as it did before, so then it counts on as well.
Imported by the session room alone; tested in tests/session/test_versions.py.
"""

from __future__ import annotations

from askless.core.events import CheckpointTaken
from askless.core.probability import Probs
from askless.seams import Calibrator, Checkpoint, Priority, Schedule, Trainer
from askless.session.log import Log


class ProbsInUse:
    """What is believed about the open items.

    Parameters
    ----------
    log
        Is told which checkpoint is in use.
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
        log: Log,
        probs: Probs,
        trainer: Trainer | None,
        calibrator: Calibrator | None,
        schedule: Schedule | None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.probs = self._raw = probs if checkpoint is None else checkpoint.probs
        self.calibrator = calibrator
        self.priority: Priority | None = None
        """The items to ask about first, by the state followed last."""
        self.checkpoint = 0 if checkpoint is None else checkpoint.number
        """Number of the checkpoint in use; 0 for none."""
        self.version = min(self.checkpoint, 1)
        """Which probabilities these are."""
        self._trainer, self._schedule = trainer, schedule
        self._log = log
        self._noted = (log.history.checkpoint, log.history.checksum)
        self._taught: int | None = None
        self._used = False
        self._followed: tuple[int, int, int] | None = None
        if log.history.asked:
            fixed = trainer is None and calibrator is None and self.checkpoint == 0
            version = log.history.version
            self.version = 0 if fixed and version == 0 else version + 1
        if checkpoint is not None:
            self._note(checkpoint)
        self.follow()

    def use_trainer(self, trainer: Trainer) -> None:
        """Have another trainer make better probabilities from now on."""
        self._trainer, self._taught = trainer, None
        self.teach()

    def versions(self) -> tuple[int, int]:
        """Checkpoint and version, for a question that is planned with these probabilities."""
        self._used = True
        return self.checkpoint, self.version

    def refresh(self) -> bool:
        """Bring the probabilities up to date; whether the trainer had newer ones."""
        changed = False
        while (fresh := self._trainer.poll() if self._trainer else None) is not None:
            changed = True
            self._raw = fresh.probs
            self._change_to(fresh.probs)
            self.checkpoint = fresh.number
            self.version = max(self.version, 1)  # 0 is what the session was opened with
            self._note(fresh)
            if fresh.answers < len(self._log.history.answers):
                self.teach()  # a trainer that fits here and now has better ones at once
        self.follow()
        return changed

    def follow(self) -> Probs:
        """The probabilities as calibrated by the state of now; renews `priority` too."""
        state, calibrator = self._log.history.state, self.calibrator
        if (following := (self._raw.version, state.key, id(calibrator))) != self._followed:
            self._followed = following
            if calibrator is not None:
                self._change_to(calibrator(self._raw, state))
            if self._schedule is not None:
                self.priority = self._schedule(self._raw, state)
        return self.probs

    def teach(self) -> None:
        """Hand everything that is known to the trainer, once; it replaces what still waits."""
        history = self._log.history
        state = history.state
        if self._trainer is not None and self._taught != state.key:
            self._taught = state.key
            self._trainer.submit(state.labels(), state.clauses, len(history.answers))

    def _note(self, checkpoint: Checkpoint) -> None:
        """Have the log say which checkpoint is in use, unless it does."""
        if self._noted != (noted := (checkpoint.number, checkpoint.checksum)):
            self._noted = noted
            self._log.put_off(CheckpointTaken(*noted))

    def _change_to(self, probs: Probs) -> None:
        if probs is not self.probs and self._used:
            self.version, self._used = self.version + 1, False
        self.probs = probs
