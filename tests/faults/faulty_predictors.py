"""A predictor that goes wrong in a chosen way for as long as a file is there.

The way is what the file says, or else what the predictor was told when it was made.

Named by its place, ``tests.faults.faulty_predictors:Faulty``, and so built by the trainer's own
process. Its process id, the fits it began and what it is like to be it stand in files beside
the flag.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.predictors.logistic import Logistic


class Faulty(Logistic):
    """Logistic regression, until it is not.

    Parameters
    ----------
    fault
        What goes wrong.
    flag
        While this file is there.
    """

    def __init__(self, *, fault: str = "nothing", flag: str = "") -> None:
        super().__init__()
        self._fault, self._flag = fault, Path(flag)

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        super().fit(x, labels, clauses)
        self._flag.with_name("pid").write_text(str(os.getpid()))
        with self._flag.with_name("fits").open("a") as fits:
            fits.write(f"{np.count_nonzero(labels >= 0)}\n")
        self._go_wrong()

    def predict(self, x: NDArray[Any]) -> Any:
        probs = super().predict(x)
        match self._wrong():
            case "nan":
                probs[3] = np.nan
            case "inf":
                probs[3] = np.inf
            case "above one":
                probs[3] = 1.0001
            case "below zero":
                probs[3] = -0.0001
            case "too short":
                return probs[1:]
            case "too long":
                return np.append(probs, 0.5)
            case "a matrix":
                return np.column_stack([1 - probs, probs])
            case "nothing at all":
                return None
            case "constant":
                return np.full(len(x), 0.5)
            case "certain":
                return (probs > 0.5).astype(np.float64)
        return probs

    def _wrong(self) -> str:
        """What goes wrong now; nothing if the file is not there."""
        try:
            return self._flag.read_text() or self._fault
        except FileNotFoundError:
            return ""

    def _go_wrong(self) -> None:
        match self._wrong():
            case "raises":
                raise KeyError("the weights are gone")
            case "leaves":
                sys.exit(3)
            case "hangs":
                time.sleep(1000)
            case "hangs with the interpreter":
                ctypes.PyDLL(None).sleep(1000)  # no other thread of the process can run
            case "hangs with a child":
                child = subprocess.Popen(["sleep", "1000"])
                self._flag.with_name("child").write_text(str(child.pid))
                time.sleep(1000)
            case "is killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "crashes":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "wants all memory":
                in_use = int(Path("/proc/self/statm").read_text().split()[0]) * 4096
                resource.setrlimit(resource.RLIMIT_AS, (in_use + 2**28, in_use + 2**28))
                hoard = [np.ones(2**20) for _ in range(100)]
                raise AssertionError(f"{len(hoard) * 8} MB were not enough to run out")
            case "fills the disk":
                resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
            case "talks":
                os.write(1, b'{"done": "nonsense"}\n' * 100_000)
            case "slow":
                time.sleep(0.3)
