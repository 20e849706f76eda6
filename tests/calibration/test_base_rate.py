"""While all items look alike, what is known of some is believed of the others."""

import numpy as np

from askless.calibration.base_rate import BaseRate
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn


def _settled(n: int, true: int, false: int) -> State:
    state = State.blank(n)
    if true:
        items = tuple(range(true))
        state = learn(state, Question(items, (True,) * true).yes())
    items = tuple(range(true, true + false))
    return learn(state, Question(items, (False,) * false).yes())


def test_a_few_labels_change_nothing() -> None:
    probs, rate = Probs(np.full(100, 0.5)), BaseRate()
    assert rate(probs, State.blank(100)) is probs
    assert rate(probs, _settled(100, 1, 8)) is probs


def test_the_share_of_true_labels_is_believed_of_all() -> None:
    probs, rate = Probs(np.full(100, 0.5)), BaseRate()
    believed = rate(probs, _settled(100, 1, 17))
    assert believed.values.tolist() == [0.1] * 100
    assert rate(probs, _settled(100, 1, 18)) is believed  # too little news
    assert rate(probs, _settled(100, 1, 37)).values[0] == 0.05
