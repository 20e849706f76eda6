"""SIGKILL while a session works; thousands with ``python -m tests.faults.kill_session 10000``.

Seen to fail first: with ``Session.tell`` acknowledging before it commits, and with exports or
checkpoints written in place; the mechanisms below have tests of their own in test_store_kills.py.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.faults.kill_session", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3000)


def test_every_acknowledged_answer_survives_a_hundred_and_twenty_kills() -> None:
    done = run("120")
    assert done.returncode == 0, done.stdout + done.stderr
    kills, answers = map(int, re.findall(r"\d+", done.stdout))
    assert (kills, answers > 0) == (120, True)
