"""The process that fits. Started by `askless.trainer._process`; not for import.

It reads its job and then requests, one JSON line each, and answers each with one line:
``{"ready": true}``, ``{"done": path}`` or ``{"failed": sentence}``, after which it ends.
Whatever the predictor prints goes to the log. It steps back behind the people who
are answering: low priority, first to go when memory runs out, one thread unless told otherwise.
It does not outlive its parent: a thread waits for the pipe to close, and on Linux the
kernel sends a kill even while a predictor keeps every other thread from running. (That kill
reaches this process alone: what a predictor has started must then notice by itself.)
Tested in tests/faults/test_trainer_process.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import queue
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.errors import AsklessError, InvalidInput
from askless.features.arrays import open_array
from askless.predictors import make_predictor
from askless.seams import Checkpoint, Predictor
from askless.trainer._job import Job, read_request
from askless.trainer.checkpoint import checked_probs, read_arrays, write_checkpoint

_LOG_BYTES = 1 << 20
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Serve until the parent goes."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a predictor prints is no reply
    lines = _lines_while_parent_lives()
    job = Job.from_json(next(lines))

    def reply(**message: Any) -> None:
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    try:
        _step_back(job)
        predictor, x = _prepared(job)
        reply(ready=True)
        for line in lines:
            reply(done=str(_fitted(job, predictor, x, **json.loads(line))))
            _shorten_log()
    except MemoryError as error:
        reply(failed=f"The predictor ran out of memory{_limit(job)} {error}".strip())
    except AsklessError as error:
        reply(failed=str(error))
    except BaseException as error:
        reply(failed=f"The predictor {job.predictor!r} failed: {type(error).__name__}: {error}")
        raise  # the log gets the whole story


def _prepared(job: Job) -> tuple[Predictor, NDArray[Any]]:
    """The predictor and the features."""
    x: NDArray[Any] = np.empty((job.n, 0))
    if job.features is not None:
        x = open_array(Path(job.features))
    if len(x) != job.n or x.ndim != 2:
        raise InvalidInput(
            f"Features have one row per item, {job.n} of them; got an array of shape {x.shape}."
        )
    return _predictor(job), x


def _predictor(job: Job) -> Predictor:
    """The predictor, knowing what the last checkpoint knew if that can be had."""
    if job.restore is not None:
        # Only a head start: whatever is wrong with it, the answers are all there.
        try:
            arrays = read_arrays(Path(job.restore), job.made_by)
            if arrays is not None:
                predictor = make_predictor(job.predictor, **job.options)
                predictor.restore(arrays)
                return predictor
        except Exception:
            traceback.print_exc()  # into the log
    return make_predictor(job.predictor, **job.options)


def _fitted(job: Job, predictor: Predictor, x: NDArray[Any], number: int, request: str) -> Path:
    """Fit, predict, check, and make it last."""
    known = read_request(Path(request))
    began = time.perf_counter()
    predictor.fit(x, known.labels, known.clauses)
    probs = checked_probs(predictor.predict(x), job.n)
    took = time.perf_counter() - began
    checkpoint = Checkpoint(number, probs, known.answers, fit_s=took)
    return write_checkpoint(Path(job.folder), checkpoint, predictor.arrays(), job.made_by)


def _step_back(job: Job) -> None:
    """Let others go first: at the processor, and when memory runs out."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")
    os.nice(job.nice)
    if job.memory_mb is not None:
        limit = _address_space() + job.memory_mb * 2**20
        if job.features is not None:
            limit += Path(job.features).stat().st_size
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _address_space() -> int:
    """Bytes of address space in use, where the system says so."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def _limit(job: Job) -> str:
    return "." if job.memory_mb is None else f" (its limit is {job.memory_mb} MB)."


def _shorten_log() -> None:
    """A talkative predictor must not fill the disk."""
    with contextlib.suppress(OSError):
        if os.fstat(2).st_size > _LOG_BYTES:
            os.ftruncate(2, 0)


def _lines_while_parent_lives() -> Iterator[str]:
    """Lines from the parent; when it is gone, this process and its group end at once."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            lines.put(line)
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpid(), signal.SIGKILL)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        yield lines.get()


if __name__ == "__main__":
    main()
