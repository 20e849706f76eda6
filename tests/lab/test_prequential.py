"""A simulated session in which the predictor learns: every label right, few questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.assemble import Method, open_session
from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import replay
from askless.errors import InvalidInput
from askless.lab.prequential import PrequentialRecorder
from askless.lab.simulate import Run, simulate
from askless.lab.truthful import TruthfulAnnotator
from askless.predictors import make_predictor
from askless.predictors.fixed import Fixed
from askless.seams import Annotator, Predictor
from askless.trainer.inline import InlineTrainer


def clusters(n: int = 240) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 4, n)
    x = np.eye(4)[group] * 3 + 0.3 * rng.standard_normal((n, 4))
    return x, group < 2


@dataclass
class Played:
    run: Run
    recorder: PrequentialRecorder
    one_by_one_bits: float | None


def play(
    predictor: Predictor,
    x: NDArray[np.float64],
    truth: NDArray[np.bool_],
    *,
    annotator: Annotator | None = None,
    most: int | None = None,
    **method: Any,
) -> Played:
    trainer = InlineTrainer(predictor, x)
    shared = {"recalibrate": False, "test_sample": 1, "planner": "nested"}
    given = Probs(predictor.predict(x))
    with open_session(given, Method(**{**shared, **method}), trainer=trainer) as opened:
        recorder = PrequentialRecorder(opened.session, truth, trainer)
        run = simulate(
            opened.session, truth, annotator=annotator, max_questions=most, record=recorder
        )
    return Played(run, recorder, getattr(predictor, "one_by_one_bits", None))


@pytest.mark.parametrize("predictor", ["kernel", "logistic", "fixed"])
def test_every_label_is_right_whatever_learns(predictor: str) -> None:
    x, truth = clusters()
    done = play(make_predictor(predictor), x, truth, max_n=None, seed=3)
    assert done.run.labels_right == len(truth)
    assert replay(len(truth), done.run.trace.answers).done
    assert done.recorder.found[-1] == truth.sum()


def test_learning_saves_questions_on_clusters() -> None:
    x, truth = clusters()
    run = {name: play(make_predictor(name), x, truth, max_n=None) for name in ("kernel", "fixed")}
    assert run["kernel"].run.questions < 0.25 * run["fixed"].run.questions
    assert run["kernel"].recorder.prequential_bits < 0.25 * run["fixed"].recorder.prequential_bits


def test_same_seed_gives_the_same_run_and_another_starts_elsewhere() -> None:
    x, truth = clusters(60)
    runs = [play(make_predictor("kernel"), x, truth, seed=seed) for seed in (1, 1, 2)]
    first = [run.run.trace.answers for run in runs]
    assert first[0] == first[1]
    assert first[0][0] != first[2][0]


def test_run_stops_at_its_limit() -> None:
    x, truth = clusters(60)
    done = play(make_predictor("fixed"), x, truth, most=5)
    assert done.run.questions == 5


def test_items_drawn_to_start_with_are_asked_one_by_one() -> None:
    x, truth = clusters(60)
    done = play(make_predictor("kernel"), x, truth, test_sample=5, most=7)
    sizes = [len(step.answer.question.items) for step in done.run.trace.steps]
    assert sizes[:5] == [1] * 5
    assert max(sizes[5:]) > 1


class Pointing:
    """Points at every wrong item, and keeps count."""

    def __init__(self, truth: NDArray[np.bool_]) -> None:
        self.inner = TruthfulAnnotator(truth, pointing=True)
        self.asked = 0

    def answer(self, question: Question) -> Answer:
        self.asked += 1
        return self.inner.answer(question)


def test_whoever_is_given_answers() -> None:
    x, truth = clusters(60)
    annotator = Pointing(truth)
    done = play(make_predictor("kernel"), x, truth, annotator=annotator, planner="grid")
    assert annotator.asked == done.run.questions
    assert done.run.labels_right == 60


def test_one_by_one_code_length_is_told_and_near_the_prequential_one() -> None:
    x, truth = clusters()
    done = play(make_predictor("kernel"), x, truth, max_n=None)
    bits = done.recorder.prequential_bits
    assert done.one_by_one_bits is not None
    assert 0.3 * bits < done.one_by_one_bits < 2 * bits + 5
    assert play(make_predictor("fixed"), x, truth).one_by_one_bits is None


@pytest.mark.parametrize(("start", "most"), [(0, None), (1, None), (7, None), (3, 20)])
def test_code_lengths_are_of_the_same_labels_and_equal_without_groups(
    start: int, most: int | None
) -> None:
    x, truth = clusters(60)
    shared: dict[str, Any] = {"planner": "one-by-one", "test_sample": start}
    done = play(make_predictor("kernel"), x, truth, most=most, **shared)
    bits = done.recorder.prequential_bits
    assert bits > 1
    assert done.one_by_one_bits == pytest.approx(bits, abs=1e-3)


def test_figures_are_plain_and_count_what_happened() -> None:
    import json

    x, truth = clusters(120)
    done = play(make_predictor("kernel"), x, truth)
    figures = json.loads(json.dumps(done.recorder.figures(done.one_by_one_bits)))
    assert figures["refits"] == done.run.questions - 1
    assert figures["refit_s"]["max"] >= figures["refit_s"]["median"] > 0
    assert sum(figures["reliability"]["count"]) == len(truth) - 1
    assert all(0.5 < look.accuracy <= 1 for look in done.recorder.snapshots[1:])


def test_a_snapshot_says_how_far_what_is_said_of_the_open_items_is_from_what_comes() -> None:
    x, truth = clusters(120)
    bold = make_predictor("fixed", probs=np.full(120, 0.8))
    done = play(bold, x, truth, planner="one-by-one", most=50)
    assert [look.question for look in done.recorder.snapshots] == [25, 50]
    asked = [step.answer.question.items[0] for step in done.run.trace.steps]
    for look in done.recorder.snapshots:
        share = np.delete(truth, asked[: look.question]).mean()
        assert look.accuracy == pytest.approx(share)
        assert look.ece == pytest.approx(abs(share - 0.8))


class Broken(Fixed):
    """Cannot be fitted."""

    def fit(self, *_: Any) -> None:
        raise ValueError("too hot")


def test_a_predictor_that_fails_ends_the_run_with_a_sentence() -> None:
    x, truth = clusters(60)
    with pytest.raises(InvalidInput, match=r"predictor that works\. .*ValueError: too hot"):
        play(Broken(), x, truth)


def test_what_was_answered_before_is_not_guessed_at() -> None:
    x, truth = clusters(60)
    trainer = InlineTrainer(make_predictor("kernel"), x)
    with open_session(Probs(np.full(60, 0.5)), trainer=trainer) as opened:
        simulate(opened.session, truth, max_questions=3)
        recorder = PrequentialRecorder(opened.session, truth, trainer)
        run = simulate(opened.session, truth, record=recorder)
    figures = recorder.figures(1.0)
    assert run.questions == figures["refits"] + 4
    assert figures["prequential_bits"] is figures["one_by_one_bits"] is None
    assert figures["calibration_error"] is figures["reliability"] is None
