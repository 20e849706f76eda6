"""Whether the app is alive, and whether it could store an answer: for whoever watches over it.

``/healthz`` says that the process answers; ``/readyz`` that the session is open and its folder can
be written to. Both need no token and say one word, nothing of the session. Whoever asks often is
told what was found a moment ago.
Imported by `askless.web.app`; tested in tests/web/test_health.py.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from fastapi.responses import JSONResponse

from askless.errors import AsklessError
from askless.folder.files import exists

ALIVE: Final = "/healthz"
READY: Final = "/readyz"
_MOMENT_S: Final = 1.0
_PROBE: Final = b"\0" * 4096


def add_health(app: FastAPI, folder: Path) -> None:
    """Add both.

    Parameters
    ----------
    app
        To this.
    folder
        The session's.
    """
    readiness = Readiness(folder)

    @app.get(ALIVE, include_in_schema=False)
    async def alive() -> JSONResponse:
        return JSONResponse({"status": "alive"})

    @app.get(READY, include_in_schema=False)
    def ready() -> JSONResponse:
        if readiness.check():
            return JSONResponse({"status": "ready"})
        return JSONResponse({"status": "not ready"}, 503)


class Readiness:
    """Whether an answer could be stored; looked at once a second at most.

    Parameters
    ----------
    folder
        The session's.
    clock
        Seconds, never going backwards.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._lock = threading.Lock()
        self._until = -1.0
        self._ready = False

    def check(self) -> bool:
        """Whether the session is there and its folder takes some bytes."""
        with self._lock:
            if self._clock() >= self._until:
                self._ready = _takes_bytes(self._folder)
                self._until = self._clock() + _MOMENT_S
            return self._ready


def _takes_bytes(folder: Path) -> bool:
    try:
        if not exists(folder):
            return False
        with tempfile.TemporaryFile(dir=folder) as file:  # without a name, where the system can
            file.write(_PROBE)
            file.flush()
            os.fsync(file.fileno())
    except (OSError, AsklessError):  # links in the place of its files, too
        return False
    return True
