"""Simulated runs with more than two classes end with every label right, and say what they took."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.class_probs import class_entropy_bits
from askless.core.question import Question
from askless.errors import InvalidInput
from askless.lab.class_simulation import ClassChannel, ClassPace, class_report, simulate_classes
from askless.predictors.sklearn_adapter import SklearnClassAdapter
from tests.predictors.test_class_kernel import clusters


@pytest.mark.parametrize("answers", ["yes-no", "pointed", "typed"])
def test_every_label_is_right_whatever_the_answers(answers: ClassChannel) -> None:
    x, labels = clusters(120)
    pace = ClassPace()
    run = simulate_classes(
        labels, 4, SklearnClassAdapter(classes=4), x, max_n=12, answers=answers, pace=pace
    )
    report = class_report(run, pace)
    assert report["all_right"]
    assert report["questions"] == len(run.steps) < 120
    assert report["items_shown"] >= 120
    assert report["seconds"] == pytest.approx(
        report["questions"]
        + 0.3 * report["items_shown"]
        + sum(len(s.answer.wrong) for s in run.steps if len(s.answer) > 1)
        + 1.5 * report["typed"]
    )
    assert (report["typed"] > 0) == (answers == "typed")
    assert (report["questions_per_bit"] is None) == (answers != "yes-no")
    assert report["none_of_these"] == 0 or answers == "yes-no"


def test_given_probabilities_come_with_their_bounds() -> None:
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.full(4, 0.2), 200)
    labels = (rng.random((200, 1)) > probs.cumsum(1)).sum(1).clip(0, 3).astype(np.int8)
    run = simulate_classes(labels, 4, probs, max_n=None)
    report = class_report(run, ClassPace(), probs)
    assert report["all_right"]
    assert report["entropy_bits"] == report["bound_questions"] == class_entropy_bits(probs)
    # With probabilities that stay as they are, what is excluded bit by bit is the whole label.
    assert report["code_length_bits"] == pytest.approx(report["bits"], rel=1e-6)
    assert report["questions"] < 1.15 * report["bits"]


def test_an_answer_takes_the_seconds_of_what_is_done() -> None:
    pace, question = ClassPace(1, 0.3, 1, 1.5), Question((0, 1, 2), (5, 5, 5))
    assert pace.seconds(question.yes()) == pytest.approx(1.9)
    assert pace.seconds(question.pointed([1], rest_right=True)) == pytest.approx(2.9)
    assert pace.seconds(question.typed({1: 2})) == pytest.approx(4.4)
    assert pace.seconds(Question((0,), (5,)).typed({0: 2})) == pytest.approx(2.8)
    assert pace.typed_below(24) == pytest.approx(0.5367, abs=1e-4)
    assert pace.alone_below(24) == pytest.approx(0.0167, abs=1e-4)


def test_other_channels_and_other_labels_are_refused() -> None:
    labels = np.array([0, 1], np.int8)
    with pytest.raises(InvalidInput, match="answers is one of"):
        simulate_classes(labels, 2, np.full((2, 2), 0.5), answers="spoken")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="classes 0 to 1"):
        simulate_classes(np.array([0, 2], np.int8), 2, np.full((2, 2), 0.5))
    with pytest.raises(InvalidInput, match="needs features"):
        simulate_classes(labels, 2, SklearnClassAdapter(classes=2))
