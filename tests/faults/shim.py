"""Runs a process with `shim.c` between it and its disk."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
WORKS = sys.platform.startswith("linux") and shutil.which("cc") is not None


@cache
def _library() -> Path:
    """The compiled shim; the folder goes when this process does."""
    folder = tempfile.TemporaryDirectory(prefix="askless-shim-")
    _FOLDERS.append(folder)
    library = Path(folder.name) / "shim.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True)
    return library


_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def run_with_shim(
    module: str, *arguments: str, folder: Path, log: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """``python -m module arguments`` with everything it does to files in `folder` logged."""
    environment = {
        **os.environ,
        "LD_PRELOAD": str(_library()),
        "SHIM_FOLDER": str(folder.resolve()),
    }
    if log is not None:
        environment["SHIM_LOG"] = str(log)
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
    )


class Faults:
    """What a process that runs with the shim can tell it to do."""

    def __init__(self) -> None:
        self._shim = ctypes.CDLL(os.environ["LD_PRELOAD"])

    def fail_writes(self, error: int, wait: int, times: int = 1, *, half: bool = False) -> None:
        """Let `wait` writes pass and fail the next `times`, after half of one if `half`."""
        self._shim.shim_fail_writes(error, wait, times, int(half))

    def fail_syncs(self, error: int, wait: int = 0, times: int = 1) -> None:
        """Let `wait` syncs pass and fail the next `times`."""
        self._shim.shim_fail_syncs(error, wait, times)

    def fail_names(self, error: int, wait: int = 0, times: int = 1) -> None:
        """The same for names: files and folders that are made, and files that are renamed."""
        self._shim.shim_fail_names(error, wait, times)

    def heal(self) -> None:
        """From now on nothing fails."""
        self.fail_writes(0, 0, 0)
        self.fail_syncs(0, 0, 0)
        self.fail_names(0, 0, 0)
