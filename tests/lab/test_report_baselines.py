import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.annotation_cost import AnnotationCost
from askless.core.question import Question
from askless.lab.known_pool import KnownPool, as_probs
from askless.lab.report import marked_grid, one_by_one
from askless.lab.truthful import TruthfulAnnotator

PACE = AnnotationCost(2.0, 0.5, 7.0)


def test_one_by_one_asks_about_every_item_once() -> None:
    assert one_by_one(10, PACE) == {"questions": 10, "items_shown": 10, "seconds": 25.0}


@given(st.integers(0, 1000), st.integers(1, 40), st.integers(1, 12))
def test_a_marked_grid_takes_what_a_truthful_annotator_takes_for_it(
    seed: int, n: int, size: int
) -> None:
    rng = np.random.default_rng(seed)
    pool = KnownPool(as_probs(rng.random(n)), rng.random(n) < 0.5)
    annotator = TruthfulAnnotator(pool.labels, pointing=True)
    guess = pool.probs.values >= 0.5
    grids = [range(start, min(start + size, n)) for start in range(0, n, size)]
    answers = [annotator.answer(Question(tuple(grid), tuple(guess[grid]))) for grid in grids]
    assert marked_grid(pool, size, PACE) == {
        "max_n": size,
        "questions": len(answers),
        "items_shown": n,
        "seconds": pytest.approx(sum(map(PACE.seconds, answers))),
    }


def test_a_grid_without_a_cap_has_twenty_four_items() -> None:
    pool = KnownPool(as_probs([0.9] * 49), np.ones(49, dtype=bool))
    found = marked_grid(pool, None, PACE)
    assert (found["max_n"], found["questions"]) == (24, 3)
