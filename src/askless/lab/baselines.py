"""What the same pool takes with no planner at all: marks to set a run beside.

**One by one**: n questions about one item each, n (a + b) seconds.

**Marked grid**: items in the order of the pool, g at a time, each with its likelier label (no,
where nobody has brought probs); the person marks the wrong ones and vouches for the rest.
ceil(n / g) questions, n items shown, and a ceil(n / g) + b n + c * (wrong guesses) seconds; an
item that is alone in its grid is refused by a plain no.

The floor of both, and of anything that looks at every item, is b n seconds. O(n).
"""

from __future__ import annotations

import numpy as np

from askless.core.annotation_cost import AnnotationCost
from askless.core.question import GRID
from askless.lab.known_pool import KnownPool


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
