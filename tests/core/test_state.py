"""State, learn, replay, retract and set_aside against enumeration of all labellings."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.core.guess import Guess
from askless.core.question import Answer, Question
from askless.core.state import State, clear_unsure, learn, mark_unsure, replay, retract
from askless.errors import Contradiction, InvalidInput

Labelling = tuple[bool, ...]


# --- what the answers mean, by enumeration -------------------------------------------------


def allows(labels: Labelling, answer: Answer, unsure: frozenset[int]) -> bool:
    """Whether the answer could have been given if these were the labels.

    What an answer says about an unsure item counts for nothing.
    """
    right = {i: labels[i] == g for i, g in zip(*_parts(answer), strict=True)}
    if answer.kind == "yes":
        return all(ok for i, ok in right.items() if i not in unsure)
    if answer.kind == "no":
        return bool(unsure.intersection(right)) or not all(right.values())
    for i, ok in right.items():
        if i in unsure:
            continue
        if i in answer.wrong and ok:
            return False
        if i not in answer.wrong and answer.rest_right and not ok:
            return False
    return True


def _parts(answer: Answer) -> tuple[tuple[int, ...], tuple[Guess, ...]]:
    return answer.question.items, answer.question.guess


def possible(n: int, answers: list[Answer], unsure: frozenset[int]) -> list[Labelling]:
    return [
        labels
        for labels in itertools.product((False, True), repeat=n)
        if all(allows(labels, answer, unsure) for answer in answers)
    ]


def entailed_labels(n: int, answers: list[Answer], unsure: frozenset[int]) -> list[int]:
    worlds = possible(n, answers, unsure)
    labels = []
    for item in range(n):
        seen = {world[item] for world in worlds}
        labels.append(-2 if item in unsure else int(seen.pop()) if len(seen) == 1 else -1)
    return labels


# --- random histories ----------------------------------------------------------------------


@dataclass(frozen=True)
class History:
    """A truth, what was truthfully answered, and what was set aside."""

    n: int
    truth: Labelling
    answers: tuple[Answer, ...]
    unsure: frozenset[int]


@st.composite
def histories(draw: st.DrawFn, *, free_guesses: bool = True) -> History:
    n = draw(st.integers(1, 8))
    truth = tuple(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    usual = tuple(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    answers = []
    for _ in range(draw(st.integers(0, 8))):
        items = tuple(draw(st.permutations(range(n)))[: draw(st.integers(1, min(n, 5)))])
        guess = tuple(draw(st.booleans()) if free_guesses else usual[i] for i in items)
        question = Question(items, guess)
        wrong = [i for i, g in zip(items, guess, strict=True) if truth[i] != g]
        kinds = ["pointed-all"] + (["no", "pointed-some"] if wrong else ["yes"])
        match draw(st.sampled_from(kinds)):
            case "yes":
                answers.append(question.yes())
            case "no":
                answers.append(question.no())
            case "pointed-all":
                answers.append(question.pointed(wrong, rest_right=True))
            case _:
                some = draw(st.lists(st.sampled_from(wrong), min_size=1, unique=True))
                answers.append(question.pointed(some))
    unsure = frozenset(draw(st.lists(st.integers(0, n - 1), max_size=2)))
    return History(n, truth, tuple(answers), unsure)


def played(history: History) -> State:
    """The history one learn at a time, items set aside half way through."""
    state = State.blank(history.n)
    for at, answer in enumerate(history.answers):
        state = learn(state, answer)
        if at == len(history.answers) // 2:
            for item in sorted(history.unsure):
                state = mark_unsure(state, item)
    for item in sorted(history.unsure):
        state = mark_unsure(state, item)
    return state


def clauses_of(state: State) -> set[frozenset[tuple[int, Guess]]]:
    return {clause.literals for clause in state.clauses}


# --- properties ----------------------------------------------------------------------------


@given(histories())
@settings(max_examples=400)
def test_labels_are_exactly_those_that_all_possible_labellings_share(history: History) -> None:
    state = played(history)
    expected = entailed_labels(history.n, list(history.answers), history.unsure)
    assert state.labels().tolist() == expected
    assert state.n_open == expected.count(-1)
    assert state.n_unsure == expected.count(-2)
    assert state.n_settled == history.n - expected.count(-1) - expected.count(-2)


@given(histories())
@settings(max_examples=200)
def test_clauses_and_labels_say_what_the_answers_say_and_nothing_else(history: History) -> None:
    state = played(history)
    for labels in itertools.product((False, True), repeat=history.n):
        by_answers = all(allows(labels, a, history.unsure) for a in history.answers)
        by_state = all(state.label(i) in (None, labels[i]) for i in range(history.n)) and all(
            any(labels[i] != g for i, g in clause.literals) for clause in state.clauses
        )
        assert by_answers == by_state


@given(histories(free_guesses=False))
def test_propagation_alone_is_complete_while_items_keep_one_guess(history: History) -> None:
    state = played(history)
    assert not state._mixed
    expected = entailed_labels(history.n, list(history.answers), history.unsure)
    assert state.labels().tolist() == expected


@given(histories(), st.randoms(use_true_random=False))
def test_the_order_of_answers_changes_neither_labels_nor_clauses(
    history: History, chance: random.Random
) -> None:
    shuffled = list(history.answers)
    chance.shuffle(shuffled)
    one = replay(history.n, history.answers, history.unsure)
    other = replay(history.n, shuffled, history.unsure)
    assert np.array_equal(one.labels(), other.labels())
    assert clauses_of(one) == clauses_of(other) == clauses_of(played(history))


@given(histories())
def test_no_open_clause_contains_another_or_a_settled_item(history: History) -> None:
    state = played(history)
    for one, other in itertools.permutations(state.clauses, 2):
        assert not one.literals <= other.literals
    for clause in state.clauses:
        assert len(clause) >= 2
        assert all(state.is_open(item) for item in clause.items)
        assert all(clause in state.clauses_of(item) for item in clause.items)


@given(histories())
def test_provenance_is_a_set_of_answers_that_entails_the_label(history: History) -> None:
    state = played(history)
    for item in range(history.n):
        provenance = state.provenance(item)
        assert (provenance is None) == (state.label(item) is None)
        if provenance is not None:
            cited = [history.answers[number] for number in provenance.answers]
            worlds = possible(history.n, cited, history.unsure)
            assert {world[item] for world in worlds} == {state.label(item)}


@given(histories(), st.data())
def test_retracting_equals_a_replay_without_the_answer(
    history: History, data: st.DataObject
) -> None:
    if not history.answers:
        return
    number = data.draw(st.integers(0, len(history.answers) - 1))
    rest = {k: a for k, a in enumerate(history.answers) if k != number}
    retracted = retract(played(history), number)
    again = replay(history.n, rest, history.unsure)
    assert retracted == again
    for item in range(history.n):
        assert retracted.provenance(item) == again.provenance(item)


@given(histories(), st.data())
def test_taking_an_item_back_undoes_setting_it_aside(history: History, data: st.DataObject) -> None:
    state = played(history)
    item = data.draw(st.integers(0, history.n - 1))
    if state.is_unsure(item):
        assert clear_unsure(state, item) == replay(
            history.n, history.answers, history.unsure - {item}
        )
    else:
        assert clear_unsure(mark_unsure(state, item), item) == state


@given(histories(), st.data())
def test_earlier_states_stay_as_they_were(history: History, data: st.DataObject) -> None:
    """States share one ledger; reading them in any order must not show."""
    states = [State.blank(history.n)]
    for answer in history.answers:
        states.append(learn(states[-1], answer))
    if history.answers:
        states.append(retract(states[-1], 0))
    states.append(mark_unsure(states[len(history.answers)], 0))
    states += [learn(states[0], answer) for answer in history.answers[-1:]]
    expected = [
        replay(history.n, list(history.answers[:k])) for k in range(len(history.answers) + 1)
    ]
    for k in data.draw(st.lists(st.integers(0, len(history.answers)), max_size=12)):
        assert states[k] == expected[k]
        assert states[k].n_open == expected[k].n_open


@given(histories(), st.data())
def test_a_contradiction_names_answers_that_cannot_all_be_true(
    history: History, data: st.DataObject
) -> None:
    n = history.n
    state = played(history)
    before = replay(n, history.answers, history.unsure)
    items = tuple(data.draw(st.permutations(range(n)))[: data.draw(st.integers(1, n))])
    question = Question(items, tuple(data.draw(st.booleans()) for _ in items))
    answer = data.draw(
        st.sampled_from([question.yes(), question.no(), question.pointed(items[:1])])
    )
    every = [*history.answers, answer]
    if possible(n, every, history.unsure):
        learn(state, answer)
        return
    with pytest.raises(Contradiction) as clash:
        learn(state, answer)
    assert len(every) - 1 in clash.value.answers
    assert f"clash: {', '.join(map(str, clash.value.answers))}." in str(clash.value)
    cited = [every[number] for number in clash.value.answers]
    assert not possible(n, cited, history.unsure)
    assert state == before


# --- examples ------------------------------------------------------------------------------


def test_refuted_guess_with_one_open_item_settles_it() -> None:
    state = learn(State.blank(3), Question((0, 1, 2), (True, True, True)).no())
    state = learn(state, Question((0, 1), (True, True)).yes())
    assert state.label(2) is False
    assert state.done
    provenance = state.provenance(2)
    assert provenance is not None
    assert (provenance.how, provenance.answers) == ("deduced", (0, 1))


def test_smaller_refuted_guess_replaces_the_one_that_contains_it() -> None:
    state = learn(State.blank(4), Question((0, 1, 2, 3), (True,) * 4).no())
    state = learn(state, Question((1, 2), (True, True)).no())
    assert clauses_of(state) == {frozenset({(1, True), (2, True)})}
    assert state.fixed_guess(0) is None
    assert state.fixed_guess(1) is True


def test_unsure_item_takes_its_clauses_along() -> None:
    state = learn(State.blank(2), Question((0, 1), (True, True)).no())
    state = learn(mark_unsure(state, 0), Question((0,), (True,)).yes())
    assert state.label(1) is None
    assert state.clauses == ()
    assert state.n_unsure == 1
    assert clear_unsure(state, 0).label(1) is False


def test_how_a_label_was_settled_is_told() -> None:
    state = State.blank(8)
    for answer in (
        Question((0,), (True,)).no(),
        Question((1, 2), (True, False)).yes(),
        Question((3, 4), (True, True)).pointed([3], rest_right=True),
        Question((5, 6), (True, True)).no(),
        Question((5,), (True,)).yes(),
    ):
        state = learn(state, answer)
    told = [found.how if (found := state.provenance(item)) else None for item in range(8)]
    assert told == ["alone", "group", "group", "pointed", "group", "alone", "deduced", None]


def test_opposite_guesses_entail_together_what_neither_entails_alone() -> None:
    # not (0 and 1), not (not 0 and 1): so 1 is False, whatever 0 is
    state = learn(State.blank(2), Question((0, 1), (True, True)).no())
    state = learn(state, Question((0, 1), (False, True)).no())
    assert state.label(1) is False
    assert state.label(0) is None


def test_only_label_answers_about_known_items_are_learnt() -> None:
    state = State.blank(2)
    with pytest.raises(InvalidInput, match="audit"):
        learn(state, Question((0,), (True,), "audit").yes())
    with pytest.raises(InvalidInput, match="0 to 1; got 2"):
        learn(state, Question((2,), (True,)).yes())
    with pytest.raises(InvalidInput, match="unused number"):
        learn(learn(state, Question((0,), (True,)).yes()), Question((1,), (True,)).yes(), 0)
    with pytest.raises(InvalidInput, match="no answer 7"):
        retract(state, 7)
    with pytest.raises(InvalidInput, match="0 to 1"):
        mark_unsure(state, -1)
    with pytest.raises(InvalidInput, match="item 1 is not"):
        clear_unsure(state, 1)


def test_answers_keep_the_numbers_they_were_given() -> None:
    state = learn(State.blank(3), Question((0,), (True,)).yes(), 10)
    state = learn(state, Question((1,), (True,)).yes())
    assert list(state.answers) == [10, 11]
    state = retract(state, 11)
    assert state.next_number == 12
    assert state == replay(3, {10: Question((0,), (True,)).yes()})


def test_each_learnt_state_names_its_parent() -> None:
    blank = State.blank(2)
    child = learn(blank, Question((0,), (True,)).yes())
    assert child.parent_key == blank.key
    assert retract(child, 0).parent_key is None
