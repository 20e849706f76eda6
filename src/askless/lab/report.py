"""A run in figures, beside the marks it is to be compared with."""

from __future__ import annotations

from typing import Any

from askless.core.bounds import capped_bound_questions, code_length_bits
from askless.core.entropy import independent_entropy_bits
from askless.lab.known_pool import KnownPool
from askless.lab.metrics import answer_counts, questions_at
from askless.lab.simulate import Run


def report(run: Run, pool: KnownPool, max_n: int | None) -> dict[str, Any]:
    """Plain JSON values that say what a run took.

    ``items``, ``questions``, ``answers`` of each kind, ``labels_right``, ``items_shown`` over
    all questions, ``questions_at`` (by which question so many labels were settled),
    ``entropy_bits`` of the probs, ``bits`` (code length of the truth under them),
    ``bound_questions`` (fewest expected under the cap) and ``planning_s``.

    Parameters
    ----------
    run
        What came of the simulation.
    pool
        The pool it labelled.
    max_n
        The most items a question could show; None for no cap.
    """
    settled = [step.settled for step in run.trace.steps]
    probs = pool.probs.values
    return {
        "items": len(pool),
        "questions": run.questions,
        "answers": answer_counts(run.trace.answers),
        "labels_right": run.labels_right,
        "items_shown": run.items_shown,
        "questions_at": {str(k): v for k, v in questions_at(settled, len(pool)).items()},
        "entropy_bits": independent_entropy_bits(probs),
        "bits": code_length_bits(probs, pool.labels),
        "bound_questions": capped_bound_questions(probs, max_n),
        "planning_s": run.planning_s,
    }
