"""A trainer in a thread: another one does the work, and nobody waits for it.

For models that are objects of this process, while a person answers in the page: no other process
can have them. Of what is submitted meanwhile only the newest is fitted. Not for what can be made by
name: `askless.trainer.background` fits that in a process of its own. Imported by
`askless.labelling`; tested in tests/trainer/test_in_thread.py.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.seams import Checkpoint, Trainer, TrainerState, TrainerStatus

Request = tuple[NDArray[np.int8], Sequence[Clause], int]


class ThreadTrainer:
    """Hands everything on to another trainer, in a thread.

    Parameters
    ----------
    inner
        Fits when it is told to, as `askless.trainer.inline.InlineTrainer` does. It is not closed.
    """

    def __init__(self, inner: Trainer) -> None:
        self._inner = inner
        self._waiting: Request | None = None
        self._fresh = inner.poll()
        self._status = inner.status()
        self._fitting = self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="askless-fitting", daemon=True)
        self._thread.start()

    def submit(self, labels: NDArray[np.int8], clauses: Sequence[Clause], answers: int) -> None:
        """Have this fitted as soon as may be (`askless.seams.Trainer`)."""
        with self._changed:
            self._waiting = (labels, tuple(clauses), answers)
            self._changed.notify_all()

    def poll(self) -> Checkpoint | None:
        """The newest checkpoint, if it is newer than what `poll` gave before."""
        with self._changed:
            fresh, self._fresh = self._fresh, None
            return fresh

    def status(self) -> TrainerStatus:
        """What it is doing and what went wrong."""
        with self._changed:
            state: TrainerState = "fitting" if self._fitting else "idle"
            return replace(self._status, state="closed" if self._closed else state)

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until everything that was submitted is fitted; whether it is."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._closed or (self._waiting is None and not self._fitting), timeout_s
            )

    def close(self) -> None:
        """End the thread once the fit that is under way is done."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._fitting = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._closed or self._waiting is not None)
                if self._closed or self._waiting is None:
                    return
                labels, clauses, answers = self._waiting
                self._waiting, self._fitting = None, True
            self._inner.submit(labels, clauses, answers)
            with self._changed:
                self._fresh = self._inner.poll() or self._fresh
                self._status = self._inner.status()
