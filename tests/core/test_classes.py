"""States of more than two classes against enumeration of all labellings."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.core.growing import grow
from askless.core.guess import Guess, is_right
from askless.core.question import Answer, Question
from askless.core.state import State, clear_unsure, learn, mark_unsure, replay, retract, undecided
from askless.core.verify import follows, unproved_items
from askless.errors import Contradiction, InvalidInput

Labelling = tuple[int, ...]


def allows(labels: Labelling, answer: Answer, unsure: frozenset[int]) -> bool:
    """Whether the answer could have been given if these were the labels."""
    question, typed = answer.question, dict(answer.typed)
    right = {i: is_right(g, labels[i]) for i, g in zip(question.items, question.guess, strict=True)}
    if answer.kind == "no":
        return bool(unsure.intersection(right)) or not all(right.values())
    said = dict.fromkeys(right, True) if answer.kind == "yes" or answer.rest_right else {}
    said |= dict.fromkeys(answer.wrong, False)
    return all(right[i] == ok for i, ok in said.items() if i not in unsure) and all(
        labels[i] == label for i, label in typed.items() if i not in unsure
    )


@dataclass(frozen=True)
class History:
    """A truth, what was truthfully answered, and what was set aside."""

    n: int
    classes: int
    truth: Labelling
    answers: tuple[Answer, ...]
    unsure: frozenset[int]

    def worlds(self, answers: tuple[Answer, ...] | None = None) -> list[Labelling]:
        """Every labelling that the answers allow."""
        said = self.answers if answers is None else answers
        return [
            labels
            for labels in itertools.product(range(self.classes), repeat=self.n)
            if all(allows(labels, answer, self.unsure) for answer in said)
        ]


def guesses(classes: int, kinds: str) -> st.SearchStrategy[Guess]:
    """Guesses that leave out a class at least."""
    one = st.integers(0, classes - 1)
    if kinds == "classes":
        return one
    if kinds == "signed":
        return one | one.map(lambda c: ~c)
    some = st.sets(one, min_size=1, max_size=classes - 1)
    return some.map(lambda c: frozenset(c) if len(c) > 1 else next(iter(c)))


@st.composite
def histories(draw: st.DrawFn, *, same_guess: bool = False) -> History:
    classes = draw(st.sampled_from([2, 3, 4]))
    n = draw(st.integers(1, 5))
    truth = tuple(draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n)))
    kind = guesses(classes, draw(st.sampled_from(["classes", "signed", "sets"])))
    usual = draw(st.lists(kind, min_size=n, max_size=n))
    answers = []
    for _ in range(draw(st.integers(0, 8))):
        items = tuple(draw(st.permutations(range(n)))[: draw(st.integers(1, min(n, 4)))])
        free = not same_guess and draw(st.booleans())
        question = Question(items, tuple(draw(kind) if free else usual[i] for i in items))
        wrong = [i for i, g in zip(items, question.guess, strict=True) if not is_right(g, truth[i])]
        kinds = ["no", "no", "some"] if wrong else ["yes"]
        match draw(st.sampled_from([*kinds, "all", "typed"])):
            case "yes":
                answers.append(question.yes())
            case "no":
                answers.append(question.no())
            case "all":
                answers.append(question.pointed(wrong, rest_right=True))
            case "typed":
                known = draw(st.lists(st.sampled_from(items), unique=True))
                answers.append(
                    question.pointed(wrong, rest_right=True, typed=[(i, truth[i]) for i in known])
                )
            case _:
                answers.append(question.pointed(wrong[:1]))
    unsure = frozenset(draw(st.lists(st.integers(0, n - 1), max_size=1)))
    return History(n, classes, truth, tuple(answers), unsure)


def played(history: History) -> State:
    """The history one learn at a time, items set aside half way through."""
    state = State.blank(history.n, history.classes)
    for at, answer in enumerate(history.answers):
        state = learn(state, answer)
        if at == len(history.answers) // 2:
            for item in sorted(history.unsure):
                state = mark_unsure(state, item)
    for item in sorted(history.unsure):
        state = mark_unsure(state, item)
    return state


@given(histories())
@settings(max_examples=500)
def test_possible_classes_are_exactly_those_of_all_possible_labellings(history: History) -> None:
    state, worlds = played(history), history.worlds()
    assert history.truth in worlds
    for item in range(history.n):
        if item in history.unsure:
            assert state.is_unsure(item)
            continue
        expected = {world[item] for world in worlds}
        assert state.possible(item) == expected
        assert state.label(item) == (expected.pop() if len(expected) == 1 else None)
        assert state.is_open(item) == (state.label(item) is None)
    counts = [int((state.labels() == label).sum()) for label in range(history.classes)]
    assert list(state.n_with) == counts


@given(histories())
@settings(max_examples=200)
def test_classes_and_clauses_say_what_the_answers_say_and_nothing_else(history: History) -> None:
    state = played(history)
    for labels in itertools.product(range(history.classes), repeat=history.n):
        by_state = all(
            labels[i] in state.possible(i) for i in range(history.n) if i not in history.unsure
        ) and all(
            any(not is_right(g, labels[i]) for i, g in clause.pairs) for clause in state.clauses
        )
        assert by_state == all(allows(labels, a, history.unsure) for a in history.answers)


@given(histories(same_guess=True))
def test_propagation_alone_is_complete_while_items_keep_one_guess(history: History) -> None:
    assert not played(history)._mixed


@given(histories(), st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_the_order_of_the_answers_does_not_matter(history: History, rng: random.Random) -> None:
    numbered = list(enumerate(history.answers))
    rng.shuffle(numbered)
    state = State.blank(history.n, history.classes)
    for number, answer in numbered:
        state = learn(state, answer, number)
    assert state == replay(history.n, history.answers, classes=history.classes)


@given(histories(), st.data())
@settings(max_examples=200)
def test_a_retracted_answer_was_never_given(history: History, data: st.DataObject) -> None:
    state = replay(history.n, history.answers, history.unsure, history.classes)
    if not history.answers:
        return
    number = data.draw(st.integers(0, len(history.answers) - 1))
    rest = {at: answer for at, answer in enumerate(history.answers) if at != number}
    assert retract(state, number) == replay(history.n, rest, history.unsure, history.classes)
    assert state == replay(history.n, history.answers, history.unsure, history.classes)
    for item in history.unsure:
        sure = replay(history.n, history.answers, classes=history.classes)
        assert clear_unsure(state, item) == sure


@given(histories())
@settings(max_examples=200)
def test_every_label_follows_from_the_answers_named_for_it(history: History) -> None:
    state = played(history)
    assert unproved_items(state) == []
    for item in range(history.n):
        if (provenance := state.provenance(item)) is not None:
            cited = tuple(history.answers[number] for number in provenance.answers)
            assert {world[item] for world in history.worlds(cited)} == {state.label(item)}


@given(histories())
def test_a_claim_follows_exactly_when_no_other_labelling_is_possible(history: History) -> None:
    worlds = history.worlds()
    for item in set(range(history.n)) - history.unsure:
        for label in range(history.classes):
            only = all(world[item] == label for world in worlds)
            proved = follows(item, label, history.answers, history.unsure, history.classes)
            assert proved == only


@given(histories(), st.data())
@settings(max_examples=300)
def test_a_lie_is_learnt_or_refused_as_the_labellings_say(
    history: History, data: st.DataObject
) -> None:
    state = replay(history.n, history.answers, classes=history.classes)
    items = tuple(range(history.n))
    some = tuple(data.draw(st.permutations(items))[: data.draw(st.integers(1, history.n))])
    guess = data.draw(guesses(history.classes, "sets"))
    question = Question(some, (guess,) * len(some))
    said = data.draw(st.sampled_from([question.yes(), question.no()]))
    bare = History(history.n, history.classes, history.truth, (*history.answers, said), frozenset())
    if bare.worlds():
        learn(state, said)
        return
    with pytest.raises(Contradiction) as refused:
        learn(state, said)
    clashing = [
        said if number == len(history.answers) else history.answers[number]
        for number in refused.value.answers
    ]
    assert not bare.worlds(tuple(clashing))


@given(histories(), st.data())
@settings(max_examples=200)
def test_a_question_is_undecided_while_both_answers_are_possible(
    history: History, data: st.DataObject
) -> None:
    state = replay(history.n, history.answers, classes=history.classes)
    open_items = state.open_items().tolist()
    if not open_items:
        return
    some = tuple(data.draw(st.lists(st.sampled_from(open_items), min_size=1, unique=True)))
    question = Question(some, tuple(data.draw(guesses(history.classes, "sets")) for _ in some))
    kinds = {
        all(is_right(g, world[i]) for i, g in zip(some, question.guess, strict=True))
        for world in History(
            history.n, history.classes, history.truth, history.answers, frozenset()
        ).worlds()
    }
    assert undecided(state, question) == (len(kinds) == 2)


@given(histories())
def test_with_one_more_class_labels_that_were_given_stay(history: History) -> None:
    before = replay(history.n, history.answers, classes=history.classes)
    after = replay(history.n, history.answers, classes=history.classes + 1)
    for item in range(history.n):
        assert after.possible(item) >= before.possible(item)
        if after.label(item) is not None:
            assert after.label(item) == before.label(item)


@given(histories())
def test_more_items_leave_what_is_known_as_it_is(history: History) -> None:
    state = played(history)
    more = grow(state, 2)
    assert [more.possible(i) for i in range(history.n)] == [
        state.possible(i) for i in range(history.n)
    ]
    assert more.possible(history.n) == frozenset(range(history.classes))


def test_a_no_to_one_item_excludes_a_class_and_the_last_one_left_is_the_label() -> None:
    state = State.blank(2, classes=3)
    state = learn(state, Question((0,), (1,)).no())
    assert state.possible(0) == {0, 2}
    assert state.label(0) is None
    state = learn(state, Question((0,), (~0,)).yes())
    assert state.label(0) == 2
    provenance = state.provenance(0)
    assert provenance is not None
    assert provenance.answers == (0, 1)


def test_a_label_reached_by_exclusion_reopens_when_there_is_one_more_class() -> None:
    answers = [Question((0,), (True,)).no(), Question((1,), (True,)).yes()]
    assert replay(2, answers).labels().tolist() == [0, 1]
    assert replay(2, answers, classes=3).labels().tolist() == [-1, 1]


def test_two_classes_keep_no_book_of_possible_classes() -> None:
    state = State.blank(3)
    for answer in (Question((0, 1, 2), (True,) * 3).no(), Question((0,), (True,)).no()):
        state = learn(state, answer)
    assert not state._books().possible
    assert not state._books().narrowed


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (Question((0,), (3,)).yes(), "0 to 2.*got 3"),
        (Question((0,), (~3,)).yes(), "0 to 2.*got -4"),
        (Question((0,), (frozenset({0, 1, 2}),)).yes(), "leaves out one at least"),
        (Question((0,), (1,)).typed({0: 5}), "0 to 2.*got 5"),
    ],
)
def test_a_class_that_the_pool_does_not_have_is_refused(answer: Answer, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        learn(State.blank(1, classes=3), answer)


@pytest.mark.parametrize("classes", [1, 0, 101, "two"])
def test_there_are_two_to_a_hundred_classes(classes: int) -> None:
    with pytest.raises(InvalidInput, match="classes"):
        State.blank(1, classes=classes)


def test_a_clash_names_the_classes() -> None:
    state = learn(State.blank(1, classes=4), Question((0,), (frozenset({0, 1}),)).yes())
    with pytest.raises(Contradiction, match=r"\[0, 1\] by earlier answers, and one of \[2, 3\]"):
        learn(state, Question((0,), (frozenset({2, 3}),)).yes())
