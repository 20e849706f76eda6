"""What events say: written, read back, and refused in a sentence whatever a file holds."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.claimed import freeze_guesses
from askless.core.content import Content
from askless.core.event import FORMAT, NEWEST_FORMAT, Event, Kind
from askless.core.events import (
    Answered,
    Asked,
    Audited,
    CheckpointTaken,
    Defined,
    Exported,
    Opened,
    Planned,
    Restored,
    Retracted,
    Revised,
    TakenBack,
    Unsure,
    content_of,
)
from askless.core.promise import Promise
from askless.core.question import Question
from askless.core.reasking import Reasking
from askless.core.updated import Updated
from askless.errors import InvalidInput

QUESTION = Question((3, 8), (True, False))
AUDIT = Question((3, 8), (True, False), "audit")
CHECK = Question((3, 8), (True, False), "check")
AGAIN = Question((3,), (True,), "audit")
QUESTIONS = {7: Asked(QUESTION), 9: Asked(AUDIT), 11: Asked(CHECK, claim=10, check=0)}
GUESSES = np.arange(12) > 5
CONTENTS: list[Content] = [
    Opened({"n": 12, "planner": "auto"}),
    Asked(QUESTION),
    Asked(QUESTION, 2, 5, 0.25, in_test_sample=True, tab="t"),
    Asked(AUDIT, planted=(8,)),
    Asked(CHECK, claim=10, check=0, draw=(8, 1, 3)),
    Asked(AGAIN, claim=10, check=2),
    Answered(7, QUESTION.yes()),
    Answered(11, CHECK.yes(), 1.5),
    Answered(7, QUESTION.pointed((8,), rest_right=True), 2.5),
    Answered(7, QUESTION.no(), corrects=3, label=False, replaces=(4, 5)),
    Answered(7, QUESTION.no(), corrects=3, label=False, also=(8, 2), replaces=(4,)),
    Answered(7, QUESTION.yes(), revision=6, replaces=(4,)),
    Audited(9, AUDIT.no(), 1.0),
    Unsure(3, "blurred", "t"),
    Unsure(3),
    TakenBack(3),
    TakenBack(3, undo=True),
    TakenBack(3, undo=False),
    Retracted(5),
    Retracted(5, undo=True, reinstates=(4,)),
    Retracted(None, undo=True),
    Retracted(None, corrects=3, label=True, stands=5),
    Retracted(None, corrects=3, label=True, also=(8,), stands=5),
    CheckpointTaken(2, "abc"),
    Defined("A cat."),
    Exported({"format": "csv"}),
    Planned({"planner": "auto", "max_n": None}),
    Revised((3, 8), unsure=True, note="blurred", tab="t"),
    Revised((3, 8), unsure=False, answers=(4, 5)),
    Restored(6),
    Updated(("a", "b"), ("12", "34"), (0.5, 0.25), (3,), (8,), {"1": "c"}, {"2": ["d"]}),
    Updated(gone=(1,)),
    freeze_guesses(Promise(), GUESSES, GUESSES, "5" * 16, 0.04, (2.5,)),
    freeze_guesses(
        Promise("recall", 0.9, 0.8), GUESSES, GUESSES, "5" * 16, 0.04, (1, 0),
        form="pointed", strata=True, trust=0.5,
    ),
    Reasking("5" * 16, 0.04, 2.5),
]  # fmt: skip
LATER_FORMATS = {
    "planned": 2,
    "revised": 3,
    "restored": 3,
    "updated": 4,
    "claimed": 5,
    "reasking": 6,
}
KEYLESS = {"opened", "asked", "checkpoint", "planned", "updated", "claimed", "reasking"}
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([10**400, -1, 2**63, 10**18]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@pytest.mark.parametrize("content", CONTENTS, ids=repr)
def test_what_was_written_comes_back_from_json(content: Content) -> None:
    payload = json.loads(json.dumps(content.to_json()))
    assert content_of(Event(content.kind, "", payload), QUESTIONS) == content


def test_every_kind_has_its_content_and_the_lowest_format_that_can_say_it() -> None:
    assert {content.kind for content in CONTENTS} == set(get_args(Kind))
    for content in CONTENTS:
        event = Event(content.kind, "", content.to_json())
        check = event.payload.get("purpose") == "check"
        again = not check and "claim" in event.payload
        lowest = LATER_FORMATS.get(content.kind, 5 if check else 6 if again else FORMAT)
        assert event.format == lowest <= NEWEST_FORMAT


@pytest.mark.parametrize("content", CONTENTS, ids=repr)
def test_what_somebody_else_asks_for_is_another_request(content: Content) -> None:
    assert bool(content.requests("ann")) == (content.kind not in KEYLESS)
    assert set(map(repr, content.requests("ann"))).isdisjoint(map(repr, content.requests("bob")))


@given(st.sampled_from(CONTENTS), st.data())
def test_a_payload_with_anything_in_a_field_is_read_or_refused_in_a_sentence(
    content: Content, data: st.DataObject
) -> None:
    payload: dict[str, Any] = dict(content.to_json())
    fields = [*payload, "undo", "seconds", "label", "corrects", "replaces", "planted", "tab"]
    fields += ["claim", "check", "draw", "form", "trust"]
    name = data.draw(st.sampled_from(fields))
    if data.draw(st.booleans()):
        payload.pop(name, None)
    else:
        payload[name] = data.draw(ANYTHING)
    with suppress(InvalidInput):  # and nothing else
        content_of(Event(content.kind, "ann", payload), QUESTIONS)


@given(st.sampled_from(get_args(Kind)), ANYTHING)
def test_any_payload_is_read_or_refused_in_a_sentence(kind: Kind, payload: Any) -> None:
    with suppress(InvalidInput):  # and nothing else
        content_of(Event(kind, "ann", payload), QUESTIONS)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("answered", {"question_id": 99, "answer": "yes"}),
        ("answered", {"question_id": "7", "answer": "yes"}),
        ("answered", {"question_id": True, "answer": "yes"}),
        ("answered", {"question_id": 7, "answer": "yes", "seconds": float("nan")}),
        ("answered", {"question_id": 7, "answer": "yes", "seconds": 10**400}),
        ("asked", {"items": [10**30], "guess": [True], "chance": 2}),
        ("asked", {"items": [1, 1], "guess": [True, True]}),
        ("unsure", {}),
        ("unsure", {"item": -1}),
        ("unsure", {"item": 1, "note": None}),
        ("retracted", {}),
        ("retracted", {"answer": None}),
        ("opened", {"n": 10**18}),
        ("defined", {"text": 5}),
        ("checkpoint", {"number": 1.5}),
        ("planned", {"method": []}),
    ],
)
def test_what_no_session_writes_is_refused(kind: Kind, payload: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        content_of(Event(kind, "ann", payload), QUESTIONS)
