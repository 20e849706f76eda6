"""A real JupyterLab, in a process of its own, with nothing of the user's."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

_START_S: Final = 300  # a busy machine is no failure


class JupyterLab:
    """A server on a free port, to this machine alone.

    Parameters
    ----------
    folder
        Where the notebooks, the settings and everything else of it lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._token = secrets.token_hex(16)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        for name in ("config", "data", "runtime", "ipython", "cache", "state"):
            (folder / name).mkdir()
        self._log = (folder / "jupyter.log").open("w")
        environment = {
            **os.environ,
            "ASKLESS_CACHE": str(folder / "cache"),
            "ASKLESS_STATE": str(folder / "state"),
            "HOME": str(folder),
            "IPYTHONDIR": str(folder / "ipython"),
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_DATA_DIR": str(folder / "data"),
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        }
        self._process = subprocess.Popen(
            [
                sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
                "--ip=127.0.0.1", f"--port={self._port}", "--ServerApp.port_retries=0",
                f"--IdentityProvider.token={self._token}", f"--ServerApp.root_dir={folder}",
                "--LabApp.extension_manager=readonly", "--LabApp.news_url=None",
                "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            ],
            cwd=folder, env=environment, stdout=self._log, stderr=self._log,
            start_new_session=True,
        )  # fmt: skip
        self._wait()

    def notebook(self, *cells: str) -> str:
        """Make a notebook of these cells; what to open for it."""
        stem = f"n{secrets.token_hex(4)}"
        name = f"{stem}.ipynb"
        (self._folder / name).write_text(json.dumps(_notebook(cells)))
        return f"{self._base}/lab/workspaces/{stem}/tree/{name}?token={self._token}"

    def stop(self) -> None:
        """End it, and the kernels it has started."""
        self._process.send_signal(signal.SIGINT)
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._log.close()

    @property
    def _base(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def _wait(self) -> None:
        until = time.monotonic() + _START_S
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            try:
                urllib.request.urlopen(f"{self._base}/api?token={self._token}").close()
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.2)  # until it listens
            else:
                return
        raise AssertionError((self._folder / "jupyter.log").read_text()[-4000:])


def _notebook(cells: Sequence[str]) -> dict[str, Any]:
    return {
        "cells": [
            {
                "cell_type": "code", "id": f"cell-{place}", "metadata": {}, "outputs": [],
                "execution_count": None, "source": source,
            }
            for place, source in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }  # fmt: skip
