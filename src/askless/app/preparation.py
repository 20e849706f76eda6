"""What a model needs, made out of the way: features, then a trainer.

Features of a whole pool take seconds to many minutes. A child process makes them, with what
other processes leave of the machine, and keeps them in the user's cache; meanwhile
questions are asked at random. It makes simple features first, within seconds, and then those that
were asked for, or the default ones. As soon as either are ready, a background trainer starts on
them and the session is told to use it. Whatever goes wrong is shown with its reason, and questions
go on.

The child (`askless.trainer.child`) runs `askless.app._preparing`. One that is killed, or runs out
of memory or disk, is started again after a pause that doubles with every failure in a row, as the
trainer's is; what it has made is found again. One that refuses its job is not: it would again.
Imported by `askless.app`; tested in tests/app/test_preparation.py.
"""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from askless.app.neighbours import Columns
from askless.errors import AsklessError
from askless.folder.files import LOG, TRAINING
from askless.seams import TrainerStatus
from askless.trainer.background import BackgroundTrainer
from askless.trainer.child import Child, child_command, pause_after

_LOOK_S: Final = 0.2
"""How often the thread looks whether it should end."""


class Preparation:
    """Makes features in a child process and then a trainer.

    Parameters
    ----------
    folder
        The session's.
    n
        Items in the pool.
    job
        For the child: the source, how to open it, and the folder for features.
    ready
        Called with the trainer once there is one, in a thread of its own.
    model
        File for what the predictor has learnt; None to keep it nowhere.
    command
        Starts the child; by default this Python with `askless.app._preparing`.
    """

    def __init__(
        self,
        folder: Path,
        n: int,
        job: Mapping[str, Any],
        ready: Callable[[BackgroundTrainer], None],
        *,
        model: Path | None = None,
        command: tuple[str, ...] = child_command("askless.app._preparing"),
    ) -> None:
        self._folder, self._n, self._ready, self._command = folder, n, ready, command
        self._job, self._model = dict(job), model
        self.trainer: BackgroundTrainer | None = None
        """The one at work, if there is one."""
        self._trained_on: Mapping[str, Any] | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="askless-preparing", daemon=True)
        self._not_before: float | None = None
        self.child: Child | None = None
        self.share: float | None = 0.0
        self.note = "Getting ready to learn; questions are drawn at random until then."
        self.failure: str | None = None

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    @property
    def retry_in_s(self) -> float | None:
        """When the child is started again; None if it is at work, or is not to be."""
        then = self._not_before
        return None if then is None else max(0.0, then - time.monotonic())

    @property
    def columns(self) -> Columns | None:
        """The features that the model learns from: of several kernels the first, without bias."""
        made = self._trained_on
        if made is None or made["features"] is None:
            return None
        blocks = made["options"].get("blocks")
        path = Path(made["features"])
        return None if not blocks else Columns(path, int(blocks[0][1]) - 1)

    def trainer_status(self) -> TrainerStatus:
        """That of the trainer; idle while there is none."""
        trainer = self.trainer
        return TrainerStatus("idle") if trainer is None else trainer.status()

    def close(self) -> None:
        """End the child and the trainer; what they have made stays."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join()
        if self.trainer is not None:
            self.trainer.close()

    # --- the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        failures = 0
        try:
            while (reason := self._follow_child()) is not None:
                failures += 1
                pause_s = pause_after(failures)
                self._not_before = time.monotonic() + pause_s
                self._fail(reason)
                if self._closing.wait(pause_s):
                    return
        except (AsklessError, OSError) as error:
            self._not_before = None
            self._fail(str(error))

    def _follow_child(self) -> str | None:
        """Start the child and follow it to its end; why it failed, None if it did not."""
        name = "The process that makes features"
        self.child = child = Child(name, self._command, self._job, self._folder / LOG)
        try:
            poll = select.poll()
            poll.register(child, select.POLLIN)
            while not self._closing.is_set():
                poll.poll(1000 * _LOOK_S)
                for reply in child.replies():
                    match reply:
                        case {"done": True}:
                            return None
                        case {"refused": str(reason)}:
                            raise AsklessError(reason)
                        case {"failed": str(reason)} | {"ended": str(reason)}:
                            return reason
                    self._take_reply(reply)
            return None
        finally:
            child.end()

    def _take_reply(self, reply: Mapping[str, Any]) -> None:
        self.failure = self._not_before = None
        self.share = reply.get("share", self.share)
        self.note = reply.get("note", self.note)
        made = {name: reply.get(name) for name in ("predictor", "options", "features")}
        if made["predictor"] is not None and made != self._trained_on:
            self._begin_training(made)

    def _begin_training(self, made: Mapping[str, Any]) -> None:
        """A trainer on what was made, in place of the one before."""
        if self.trainer is not None:
            self.trainer.close()  # there is one at a time in a folder
        features = made["features"]
        self.trainer = BackgroundTrainer(
            self._folder / TRAINING,
            self._n,
            predictor=made["predictor"],
            options=made["options"],
            features=None if features is None else Path(features),
            model=self._model,
        )
        self._trained_on = made
        if not self._closing.is_set():
            self._ready(self.trainer)

    def _fail(self, reason: str) -> None:
        reason = " ".join(reason.split()).rstrip(".")
        with_what = "a simple model" if self.trainer is not None else "no model"
        self.share, self.note = None, f"Questions go on with {with_what}."
        self.failure = f"The model could not be prepared: {reason}."
