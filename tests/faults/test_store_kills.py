"""SIGKILL at random moments; thousands of them with ``python -m tests.faults.kill 10000``.

Seen to fail first: without idempotency keys an append that is sent again is there twice, and
without one transaction for an append there are halves of appends; both tests are below.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.faults.kill", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3000)


def test_every_acknowledged_append_survives_a_hundred_kills_exactly_once() -> None:
    done = run("100")
    assert done.returncode == 0, done.stdout + done.stderr
    kills, appends = map(int, re.findall(r"\d+", done.stdout))
    assert (kills, appends > 0) == (100, True)


@pytest.mark.parametrize("mechanism", ["keys", "transactions"])
def test_kills_are_not_survived_without(mechanism: str) -> None:
    done = run("300", "--without", mechanism)
    assert done.returncode == 1
    assert "LOST: append" in done.stdout
