"""A trace: the question-by-question record of a run, in memory and as a file.

Answers are all that is needed to play a run again: ``replay(trace.n, trace.answers)``.
No times are kept, so that the same run gives the same trace, and writes the same bytes.

A file has JSON lines with named fields. The first line is the header::

    {"format": 1, "what": "askless trace", "items": 2000, "about": {"planner": "one_by_one"}}

and every other line one question with its answer, numbered from 1::

    {"question": 1, "items": [3, 8], "guess": [true, false], "purpose": "label",
     "answer": "yes", "wrong": [], "rest_right": false, "settled": 2, "probs": 0}

``settled`` is how many labels were settled once the answer was in. ``probs`` counts the changes of
the probs before the question was planned. Nothing here reads a file:
`askless.core.json_form.answer_from` reads the answer of a line.
Tested in tests/lab/test_trace.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askless.core.question import Answer
from askless.errors import InvalidInput

FORMAT = 1
WHAT = "askless trace"


@dataclass(frozen=True, slots=True)
class Step:
    """One question of a run, answered.

    Parameters
    ----------
    number
        Counted from 1.
    answer
        The answer, with its question.
    settled
        How many labels were settled once the answer was in.
    probs
        Which probs the question was planned with: 0 for the first, counted on at each change.
    """

    number: int
    answer: Answer
    settled: int
    probs: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """Every question of a run, in order.

    Parameters
    ----------
    n
        The number of items in the pool.
    steps
        The questions with their answers.
    about
        What made the run: planner, seed and the like. Plain JSON values.
    """

    n: int
    steps: tuple[Step, ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers, ready for `replay`; those to audits teach nothing."""
        answers = (step.answer for step in self.steps)
        return tuple(answer for answer in answers if answer.question.purpose != "audit")


@contextmanager
def trace_writer(
    path: str | Path, n: int, about: Mapping[str, Any] | None = None
) -> Iterator[Callable[[Step], None]]:
    """A function that appends one question with its answer to a trace, while the run goes on.

    An older trace or an empty file at `path` is replaced; any other file is left
    alone and refused.

    Parameters
    ----------
    path
        The file to write.
    n
        The number of items in the pool.
    about
        What made the run. Plain JSON values.
    """
    path = Path(path)
    try:
        _refuse_to_replace(path)
        file = path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InvalidInput(
            f"The trace cannot be written to {path}: {error.strerror or error}. "
            "Name a file in a folder that exists and that you may write to."
        ) from error

    def write(fields: Mapping[str, Any]) -> None:
        file.write(json.dumps(fields) + "\n")

    with file:
        write({"format": FORMAT, "what": WHAT, "items": n, "about": dict(about or {})})
        yield lambda step: write(_fields(step))


def _fields(step: Step) -> dict[str, Any]:
    question = step.answer.question
    return {
        "question": step.number,
        "items": question.items,
        "guess": question.guess,
        "purpose": question.purpose,
        "answer": step.answer.kind,
        "wrong": step.answer.wrong,
        "rest_right": step.answer.rest_right,
        "settled": step.settled,
        "probs": step.probs,
    }


def _refuse_to_replace(path: Path) -> None:
    """A slip of the keyboard must not cost anybody their pool."""
    if not path.is_file() or path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        first = file.readline(4096).decode("utf-8", errors="replace")
    if f'"what": "{WHAT}"' not in first:
        raise InvalidInput(
            f"{path} exists and is not a trace, so it is not replaced. Name another file."
        )
