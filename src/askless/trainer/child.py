"""How a process of our own is started that may load parts of somebody's own.

It imports what can be imported here, parts of one's own included, and not from the current folder,
where anything may lie (``-P``). Imported by whatever starts one. Tested in
tests/app/test_preparation.py and tests/trainer.
"""

from __future__ import annotations

import os
import sys


def child_command(module: str) -> tuple[str, ...]:
    """The command that runs a module."""
    return (sys.executable, "-P", "-m", module)


def child_environment() -> dict[str, str]:
    """The environment to run it in."""
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    return {**os.environ, "PYTHONPATH": path}
