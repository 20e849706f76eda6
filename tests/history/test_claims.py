"""Claims: who is in them, which items are drawn, and what follows from the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from askless.certificates.policy import Freeze
from askless.core.draw import draw
from askless.core.event import Event
from askless.core.promise import Promise
from askless.errors import Damaged, Refused
from askless.history.claims import SHARES
from askless.history.history import History
from tests.session.checking import SEED, Checked


def test_a_claim_is_about_all_items_that_are_open_when_it_is_made() -> None:
    checked = Checked(freeze=False)
    checked.settle([3, 5, 7])
    checked.session.unsure(9)
    checked.freeze()
    assert set(checked.claim().items_left(checked.session.state)) == set(range(24)) - {3, 5, 7, 9}
    assert checked.look().accepted == (20,)
    assert checked.look().found == (0,)


def test_a_check_is_what_the_seed_draws_from_all_that_is_left() -> None:
    checked = Checked(wrong=[1])
    for position in range(3):
        left = checked.claim().items_left(checked.session.state)
        asked = checked.check()
        assert asked.question.items == tuple(draw(SEED, position, left, 4).tolist())
        assert asked.question.guess == tuple(checked.guess[list(asked.question.items)])
        assert (asked.claim, asked.check) == (checked.claim().number, position)
        checked.tell(asked)
        assert checked.claim().draws[position].left == len(left)


def test_what_had_left_is_counted_at_the_draw_before_the_items_of_the_check_leave() -> None:
    """Against a recount from the events, answer by answer, with everything wrong somewhere."""
    checked = Checked(n=40, wrong=[0, 3, 8, 21, 30], size=3)
    expected, gone = [], set[int]()
    for turn in range(8):
        if turn % 3 == 1:
            some = checked.session.state.open_items()[:2].tolist()
            checked.settle(some)
        state = checked.session.state
        gone = {item for item in range(40) if not state.is_open(item)}
        asked = checked.check()
        wrong = [item for item in gone if checked.truth[item] != checked.guess[item]]
        outcome = "no" if checked.wrong_in(asked.question) else "yes"
        expected.append((40 - len(gone), len(wrong), 3, outcome, 0))
        checked.tell(asked)
    assert list(checked.look().counted) == expected
    assert any(check[1] for check in expected)


def test_items_settled_by_whatever_question_leave_and_what_was_wrong_counts() -> None:
    checked = Checked(wrong=[2, 5])
    checked.settle([2, 5, 8])
    assert checked.look().accepted == (21,)
    assert checked.look().found == (2,)
    (asked,) = checked.answer()
    assert checked.look().counted[0][:2] == (21, 2)
    assert not {2, 5, 8} & set(asked.question.items)


def test_a_deduction_leaves_the_claim_and_the_no_it_followed_from_counts_once() -> None:
    checked = Checked(size=4)
    first = checked.check()
    a, b, c, d = first.question.items
    checked.truth[a] = not checked.truth[a]
    checked.tell(first)
    assert checked.look().outcomes == ("no",)
    checked.settle([b, c, d])
    assert checked.session.state.label(a) is bool(checked.truth[a])  # deduced
    assert checked.look().outcomes == ("no",)
    assert checked.look().found == (1,)
    assert checked.look().counted == ((24, 0, 4, "no", 0),)
    assert checked.standing() == checked.replayed()


def test_unsure_counts_as_wrong() -> None:
    checked = Checked(size=4)
    asked = checked.check()
    checked.session.unsure(asked.question.items[0])
    assert checked.look().outcomes == ("no",)
    assert checked.look().found == (1,)
    pointed = Checked(size=4, form="pointed")
    asked = pointed.check()
    pointed.session.unsure(asked.question.items[0])
    assert pointed.look().outcomes == (None,)
    rest = pointed.check()
    assert set(rest.question.items) == set(asked.question.items[1:])
    pointed.tell(rest, rest.question.yes())
    assert pointed.look().outcomes == (1,)


def test_a_bare_no_leaves_a_pointed_check_pending_until_every_item_is_known() -> None:
    checked = Checked(size=4, form="pointed")
    asked = checked.check()
    a, b, c, d = asked.question.items
    checked.tell(asked, asked.question.no())
    assert checked.look().outcomes == (None,)
    assert checked.look().counted == ()
    again = checked.check()
    assert again.question.items == (a, b, c, d)
    checked.tell(again, again.question.pointed([a]))
    assert set(checked.check().question.items) == {b, c, d}
    checked.tell(checked.check(), None)
    assert checked.look().outcomes == (1,)


def test_a_yes_no_check_counts_as_no_whatever_is_pointed_at_later() -> None:
    checked = Checked(size=4, wrong=range(24))
    asked = checked.check()
    checked.tell(asked, asked.question.pointed(asked.question.items, rest_right=True))
    assert checked.look().counted == ((24, 0, 4, "no", 0),)


def test_strata_are_drawn_from_one_guess_alone() -> None:
    checked = Checked(n=40, wrong=[1, 2], strata=True)
    seen = set()
    for _ in range(6):
        asked = checked.check()
        assert len(set(asked.question.guess)) == 1
        seen.add(asked.question.guess[0])
        stratum = int(asked.question.guess[0] == 1)
        assert checked.claim().draws[-1].stratum == stratum
        left = checked.claim().items_left(checked.session.state, stratum)
        assert checked.claim().draws[-1].left == len(left)
        checked.tell(asked)
    assert seen == {False, True}
    assert sum(checked.look().accepted) == checked.session.state.n_open
    assert checked.standing().strata[1].accepted == checked.look().accepted[1]
    assert checked.standing() == checked.replayed()


def test_each_claim_gets_its_share_of_alpha_fixed_beforehand() -> None:
    checked = Checked(promise=Promise("count", 3, 0.9), freeze=False)
    for number in range(3):
        checked.freeze()
        assert checked.claim().alpha == pytest.approx(0.1 * SHARES[0] * SHARES[1] ** number)
    assert checked.standing().claims == 3


def test_an_item_never_enters_a_claim() -> None:
    checked = Checked(size=4)
    number = checked.settle([0, 1, 2])
    checked.answer()
    checked.session.retract(number)
    state = checked.session.state
    assert state.is_open(0)
    assert not {0, 1, 2} & set(checked.claim().items_left(state))
    assert checked.look().reopened == 3
    assert checked.standing().at_most is None


def test_an_item_that_leaves_and_comes_back_between_two_draws_never_left() -> None:
    checked = Checked(size=4)
    checked.answer()
    before = checked.look()
    number = checked.settle([int(item) for item in checked.session.state.open_items()[:3]])
    checked.session.retract(number)
    after = checked.look()
    assert (after.accepted, after.found, after.reopened) == (before.accepted, before.found, 0)


def test_a_new_definition_voids_a_claim_whose_alpha_is_spent() -> None:
    checked = Checked()
    checked.session.define("Even.")
    assert checked.session.history.claims.current is None
    assert checked.standing().phase == "learning"
    assert checked.standing().claims == 1
    checked.freeze()
    checked.session.define("Even.")  # it was said again
    assert checked.claim().alpha == pytest.approx(0.05 * SHARES[0] * SHARES[1])


@pytest.mark.parametrize(
    "change", [{"gone": [5]}, {"back": [3]}, {"ids": ["x"], "checksums": ["0"]}]
)
def test_items_that_come_or_go_void_a_claim(change: dict[str, Any]) -> None:
    checked = Checked(freeze=False)
    checked.store.append([Event("updated", "", {"gone": [3]})])
    checked.open()
    checked.freeze()
    assert checked.claim().sizes == (23,)
    checked.store.append([Event("updated", "", change)])
    history = History.of(checked.n, checked.store.read())
    assert history.claims.current is None
    assert history.claims.made == 1


def test_other_names_in_the_source_void_nothing() -> None:
    checked = Checked()
    checked.store.append([Event("updated", "", {"renamed": {"3": "x"}})])
    assert History.of(checked.n, checked.store.read()).claims.current is not None


def _forged(checked: Checked, kind: str, change: Callable[[dict[str, Any]], None]) -> str:
    """What a replay says when the last event of a kind is another."""
    events = list(checked.store.read())
    at = max(event.number for event in events if event.kind == kind)
    payload = dict(events[at].payload)
    change(payload)
    events[at] = Event(events[at].kind, events[at].annotator, payload, number=at)
    with pytest.raises(Damaged) as refused:
        History.of(checked.n, events)
    return str(refused.value)


def _set(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda payload: payload.update(fields)


FORGED = [
    ("asked", _set(items=[0, 2, 4, 6], guess=[True] * 4), "not what the seed of its claim draws"),
    ("asked", _set(check=1), "drawn in order; got draw 1"),
    ("asked", _set(claim=3), "the claim in force"),
    ("asked", _set(claim=None), "names its claim and its draw"),
    ("asked", _set(purpose="label"), "names its claim and its draw"),
    ("asked", _set(draw=[99]), "Items of this pool are 0 to 23"),
    ("asked", _set(draw=[1]), "shows no others"),
    ("claimed", _set(seed="f" * 32), "not what the seed of its claim draws"),
    ("claimed", _set(seed="no"), "16 to 128 hexadecimal digits"),
    ("claimed", _set(checksum="0" * 64), "not the ones that were frozen"),
    ("claimed", _set(guesses="////"), "not the ones that were frozen"),
    ("claimed", _set(guesses="////////"), "one bit for each of 24 items"),
    ("claimed", _set(guesses="//é/"), "one bit for each of 24 items"),
    ("claimed", _set(guesses="A" * 10**6), "one bit for each of 24 items"),
    ("claimed", _set(alpha=0.05), "Claim 1 of a session gets 0.04"),
    ("claimed", _set(alpha=0.0), "between 0 and 1"),
    ("claimed", _set(alpha=float("nan")), "a number from 0 to 1"),
    ("claimed", _set(expected=[1.0, 2.0]), "for each of two strata"),
    ("claimed", _set(expected=[float("inf")]), "a list of numbers, 0 or more"),
    ("claimed", _set(expected=[10**400]), "a list of numbers, 0 or more"),
    ("claimed", _set(doubts="A" * 10**6), "two bytes of doubt for each of 24 items"),
    ("claimed", _set(doubts="//8" * 21 + "/"), "numbers from 0 to 1; these are others"),
    ("claimed", _set(doubts="é" * 64), "two bytes of doubt for each of 24 items"),
    ("claimed", _set(doubts=7), "text; got 7"),
    ("claimed", _set(promise={"kind": "count", "value": 10**400, "confidence": 0.95}), "numbers"),
    ("claimed", _set(promise={"kind": "count", "value": 1e300, "confidence": 0.95}), "0 to 1,000"),
    ("claimed", _set(trust=2), "a number from 0 to 1"),
    ("claimed", _set(form="fun"), "yes-no or pointed; got 'fun'"),
    ("claimed", _set(promise={"kind": "all"}), "a kind, a value and a confidence"),
    ("claimed", _set(promise={"kind": "all", "value": 7, "confidence": 0.9}), "below 1; got 7"),
    ("claimed", _set(promise={"kind": "recall", "value": 0.9, "confidence": 0.9}), "two strata"),
]


@pytest.mark.parametrize(("kind", "change", "says"), FORGED, ids=lambda value: str(value)[:40])
def test_a_forged_claim_or_draw_is_refused_in_a_sentence(kind: str, change: Any, says: str) -> None:
    checked = Checked()
    checked.tell(checked.check())
    assert says in _forged(checked, kind, change)


def test_a_guess_bit_that_was_flipped_is_found_even_with_its_checksum() -> None:
    from askless.core.claimed import freeze_guesses

    checked = Checked()
    asked = checked.check()
    guess = checked.guess.copy()
    guess[asked.question.items[0]] ^= True
    forged = freeze_guesses(
        checked.promise, guess, np.ones(24, bool), SEED, checked.claim().alpha, (1.0,)
    ).to_json()
    assert "guesses that its claim has frozen" in _forged(checked, "claimed", _set(**forged))


def test_a_part_of_a_draw_shows_no_items_but_its_own() -> None:
    checked = Checked()
    asked = checked.check()
    other = next(item for item in range(24) if item not in asked.question.items)
    part = {
        "items": [other], "guess": [bool(checked.guess[other])], "purpose": "check",
        "claim": asked.claim, "check": 0,
    }  # fmt: skip
    checked.store.append([Event("asked", "ann", part)])
    with pytest.raises(Damaged, match="took other items than this check shows"):
        History.of(24, checked.store.read())


def test_a_claim_without_open_items_or_with_too_few_guesses_is_refused() -> None:
    checked = Checked()
    with pytest.raises(Refused, match="one guess for each of 24 items; got 3"):
        checked.session.freeze(checked.promise, Freeze(np.ones(3, bool), (1.0,)))
    with pytest.raises(Refused, match="seed is 16 to 128"):
        checked.freeze(seed="zz")
    checked.settle(list(range(24)))
    with pytest.raises(Refused, match="0 items are open"):
        checked.freeze()
    assert checked.session.history.claims.made == 1


def test_seeds_come_from_the_operating_system_unless_somebody_fixes_them() -> None:
    checked = Checked(freeze=False)
    seeds = set()
    for _ in range(3):
        checked.session.freeze(checked.promise, Freeze(checked.guess, (1.0,)))
        seeds.add(checked.claim().seed)
    assert len(seeds) == 3
    assert all(len(seed) == 32 for seed in seeds)
