"""The trainer's end of its process: start it, speak to it, listen without waiting, end it.

A new interpreter, not a fork: a fork would copy the threads' locks and the open
database of whoever is asking questions. It is its own process group, so that ending
it ends whatever the predictor may have started.
Tested in tests/faults/test_trainer_process.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

from askless.trainer._job import Job, Request, write_request
from askless.trainer.child import child_command, child_environment


class Process:
    """One process that fits.

    Parameters
    ----------
    job
        What it is to do.
    folder
        Where its log and its requests go.
    threads
        How many threads its linear algebra may use.
    """

    def __init__(self, job: Job, folder: Path, threads: int = 1) -> None:
        self._request = folder / "request.npz"
        self._heard = b""
        self._over = False
        counts = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        environment = {
            **child_environment(),
            **dict.fromkeys(counts, str(threads)),
        }
        with (folder / "trainer.log").open("wb") as log:
            self._process = subprocess.Popen(
                child_command("askless.trainer._child"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                bufsize=0,
                env=environment,
                start_new_session=True,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        os.set_blocking(self._from.fileno(), False)
        self._say(job.to_json())

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def fileno(self) -> int:
        """What becomes readable when there is something to hear."""
        return self._from.fileno()

    def request(self, number: int, request: Request) -> None:
        """Ask for checkpoint `number`. Only when the last request has been answered."""
        write_request(self._request, request)
        self._say(json.dumps({"number": number, "request": str(self._request)}))

    def replies(self) -> list[dict[str, Any]]:
        """What it has said since, without waiting; ``{"ended": sentence}`` if it is no more."""
        self._listen()
        *lines, self._heard = self._heard.split(b"\n")
        try:
            found: list[dict[str, Any]] = [json.loads(line) for line in lines]
        except ValueError:
            found = [{"failed": "The trainer's process said something that makes no sense."}]
        return [*found, {"ended": self.end()}] if self._over else found

    def end(self) -> str:
        """Kill it and whatever it started; how it had ended before that, as a sentence."""
        code = None
        if self._over:
            # It has closed its pipe, so it is about to end by itself: let it say how.
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = self._process.wait(timeout=1.0)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with contextlib.suppress(OSError):
            self._to.close()
        self._from.close()
        return _how_it_ended(code)

    def _listen(self) -> None:
        while True:
            try:
                chunk = os.read(self._from.fileno(), 65536)
            except BlockingIOError:
                return
            if not chunk:
                self._over = True
                return
            self._heard += chunk

    def _say(self, line: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has ended; `replies` will tell
            self._to.write(line.encode() + b"\n")


def _how_it_ended(code: int | None) -> str:
    if code is None:
        return "The trainer's process fell silent and was ended."
    if code < 0:
        name = signal.Signals(-code).name
        hint = " If nobody did that, memory ran out." if name == "SIGKILL" else ""
        return f"The trainer's process was killed by {name}.{hint}"
    return f"The trainer's process ended by itself, with status {code}; trainer.log may say why."
