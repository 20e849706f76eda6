"""The fold of events: what no session can have stored is refused as damage."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.core.content import Content
from askless.core.event import Event, Kind
from askless.core.events import Answered, Asked, Audited, Retracted, TakenBack, Unsure
from askless.core.question import Question
from askless.errors import Damaged
from askless.history.history import History
from tests.session.making import ask, make_session

FIRST = Question((0,), (True,))
AUDIT = Question((0,), (True,), "audit")


def _history(*contents: Content) -> History:
    history = History(4)
    for number, content in enumerate(contents):
        history.apply(Event(content.kind, "ann", content.to_json(), number=number))
    return history


def test_what_the_events_say_can_be_read() -> None:
    history = _history(
        Asked(FIRST, tab="t"), Answered(0, FIRST.yes(), 2.0), Unsure(2, "dark"), Retracted(1)
    )
    assert (history.asked[0].tab, history.answers[1].question_id) == ("t", 0)
    assert (history.stands(1), history.answer_to(0)) == (False, None)
    assert history.latest_of("ann") == ("unsure", 2)
    assert history.answer(0) is None


@pytest.mark.parametrize(
    "contents",
    [
        [Unsure(4)],
        [TakenBack(1)],
        [Asked(Question((4,), (True,)))],
        [Asked(AUDIT, planted=(1,))],
        [Answered(0, FIRST.yes())],
        [Asked(FIRST), Audited(0, FIRST.yes())],
        [Asked(AUDIT), Answered(0, AUDIT.yes())],
        [Asked(FIRST), Answered(0, FIRST.yes(), corrects=9, label=True)],
        [Asked(FIRST), Answered(0, FIRST.yes(), corrects=0, label=True, replaces=(7,))],
        [Retracted(0)],
        [Asked(FIRST), Answered(0, FIRST.yes()), Retracted(1), Retracted(1)],
        [Asked(FIRST), Answered(0, FIRST.yes()), Retracted(1, undo=True, reinstates=(1,))],
        [Asked(AUDIT), Audited(0, AUDIT.yes()), Retracted(1), Retracted(1)],
    ],
    ids=repr,
)
def test_an_event_that_refers_to_what_there_is_not_is_damage(contents: list[Content]) -> None:
    with pytest.raises(Damaged, match=f"Event {len(contents) - 1} is damaged") as caught:
        _history(*contents)
    assert caught.value.sound == len(contents) - 1


def _stored() -> list[Event]:
    session, store, _ = make_session(6)
    for key in range(4):
        asked = ask(session)
        answer = asked.question.yes() if key % 2 else asked.question.no()
        session.tell(asked.id, answer, str(key), seconds=1.5)
    session.unsure(5, "dark", "ann", "u")
    session.undo("ann", key="undo")
    session.correct(0, not session.state.label(0), "ann", "c")
    session.undo("ann", key="again")
    session.define("A cat.", "ann")
    return list(store.read())


EVENTS = _stored()
ANYTHING: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers(-2, 40) | st.text()


@settings(max_examples=300)
@given(st.data())
def test_a_session_with_any_field_changed_is_read_or_refused_as_damage(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(EVENTS) - 1))
    event = EVENTS[at]
    payload = dict(event.payload)
    name = data.draw(st.sampled_from([*payload, "undo", "answer", "item"]))
    payload[name] = data.draw(ANYTHING | st.lists(ANYTHING, max_size=3))
    kind: Kind = data.draw(st.sampled_from([event.kind, "retracted", "taken_back", "answered"]))
    changed = Event(kind, event.annotator, payload, event.at_s, event.key, event.number)
    history = History(6)
    with suppress(Damaged):  # and nothing else
        for each in [*EVENTS[:at], changed, *EVENTS[at + 1 :]]:
            history.apply(each)
    assert history.last >= at - 1
