"""The trainer's process as its supervisor sees it: a `Child` that takes requests for a fit.

Tested in tests/faults/test_trainer_process.py.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from askless.trainer._job import Job, Request, write_request
from askless.trainer.child import Child, child_command


class Process(Child):
    """One process that fits.

    Parameters
    ----------
    job
        What it is to do.
    folder
        Where its log and its requests go.
    """

    def __init__(self, job: Job, folder: Path) -> None:
        self._request = folder / "request.npz"
        counts = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        super().__init__(
            "The trainer's process",
            child_command("askless.trainer._child"),
            asdict(job),
            folder / "trainer.log",
            dict.fromkeys(counts, "1"),
        )

    def request(self, number: int, request: Request) -> None:
        """Ask for checkpoint `number`. Only when the last request has been answered."""
        write_request(self._request, request)
        self.say({"number": number, "request": str(self._request)})
