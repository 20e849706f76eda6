"""A source that changes: what the events say, and what the history makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from askless.core.content import Content
from askless.core.event import Event
from askless.core.events import Answered, Asked, Opened, Retracted, TakenBack, Unsure
from askless.core.question import Question
from askless.core.updated import Updated
from askless.errors import Damaged
from askless.history.history import History
from askless.session.options import SessionOptions

OPENED = Opened({"n": 4})


def history(*contents: Content) -> History:
    return History.of(4, events(contents))


def events(contents: Iterable[Content]) -> list[Event]:
    said = [OPENED, *contents]
    return [Event(one.kind, "ann", one.to_json(), 0.0, None, at) for at, one in enumerate(said)]


def labels(found: History) -> list[int]:
    return [int(label) for label in found.state.labels()]


def two() -> Updated:
    return Updated(("e", "f"), ("5", "6"))


def yes(number: int, items: tuple[int, ...]) -> tuple[Asked, Answered]:
    question = Question(items, (True,) * len(items))
    return Asked(question), Answered(number, question.yes())


def test_items_that_were_added_get_the_next_numbers_and_are_open() -> None:
    found = history(*yes(1, (0,)), two(), *yes(4, (5,)), Updated(("g",), ("7",), (0.25,)))
    assert labels(found) == [1, -1, -1, -1, -1, 1, -1]
    assert found.source.sizes == [4, 6, 7]
    assert (found.source.ids, found.source.checksums) == (["e", "f", "g"], ["5", "6", "7"])
    assert found.source.probs == [0.5, 0.5, 0.25]


def test_an_item_that_is_gone_is_not_asked_and_comes_back_as_it_was() -> None:
    gone = Updated(gone=(0, 1))
    found = history(*yes(1, (0,)), gone)
    assert labels(found) == [1, -2, -1, -1]  # a label stays in the record
    assert (found.source.gone, found.source.closed) == ({0, 1}, {1})
    found = history(*yes(1, (0,)), gone, Updated(back=(0, 1)))
    assert labels(found) == [1, -1, -1, -1]
    assert (found.source.gone, found.source.closed) == (set(), set())


def test_a_label_that_is_taken_back_while_its_item_is_gone_does_not_open_it() -> None:
    found = history(*yes(1, (0, 1)), Updated(gone=(0,)), Retracted(2))
    assert labels(found) == [-2, -1, -1, -1]
    found = history(*yes(1, (0, 1)), Updated(gone=(0,)), Retracted(2), Updated(back=(0,)))
    assert labels(found) == [-1] * 4


def test_what_was_deduced_through_an_item_stays_when_it_goes() -> None:
    question = Question((0, 1), (True, True))
    no = (Asked(question), Answered(1, question.no()))
    found = history(*no, *yes(3, (0,)), Updated(gone=(0,)))
    assert labels(found) == [1, 0, -1, -1]


def test_an_unsure_item_stays_so_whether_it_goes_or_comes() -> None:
    found = history(Unsure(2), Updated(gone=(2,)), Updated(back=(2,)))
    assert labels(found) == [-1, -1, -2, -1]
    found = history(Unsure(2), Updated(gone=(2,)), TakenBack(2))
    assert labels(found) == [-1, -1, -2, -1]
    assert found.source.closed == {2}
    found = history(Unsure(2), Updated(gone=(2,)), TakenBack(2), Updated(back=(2,)))
    assert labels(found) == [-1] * 4


def test_a_contradiction_that_shows_when_an_item_comes_back_is_a_dispute() -> None:
    first, second = Question((0,), (True,)), Question((0,), (False,))
    found = history(
        Updated(gone=(0,)), Asked(first), Answered(2, first.yes()), Asked(second),
        Answered(4, second.yes()), Updated(back=(0,)),
    )  # fmt: skip
    assert len(found.disputes) == 1
    assert labels(found) == [-1] * 4


def test_names_and_duplicates_are_those_of_the_last_event_that_speaks_of_them() -> None:
    found = history(
        Updated(renamed={"1": "x"}, copies={"0": ["y"]}),
        Updated(renamed={"1": "z"}, copies={"0": [], "2": ["v", "w"]}),
    )
    assert found.source.names == {1: "z"}
    assert found.source.copies == {0: (), 2: ("v", "w")}


@pytest.mark.parametrize(
    "payload",
    [
        {"gone": [4]},
        {"gone": [10**15]},
        {"gone": [1, 1]},
        {"gone": [1], "back": [1]},
        {"back": [1]},
        {"gone": [-1]},
        {"gone": "12"},
        {"ids": ["a"]},
        {"ids": ["a"], "checksums": ["1", "2"]},
        {"ids": ["a"], "checksums": ["1"], "probs": [2.0]},
        {"ids": ["a"], "checksums": ["1"], "probs": [0.5, 0.5]},
        {"ids": [1], "checksums": ["1"]},
        {"ids": {"a": 1}, "checksums": ["1"]},
        {"renamed": {"4": "x"}},
        {"renamed": {"-1": "x"}},
        {"renamed": {"\u0663": "x"}},
        {"renamed": {"9" * 5000: "x"}},
        {"renamed": {"1": 2}},
        {"renamed": ["x"]},
        {"copies": {"1": "x"}},
        {"copies": {"1": [None]}},
        {"copies": {"4": ["x"]}},
    ],
    ids=str,
)
def test_a_change_that_no_session_can_have_stored_is_damage(payload: dict[str, Any]) -> None:
    found = history()
    with pytest.raises(Damaged, match="Event 1 is damaged"):
        found.apply(Event("updated", "", payload, 0.0, None, 1))
    assert (found.source.sizes, found.source.gone, found.source.ids) == ([4], set(), [])
    assert found.state.n == 4


def test_the_test_sample_covers_what_was_added_with_the_same_share() -> None:
    options = SessionOptions(test_sample=100, seed=3)
    first = options.test_items([1000])
    grown = options.test_items([1000, 3000])
    assert grown[:100] == first
    assert len(grown) == len(set(grown)) in (300, 301)
    assert all(1000 <= item < 3000 for item in grown[100:])
    one_by_one = options.test_items(range(1000, 3001))
    assert 150 < len(one_by_one) - 100 < 250  # each has a chance of a tenth
    assert options.test_items([0, 5]) == []
