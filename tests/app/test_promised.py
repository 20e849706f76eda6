"""What is promised, in words: exactly what was proved, never rounded in its favour."""

from __future__ import annotations

from dataclasses import replace

import pytest

from askless.app.names import Names
from askless.app.promised import say, slips_included, wanted
from askless.certificates.standing import Checks, Standing
from askless.core.promise import Promise, share_text

CATS = Names("a cat|cats", None)
CHECKING = Standing(
    "checking", Promise(), 7, 1, 0.04, 6000, 1404, accepted=4596, allowed=60, at_most=186,
    checks=Checks(asked=12, yes=11, no=1, items=288),
)  # fmt: skip


def test_on_the_way_the_bound_is_said_as_a_share_and_as_a_number() -> None:
    said = say(CHECKING, CATS)
    assert said.now == (
        "If you stopped now: at most 3.1 % of all labels wrong, 95 % sure (186 of 6,000)."
    )
    assert said.short == "at most 3.1 % wrong if you stopped now"
    assert said.share == pytest.approx(0.031)


def test_enough_says_how_many_were_looked_at_and_how_many_of_the_others_may_be_wrong() -> None:
    said = say(replace(CHECKING, phase="enough", at_most=60), CATS)
    assert said.now == (
        "Enough. You looked at 1,404 of 6,000. At most 60 of the other 4,596 labels are wrong "
        "(1 % of all), 95 % sure, by your own judgement."
    )
    assert any("at most 5 of them, on average" in sentence for sentence in said.meaning)


def test_one_wrong_label_and_none_are_said_as_such() -> None:
    one = say(replace(CHECKING, phase="enough", at_most=1), CATS).now
    assert "At most 1 of the other 4,596 labels is wrong (0.02 % of all)" in one
    none = say(replace(CHECKING, phase="enough", at_most=0), CATS).now
    assert "None of the other 4,596 labels is wrong, 95 % sure" in none


def test_labels_of_the_source_were_looked_at_by_nobody() -> None:
    said = say(replace(CHECKING, phase="enough", at_most=60), CATS, given=400)
    assert "You looked at 1,004 of 6,000; 400 labels came with the source." in said.now


def test_others_judgement_is_named() -> None:
    said = say(replace(CHECKING, phase="enough", at_most=60), CATS, judges=("ann", "you"))
    assert said.now.endswith("by the judgement of ann and you.")


def test_recall_is_about_the_positive_label_by_its_name() -> None:
    recall = replace(
        CHECKING, promise=Promise("recall", 0.95), allowed=None, recall_at_least=0.9139
    )
    said = say(recall, CATS)
    assert said.now == "If you stopped now: at least 91.3 % of all cats found, 95 % sure."
    done = say(replace(recall, phase="enough", recall_at_least=0.9512), CATS).now
    assert "At least 95.1 % of all cats have that label now" in done
    assert wanted(recall.promise, CATS) == "at least 95 % of all cats found"


@pytest.mark.parametrize(("missed", "were"), [(0, "none was"), (1, "1 was"), (2, "2 were")])
def test_slips_that_were_measured_are_folded_in(missed: int, were: str) -> None:
    slips = {"planted": 24, "missed": missed, "upper": 0.3, "left_at_most": 86}
    assert slips_included({"overlooked": slips, "accepted": 4596}) == (
        f"Counting what may be overlooked (of 24 errors hidden in audits {were} overlooked), at "
        "most 86 of the 4,596 are wrong."
    )
    assert slips_included({"overlooked": None, "accepted": 4596}) == ""


@pytest.mark.parametrize(
    "standing",
    [
        Standing("learning", Promise(), None, 0, 0.04, 6000, 90),
        replace(CHECKING, reopened=3, at_most=None),
        replace(CHECKING, checks=Checks(asked=1, items=24), at_most=4596, pending=1),
    ],
)
def test_where_nothing_was_proved_nothing_is_said(standing: Standing) -> None:
    said = say(standing, CATS)
    assert said.share is None
    assert said.meaning == ()
    assert "%" not in said.now


def test_a_pool_that_is_settled_leaves_no_label_to_the_model() -> None:
    done = Standing("enough", Promise(), None, 0, 0.04, 500, 500, at_most=0, recall_at_least=1.0)
    assert say(done, CATS).now == "Enough. You looked at 500 of 500. No label is left to the model."


@pytest.mark.parametrize(
    ("share", "up", "text"),
    [
        (0.031, True, "3.1 %"),
        (187 / 6000, True, "3.2 %"),
        (0.005, True, "0.5 %"),
        (0.00501, True, "0.51 %"),
        (0.9999, False, "99.9 %"),
        (0.29, True, "29 %"),
        (0.0, True, "0 %"),
    ],
)
def test_a_limit_is_rounded_away_from_what_it_promises(share: float, up: bool, text: str) -> None:
    assert share_text(share, up=up) == text


@pytest.mark.parametrize(
    ("promise", "text"),
    [
        (Promise(), "at most 1 % of all labels wrong"),
        (Promise("all", 0.005), "at most 0.5 % of all labels wrong"),
        (Promise("count", 1200), "at most 1,200 labels wrong"),
        (Promise("accepted", 0.02), "at most 2 % of the labels that are the model's wrong"),
    ],
)
def test_what_is_wanted_is_said_as_one_would(promise: Promise, text: str) -> None:
    assert wanted(promise, CATS) == text
