"""The planner that chooses a planner."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.probability import Probs
from askless.core.state import State, learn
from askless.errors import InvalidInput
from askless.planners import make_planner
from askless.planners.auto import Auto
from askless.seams import Channel, Objective

MANY = 1000


@pytest.mark.parametrize("objective", ["questions", "labels", "seconds"])
@pytest.mark.parametrize("max_n", [1, 8, None])
def test_whoever_points_gets_a_grid(objective: Objective, max_n: int | None) -> None:
    assert Auto(answers="pointed", objective=objective, max_n=max_n).describe(MANY).name == "grid"


def test_where_asking_takes_next_to_nothing_items_are_asked_one_by_one() -> None:
    for seconds in ((0.1, 3.0, 5.0), (0.0, 1.0, 1.0), (0.0, 0.0, 0.0)):
        assert Auto(objective="seconds", seconds=seconds).describe(MANY).name == "one-by-one"
        assert Auto(objective="labels", seconds=seconds).describe(MANY).name != "one-by-one"
    assert Auto(objective="seconds", seconds=(1.0, 3.0, 5.0)).describe(MANY).name == "nested"


@pytest.mark.parametrize("answers", ["yes-no", "pointed"])
def test_it_asks_what_the_planner_of_its_choice_asks(answers: Channel) -> None:
    rng = np.random.default_rng(0)
    probs = Probs(rng.beta(0.3, 0.3, 60))
    options = {"max_n": 5, "seed": 0}
    ours = Auto(answers=answers, max_n=5)
    theirs = make_planner(ours.describe(60).name, **options)
    state = State.blank(60)
    while (question := ours.plan(probs, state)) is not None:
        assert theirs.plan(probs, state) == question
        state = learn(state, question.yes() if rng.random() < 0.5 else question.no())
    assert state.done
    assert ours.worst_case_questions(60) == theirs.worst_case_questions(60)


def test_its_options_reach_the_planner_of_its_choice() -> None:
    probs = Probs(np.array([0.01, 0.99, 0.02, 0.98]))
    same = Auto(answers="pointed").plan(probs, State.blank(4))
    mixed = Auto(answers="pointed", same_guess=False).plan(probs, State.blank(4))
    two = Auto(answers="pointed", max_n=2, same_guess=False).plan(probs, State.blank(4))
    assert [len(question) for question in (same, mixed, two) if question] == [2, 4, 2]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"answers": "nods"}, "answers is one of: yes-no, pointed; got 'nods'."),
        ({"objective": "fame"}, "objective is one of: questions, labels, seconds; got 'fame'."),
        ({"same_guess": "yes"}, "same_guess is True or False; got 'yes'."),
        ({"max_n": 0}, "max_n is a whole number, 1 or more, or None for no limit; got 0."),
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        Auto(**options)  # type: ignore[arg-type]
    assert str(refusal.value) == sentence


def test_yes_and_no_under_a_cap_are_for_fill_unless_looking_or_haste_counts() -> None:
    assert Auto(max_n=8).describe(MANY).name == "fill"
    assert Auto(max_n=None).describe(MANY).name == "nested"
    assert Auto(objective="labels").describe(MANY).name == "nested"
    assert Auto(objective="seconds").describe(MANY).name == "nested"


@pytest.mark.parametrize(("max_n", "tiny"), [(1, 1), (8, 11), (32, 47)])
def test_a_pool_that_a_question_and_a_half_could_hold_is_for_nested(max_n: int, tiny: int) -> None:
    ours = Auto(max_n=max_n)
    assert (ours.describe(tiny).name, ours.describe(tiny + 1).name) == ("nested", "fill")
    theirs = make_planner("nested", max_n=max_n)
    probs = Probs(np.random.default_rng(0).beta(0.3, 0.3, tiny))
    assert ours.plan(probs, State.blank(tiny)) == theirs.plan(probs, State.blank(tiny))
    assert ours.worst_case_questions(tiny) == theirs.worst_case_questions(tiny)
    assert Auto(max_n=max_n, answers="pointed").describe(tiny).name == "grid"
