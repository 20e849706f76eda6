"""Child processes of ours: start one, read what it reports without waiting, end it.

A child is told a job and reports in lines of JSON. It is a new interpreter, not a fork: a fork
would copy the threads' locks and the open database of whoever is asking questions. It imports what
can be imported here, your own parts included, and not from the current folder, where anything
may lie (``-P``). It is its own process group, so that ending it ends whatever it has started. The
other end of the pipe is `askless.trainer.in_child`.

Imported by `askless.trainer` (fitting) and `askless.app.preparation` (features). Tested in
tests/faults/test_trainer_process.py and tests/app/test_preparation.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from askless.files import open_log

_MOST_PAUSE_S: Final = 300.0


def child_command(module: str) -> tuple[str, ...]:
    """The command that runs a module."""
    return (sys.executable, "-P", "-m", module)


def pause_after(failures: int, first_s: float = 1.0) -> float:
    """Seconds to wait before a child is started again: doubled with every failure in a row."""
    return min(_MOST_PAUSE_S, first_s * 2.0 ** min(failures - 1, 60))


class Child:
    """One child process.

    Parameters
    ----------
    name
        What it is called in sentences: "The trainer's process".
    command
        Starts it; see `child_command`.
    job
        Its first line, in plain JSON values.
    log
        Where what it prints goes; emptied first.
    environment
        Added to that of this process.
    """

    def __init__(
        self,
        name: str,
        command: tuple[str, ...],
        job: Mapping[str, Any],
        log: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._name, self._log = name, log.name
        self._unread = b""
        self._over = False
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        with open_log(log) as file:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                bufsize=0,
                env={**os.environ, "PYTHONPATH": path, **(environment or {})},
                start_new_session=True,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        os.set_blocking(self._from.fileno(), False)
        self.say(job)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def fileno(self) -> int:
        """What becomes readable when there is something to hear."""
        return self._from.fileno()

    def say(self, message: Mapping[str, Any]) -> None:
        """Tell it something, as one line."""
        with contextlib.suppress(BrokenPipeError):  # it has ended; `replies` will tell
            self._to.write(json.dumps(message).encode() + b"\n")

    def replies(self) -> list[dict[str, Any]]:
        """What it has said since, without waiting; ``{"ended": sentence}`` if it is no more."""
        self._listen()
        *lines, self._unread = self._unread.split(b"\n")
        try:
            found = [dict(json.loads(line)) for line in lines]
        except (ValueError, TypeError):
            found = [{"failed": f"{self._name} said something that makes no sense."}]
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
        return self._how_it_ended(code)

    def _listen(self) -> None:
        while True:
            try:
                chunk = os.read(self._from.fileno(), 65536)
            except BlockingIOError:
                return
            if not chunk:
                self._over = True
                return
            self._unread += chunk

    def _how_it_ended(self, code: int | None) -> str:
        if code is None:
            return f"{self._name} fell silent and was ended."
        if code < 0:
            name = signal.Signals(-code).name
            hint = " If nobody did that, memory ran out." if name == "SIGKILL" else ""
            return f"{self._name} was killed by {name}.{hint}"
        return f"{self._name} ended by itself, with status {code}; {self._log} may say why."
