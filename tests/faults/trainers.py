"""A small pool, a trainer on it whose predictor goes wrong, and ways to wait for what follows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from askless.files.arrays import write_array
from askless.seams import Checkpoint
from askless.trainer.background import BackgroundTrainer

FAULTY = "tests.faults.faulty_predictors:Faulty"
N = 50
X = np.random.default_rng(0).standard_normal((N, 3))
TRUTH = X[:, 0] > 0
PATIENCE_S = 600.0


def labels(known: int) -> Any:
    told = np.full(N, -1, np.int8)
    told[:known] = TRUTH[:known]
    return told


def wait_for(what: Callable[[], Any]) -> Any:
    """What `what` gives, as soon as it gives something."""
    end = time.monotonic() + PATIENCE_S
    while not (found := what()):
        assert time.monotonic() < end, f"waited {PATIENCE_S} s in vain"
        time.sleep(0.005)
    return found


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@contextmanager
def trainer(tmp_path: Path, fault: str, **options: Any) -> Iterator[BackgroundTrainer]:
    if not (tmp_path / "x.npy").exists():
        write_array(tmp_path / "x.npy", X)
    with BackgroundTrainer(
        tmp_path / "trainer",
        N,
        predictor=FAULTY,
        options={"fault": fault, "flag": str(tmp_path / "flag")},
        features=tmp_path / "x.npy",
        **{"first_pause_s": 0.05, **options},
    ) as made:
        yield made


def fit(trainer: BackgroundTrainer, known: int) -> Checkpoint:
    trainer.submit(labels(known), (), known)
    fresh: Checkpoint = wait_for(trainer.poll)
    return fresh
