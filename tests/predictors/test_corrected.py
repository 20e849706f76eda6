"""Each kind of probabilities gets the correction that is right for it."""

import json

import numpy as np

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.predictors.corrected import Corrected
from askless.predictors.recalibrated import Recalibrated, recalibrate

N = 400


def _given() -> Probs:
    return Probs(np.linspace(0.02, 0.98, N))


def _against(state: State) -> State:
    """Half of the surest items turn out to be the other way round."""
    items = tuple(range(0, 80, 2))
    return learn(state, Question(items, (True,) * len(items)).yes())


def test_given_probabilities_are_recalibrated_as_in_a_simulation() -> None:
    given, state = _given(), _against(State.blank(N))
    corrected = Corrected(given)(given, state)
    assert np.array_equal(corrected.values, recalibrate(given, state).values)
    assert corrected.values[1] > 2 * given.values[1]
    wished = Recalibrated()(given, state).first
    assert np.array_equal(np.asarray(corrected.first), np.asarray(wished))


def test_given_probabilities_are_left_alone_if_so_wished() -> None:
    given, state = _given(), _against(State.blank(N))
    assert Corrected(given, recalibrate=False)(given, state) is given


def test_the_same_values_in_another_object_are_still_those_given() -> None:
    given, state = _given(), _against(State.blank(N))
    again = Corrected(given)(Probs(given.values), state)
    assert np.array_equal(again.values, recalibrate(given, state).values)


def test_learnt_probabilities_keep_their_values_and_get_an_order() -> None:
    given, state = _given(), _against(State.blank(N))
    learnt = Probs(np.linspace(0.9, 0.1, N))
    corrected = Corrected(given, order="rounds")(learnt, state)
    assert np.array_equal(corrected.values, learnt.values)
    assert corrected.first is not None


def test_where_nothing_is_known_the_share_of_true_labels_is_believed() -> None:
    given, state = Probs(np.full(N, 0.5)), _against(State.blank(N))
    corrected = Corrected(given)
    assert corrected(given, state).values.tolist() == [41 / 42] * N
    model = _given()
    assert np.array_equal(corrected(model, state).values, model.values)  # a model ends it


def test_the_same_is_made_again_from_its_words() -> None:
    given, state = _given(), _against(State.blank(N))
    one = Corrected(given, sample=0.1, seed=3)
    two = Corrected(given, **json.loads(json.dumps(one.words)))
    assert np.array_equal(one(given, state).values, two(given, state).values)
    assert np.array_equal(np.asarray(one(given, state).first), np.asarray(two(given, state).first))
