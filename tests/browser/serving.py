"""A real server in its own process, started by the command a person would type."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty, Queue

_LINK = re.compile(r"https?://\S+[?]token=[\w-]+")


class Server:
    """``askless ARGS --no-browser`` on a port of its own, which a restart keeps."""

    def __init__(self, *args: str | Path, cwd: Path) -> None:
        self.args = [str(arg) for arg in args]
        self.cwd = cwd
        self.port = free_port()
        self.link = ""
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        """The process's number."""
        assert self._process is not None
        return self._process.pid

    def start(self, patience_s: float = 300.0) -> str:
        """Start; the link that the command prints."""
        script = Path(sys.executable).with_name("askless")
        command = [str(script), *self.args, "--no-browser", "--port", str(self.port)]
        environment = {
            **os.environ, "COLUMNS": "400", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1",
            "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
        }  # fmt: skip
        self._process = subprocess.Popen(
            command, cwd=self.cwd, env=environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        lines: Queue[str] = Queue()
        self._reader = threading.Thread(target=_pump, args=(self._process, lines), daemon=True)
        self._reader.start()
        self.link = _first_link(self._process, lines, patience_s)
        if "--behind" not in self.args:
            assert f":{self.port}/" in self.link, "Somebody else has taken the port meanwhile."
        return self.link

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        if self._process is not None and self._process.poll() is None:
            self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        try:
            self._process.wait(120)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(5)
        assert self._process.stdout is not None
        self._process.stdout.close()


def _pump(process: subprocess.Popen[str], lines: Queue[str]) -> None:
    assert process.stdout is not None
    try:
        for line in process.stdout:
            lines.put(line)
    except ValueError:  # closed under us: the server has ended
        pass


def _first_link(process: subprocess.Popen[str], lines: Queue[str], patience_s: float) -> str:
    said: list[str] = []
    waited = 0.0
    while waited < patience_s:
        try:
            said.append(lines.get(timeout=0.1))
        except Empty:
            waited += 0.1
            if process.poll() is not None and lines.empty():
                break
            continue
        if found := _LINK.search(said[-1]):
            return found.group()
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
    raise AssertionError(f"The command printed no link: {''.join(said)}")


def free_port() -> int:
    """A port that nobody has, below those that the system lends to outgoing connections.

    One of those could be lent to somebody else while a server is dead, who then could not
    come back to it.
    """
    for port in random.SystemRandom().sample(range(12_000, 32_000), 200):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("No port is free.")
