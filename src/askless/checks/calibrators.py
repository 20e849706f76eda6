"""The laws of the `Calibrator` seam.

The situations are those of the planners (`askless.checks._situations`), one after the other, as a
session would go through them. Tested in tests/laws/test_calibrator_laws.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from askless.checks._require import require
from askless.checks._situations import Rng, answer_truthfully, disturb, draw_truth, draw_values
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.seams import Calibrator

MakeCalibrator = Callable[[], Calibrator]

_require = partial(require, "calibrator")


def calibrator_laws() -> tuple[Callable[[MakeCalibrator, int], None], ...]:
    """Every law of the `Calibrator` seam."""
    return (
        gives_every_item_a_probability_whatever_is_known,
        same_calls_same_probabilities,
        hands_back_the_same_object_while_nothing_changes,
    )


def gives_every_item_a_probability_whatever_is_known(make: MakeCalibrator, seed: int) -> None:
    """One probability for each item, from the first question to the last."""
    calibrator = make()
    for probs, state in _session(seed):
        found = len(calibrator(probs, state))
        _require(found == state.n, f"gave {found} probabilities for {state.n} items")


def same_calls_same_probabilities(make: MakeCalibrator, seed: int) -> None:
    """Two fresh calibrators given the same sequence say the same."""
    one, other = make(), make()
    for probs, state in _session(seed):
        same = np.array_equal(one(probs, state).values, other(probs, state).values)
        _require(same, "gave other probabilities after the same calls")


def hands_back_the_same_object_while_nothing_changes(make: MakeCalibrator, seed: int) -> None:
    """Planners sort again for every new object, and a session counts it as a new version."""
    calibrator = make()
    for probs, state in _session(seed):
        again = calibrator(probs, state) is calibrator(probs, state)
        _require(again, "gave another object although nothing was learnt in between")


def _session(seed: int) -> Iterator[tuple[Probs, State]]:
    """Probabilities, seldom new ones, and one state after another of the same pool."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    truth, probs, state = draw_truth(rng, n), Probs(draw_values(rng, n)), State.blank(n)
    for _ in range(30):
        yield probs, state
        if state.done:
            break
        if rng.random() < 0.1:
            probs = Probs(draw_values(rng, n))
        question = _question(rng, probs, state)
        state = disturb(rng, learn(state, answer_truthfully(rng, question, truth, pointing=True)))


def _question(rng: Rng, probs: Probs, state: State) -> Question:
    items = rng.permutation(state.open_items())[: rng.integers(1, 6)].tolist()
    return Question(tuple(items), tuple((probs.values[items] >= 0.5).tolist()))
