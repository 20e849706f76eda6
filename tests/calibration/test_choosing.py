"""Each kind of probabilities gets the calibrator that is right for it."""

import numpy as np

from askless.calibration import choose_calibrator
from askless.calibration.online import recalibrate
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn

N = 400
GIVEN = Probs(np.linspace(0.02, 0.98, N))


def _against(state: State) -> State:
    """Half of the surest items turn out to be the other way round."""
    items = tuple(range(0, 80, 2))
    return learn(state, Question(items, (True,) * len(items)).yes())


def test_given_probabilities_are_recalibrated_and_told_by_their_values() -> None:
    state, calibrator = _against(State.blank(N)), choose_calibrator(GIVEN)
    assert calibrator is not None
    calibrated = calibrator(GIVEN, state)
    assert calibrated.values[1] > 2 * GIVEN.values[1]
    for probs in (GIVEN, Probs(GIVEN.values)):
        assert np.array_equal(calibrator(probs, state).values, recalibrate(GIVEN, state).values)


def test_given_probabilities_are_left_alone_if_so_wanted() -> None:
    assert choose_calibrator(GIVEN, recalibrate=False) is None


def test_learnt_probabilities_pass_through() -> None:
    learnt, calibrator = Probs(np.linspace(0.9, 0.1, N)), choose_calibrator(GIVEN)
    assert calibrator is not None
    assert calibrator(learnt, _against(State.blank(N))) is learnt


def test_where_nothing_is_known_the_share_of_true_labels_is_believed() -> None:
    given, state = Probs(np.full(N, 0.5)), _against(State.blank(N))
    for recalibrate_too in (True, False):
        calibrator = choose_calibrator(given, recalibrate=recalibrate_too)
        assert calibrator is not None
        assert calibrator(given, state).values.tolist() == [41 / 42] * N
        assert calibrator(GIVEN, state) is GIVEN  # a model ends it
