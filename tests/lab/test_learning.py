"""A simulated session in which the predictor learns: every label right, few questions."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.core.question import Answer, Question
from askless.core.state import replay
from askless.errors import InvalidInput
from askless.lab.learning import simulate_learning
from askless.lab.truthful import TruthfulAnnotator
from askless.planners import make_planner
from askless.predictors import make_predictor


def clusters(n: int = 240) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 4, n)
    x = np.eye(4)[group] * 3 + 0.3 * rng.standard_normal((n, 4))
    return x, group < 2


@pytest.mark.parametrize("predictor", ["kernel", "logistic", "fixed"])
def test_every_label_is_right_whatever_learns(predictor: str) -> None:
    x, truth = clusters()
    done = simulate_learning(
        make_planner("nested", max_n=None), make_predictor(predictor), x, truth, seed=3
    )
    assert done.run.labels_right == len(truth)
    assert replay(len(truth), done.run.trace.answers).done
    assert done.found[-1] == truth.sum()


def test_learning_saves_questions_on_clusters() -> None:
    x, truth = clusters()
    run = {
        name: simulate_learning(make_planner("nested", max_n=None), make_predictor(name), x, truth)
        for name in ("kernel", "fixed")
    }
    assert run["kernel"].run.questions < 0.25 * run["fixed"].run.questions
    assert run["kernel"].prequential_bits < 0.25 * run["fixed"].prequential_bits


def test_same_seed_gives_the_same_run_and_another_starts_elsewhere() -> None:
    x, truth = clusters(60)
    runs = [
        simulate_learning(make_planner("nested"), make_predictor("kernel"), x, truth, seed=seed)
        for seed in (1, 1, 2)
    ]
    first = [run.run.trace.answers for run in runs]
    assert first[0] == first[1]
    assert first[0][0] != first[2][0]


def test_run_stops_at_its_limit() -> None:
    x, truth = clusters(60)
    done = simulate_learning(
        make_planner("nested"), make_predictor("fixed"), x, truth, max_questions=5
    )
    assert done.run.questions == 5


def test_items_drawn_to_start_with_are_asked_one_by_one() -> None:
    x, truth = clusters(60)
    done = simulate_learning(
        make_planner("nested"), make_predictor("kernel"), x, truth, start=5, max_questions=7
    )
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
    done = simulate_learning(
        make_planner("grid"), make_predictor("kernel"), x, truth, annotator=annotator
    )
    assert annotator.asked == done.run.questions
    assert done.run.labels_right == 60


def test_sequential_code_length_is_told_and_near_the_prequential_one() -> None:
    x, truth = clusters()
    done = simulate_learning(make_planner("nested", max_n=None), make_predictor("kernel"), x, truth)
    assert done.one_by_one_bits is not None
    assert 0.3 * done.prequential_bits < done.one_by_one_bits < 2 * done.prequential_bits + 5
    other = simulate_learning(make_planner("nested"), make_predictor("fixed"), x, truth)
    assert other.one_by_one_bits is None


@pytest.mark.parametrize(("start", "most"), [(0, None), (1, None), (7, None), (3, 20)])
def test_code_lengths_are_of_the_same_labels_and_equal_without_groups(
    start: int, most: int | None
) -> None:
    x, truth = clusters(60)
    planner, kernel = make_planner("one-by-one"), make_predictor("kernel")
    done = simulate_learning(planner, kernel, x, truth, start=start, max_questions=most)
    assert done.prequential_bits > 1
    assert done.one_by_one_bits == pytest.approx(done.prequential_bits, abs=1e-3)


def test_figures_are_plain_and_count_what_happened() -> None:
    import json

    x, truth = clusters(120)
    done = simulate_learning(make_planner("nested"), make_predictor("kernel"), x, truth)
    figures = json.loads(json.dumps(done.figures()))
    assert figures["refits"] == done.run.questions - 1
    assert figures["refit_s"]["max"] >= figures["refit_s"]["median"] > 0
    assert sum(figures["reliability"]["count"]) == len(truth) - 1
    assert all(0.5 < look.accuracy <= 1 for look in done.looks[1:])


def test_a_look_says_how_far_what_is_said_of_the_open_items_is_from_what_comes() -> None:
    x, truth = clusters(120)
    bold = make_predictor("fixed", probs=np.full(120, 0.8))
    done = simulate_learning(make_planner("one-by-one"), bold, x, truth, max_questions=50)
    assert [look.question for look in done.looks] == [25, 50]
    asked = [step.answer.question.items[0] for step in done.run.trace.steps]
    for look in done.looks:
        share = np.delete(truth, asked[: look.question]).mean()
        assert look.accuracy == pytest.approx(share)
        assert look.ece == pytest.approx(abs(share - 0.8))


def test_starting_with_more_items_than_there_are_is_refused() -> None:
    with pytest.raises(InvalidInput, match="start is between"):
        simulate_learning(
            make_planner("nested"), make_predictor("fixed"), np.zeros((3, 1)), [1, 0, 1], start=4
        )


def test_features_and_labels_of_unequal_length_are_refused() -> None:
    with pytest.raises(InvalidInput, match="each of its items"):
        simulate_learning(
            make_planner("nested"), make_predictor("fixed"), np.zeros((3, 1)), [True, False]
        )
