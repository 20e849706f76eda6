"""A run in figures, beside what the same pool takes with no planner at all.

**One by one**: n questions about one item each, n (a + b) seconds.

**Marked grid**: items in the order of the pool, g at a time, each with its likelier label (no,
where nobody has brought probs); the person marks the wrong ones and vouches for the rest.
ceil(n / g) questions, n items shown, and a ceil(n / g) + b n + c * (wrong guesses) seconds; an
item that is alone in its grid is refused by a plain no.

The floor of both, and of anything that looks at every item, is b n seconds. The bits that a run
is set beside are in `askless.core.bounds`. O(n + questions).
Tested in tests/lab/test_report.py, test_report_baselines.py and test_report_milestones.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, get_args

import numpy as np

from askless.core.annotation_cost import AnnotationCost
from askless.core.bounds import capped_bound_questions, code_length_bits
from askless.core.entropy import independent_entropy_bits
from askless.core.question import GRID, Kind
from askless.lab.known_pool import KnownPool
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
    for ``one_by_one`` and for a ``marked_grid``, and ``floor_seconds``.
    What came of it: ``items``, ``labels_right``, ``labels_wrong``, ``answers`` of each kind,
    ``questions_at`` (the question by which 100, 250, 500 ... labels were settled). What bounds the
    questions (`bounds_of`); and ``probs_changes``, ``planning_s``, ``calibrating_s``.

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
    kinds = Counter(step.answer.kind for step in steps)
    return {
        "items": len(pool),
        "labels_right": run.labels_right,
        "labels_wrong": run.labels_wrong,
        "questions": run.questions,
        "items_shown": run.items_shown,
        "seconds": sum(pace.seconds(step.answer) for step in steps),
        "one_by_one": one_by_one(len(pool), pace),
        "marked_grid": marked_grid(pool, max_n, pace),
        "floor_seconds": pace.item_s * len(pool),
        "answers": {kind: kinds[kind] for kind in get_args(Kind)},
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


def one_by_one(n: int, pace: AnnotationCost) -> dict[str, float]:
    """Questions, items shown and seconds of asking about `n` items singly."""
    return {"questions": n, "items_shown": n, "seconds": pace.total(n, n)}


def marked_grid(pool: KnownPool, max_n: int | None, pace: AnnotationCost) -> dict[str, float]:
    """Questions, items shown and seconds of marking the wrong guesses in plain grids.

    Parameters
    ----------
    pool
        Its likelier labels are the guesses, its order is the order of the grids.
    max_n
        Items in a grid; None for `GRID`.
    pace
        How quick the person is.
    """
    n, size = len(pool), max_n or GRID
    wrong = (pool.probs.values >= 0.5) != pool.labels if pool.told else pool.labels
    questions = -(-n // size)
    # There is nothing to point at in a grid of one, such as the last one may be.
    alone = n if size == 1 else int(n % size == 1)
    pointed = int(np.count_nonzero(wrong[: n - alone]))
    return {
        "max_n": size,
        "questions": questions,
        "items_shown": n,
        "seconds": pace.total(questions, n, pointed),
    }


def questions_at(settled: Sequence[int], n: int) -> dict[int, int]:
    """By which question each milestone of settled labels was reached.

    Milestones are 100, 250, 500, 1000, 2500, ... below `n`, and `n` itself.
    One that was not reached is left out.

    Parameters
    ----------
    settled
        How many labels were settled after each question; fewer than before after an answer that
        contradicts others.
    n
        The number of items in the pool.
    """
    most = np.maximum.accumulate(np.array(settled, int))
    places = np.searchsorted(most, list(_milestones(n)))
    return {
        labels: int(place) + 1
        for labels, place in zip(_milestones(n), places, strict=True)
        if place < len(settled)
    }


def _milestones(n: int) -> Iterator[int]:
    scale = 100
    while scale < n:
        for labels in (scale, scale * 5 // 2, scale * 5):
            if labels < n:
                yield labels
        scale *= 10
    yield n
