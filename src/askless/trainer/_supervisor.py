"""What the trainer does next: start, hand over, accept, give up on, try again later.

A small machine without threads, files or clocks of its own; `step` looks at what has
happened and does what follows, and never waits.

    nothing to do       idle
    data wait           start a process if there is none, else hand them over
    a fit succeeds      accept its checkpoint; failures in a row: 0
    anything goes wrong end the process, keep the data unless newer ones came, and try
                        again after first_s, 2 first_s, 4 first_s, ... at most five minutes

The second process in a row to fail may have failed because of the checkpoint it began with, so
from then on processes begin with nothing until one succeeds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from askless.seams import Checkpoint, TrainerStatus
from askless.trainer._job import Request
from askless.trainer.child import pause_after


class Worker(Protocol):
    """A process that fits, as the supervisor sees it."""

    def fileno(self) -> int:
        """What becomes readable when there is something to hear."""
        ...

    def request(self, number: int, request: Request) -> None:
        """Ask for checkpoint `number`."""
        ...

    def replies(self) -> list[dict[str, Any]]:
        """What it has said since: ready, done, failed or ended."""
        ...

    def end(self) -> str:
        """End it."""
        ...


class Supervisor:
    """Keeps one worker at work on the newest data, whatever happens to it.

    `step` is called by one thread; everything else may be called by any.

    Parameters
    ----------
    start
        Makes a worker; True if it may begin with the newest checkpoint.
    accept
        Reads the checkpoint a worker made, or raises.
    clock
        Seconds, never going backwards.
    timeout_s
        A worker that says nothing for so long while it is at work is ended.
    first_s
        The pause after the first failure.
    last_number
        The highest checkpoint number in use.
    """

    def __init__(
        self,
        start: Callable[[bool], Worker],
        accept: Callable[[str], Checkpoint],
        clock: Callable[[], float],
        *,
        timeout_s: float,
        first_s: float,
        last_number: int = 0,
    ) -> None:
        self._start, self._accept, self._clock = start, accept, clock
        self._timeout_s, self._first_s = timeout_s, first_s
        self._last_number = last_number
        self._lock = threading.Lock()  # guards the letter boxes
        self._waiting: Request | None = None
        self._again: Request | None = None  # fitting these failed; any new data are better
        self._fresh: Checkpoint | None = None
        self._status = TrainerStatus("idle")
        self._worker: Worker | None = None
        self._at_work_on: Request | None = None
        self._deadline = self._not_before = float("-inf")

    # --- the letter boxes, for any thread ---------------------------------------------------

    @property
    def free(self) -> bool:
        """Whether nothing is being fitted and no new data wait to be."""
        return self._waiting is None and self._status.state not in ("fitting", "closed")

    def put(self, request: Request) -> None:
        """Leave data to be fitted, in place of any that still wait."""
        with self._lock:
            self._waiting = request

    def take(self) -> Checkpoint | None:
        """The newest checkpoint, once."""
        with self._lock:
            fresh, self._fresh = self._fresh, None
        return fresh

    def status(self) -> TrainerStatus:
        """What it is doing."""
        status = self._status
        if status.state != "waiting":
            return status
        return replace(status, retry_in_s=max(0.0, self._not_before - self._clock()))

    def publish(self, checkpoint: Checkpoint) -> None:
        """Offer a checkpoint to whoever asks next."""
        with self._lock:
            self._fresh = checkpoint
        self._last_number = max(self._last_number, checkpoint.number)
        self._note(checkpoint=checkpoint.number, answers=checkpoint.answers, fit_s=checkpoint.fit_s)

    def complain(self, sentence: str) -> None:
        """Show that something went wrong that stops nothing."""
        self._note(last_failure=sentence)

    # --- the machine, for one thread --------------------------------------------------------

    @property
    def worker(self) -> Worker | None:
        """The worker to listen to, if there is one."""
        return self._worker

    def step(self) -> float | None:
        """Do what follows from what has happened; never waits.

        Returns
        -------
        float | None
            Seconds until something will have to be done even if nothing happens.
        """
        try:
            self._hear()
            if self._worker is not None and self._busy and self._clock() >= self._deadline:
                self._fail(
                    f"The predictor did not finish within {self._timeout_s:g} s and was ended."
                )
            if self._something_waits:
                self._go_on()
        except Exception as error:  # whatever it is, the thread that calls this must live
            self._fail(f"The trainer cannot go on for now: {type(error).__name__}: {error}")
        if self._worker is not None:
            return self._deadline - self._clock() if self._busy else None
        return self._not_before - self._clock() if self._something_waits else None

    def stop(self) -> None:
        """End the worker; nothing is fitted any more."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()
        self._note(state="closed")

    @property
    def _something_waits(self) -> bool:
        return self._waiting is not None or self._again is not None

    @property
    def _busy(self) -> bool:
        return self._status.state in ("starting", "fitting")

    def _hear(self) -> None:
        for reply in self._worker.replies() if self._worker is not None else ():
            match reply:
                case {"ready": True}:
                    self._note(state="idle")
                case {"done": str(path)}:
                    self.publish(self._accept(path))
                    self._at_work_on = None
                    self._note(state="idle", failures=0)
                case {"failed": str(reason)} | {"ended": str(reason)}:
                    self._fail(reason)
                    return

    def _go_on(self) -> None:
        now = self._clock()
        if self._worker is None:
            if now < self._not_before:
                self._note(state="waiting")
                return
            failures = self._status.failures
            self._worker = self._start(failures < 2)
            self._deadline = now + self._timeout_s
            self._note(state="starting", restarts=self._status.restarts + (failures > 0))
        elif self._status.state == "idle":
            self._deadline = now + self._timeout_s
            self._note(state="fitting")
            with self._lock:
                request = self._at_work_on = self._waiting or self._again
                self._waiting = self._again = None
            if request is not None:
                self._worker.request(self._last_number + 1, request)

    def _fail(self, reason: str) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()
        self._again, self._at_work_on = self._at_work_on or self._again, None
        failures = self._status.failures + 1
        self._not_before = self._clock() + pause_after(failures, self._first_s)
        state = "waiting" if self._something_waits else "idle"
        self._note(state=state, failures=failures, last_failure=reason)

    def _note(self, **changes: Any) -> None:
        self._status = replace(self._status, **changes)
