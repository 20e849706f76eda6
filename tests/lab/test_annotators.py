import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.question import Question
from askless.errors import InvalidInput
from askless.lab.annotators import ErringAnnotator, annotator_from, parse_habits
from askless.lab.habits import Misclicks, Persistent, Slips, Tires
from askless.lab.simulate import simulate_planner
from askless.lab.truthful import TruthfulAnnotator
from askless.planners import make_planner

LABELS = np.random.default_rng(1).random(400) < 0.3
GROUPS = np.random.default_rng(2).permutation(4000 * 8).reshape(4000, 8) % 400


def guesses(items: np.ndarray, odd: int) -> tuple[bool, ...]:
    """All right but one."""
    return tuple(bool(LABELS[item]) ^ (at == odd) for at, item in enumerate(items))


def asked(odd: int = 3) -> list[Question]:
    """Groups of up to eight different items, each with one wrong guess."""
    groups = [np.array(list(dict.fromkeys(group.tolist()))) for group in GROUPS]
    whole = [group for group in groups if len(group) == 8]
    return [Question(tuple(group.tolist()), guesses(group, odd)) for group in whole]


@given(st.integers(0, 5), st.booleans())
def test_whoever_has_habits_with_rate_zero_is_truthful_question_for_question(
    seed: int, pointing: bool
) -> None:
    zero = "slips:0,growth=1,prevalence=1+tires:0+persistent:0+misclicks:0+careless:0"
    erring = annotator_from(zero, LABELS, pointing=pointing, seed=seed)
    truthful = TruthfulAnnotator(LABELS, pointing=pointing)
    rng = np.random.default_rng(seed)
    for _ in range(50):
        items = rng.permutation(400)[: rng.integers(1, 30)]
        question = Question(tuple(items.tolist()), tuple((rng.random(len(items)) < 0.5).tolist()))
        assert erring.answer(question) == truthful.answer(question)


def test_truthful_is_the_truthful_annotator() -> None:
    assert isinstance(annotator_from("truthful", LABELS), TruthfulAnnotator)


@pytest.mark.parametrize("pointing", [False, True])
def test_slips_come_at_the_rate_they_are_said_to(pointing: bool) -> None:
    annotator = ErringAnnotator(LABELS, [Slips(0.14)], pointing=pointing)
    questions = asked()
    missed = [annotator.answer(question).kind == "yes" for question in questions]
    assert len(missed) > 3000
    assert np.mean(missed) == pytest.approx(0.14, abs=3 * np.sqrt(0.14 * 0.86 / len(missed)))


def test_two_habits_overlook_independently() -> None:
    annotator = ErringAnnotator(LABELS, [Slips(0.2), Tires(0.5, minutes=0.0)])
    missed = [annotator.answer(question).kind == "yes" for question in asked()]
    rate = 1 - 0.8 * 0.5
    assert np.mean(missed) == pytest.approx(rate, abs=3 * np.sqrt(rate * (1 - rate) / len(missed)))


def test_misclicks_come_at_the_rate_they_are_said_to() -> None:
    annotator = ErringAnnotator(LABELS, [Misclicks(0.02)], pointing=True)
    wrong = [len(annotator.answer(question).wrong) - 1 for question in asked()]
    shown = 7 * len(wrong)
    assert sum(wrong) / shown == pytest.approx(0.02, abs=3 * np.sqrt(0.02 * 0.98 / shown))


def test_misses_grow_as_the_person_finds_less_to_be_wrong() -> None:
    def share_missed(prevalence: int) -> float:
        """One question in so many has something wrong."""
        annotator = ErringAnnotator(LABELS, [Slips(0.07, prevalence=0.4)])
        missed = []
        for at, question in enumerate(asked()):
            right = Question(question.items, tuple(bool(LABELS[i]) for i in question.items))
            answer = annotator.answer(right if at % prevalence else question)
            if at % prevalence == 0:
                missed.append(answer.kind == "yes")
        return float(np.mean(missed))

    assert share_missed(2) < 0.12 < share_missed(40)


def test_one_who_tires_misses_more_in_the_second_half() -> None:
    annotator = ErringAnnotator(LABELS, [Tires(0.3, minutes=60.0)])
    missed = [annotator.answer(question).kind == "yes" for question in asked()]
    half = len(missed) // 2
    assert np.mean(missed[:half]) + 0.05 < np.mean(missed[half:]) < 0.33


def test_persistent_errors_are_the_same_at_every_look() -> None:
    annotator = ErringAnnotator(LABELS, [Persistent(0.1)], seed=3)
    questions = [Question((item,), (True,)) for item in range(400)]
    first, second = ([annotator.answer(one).kind == "yes" for one in questions] for _ in range(2))
    assert first == second
    assert np.count_nonzero(np.array(first) != LABELS) == 40


def test_the_same_seed_gives_the_same_answers_and_another_one_others() -> None:
    def answers(seed: int) -> list[object]:
        annotator = annotator_from("slips:0.3+misclicks:0.1", LABELS, pointing=True, seed=seed)
        return [annotator.answer(question) for question in asked()[:100]]

    assert answers(1) == answers(1)
    assert answers(1) != answers(2)


@pytest.mark.parametrize("who", ["slips:0.3", "careless:0.3", "misclicks:0.05+mixes", "denies"])
@pytest.mark.parametrize("planner", ["auto", "grid"])
def test_a_run_ends_whatever_the_annotator_says(who: str, planner: str) -> None:
    probs = np.where(LABELS ^ (np.arange(400) % 5 == 0), 0.8, 0.2)
    annotator = annotator_from(who, LABELS, pointing=planner == "grid")
    run = simulate_planner(make_planner(planner), probs, LABELS, annotator=annotator)
    assert run.labels_right + run.labels_wrong == len(LABELS)
    assert run.labels_wrong > 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("lies:0.1", "each one of careless, denies, .* got 'lies'"),
        ("", "got ''"),
        ("slips:0.1+", "got ''"),
        ("truthful+slips:0.1", "got 'truthful'"),
        ("slips", "it must have rate"),
        ("slips:", "A habit is NAME"),
        ("slips:0.1,0.2", "A habit is NAME"),
        ("slips:0.1,rate=0.2", "each option once"),
        ("mixes:1", "A habit is NAME"),
        ("slips:x", "rate of the habit 'slips' is float"),
        ("slips:nan", "finite"),
        ("slips:1.5", "at most 1"),
        ("slips:0.1,depth=2", "has the options growth, prevalence, rate"),
    ],
)
def test_what_is_no_annotator_is_refused_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        parse_habits(text)


def test_habits_are_read_with_their_options() -> None:
    assert parse_habits("slips:0.14,growth=1 + persistent:rate=0.03") == (
        Slips(0.14, growth=1.0),
        Persistent(0.03),
    )
