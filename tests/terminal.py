"""Run the command line in a real pseudo-terminal and read what a person would be sent."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path


def in_a_terminal(*args: str | Path, cwd: Path | None = None) -> tuple[int, str]:
    """The exit status of ``askless ARGS`` and all it wrote, escape codes included."""
    script = Path(sys.executable).with_name("askless")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40"}
    process = subprocess.Popen(
        [script, *args], stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env=environment
    )
    os.close(theirs)
    written = b""
    try:
        while piece := os.read(ours, 65536):
            written += piece
    except OSError:  # Linux's way to say that the other side has closed
        pass
    os.close(ours)
    return process.wait(), written.decode()
