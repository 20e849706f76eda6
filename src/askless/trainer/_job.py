"""What passes between the trainer and its process: a job once, then requests and replies.

Jobs and replies are lines of JSON on pipes, a few hundred bytes. A request's labels can be a
megabyte, so they go through a file: a process that does not read never makes the trainer wait.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.files import open_to_read
from askless.files.arrays import arrays_from
from askless.files.checksummed import write_checksummed


@dataclass(frozen=True, slots=True)
class Job:
    """All a fresh process needs to know.

    Parameters
    ----------
    n
        Items in the pool.
    predictor
        Its name, for `askless.predictors.make_predictor`.
    options
        Its options, in plain JSON values.
    features
        Path of the features; None for a pool without.
    folder
        Where checkpoints go.
    restore
        Path of the checkpoint to go on from; None to start from nothing.
    nice
        How far the process steps back behind others.
    memory_mb
        Memory it may take beside its features; None for no limit.
    """

    n: int
    predictor: str
    folder: str
    options: Mapping[str, Any] = field(default_factory=dict)
    features: str | None = None
    restore: str | None = None
    nice: int = 10
    memory_mb: int | None = None

    @property
    def made_by(self) -> dict[str, Any]:
        """Who makes the probabilities: what a checkpoint is to say about itself."""
        return {"predictor": self.predictor, "options": json.loads(json.dumps(self.options))}


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """Everything known at one moment.

    Parameters
    ----------
    labels
        1 and 0 for settled labels, -1 open, -2 unsure.
    clauses
        The refuted guesses that are still open.
    answers
        How many answers this is the sum of.
    """

    labels: NDArray[np.int8]
    clauses: tuple[Clause, ...]
    answers: int


def write_request(path: Path, request: Request) -> None:
    """Put a request where the process will read it. It need not outlive the machine."""
    clauses = request.clauses
    lengths = np.array([len(clause) for clause in clauses], np.int64)
    total = int(lengths.sum())
    parts = {
        "labels": request.labels,
        "answers": np.array(request.answers),
        "lengths": lengths,
        "numbers": np.array([clause.answer for clause in clauses], np.int64),
        "items": np.fromiter(_chained(c.items for c in clauses), np.int64, total),
        "guess": np.fromiter(_chained(c.guess for c in clauses), np.bool_, total),
    }
    write_checksummed(path, lambda file: np.savez(file, allow_pickle=False, **parts), durable=False)


def read_request(path: Path) -> Request:
    """The request that was written."""
    with open_to_read(path) as file:
        parts = arrays_from(file)
    ends = np.cumsum(parts["lengths"]).tolist()
    items, guess = parts["items"].tolist(), parts["guess"].tolist()
    clauses = tuple(
        Clause(tuple(items[start:end]), tuple(guess[start:end]), number)
        for start, end, number in zip([0, *ends], ends, parts["numbers"].tolist(), strict=False)
    )
    labels = parts["labels"]
    labels.flags.writeable = False
    return Request(labels, clauses, int(parts["answers"]))


def _chained(parts: Any) -> Any:
    return itertools.chain.from_iterable(parts)
