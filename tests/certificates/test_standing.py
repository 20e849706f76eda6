"""What is certified follows from the draws and the labels of now, whatever was undone."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from askless.certificates.certificate import certificate_of
from askless.certificates.policy import Freeze
from askless.certificates.standing import standing_of
from askless.core.promise import Promise
from askless.core.question import Question
from tests.session.checking import SEED, Checked, recount
from tests.session.making import ask

TWO = Promise("count", 2)


def is_consistent(checked: Checked) -> None:
    assert list(checked.look().counted) == recount(checked.session, checked.store.read())
    assert checked.standing() == checked.replayed()


def test_retracting_the_last_check_makes_it_pending_and_its_items_are_in_the_claim_again() -> None:
    checked = Checked(n=40, promise=TWO)
    checked.answer(3)
    before = checked.standing()
    asked = checked.check()
    number = checked.tell(asked)
    assert checked.standing().checks.yes == 4
    checked.session.retract(number)
    assert checked.standing().pending == 1
    assert checked.standing().accepted == before.accepted
    assert checked.standing().at_most == before.at_most
    is_consistent(checked)
    again = checked.check()
    assert again.question == asked.question
    checked.tell(again)
    assert checked.standing().checks.yes == 4
    is_consistent(checked)


@pytest.mark.parametrize("says", ["yes", "no"])
def test_retracting_an_earlier_check_shows_no_bound_until_its_items_are_settled(says: str) -> None:
    """Later draws had left its items out, so a new no must be resolved item by item."""
    checked = Checked(n=40, promise=TWO, size=3)
    first = checked.check()
    number = checked.tell(first)
    checked.answer(2)
    bound = checked.standing().at_most
    checked.session.retract(number)
    assert checked.standing().reopened == 3
    assert checked.standing().at_most is None
    assert not checked.standing().enough
    again = checked.check()
    assert (again.question, again.check) == (first.question, 0)
    if says == "no":
        checked.truth[first.question.items[0]] ^= True
    checked.tell(again)
    assert checked.look().outcomes[0] == says
    while checked.look().reopened:
        assert checked.standing().at_most is None
        asked = ask(checked.session)
        assert set(asked.question.items) & set(first.question.items)
        checked.tell(asked)
    is_consistent(checked)
    if says == "yes":
        assert checked.standing().at_most == bound
    else:
        assert [check[:2] for check in checked.look().counted] == [(40, 0), (37, 1), (34, 1)]


def test_correcting_a_label_of_a_passed_check_makes_it_a_no_and_raises_what_was_found() -> None:
    checked = Checked(n=40, promise=TWO, size=3)
    first = checked.check()
    checked.tell(first)
    checked.answer(3)
    item = first.question.items[1]
    checked.session.correct(item, not checked.guess[item], "ann")
    assert checked.look().counted[0][:4] == (40, 0, 3, "no")
    assert [check[1] for check in checked.look().counted] == [0, 1, 1, 1]
    is_consistent(checked)
    checked.session.undo("ann")
    assert [check[3] for check in checked.look().counted] == ["yes"] * 4
    is_consistent(checked)


def test_correcting_a_label_of_a_pointed_check_raises_its_count() -> None:
    checked = Checked(n=40, promise=TWO, size=3, form="pointed", wrong=[0, 1, 2, 3])
    first = checked.check()
    wrong = checked.wrong_in(first.question)
    checked.tell(first, first.question.pointed(wrong, rest_right=True))
    second = checked.check()
    checked.tell(
        second, second.question.pointed(checked.wrong_in(second.question), rest_right=True)
    )
    item = next(item for item in first.question.items if item not in wrong)
    checked.session.correct(item, not checked.guess[item], "ann")
    assert checked.look().outcomes[0] == len(wrong) + 1
    assert checked.look().counted[1][1] == len(wrong) + 1
    is_consistent(checked)


DEEDS: dict[str, Callable[[Checked, int, int], object]] = {
    "unsure": lambda c, item, number: c.session.unsure(item, annotator="ann"),
    "several unsure": lambda c, item, number: c.session.revise.mark_unsure([item], "", "ann", None),
    "ask again": lambda c, item, number: c.session.revise.ask_again([item], "ann", None),
    "retract": lambda c, item, number: c.session.retract(number, "ann"),
    "correct": lambda c, item, number: c.session.correct(item, not c.truth[item], "ann"),
    "contradict": lambda c, item, number: c.settle([item], not bool(c.truth[item])),
}


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("later", [0, 2])
def test_whatever_is_undone_comes_to_the_same_as_if_it_had_not_been_done(
    deed: str, later: int
) -> None:
    checked = Checked(n=40, promise=TWO, size=3)
    first = checked.check()
    number = checked.tell(first)
    checked.answer(later)
    before = checked.standing()
    DEEDS[deed](checked, first.question.items[0], number)
    is_consistent(checked)
    if deed == "retract":
        checked.tell(checked.check())
    elif deed == "contradict":
        checked.session.retract(max(checked.session.history.answers))
    else:
        checked.session.undo("ann")
    is_consistent(checked)
    after = checked.standing()
    assert replace(after, pending=0, checks=before.checks) == before
    assert after.checks.yes == before.checks.yes


def test_a_dispute_makes_a_check_pending() -> None:
    checked = Checked(n=40, promise=TWO, size=3)
    first = checked.check()
    checked.tell(first)
    checked.settle([first.question.items[0]], not checked.truth[first.question.items[0]])
    assert checked.session.history.disputes
    assert checked.standing().pending == 1
    assert checked.check().question == first.question
    is_consistent(checked)


def test_an_item_taken_back_is_open_outside_the_claim_if_a_draw_left_it_out() -> None:
    checked = Checked(n=40, promise=TWO)
    checked.session.unsure(5, annotator="ann")
    checked.answer()
    assert checked.standing().found == 1
    checked.session.take_back(5)
    assert checked.standing().reopened == 1
    assert "1 item is open again" in str(checked.standing())
    while 5 not in ask(checked.session).question.items:
        checked.answer()
    checked.answer()
    assert checked.standing().reopened == 0
    is_consistent(checked)


def test_undo_of_a_check_asks_it_again_and_of_one_whose_claim_is_void_as_a_plain_question() -> None:
    checked = Checked(n=40, promise=TWO)
    first = checked.check()
    checked.tell(first)
    again = checked.session.undo("ann")
    assert again is not None
    assert (again.question, again.check) == (first.question, 0)
    checked.tell(again)
    checked.session.define("Something else.")
    plain = checked.session.undo("ann")
    assert plain is not None
    assert plain.question == Question(first.question.items, first.question.guess)


def test_the_order_of_other_answers_does_not_matter() -> None:
    """What is settled between two draws is a set: the same standing, event for event."""
    said = ([1, 2], [5], [8, 9, 10])
    standings = []
    for order in itertools.permutations(said):
        checked = Checked(n=40, promise=TWO, wrong=[2, 9, 20])
        checked.answer()
        for items in order:
            free = [item for item in items if checked.session.state.is_open(item)]
            if free:
                checked.settle(free)
        checked.answer(2)
        is_consistent(checked)
        standings.append(replace(checked.standing(), claim=None))
    assert all(standing == standings[0] for standing in standings)


def test_the_bound_never_rises_while_nothing_is_taken_back() -> None:
    checked = Checked(n=80, promise=TWO, size=2, wrong=[4, 40])
    bound, found = 80, 0
    for _ in range(25):
        checked.answer()
        now = checked.standing()
        assert now.at_most is not None
        assert now.at_most + now.found <= bound + found
        bound, found = now.at_most, now.found


def test_another_promise_is_read_off_the_same_claim_but_for_a_higher_confidence() -> None:
    checked = Checked(n=60, promise=Promise("count", 4))
    while not checked.standing().enough:
        checked.answer()
    history = checked.session.history

    def phase(promise: Promise) -> str:
        standing = standing_of(history, promise)
        assert standing is not None
        return standing.phase

    assert phase(Promise("count", 5)) == phase(Promise("count", 4, 0.9)) == "enough"
    assert phase(Promise("count", 3)) == phase(Promise("count", 4, 0.99)) == "checking"
    assert phase(Promise("all", 4 / 60)) == phase(Promise("accepted", 0.5)) == "enough"
    assert phase(Promise("recall", 0.5)) == "checking"


def test_recall_is_read_off_a_claim_with_strata() -> None:
    checked = Checked(n=60, promise=Promise("recall", 0.9), strata=True)
    while not checked.standing().enough:
        checked.answer()
    standing = checked.standing()
    assert standing.recall_at_least is not None
    assert standing.recall_at_least >= 0.9
    assert standing.allowed is None
    assert "of all positives are labelled positive" in str(standing)
    assert standing == checked.replayed()


def test_recall_is_not_enough_while_labels_positive_may_mostly_be_wrong() -> None:
    """To call everything positive finds all positives, and is no work at all."""
    checked = Checked(n=60, wrong=range(1, 60, 2), promise=Promise("recall", 0.9), strata=True)
    assert checked.guess.all()
    standing = checked.standing()
    assert (standing.recall_at_least, standing.precision_at_least) == (1.0, 0.0)
    assert not standing.enough
    right = Checked(n=60, promise=Promise("recall", 0.9), strata=True)
    right.truth[:] = right.guess = np.ones(60, bool)
    right.session.freeze(right.promise, Freeze(right.guess, (1.0, 1.0), strata=True, seed=SEED))
    assert not right.standing().enough
    while not right.standing().enough:
        right.answer()
    precision = right.standing().precision_at_least
    assert precision is not None
    assert precision >= 0.5
    assert right.standing().checks.asked


def test_a_share_of_the_accepted_may_rise_and_says_so() -> None:
    checked = Checked(n=200, promise=Promise("accepted", 0.2))
    while not checked.standing().enough:
        checked.answer()
    before = checked.standing()
    assert before.share_at_most is not None
    assert before.at_most is not None
    assert before.share_at_most == Fraction(before.at_most, before.accepted)
    left = [int(item) for item in checked.session.state.open_items()]
    checked.settle(left[: len(left) // 2])
    after = checked.standing()
    assert after.at_most == before.at_most
    assert after.share_at_most is not None
    assert after.share_at_most > before.share_at_most
    assert after.enough or str(after).startswith("Not enough yet")


def test_labels_that_are_all_given_are_enough_without_a_claim() -> None:
    checked = Checked(n=8, freeze=False)
    assert "nothing has been claimed" in str(checked.standing())
    checked.settle(list(range(8)))
    assert checked.standing().enough
    assert checked.standing().at_most == 0


def test_standing_is_said_again_without_looking_when_nothing_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked = Checked(n=40, promise=TWO)
    checked.answer(2)
    first = checked.standing()

    def fails(*_: object) -> None:
        raise AssertionError("it looked again")

    monkeypatch.setattr(type(checked.claim()), "_look", fails)
    assert checked.standing() == first


def test_no_bound_is_said_to_be_surer_than_its_claim_was_made_to_be() -> None:
    checked = Checked(n=60, promise=Promise("count", 4))
    while not checked.standing().enough:
        checked.answer()
    surer = standing_of(checked.session.history, Promise("count", 4, 0.99))
    assert surer is not None
    assert surer.at_most is None
    assert "99 %" not in str(surer)
    assert certificate_of(checked.session.history, Promise("count", 4, 0.99)) is None
    checked.settle([int(item) for item in checked.session.state.open_items()])
    done = standing_of(checked.session.history, Promise("count", 4, 0.99))
    assert done is not None
    assert done.enough  # nothing is left to chance


def test_when_every_label_follows_from_answers_recall_is_whole_whatever_the_claim_was_for() -> None:
    checked, recall = Checked(n=24), Promise("recall", 0.9)
    standing = standing_of(checked.session.history, recall)
    assert standing is not None
    assert not standing.enough
    checked.settle(range(24))
    done = standing_of(checked.session.history, recall)
    assert done is not None
    assert done.enough
