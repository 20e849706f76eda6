"""A trace: the question-by-question record of a run.

Answers are all that is needed to play a run again: ``replay(trace.n, trace.answers)``.
No times are kept, so that the same run gives the same trace.
Tested in tests/lab/test_trace_file.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from askless.core.question import Answer


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
        """The answers, ready for `replay`."""
        return tuple(step.answer for step in self.steps)
