"""A run in figures, beside the marks it is to be compared with."""

from __future__ import annotations

from typing import Any

from askless.core.annotation_cost import AnnotationCost
from askless.core.bounds import capped_bound_questions, code_length_bits
from askless.core.entropy import independent_entropy_bits
from askless.lab.baselines import marked_grid, one_by_one
from askless.lab.known_pool import KnownPool
from askless.lab.metrics import answer_counts, questions_at
from askless.lab.posthoc_calibration import calibrated_bits
from askless.lab.simulate import Run


def report(
    run: Run,
    pool: KnownPool,
    max_n: int | None,
    *,
    pace: AnnotationCost | None = None,
    pointing: bool = False,
) -> dict[str, Any]:
    """Plain JSON values that say what a run took.

    What was paid: ``questions``, ``items_shown`` over all of them, ``seconds``; beside the same
    for ``one_by_one`` and for a ``marked_grid`` (`askless.lab.baselines`), and ``floor_seconds``.
    What came of it: ``items``, ``labels_right``, ``answers`` of each kind, ``questions_at`` (by
    which question so many labels were settled). What bounds the questions (`bounds_of`); and
    ``probs_changes``, ``planning_s``, ``calibrating_s``.

    Parameters
    ----------
    run
        What came of the simulation.
    pool
        The pool it labelled.
    max_n
        The most items a question could show; None for no cap.
    pace
        What questions, items and pointing take; None for the usual pace.
    pointing
        Whether the annotator could point at wrong items.
    """
    pace = pace or AnnotationCost()
    steps = run.trace.steps
    reached = questions_at([step.settled for step in steps], len(pool))
    return {
        "items": len(pool),
        "labels_right": run.labels_right,
        "questions": run.questions,
        "items_shown": run.items_shown,
        "seconds": sum(pace.seconds(step.answer) for step in steps),
        "one_by_one": one_by_one(len(pool), pace),
        "marked_grid": marked_grid(pool, max_n, pace),
        "floor_seconds": pace.item_s * len(pool),
        "answers": answer_counts(run.trace.answers),
        "questions_at": {str(labels): number for labels, number in reached.items()},
        **bounds_of(pool, max_n, pointing=pointing),
        "probs_changes": steps[-1].probs if steps else 0,
        "planning_s": run.planning_s,
        "calibrating_s": run.calibrating_s,
    }


def bounds_of(
    pool: KnownPool, max_n: int | None, *, pointing: bool = False
) -> dict[str, float | None]:
    """What the questions of a run are to be compared with.

    ``entropy_bits`` of the probs, ``bound_questions`` (fewest to expect under the cap), ``bits``
    (code length of the truth under the probs) and ``bits_calibrated`` (the same after
    calibration in hindsight). All None where the annotator can point, since such an answer
    tells more than a bit and none of these bounds the number of questions; and where nobody
    has brought probs.

    Parameters
    ----------
    pool
        Probs and truth.
    max_n
        The most items a question could show; None for no cap.
    pointing
        Whether the annotator could point at wrong items.
    """
    if pointing or not pool.told:
        return dict.fromkeys(("entropy_bits", "bound_questions", "bits", "bits_calibrated"))
    probs = pool.probs.values
    return {
        "entropy_bits": independent_entropy_bits(probs),
        "bound_questions": capped_bound_questions(probs, max_n),
        "bits": code_length_bits(probs, pool.labels),
        "bits_calibrated": calibrated_bits(pool),
    }
