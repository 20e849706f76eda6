from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from askless.core.event import FORMAT, NEWEST_FORMAT, Event
from askless.errors import InvalidInput


def test_event_starts_without_a_number_and_in_the_first_format() -> None:
    event = Event("asked", "ann", {"items": [1]}, 5.0)
    assert (event.number, event.format, event.key) == (-1, FORMAT, None)


def test_a_kind_that_came_later_has_a_later_format() -> None:
    later = [Event(kind).format for kind in ("planned", "updated", "claimed", "reasking")]
    assert later == sorted(set(later))
    assert later[0] > FORMAT
    assert later[-1] == NEWEST_FORMAT


def test_event_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Event("opened").number = 3  # type: ignore[misc]


def test_kind_that_is_not_listed_is_refused() -> None:
    kind: Any = "deleted"
    with pytest.raises(InvalidInput, match="kind is one of opened, asked"):
        Event(kind)


@pytest.mark.parametrize("at_s", [float("nan"), float("inf"), -float("inf")])
def test_time_that_is_no_time_is_refused(at_s: float) -> None:
    with pytest.raises(InvalidInput, match="finite time"):
        Event("opened", at_s=at_s)


def test_whole_seconds_become_a_float() -> None:
    assert type(Event("opened", at_s=7).at_s) is float


@pytest.mark.parametrize("name", ["\0", "a\0b", "\ud800", "x" * 201, 7, None])
def test_annotator_that_no_database_could_keep_is_refused(name: Any) -> None:
    with pytest.raises(InvalidInput, match="annotator is text of 1 to 200 characters"):
        Event("opened", name)


@pytest.mark.parametrize("key", ["", "\0", "\ud800", "x" * 201, 7])
def test_key_that_no_database_could_keep_is_refused(key: Any) -> None:
    with pytest.raises(InvalidInput, match="idempotency key is text of 1 to 200 characters"):
        Event("opened", key=key)


def test_nobody_in_particular_may_have_done_it() -> None:
    assert Event("checkpoint").annotator == ""
