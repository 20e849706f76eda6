"""What a promise calls for: pending draws, items open again, and what the policy decides."""

from __future__ import annotations

import numpy as np
import pytest

from askless.certificates.policy import Check, Decision, Enough, Freeze, Learn, Settle
from askless.certificates.standing import Standing
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.core.question import Question
from askless.core.state import State
from askless.errors import Refused
from askless.planners import make_planner
from tests.session.checking import NONE_WRONG, SEED, Checked
from tests.session.making import ask


def halves(question: Question, tab: str) -> Question:
    """What a window with room for two items shows."""
    return question if len(question) <= 2 or tab != "small" else question.about(question.items[:2])


def test_without_a_promise_there_is_no_standing_and_a_claim_brings_its_own() -> None:
    checked = Checked(freeze=False)
    session = checked.session
    assert checked.standing().phase == "learning"
    checked.policy = None  # type: ignore[assignment]
    checked.open()
    assert checked.session.standing() is None
    checked.freeze()
    assert checked.standing().phase == "checking"
    checked.check()
    assert session.history.claims.current is None  # another reader of the same events


def test_checks_are_drawn_until_it_is_enough_and_then_ordinary_questions_come() -> None:
    checked = Checked(n=60, promise=Promise("count", 4))
    while not checked.standing().enough:
        checked.tell(checked.check())
    assert checked.standing().at_most == 4
    assert ask(checked.session).question.purpose == "label"
    assert checked.standing() == checked.replayed()
    assert "Enough: at most 4 of the" in str(checked.standing())


def test_a_draw_that_was_skipped_or_whose_lease_ran_out_is_asked_again_before_any_other() -> None:
    checked = Checked()
    first = checked.check("1")
    checked.session.queue.leave("ann")
    again = checked.check("2")
    assert again.question == first.question
    assert (again.id != first.id, again.check) == (True, 0)
    checked.clock.now += 601
    assert checked.check("3").question == first.question
    assert len(checked.claim().draws) == 1


def test_two_windows_get_two_draws_that_count_in_the_order_of_the_draws() -> None:
    checked = Checked(n=40)
    first, second = checked.check("1"), checked.check("2")
    assert (first.check, second.check) == (0, 1)
    assert checked.claim().draws[1].left == 40  # nothing had left when it was drawn
    checked.tell(second)
    assert checked.look().counted == ()
    checked.tell(first)
    assert [check[3] for check in checked.look().counted] == ["yes", "yes"]
    assert checked.standing() == checked.replayed()


def test_a_drawn_item_that_another_window_is_looking_at_is_shown_anyway() -> None:
    checked = Checked(n=6, size=6)
    checked.session.queue.put(Question((2, 4), (True, True)), "bob", "")
    asked = checked.check()
    assert set(asked.question.items) == set(range(6))
    assert ask(checked.session, "bob").question.items == (2, 4)
    checked.tell(asked)
    assert checked.session.state.done
    assert checked.session.ask("bob") is None


def test_a_draw_larger_than_the_window_is_shown_in_parts_and_yes_is_yes_to_every_part() -> None:
    checked = Checked(size=5)
    checked.session.use(fit=halves)
    parts: list[int] = []
    for expected in (2, 2, 1):
        asked = checked.check("small")
        assert len(asked.question) == expected
        assert asked.check == 0
        assert checked.look().outcomes == (None,)
        parts += asked.question.items
        checked.tell(asked)
    assert tuple(parts) == tuple(checked.claim().draws[0].items.tolist())
    assert checked.look().counted == ((24, 0, 5, "yes", 0),)
    assert checked.standing() == checked.replayed()


def test_a_no_to_one_part_is_a_no_to_the_whole_draw() -> None:
    checked = Checked(size=6, wrong=range(24))
    checked.session.use(fit=halves)
    checked.tell(checked.check("small"))
    assert checked.look().outcomes == ("no",)
    assert checked.check("small").check == 1


def test_a_check_that_turns_out_too_large_is_put_again_in_part() -> None:
    checked = Checked(size=5)
    whole = checked.check("small")
    checked.session.use(fit=halves)
    checked.session.queue.refit("ann", "small")
    part = checked.check("small")
    assert part.question.items == whole.question.items[:2]
    assert part.check == 0
    checked.tell(whole)  # a late answer to all of it is welcome
    assert checked.look().outcomes == ("yes",)


def test_items_open_again_outside_the_claim_are_asked_first_with_any_planner() -> None:
    for planner in ("one-by-one", "nested", "fill", "lookahead"):
        checked = Checked(n=40, size=4)
        checked.session.use(planner=make_planner(planner, max_n=4, seed=0))
        number = checked.settle([10, 11, 12])
        checked.answer(2)
        checked.session.retract(number)
        while checked.look().reopened:
            assert checked.standing().at_most is None
            asked = ask(checked.session)
            assert asked.question.purpose == "label"
            assert {10, 11, 12} & set(asked.question.items)
            checked.tell(asked)
        assert checked.standing().at_most is not None
        assert ask(checked.session).question.purpose == "check"


def test_nobody_sees_a_check_before_it_is_stored() -> None:
    checked = Checked(n=40)
    asked = checked.check()
    assert checked.session.queue.plan_ahead(asked.id, depth=2) == {}
    for spare in checked.session.queue.spare("ann", 3):
        assert spare.purpose == "label"
    following = checked.claim().question([1, 2])
    checked.session.tell(asked.id, asked.question.yes(), "key", then=following)
    assert len(checked.claim().draws) == 1
    assert checked.check().question != following


def test_a_check_that_nobody_drew_is_refused() -> None:
    checked = Checked()
    forged = checked.claim().question([1, 2])
    with pytest.raises(Refused, match="A check is drawn by the session"):
        checked.session.tell(None, forged.yes(), "forged", "ann")
    with pytest.raises(Refused, match="Ask for another"):
        checked.session.queue.put(forged, "ann")
    asked = checked.check()
    part = asked.question.about(asked.question.items[:2])
    checked.session.tell(None, part.yes(), "a part that was shown", "ann")
    assert checked.session.history.asked[checked.session.history.last - 1].check == 0
    assert checked.look().outcomes == (None,)


def test_a_draw_whose_outcome_is_known_already_is_stored_and_nobody_is_asked() -> None:
    checked = Checked(n=6, wrong=[0, 1], size=6)
    first = checked.check()
    checked.tell(first)  # no: a clause holds all six
    asked = ask(checked.session)
    assert asked.question.purpose == "label"  # rather than the same six for ever
    assert len(checked.claim().draws) > 1
    assert set(checked.look().outcomes) == {"no"}
    assert checked.standing() == checked.replayed()


class Script:
    """A policy that does what it is told, in turn."""

    promise = NONE_WRONG

    def __init__(self, *decisions: Decision) -> None:
        self.decisions, self.asked = list(decisions), 0

    def decide(self, probs: Probs, state: State, standing: Standing) -> Decision:
        self.asked += 1
        return self.decisions.pop(0) if len(self.decisions) > 1 else self.decisions[0]


def test_a_decision_stands_until_so_many_items_are_closed() -> None:
    checked = Checked(n=40, freeze=False)
    mask = np.zeros(40, bool)
    mask[30:] = True
    script = Script(Settle(mask, until=6), Freeze(checked.guess, (1.0,), seed=SEED), Check(3))
    checked.session.use(policy=script, planner=make_planner("auto", max_n=4, seed=0))
    while 40 - checked.session.state.n_open < 6:
        asked = ask(checked.session)
        assert set(asked.question.items) & set(range(30, 40))
        assert checked.standing().phase == "settling"
        assert script.asked == 1
        ahead = checked.session.queue.plan_ahead(asked.id)
        closes = 40 - checked.session.state.n_open + len(asked.question) >= 6
        assert ("yes" in ahead) is not closes
        checked.tell(asked)
    assert len(checked.check().question) == 3
    assert checked.standing().phase == "checking"
    assert checked.claim().sizes == (checked.session.state.n_open,)


def test_what_was_planned_ahead_is_asked_while_a_decision_stands() -> None:
    checked = Checked(n=40, freeze=False)
    checked.session.use(policy=Script(Learn()))
    asked = ask(checked.session)
    ahead = checked.session.queue.plan_ahead(asked.id)
    checked.tell(asked)
    assert ask(checked.session).question == ahead["yes"]


def test_a_policy_that_freezes_again_and_again_makes_one_claim_a_question() -> None:
    checked = Checked(freeze=False)
    checked.session.use(policy=Script(Freeze(checked.guess, (1.0,))))
    assert ask(checked.session).question.purpose == "label"
    assert checked.session.history.claims.made == 1


def test_a_check_of_an_empty_stratum_is_drawn_from_the_other() -> None:
    checked = Checked(n=20, freeze=False)
    checked.settle([item for item in range(20) if checked.guess[item]])
    checked.freeze(strata=True)
    checked.session.use(policy=Script(Check(50, stratum=1)))
    asked = checked.check()
    assert len(asked.question) == 10
    assert set(asked.question.guess) == {False}


def test_nothing_is_decided_while_the_test_sample_is_asked_or_after_it_is_enough() -> None:
    checked = Checked(n=20)
    checked.session.use(policy=Script(Enough()))
    assert ask(checked.session).question.purpose == "label"
