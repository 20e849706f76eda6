"""Certificates: what they say, what they rest on, and what they are relative to."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from askless.certificates.certificate import Certificate, certificate_of
from askless.core.event import Event
from askless.core.promise import Promise
from askless.core.question import Question
from askless.history.claims import alpha_of
from askless.history.history import History
from tests.session.checking import SEED, Checked

FOUR = Promise("count", 4)


def certificate(checked: Checked, **options: Any) -> Certificate:
    found = certificate_of(checked.session.history, **options)
    assert found is not None
    return found


def enough(**options: Any) -> Checked:
    checked = Checked(n=60, **{"promise": FOUR, **options})
    while not checked.standing().enough:
        checked.answer()
    return checked


def test_a_certificate_has_every_number_that_it_rests_on() -> None:
    checked = enough()
    now = checked.standing()
    said = json.loads(json.dumps(certificate(checked).to_json(askless="1")))
    assert said["format"] == 1
    assert said["holds"] is True
    assert (said["kind"], said["rate"], said["allowed"]) == ("count", None, 4)
    assert (said["items"], said["settled"], said["accepted"]) == (60, now.settled, now.accepted)
    assert said["left_at_most"] == now.at_most == 4
    assert said["alpha"] == said["alpha_spent"] == pytest.approx(0.04)
    assert said["claims"] == 1
    assert said["checks"] == {
        "asked": now.checks.asked, "yes": now.checks.asked, "no": 0, "pointed": 0,
        "items": 4 * now.checks.asked, "form": "yes-no", "strata": False,
    }  # fmt: skip
    assert said["prior"] == {"expected": [1.0], "trust": 0.75}
    assert said["relative_to"] == ["ann"]
    assert said["overlooked"] is said["in_rows"] is None
    assert said["consistency"] == []
    assert (said["seed"], said["claim_sha256"]) == (SEED, checked.claim().content.checksum)
    assert said["events"] == checked.session.history.last + 1
    assert said["askless"] == "1"


def test_its_sentences_say_what_was_done_and_what_it_is_relative_to() -> None:
    checked = enough()
    now, found = checked.standing(), certificate(checked)
    assert found.says() == (
        f"At most 4 of {now.accepted} accepted labels are wrong (6.7 % of all 60), 95 % sure."
    )
    methods = found.methods()
    assert found.says()[:-1] in methods
    assert f"Of 60 items, {now.settled} have a label that follows from answers" in methods
    assert "drawn uniformly at random without replacement and checked with yes or no" in methods
    assert "Wrong means that ann, shown the item in such a group, would say otherwise." in methods


def test_items_that_nobody_can_tell_are_said_to_be_set_aside() -> None:
    checked = Checked(n=60, promise=FOUR)
    checked.session.unsure(7)
    checked.answer(3)
    assert "; 1 set aside as undecidable." in certificate(checked).methods()
    assert certificate(checked).standing.found == 1


def test_a_share_is_never_rounded_in_its_favour() -> None:
    checked = Checked(n=60, promise=Promise("all", 0.03, 0.9), size=6)
    while not checked.standing().enough:
        checked.answer()
    assert checked.standing().at_most == 1  # 1.666... %
    assert "(1.7 % of all 60)" in certificate(checked).says()
    assert ", 1.7 % of all 60;" in str(checked.standing())


def test_there_is_none_before_the_first_check_or_while_an_item_is_open_outside_the_claim() -> None:
    checked = Checked(n=40, freeze=False)
    assert certificate_of(checked.session.history) is None
    checked.freeze()
    assert certificate_of(checked.session.history) is None
    number = checked.settle([1, 2])
    checked.answer()
    assert certificate_of(checked.session.history) is not None
    checked.session.retract(number)
    assert certificate_of(checked.session.history) is None
    checked.session.define("Otherwise.")
    assert certificate_of(checked.session.history) is None


def test_what_is_proved_but_was_not_promised_is_said_not_to_hold() -> None:
    checked = Checked(n=60, promise=FOUR)
    checked.answer(2)
    found = certificate(checked)
    assert not found.holds
    assert found.to_json()["holds"] is False
    assert found.standing.at_most is not None
    assert found.standing.at_most > 4


def test_a_replay_of_the_events_has_the_same_certificate() -> None:
    checked = enough(wrong=[3])
    again = certificate_of(History.of(60, checked.store.read()))
    assert again is not None
    assert again.to_json() == certificate(checked).to_json()


def test_exact_duplicates_count_in_rows_as_the_sum_of_the_largest_numbers_of_copies() -> None:
    checked = enough()
    left = [int(item) for item in checked.session.state.open_items()]
    settled = next(item for item in range(60) if item not in left)
    copies = {left[0]: ["a"] * 7, left[1]: ["b"] * 2, left[2]: ["c"], settled: ["d"] * 100}
    rows = certificate(checked, copies=copies).in_rows
    assert rows is not None
    assert rows.rows == 60 + 110
    assert rows.accepted == len(left) + 10
    assert rows.left_at_most == 8 + 3 + 2 + 1  # at most four items are wrong


def test_several_claims_spend_alpha_and_the_certificate_says_how_much() -> None:
    checked = Checked(n=60, promise=FOUR)
    checked.answer(2)
    checked.freeze()
    checked.answer()
    said = certificate(checked).to_json()
    assert said["claims"] == 2
    assert said["alpha"] == pytest.approx(alpha_of(FOUR, 1)) == pytest.approx(0.05 * 0.16)
    assert said["alpha_spent"] == pytest.approx(0.05 * 0.96)


def test_items_known_to_hold_a_wrong_one_are_counted_as_suspect() -> None:
    checked = Checked(n=60, promise=FOUR, wrong=range(60), size=5)
    checked.answer()
    assert certificate(checked).suspect == 5


def test_it_names_everybody_who_answered_a_check() -> None:
    checked = enough()
    other = checked.session.ask("bob")
    assert other is not None
    checked.freeze()
    for who in ("ann", "bob"):
        asked = checked.session.ask(who, "new")
        assert asked is not None
        assert asked.question.purpose == "check"
        checked.tell(asked)
    assert certificate(checked).annotators == ("ann", "bob")
    assert "Wrong means that ann or bob, shown" in certificate(checked).methods()


def _audited(checked: Checked, planted: int, missed: int, size: int) -> None:
    """Audits as a session stores them, of settled items."""
    for number in range(planted):
        at = checked.session.history.last + 1
        question: dict[str, Any] = {
            "items": list(range(size)), "guess": [True] * size, "purpose": "audit",
            "planted": [1],
        }  # fmt: skip
        kind = "yes" if number < missed else "no"
        checked.store.append(
            [
                Event("asked", "ann", question),
                Event("audited", "ann", {"question_id": at, "answer": kind}),
            ]
        )
        checked.open()


@pytest.mark.parametrize(("planted", "size"), [(19, 4), (20, 3)])
def test_what_is_overlooked_is_left_out_until_enough_was_planted_in_groups_as_large(
    planted: int, size: int
) -> None:
    checked = enough()
    _audited(checked, planted, 2, size)
    assert certificate(checked).overlooked is None


def test_what_is_overlooked_is_folded_in_once_audits_allow_it() -> None:
    checked = enough()
    before = certificate(checked)
    _audited(checked, 24, 2, 6)
    found = certificate(checked).overlooked
    assert found is not None
    assert (found.planted, found.missed) == (24, 2)
    assert 2 / 24 < found.upper < 0.5
    assert before.standing.at_most is not None
    assert before.standing.at_most < found.left_at_most < before.standing.accepted
    assert "Of 24 planted errors 2 were overlooked" in certificate(checked).methods()
    assert certificate(checked).to_json()["overlooked"]["left_at_most"] == found.left_at_most


def test_recall_and_the_share_of_the_accepted_are_certified_too() -> None:
    checked = enough(promise=Promise("recall", 0.9), strata=True)
    said = certificate(checked).to_json()
    assert (said["kind"], said["rate"], said["allowed"]) == ("recall", 0.9, None)
    assert said["recall_at_least"] >= 0.9
    assert "of all positives are labelled positive" in said["says"]
    other = certificate(checked, promise=Promise("accepted", 0.5))
    assert other.to_json()["rate"] == 0.5
    assert replace(other, standing=certificate(checked).standing) == certificate(checked)


def test_what_holds_without_a_check_has_a_certificate_that_says_so() -> None:
    found = certificate(Checked(n=60, promise=Promise("count", 60)))
    assert found.holds
    assert "None was checked, since none had to be. At most 60 of 60" in found.methods()


def test_it_is_relative_to_whoever_settled_what_was_drawn() -> None:
    checked = Checked(n=60, promise=FOUR)
    checked.answer()
    shown = checked.check().question
    checked.session.queue.leave("ann")
    checked.session.tell(None, Question(shown.items, shown.guess).yes(), "by bob", "bob")
    assert checked.standing().checks.yes == 2
    assert certificate(checked).annotators == ("ann", "bob")
