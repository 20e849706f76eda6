"""The command itself, killed twice in the middle of its work and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from askless.assemble import read_session
from askless.errors import AsklessError
from askless.folder.verifying import verify_session

N = 800
PATIENCE_S = 600.0


def test_simulated_session_survives_kills_of_the_command(quick_folder: Path) -> None:
    rng = np.random.default_rng(0)
    probs = rng.beta(0.4, 0.4, N)
    truth = rng.random(N) < probs
    np.savez(quick_folder / "pool.npz", probs=probs, positive=truth)
    folder = quick_folder / "s"
    program = "import sys; from askless.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "simulate", str(quick_folder / "pool.npz")]
    command += ["--session", str(folder), "--json", "--planner", "nested", "--max-n", "8"]
    seen = 0
    for _ in range(2):
        worker = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        seen = _wait_for_more(folder, seen + 40)
        os.kill(worker.pid, signal.SIGKILL)
        assert worker.wait() == -signal.SIGKILL
        assert verify_session(folder).sound
        assert _answers(folder) >= seen
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert told["labels_right"] == N
    assert told["questions"] == _answers(folder) > seen


def _wait_for_more(folder: Path, answers: int) -> int:
    end = time.monotonic() + PATIENCE_S
    while (seen := _answers(folder)) < answers:
        assert time.monotonic() < end, f"waited {PATIENCE_S} s in vain"
        time.sleep(0.02)
    return seen


def _answers(folder: Path) -> int:
    try:
        return len(read_session(folder).history.answers)
    except AsklessError:  # not there yet
        return 0
