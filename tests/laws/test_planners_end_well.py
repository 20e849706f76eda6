"""Whatever the probabilities and whatever the truth: every label right, nothing left open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.core.probability import Probs
from askless.core.state import State, learn
from askless.lab.truthful import TruthfulAnnotator
from askless.planners import make_planner, planner_names, planner_options

SMALLEST = 5e-324
AWKWARD = st.sampled_from(
    [0.0, 1.0, 0.5, SMALLEST, 2.2e-308, 1e-300, 1e-16, 1e-9, 1 - 2**-53, np.nextafter(0.5, 0)]
)
ANY = st.floats(0.0, 1.0, allow_nan=False, allow_subnormal=True)

OBJECTIVES = ("questions", "labels", "seconds")


@st.composite
def pools(draw: st.DrawFn) -> tuple[list[float], list[bool]]:
    """Probabilities (awkward, tied, all equal, or any) and a truth that owes them nothing."""
    n = draw(st.integers(1, 30))
    one = st.one_of(AWKWARD, ANY)
    kind = draw(st.sampled_from(["equal", "ties", "awkward", "any"]))
    if kind == "equal":
        values = [draw(one)] * n
    elif kind == "ties":
        few = draw(st.lists(one, min_size=1, max_size=3))
        values = draw(st.lists(st.sampled_from(few), min_size=n, max_size=n))
    else:
        values = draw(st.lists(AWKWARD if kind == "awkward" else ANY, min_size=n, max_size=n))
    against = draw(st.booleans())
    if against:  # every guess is wrong
        return values, [p < 0.5 for p in values]
    return values, draw(st.lists(st.booleans(), min_size=n, max_size=n))


def ways() -> Iterator[Any]:
    for name in planner_names():
        known = planner_options(name)
        for max_n in (1, 3, 8, None):
            for same_guess in (True, False) if "same_guess" in known else (None,):
                for objective in OBJECTIVES if "objective" in known else (None,):
                    options = {"max_n": max_n, "same_guess": same_guess, "objective": objective}
                    given_ = {k: v for k, v in options.items() if v is not None or k == "max_n"}
                    words = " ".join(f"{key}={value}" for key, value in given_.items())
                    yield pytest.param(name, given_, id=f"{name} {words}")


@pytest.mark.parametrize("pointing", [False, True], ids=["yes-no", "pointed"])
@pytest.mark.parametrize(("name", "options"), list(ways()))
@settings(max_examples=15, deadline=None)
@given(pool=pools())
def test_every_label_is_right_and_none_is_left_open(
    name: str, options: dict[str, Any], pointing: bool, pool: tuple[list[float], list[bool]]
) -> None:
    values, truth = pool
    planner, probs, state = (
        make_planner(name, **options),
        Probs(np.array(values)),
        State.blank(len(values)),
    )
    annotator = TruthfulAnnotator(np.array(truth), pointing=pointing)
    for _ in range(planner.worst_case_questions(len(truth))):
        question = planner.plan(probs, state)
        if question is None:
            break
        state = learn(state, annotator.answer(question))
    assert state.done
    assert [state.label(item) for item in range(state.n)] == truth
