"""What passes between the trainer and its process: a job once, then requests and replies.

Jobs and replies are lines of JSON on pipes, a few hundred bytes. A request's labels can be a
megabyte, so they go through a file: a process that does not read never makes the trainer wait.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.files import open_to_read
from askless.files.arrays import read_archive, write_archive


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
    model
        Path of the file for what the predictor has learnt; None to keep it nowhere.
    restore
        Whether to go on from what is kept there.
    """

    n: int
    predictor: str
    folder: str
    options: Mapping[str, Any] = field(default_factory=dict)
    features: str | None = None
    model: str | None = None
    restore: bool = False

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
    clauses = [(clause.items, clause.guess, clause.answer) for clause in request.clauses]
    about = {"answers": request.answers, "clauses": clauses}
    write_archive(path, about, {"labels": request.labels}, durable=False)


def read_request(path: Path) -> Request:
    """The request that was written."""
    with open_to_read(path) as file:
        about, parts = read_archive(file)
    labels = parts["labels"]
    labels.flags.writeable = False
    clauses = (
        Clause(tuple(items), tuple(guess), answer) for items, guess, answer in about["clauses"]
    )
    return Request(labels, tuple(clauses), about["answers"])
