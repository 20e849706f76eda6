"""The process that fits. Started by `askless.trainer._process`; not for import.

It reads its job and then requests, one JSON line each, and answers each with one line:
``{"ready": true}``, ``{"done": path}`` or ``{"failed": sentence}``, after which it ends.
Tested in tests/faults/test_trainer_process.py.
"""

from __future__ import annotations

import contextlib
import os
import traceback
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.errors import AsklessError, InvalidInput
from askless.files.arrays import open_array
from askless.predictors import make_predictor
from askless.seams import Predictor
from askless.trainer._job import Job, read_request
from askless.trainer.checkpoint import fit_checkpoint, read_model, write_checkpoint, write_model
from askless.trainer.in_child import meet_parent, step_back

_LOG_BYTES = 1 << 20
_NICE = 10  # how far it steps back behind other processes


def main() -> None:
    """Serve until the parent goes."""
    lines, reply = meet_parent()
    job = Job(**next(lines))
    try:
        step_back(_NICE)
        predictor, x = _prepared(job)
        reply(ready=True)
        for line in lines:
            reply(done=str(_fitted(job, predictor, x, **line)))
            _shorten_log()
    except MemoryError as error:
        reply(failed=f"The predictor ran out of memory. {error}".strip())
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
    if job.restore and job.model is not None:
        # Only a head start: whatever is wrong with it, the answers are all there.
        try:
            arrays = read_model(Path(job.model), job.made_by)
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
    path = write_checkpoint(Path(job.folder), fit_checkpoint(predictor, x, known, number))
    if job.model is not None:
        with contextlib.suppress(OSError):  # a full cache costs a head start, no checkpoint
            write_model(Path(job.model), predictor.arrays(), job.made_by)
    return path


def _shorten_log() -> None:
    """A talkative predictor must not fill the disk."""
    with contextlib.suppress(OSError):
        if os.fstat(2).st_size > _LOG_BYTES:
            os.ftruncate(2, 0)


if __name__ == "__main__":
    main()
