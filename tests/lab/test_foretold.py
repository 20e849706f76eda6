"""What was said of a label before it was known is remembered, by another process too."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.state import State, learn
from askless.errors import InvalidInput
from askless.lab.foretold import Foretold
from askless.lab.simulate import Run
from askless.lab.trace import Step, Trace
from askless.predictors.logistic import Logistic

X = np.array([[0.0], [1.0], [2.0], [3.0]])
TRUTH = np.array([False, False, True, True])


def test_labels_count_with_what_was_said_before_them_and_drawn_ones_as_no_prediction() -> None:
    foretold = Foretold(Logistic(), np.full(4, 0.5), clock=iter(range(100)).__next__)
    said = {}
    labels = np.full(4, -1, np.int8)
    for item in (0, 3, 1, 2):
        said[item] = float((foretold.predict(X) if item else np.full(4, 0.5))[item])
        labels[item] = TRUTH[item]
        foretold.fit(X, labels)
    foretold.predict(X)
    run = _run()
    learnt = foretold.learnt(run, TRUTH, {0})
    expected = -sum(np.log2(said[i] if TRUTH[i] else 1 - said[i]) for i in range(4))
    assert learnt.prequential_bits == pytest.approx(expected)
    assert learnt.reliability.count.sum() == 3
    assert learnt.found.tolist() == [2, 2]
    assert len(learnt.fit_s) == 3
    assert learnt.run.calibrating_s == 3.0


def test_what_another_remembered_is_taken_over_and_anything_else_is_refused() -> None:
    one, other = (Foretold(Logistic(), np.full(4, 0.5)) for _ in range(2))
    one.fit(X, np.array([0, -1, -1, 1], np.int8))
    one.predict(X)
    other.restore(one.arrays())
    for foretold in (one, other):
        foretold.fit(X, np.array([0, 0, 1, 1], np.int8))
    first, second = (foretold.learnt(_run(), TRUTH, ()) for foretold in (one, other))
    assert first.prequential_bits == second.prequential_bits
    assert second.one_by_one_bits is None
    with pytest.raises(InvalidInput, match="What was foretold has"):
        other.restore({"said": np.zeros(4)})


def _run() -> Run:
    from askless.core.question import Question

    answers = [Question((2, 3), (True, True)).yes(), Question((0, 1), (True, False)).no()]
    state, steps = State.blank(4), []
    for number, answer in enumerate(answers, 1):
        state = learn(state, answer)
        steps.append(Step(number, answer, state.n_settled))
    return Run(Trace(4, tuple(steps)), state.labels(), 4, 0.0)
