"""SIGKILL while sessions of every kind are at work.

Ten thousand of them: ``python -m tests.faults.kill_session 10000 --jobs 16 --results
tests/faults/results/kills.json``, whose last results stand there. With those of
test_store_kills.py and test_trainer_kills.py a plain run of the tests makes 300.

Seen to fail first: the tests below that take a mechanism away.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.faults.kill_session", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3000)


def test_every_acknowledged_answer_survives_a_hundred_and_twenty_five_kills() -> None:
    done = run("125", "--jobs", "5")  # all five planners, one of them with a trainer at work
    assert done.returncode == 0, done.stdout + done.stderr
    kills, answers, deeds = map(int, re.findall(r"\d+", done.stdout))
    assert kills == 125
    assert deeds > answers > 0


@pytest.mark.parametrize(
    ("mechanism", "found"),
    [
        ("commits", "acknowledged deeds .* are missing"),
        # A file is open for a moment only, so it takes many kills to strike there.
        pytest.param("whole files", "an exported file|passed", marks=pytest.mark.long),
    ],
)
def test_kills_are_not_survived_without(mechanism: str, found: str) -> None:
    # When a kill strikes is up to the machine: further sessions, until one has lost something.
    for first in range(200):
        done = run("25", "--first", str(first), "--without", mechanism)
        if done.returncode != 0:
            break
    assert done.returncode == 1
    assert re.search(f"LOST: .*{found}", done.stdout)
