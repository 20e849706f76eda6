"""The trainer's process does not outlive whoever started it, not even in the middle of a fit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.trainers import is_running, wait_for

SCRIPT = """
import sys, time
from pathlib import Path
import numpy as np
from askless.trainer.background import BackgroundTrainer

folder, fault = Path(sys.argv[1]), sys.argv[2]
trainer = BackgroundTrainer(
    folder / "trainer", 9, predictor="tests.faults.faulty_predictors:Faulty",
    options={"fault": fault, "flag": str(folder / "flag")},
)
trainer.submit(np.array([0, 1, -1] * 3, np.int8), (), 6)
if sys.argv[3] == "stays":
    time.sleep(1000)
while not (folder / "pid").exists():
    time.sleep(0.01)
"""


def start(tmp_path: Path, fault: str, then: str) -> tuple[subprocess.Popen[bytes], int]:
    (tmp_path / "flag").touch()
    parent = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path), fault, then], cwd=Path(__file__).parents[2]
    )
    pid = tmp_path / "pid"
    return parent, int(wait_for(lambda: pid.exists() and pid.read_text()))


@pytest.mark.parametrize("fault", ["hangs", "hangs with the interpreter"])
def test_killed_parent_takes_the_fitting_process_with_it(fault: str, tmp_path: Path) -> None:
    parent, child = start(tmp_path, fault, "stays")
    assert is_running(child)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    wait_for(lambda: not is_running(child))


def test_parent_that_forgets_to_close_can_still_end(tmp_path: Path) -> None:
    parent, child = start(tmp_path, "hangs", "leaves")
    assert parent.wait(timeout=600) == 0
    wait_for(lambda: not is_running(child))
