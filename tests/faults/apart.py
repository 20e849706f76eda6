"""Limits and lost rights stay with the process that has them, so it is one of its own."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]


def in_a_process_of_its_own(what: Callable[[Path], None], folder: Path) -> None:
    """Call it in a new process."""
    code = f"import pathlib, sys\nfrom {what.__module__} import {what.__name__} as do"
    code += "\ndo(pathlib.Path(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


def give_up_root() -> None:
    """So that this process may be forbidden something."""
    if os.getuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


def forbid_writing(folder: Path) -> None:
    """To everybody but root, who cannot be forbidden anything."""
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)


def take_all_descriptors() -> list[int]:
    """Leave none to be had; for a process of its own."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
    taken: list[int] = []
    while True:
        try:
            taken.append(os.open("/", os.O_RDONLY))
        except OSError:
            return taken


def give_back(taken: list[int]) -> None:
    """Let there be some again."""
    for fd in taken:
        os.close(fd)
