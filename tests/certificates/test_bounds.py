"""The bound, draw by draw: each is what a person would have been told at that moment."""

from __future__ import annotations

from typing import Any

import pytest

from askless.certificates.bounds import BoundsReader, steps_of
from askless.certificates.standing import Standing
from askless.core.promise import Promise
from tests.session.checking import Checked

FIVE = Promise("count", 5)


def _share(standing: Standing) -> float:
    if standing.promise.kind == "recall":
        assert standing.recall_at_least is not None
        return standing.recall_at_least
    assert standing.at_most is not None
    return standing.at_most / (standing.settled + standing.accepted)


@pytest.mark.parametrize(
    ("promise", "options"),
    [
        (FIVE, {}),
        (FIVE, {"strata": True}),
        (FIVE, {"form": "pointed"}),
        (Promise("recall", 0.99), {"strata": True}),
    ],
)
def test_each_bound_is_what_the_standing_said_before_the_next_draw(
    promise: Promise, options: dict[str, Any]
) -> None:
    checked = Checked(n=200, wrong=(3, 50, 120), promise=promise, size=9, **options)
    reader, said, answers = BoundsReader(), list[float](), list[int]()
    for turn in range(9):
        asked = checked.check()
        wrong = checked.wrong_in(asked.question)
        pointing = bool(wrong) and options.get("form") == "pointed"
        checked.tell(asked, asked.question.pointed(wrong, rest_right=True) if pointing else None)
        if turn % 3 == 1:  # others settle items in between
            items = checked.claim().items_left(checked.session.state)[:4].tolist()
            checked.settle(items)
        said.append(_share(checked.standing()))
        answers.append(checked.session.history.tally.answers)
        if checked.standing().enough:
            break
        if turn % 2:  # somebody looks now and then
            reader.read(steps_of(checked.session.history))
    assert len(said) > 4
    for one in (reader, BoundsReader()):
        read = one.read(steps_of(checked.session.history))
        assert read.share == pytest.approx(said)
        assert read.answers == answers


def test_a_check_that_is_retracted_and_answered_otherwise_changes_the_bounds_from_there_on() -> (
    None
):
    checked = Checked(n=120, promise=FIVE, size=6)
    reader = BoundsReader()
    checked.answer(4)
    last = checked.check()
    number = checked.tell(last)
    before = reader.read(steps_of(checked.session.history))
    checked.session.retract(number)
    assert reader.read(steps_of(checked.session.history)).share == before.share[:4]
    again = checked.check()
    assert again.question == last.question
    checked.tell(again, again.question.no())
    after = reader.read(steps_of(checked.session.history))
    assert after.share[:4] == before.share[:4]
    assert after.share[4] > before.share[4]
    assert after.share == BoundsReader().read(steps_of(checked.session.history)).share


def test_without_a_claim_or_while_items_are_open_again_there_is_no_bound() -> None:
    checked = Checked(n=60, promise=FIVE, size=6, freeze=False)
    assert steps_of(checked.session.history).claim is None
    checked.freeze()
    first = checked.check()
    number = checked.tell(first)
    checked.answer(2)
    reader = BoundsReader()
    assert len(reader.read(steps_of(checked.session.history)).share) == 3
    checked.session.retract(number)
    assert reader.read(steps_of(checked.session.history)).share == []
