"""Fit in a separate process, so that nobody ever waits for a model.

    with BackgroundTrainer(folder, n, predictor="logistic", features=path) as trainer:
        trainer.submit(state.labels(), state.clauses, answers=12)
        ...                                    # questions go on
        fresh = trainer.poll()                 # None, or a checkpoint with new probs

The newest data win: what is submitted while a fit is under way waits, and is replaced
by what is submitted later; there is never a backlog. Whatever happens to the process
(it raises, hangs, dies, fills the memory, returns nonsense) is shown by `status`, and it is tried
again after a pause that doubles with every failure in a row.

Everything slow, starting a process, reading and checking a checkpoint, is done by one
thread of its own; `submit` costs one copy of the labels, `poll` and `status` nothing. What
lies in `folder`: the last checkpoints, ``request.npz`` (data on their way) and ``trainer.log``
(what the last process printed). One trainer a folder. Linux and macOS.
"""

from __future__ import annotations

import json
import os
import select
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.errors import InvalidInput, UnknownPart
from askless.predictors import predictor_names
from askless.seams import Checkpoint, TrainerStatus
from askless.trainer._job import Job, Request
from askless.trainer._process import Process
from askless.trainer._supervisor import Supervisor
from askless.trainer.checkpoint import read_checkpoint, remove_older, take_up


class BackgroundTrainer(AbstractContextManager["BackgroundTrainer"]):
    """A predictor at work in another process.

    A good checkpoint already in `folder` is what the first `poll` gives.

    Parameters
    ----------
    folder
        Where checkpoints are kept; made if it is not there.
    n
        Items in the pool.
    predictor
        Its name: a registered one, or ``package.module:Class``.
    options
        Its options, in plain JSON values.
    features
        Path of an array written by `askless.files.arrays.write_array`; None for a pool
        without features.
    model
        File for what the predictor has learnt, so that a fresh process goes on from there; None
        to have it learn again.
    timeout_s
        A start or a fit that takes longer is ended.
    first_pause_s
        The pause after a first failure; it doubles with every further one in a row.
    """

    def __init__(
        self,
        folder: Path,
        n: int,
        *,
        predictor: str = "logistic",
        options: Mapping[str, Any] | None = None,
        features: Path | None = None,
        model: Path | None = None,
        timeout_s: float = 600.0,
        first_pause_s: float = 1.0,
    ) -> None:
        if ":" not in predictor and predictor not in predictor_names():
            raise UnknownPart("predictor", predictor, predictor_names())
        try:
            json.dumps(options)
        except (TypeError, ValueError) as error:
            raise InvalidInput(
                f"Options travel to another process, so they are plain JSON values; got {error}."
            ) from None
        self._folder, self._n = folder, n
        self._job = Job(
            n=n,
            predictor=predictor,
            folder=str(folder.absolute()),
            options=dict(options or {}),
            features=None if features is None else str(features.absolute()),
            model=None if model is None else str(model.absolute()),
        )
        found = take_up(folder, n)
        self._supervisor = Supervisor(
            self._start,
            self._accept,
            time.monotonic,
            timeout_s=timeout_s,
            first_s=first_pause_s,
            last_number=found.last_number,
        )
        if found.checkpoint is not None:
            self._supervisor.publish(found.checkpoint)
        if found.complaints:
            self._supervisor.complain(" ".join(found.complaints))
        self._closed = False
        self._bell_out, self._bell_in = os.pipe()
        os.set_blocking(self._bell_in, False)
        self._thread = threading.Thread(target=self._run, name="askless-trainer", daemon=True)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def free(self) -> bool:
        """Whether data submitted now would be taken up at once."""
        return self._supervisor.free

    def submit(self, labels: NDArray[np.int8], clauses: Sequence[Clause], answers: int) -> None:
        """Fit to everything known so far, and not to what still waits (`askless.seams.Trainer`)."""
        own = np.array(labels, dtype=np.int8)
        if own.shape != (self._n,):
            raise InvalidInput(
                f"A trainer is told one label per item, {self._n} of them; got {own.shape}."
            )
        self._supervisor.put(Request(own, tuple(clauses), answers))
        self._ring()

    def poll(self) -> Checkpoint | None:
        """The newest checkpoint, if it is newer than what `poll` gave before."""
        return self._supervisor.take()

    def status(self) -> TrainerStatus:
        """What it is doing and what went wrong."""
        return self._supervisor.status()

    def close(self) -> None:
        """End the process and the thread; the checkpoints stay. A second time does nothing."""
        if self._closed:
            return
        self._closed = True
        self._ring()
        self._thread.join()
        os.close(self._bell_in)
        os.close(self._bell_out)

    # --- the thread -------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._closed:
                self._sleep(self._supervisor.step())
        finally:
            self._supervisor.stop()

    def _sleep(self, most_s: float | None) -> None:
        """Until the bell rings, the process speaks, or `most_s` have passed."""
        awaited = select.poll()
        awaited.register(self._bell_out, select.POLLIN)
        if self._supervisor.worker is not None:
            awaited.register(self._supervisor.worker.fileno(), select.POLLIN)
        happened = awaited.poll(None if most_s is None else max(0.0, most_s) * 1000)
        if any(handle == self._bell_out for handle, _ in happened):
            os.read(self._bell_out, 65536)

    def _ring(self) -> None:
        try:
            os.write(self._bell_in, b"!")
        except OSError:  # it rings already, or nobody is there any more to hear it
            return

    def _start(self, from_checkpoint: bool) -> Process:
        return Process(replace(self._job, restore=from_checkpoint), self._folder)

    def _accept(self, path: str) -> Checkpoint:
        checkpoint = read_checkpoint(Path(path), self._n)
        remove_older(self._folder, checkpoint.number)
        return checkpoint
