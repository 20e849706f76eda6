"""What a model needs, made out of the way: features, then a trainer.

Features of a whole pool take seconds to many minutes. A child process makes them, with what
other processes leave of the machine, and keeps them in the session's folder; meanwhile
questions are asked at random. It makes simple features first, within seconds, and then those that
were asked for, or the usual ones. As soon as either are ready, a background trainer starts on them
and the session is told to use it. Whatever goes wrong is shown with its reason, and questions go
on.

The child is ``python -P -m askless.app._preparing``: one line of JSON in, one line for each step
out. It imports from where this process does, and not from the current folder, where anything may
lie. It ends when its input does, so that none is left behind however the server ends.
Tested in tests/app/test_preparation.py.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from askless.errors import AsklessError
from askless.folder import CACHE, LOG, TRAINING
from askless.seams import TrainerStatus
from askless.trainer.background import BackgroundTrainer
from askless.trainer.child import child_command, child_environment

_END_S: Final = 2.0


class Preparation:
    """Makes features in a child process and then a trainer.

    Parameters
    ----------
    folder
        The session's.
    n
        Items in the pool.
    job
        For the child: the source and how to open it.
    ready
        Called with the trainer once there is one, in a thread of its own.
    command
        Starts the child; by default this Python with `askless.app._preparing`.
    """

    def __init__(
        self,
        folder: Path,
        n: int,
        job: Mapping[str, Any],
        ready: Callable[[BackgroundTrainer], None],
        command: tuple[str, ...] = child_command("askless.app._preparing"),
    ) -> None:
        self._folder, self._n, self._ready, self._command = folder, n, ready, command
        self._job = {**job, "cache": str(folder / CACHE)}
        self._child: subprocess.Popen[str] | None = None
        self._trainer: BackgroundTrainer | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self._lock = threading.Lock()
        self.share: float | None = 0.0
        self.note = "Getting ready to learn; questions are drawn at random until then."
        self.failure: str | None = None

    def start(self) -> None:
        """Begin; returns at once."""
        (self._folder / CACHE).mkdir(parents=True, exist_ok=True)
        self._thread = threading.Thread(target=self._run, name="askless-preparing", daemon=True)
        self._thread.start()

    @property
    def trainer(self) -> BackgroundTrainer | None:
        """The one at work, if there is one."""
        return self._trainer

    def trainer_status(self) -> TrainerStatus:
        """That of the trainer; idle while there is none."""
        trainer = self._trainer
        return TrainerStatus("idle") if trainer is None else trainer.status()

    def close(self) -> None:
        """End the child and the trainer; what they have made stays."""
        with self._lock:
            self._closed = True
            child = self._child
        if child is not None and child.poll() is None:
            child.terminate()
            try:
                child.wait(_END_S)
            except subprocess.TimeoutExpired:
                child.kill()
        if self._thread is not None:
            self._thread.join()
        if self._trainer is not None:
            self._trainer.close()

    # --- the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._follow_the_child()
        except (AsklessError, OSError, ValueError) as error:
            self._fail(str(error))

    def _follow_the_child(self) -> None:
        with (self._folder / LOG).open("w", encoding="utf-8") as log:
            with self._lock:
                if self._closed:
                    return
                self._child = child = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    env=child_environment(),
                    text=True,
                )
            with child:  # waits for it, and closes what leads to it
                try:
                    self._listen(child)
                except BaseException:
                    child.kill()
                    raise
        if child.returncode and self.failure is None and not self._closed:
            self._fail(f"it ended with status {child.returncode}; {self._folder / LOG} says more")

    def _listen(self, child: subprocess.Popen[str]) -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        with contextlib.suppress(BrokenPipeError):  # it has died; its log says why
            child.stdin.write(json.dumps(self._job) + "\n")
            child.stdin.flush()  # and stays open: it ends when we do
        for line in child.stdout:
            said = json.loads(line)
            self.share = said.get("share", self.share)
            self.note = said.get("note", self.note)
            if "failure" in said:
                self._fail(said["failure"])
            elif "predictor" in said:
                self._begin_training(said)

    def _begin_training(self, made: Mapping[str, Any]) -> None:
        """A trainer on what was made, in place of the one before."""
        if self._trainer is not None:
            self._trainer.close()  # there is one at a time in a folder
        features = made["features"]
        trainer = BackgroundTrainer(
            self._folder / TRAINING,
            self._n,
            predictor=made["predictor"],
            options=made["options"],
            features=None if features is None else Path(features),
        )
        with self._lock:
            self._trainer = trainer
            if self._closed:
                return
        self._ready(trainer)

    def _fail(self, reason: str) -> None:
        reason = " ".join(reason.split()).rstrip(".")
        self.failure = f"The model could not be prepared: {reason}."
        with_what = "a simple model" if self._trainer is not None else "no model"
        self.share, self.note = None, f"Questions go on with {with_what}."
