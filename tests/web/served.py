"""The real server in a process of its own, started by the real command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Self

import httpx2 as httpx

_COMMAND = "import sys; from askless.cli import main; sys.exit(main())"


class Served:
    """``askless ARGS`` until the end of the ``with``; `client` has opened its link."""

    def __init__(self, *args: str | Path, cwd: Path, **environment: str) -> None:
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-c", _COMMAND, *map(str, args)],
            cwd=cwd,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "DISPLAY": "", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        self.link = ""
        for line in self._process.stdout:
            self.lines.append(line)
            if found := re.search(r"https?://\S+[?]token=\S+", line):
                self.link = found[0]
                break
        if not self.link:
            raise AssertionError("".join(self.lines))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.base = self.link.partition("/?")[0]
        self.client = httpx.Client(base_url=self.base, timeout=600)
        if "--behind" not in args:  # or nobody is there to pass it on
            self.client.get(self.link)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.client.close()
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def output(self) -> str:
        """All it has said so far."""
        return "".join(self.lines)

    def interrupt(self) -> int:
        """Press Ctrl-C; its exit status."""
        self._process.send_signal(signal.SIGINT)
        status = self._process.wait(600)
        self._reader.join()
        return status

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.kill()
        self._process.wait()

    def post(self, path: str, **body: Any) -> Any:
        """What it says to this, which it must not refuse."""
        reply = self.client.post(path, json=body)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def _read(self) -> None:
        assert self._process.stdout is not None
        self.lines.extend(self._process.stdout)
