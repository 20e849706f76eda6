"""A key is one request, whichever verb it came with."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from askless.core.event import Event
from askless.core.question import Question
from askless.errors import Refused
from askless.session.session import Session
from tests.session.making import kinds, make_session
from tests.stores.memory_store import MemoryStore

KEY = "the key"
_FIRST = Question((0,), (True,))
_SECOND = Question((1,), (True,))
_FRESH = Question((7,), (True,))
_LIVE = Question((8,), (True,))

# Each of these is another request. Two of one verb differ in one thing.
REQUESTS: dict[str, Callable[[Session, str], object]] = {
    "tell yes": lambda s, key: s.tell(None, _FRESH.yes(), key, "ann"),
    "tell no": lambda s, key: s.tell(None, _FRESH.no(), key, "ann"),
    "tell by bob": lambda s, key: s.tell(None, _FRESH.yes(), key, "bob"),
    "tell by id": lambda s, key: s.tell(_id(s, _LIVE), _LIVE.yes(), key),
    "unsure": lambda s, key: s.unsure(5, "blurred", "ann", key),
    "unsure of another": lambda s, key: s.unsure(6, "blurred", "ann", key),
    "unsure with another note": lambda s, key: s.unsure(5, "dark", "ann", key),
    "unsure by bob": lambda s, key: s.unsure(5, "blurred", "bob", key),
    "take back": lambda s, key: s.take_back(3, "ann", key),
    "take back another": lambda s, key: s.take_back(4, "ann", key),
    "take back by bob": lambda s, key: s.take_back(3, "bob", key),
    "undo": lambda s, key: s.undo("ann", key=key),
    "undo in another window": lambda s, key: s.undo("ann", "other", key),
    "undo by bob": lambda s, key: s.undo("bob", key=key),
    "undo of nothing": lambda s, key: s.undo("carl", key=key),
    "retract": lambda s, key: s.retract(_number(s, _FIRST), "ann", key),
    "retract another": lambda s, key: s.retract(_number(s, _SECOND), "ann", key),
    "correct": lambda s, key: s.correct(0, False, "ann", key),
    "correct another": lambda s, key: s.correct(1, False, "ann", key),
    "correct what is right": lambda s, key: s.correct(2, True, "ann", key),
    "correct to the other label": lambda s, key: s.correct(2, False, "ann", key),
    "correct two": lambda s, key: s.correct([0, 1], False, "ann", key),
    "correct two that are right": lambda s, key: s.correct([1, 2], True, "ann", key),
    "mark two unsure": lambda s, key: s.revise.mark_unsure([5, 6], "dark", "ann", key),
    "mark two others unsure": lambda s, key: s.revise.mark_unsure([5, 0], "dark", "ann", key),
    "ask two again": lambda s, key: s.revise.ask_again([0, 3], "ann", key),
    "ask two again for bob": lambda s, key: s.revise.ask_again([0, 3], "bob", key),
    "define": lambda s, key: s.define("A cat.", "ann", key),
    "define something else": lambda s, key: s.define("A dog.", "ann", key),
    "exported": lambda s, key: s.exported({"format": "csv"}, "ann", key),
    "exported otherwise": lambda s, key: s.exported({"format": "jsonl"}, "ann", key),
}


def _number(session: Session, question: Question) -> int:
    return next(
        n for n, given in session.history.answers.items() if given.answer.question == question
    )


def _id(session: Session, question: Question) -> int:
    return next(i for i, asked in session.history.asked.items() if asked.question == question)


def _begun(store: MemoryStore | None = None) -> tuple[Session, MemoryStore]:
    """Items 0 to 2 have a label, 3 and 4 are unsure, the others are open."""
    session, store, _ = make_session(9, store=store)
    if len(list(store.read())) > 1:
        return session, store
    for item, question in enumerate((_FIRST, _SECOND, Question((2,), (True,)))):
        session.tell(None, question.yes(), f"begun {item}", "ann")
    for item, who in ((3, "bob"), (4, "ann")):
        session.unsure(item, "", who)
    session.queue.put(_LIVE, "ann", "another window")
    return session, store


def _done(store: MemoryStore) -> list[str]:
    return [kind for kind in kinds(store) if kind != "asked"]


@pytest.mark.parametrize("first", REQUESTS)
def test_a_key_with_another_request_is_refused_and_changes_nothing(first: str) -> None:
    for second in REQUESTS:
        if second == first:
            continue
        session, store = _begun()
        REQUESTS[first](session, KEY)
        for again in (session, _begun(store)[0]):  # as it stands, and taken up from the store
            before, events = again.state, _done(store)
            with pytest.raises(Refused, match="one request"):
                REQUESTS[second](again, KEY)
            assert again.state is before, second
            assert _done(store) == events, second


@pytest.mark.parametrize("name", REQUESTS)
def test_the_same_request_with_the_same_key_is_done_once(name: str) -> None:
    session, store = _begun()
    REQUESTS[name](session, KEY)
    for again in (session, _begun(store)[0]):
        before, events = again.state, _done(store)
        REQUESTS[name](again, KEY)
        assert again.state is before
        assert _done(store) == events


def test_a_key_that_took_one_item_back_does_not_pass_for_another_item() -> None:
    session, _ = _begun()
    session.take_back(3, "ann", KEY)
    with pytest.raises(Refused, match="one request"):
        session.take_back(4, "ann", KEY)
    assert session.state.is_unsure(4)


@pytest.mark.parametrize("repeated", ["take back", "undo"])
def test_an_old_event_that_tells_undo_from_taking_back_by_nothing_accepts_either(
    repeated: str,
) -> None:
    store = MemoryStore()
    store.append(_old_events())
    session, _ = _begun(store)
    before, events = session.state, _done(store)
    REQUESTS[repeated](session, KEY)
    assert session.state is before
    assert _done(store) == events
    for other in ("take back another", "undo by bob", "unsure", "define"):
        with pytest.raises(Refused, match="one request"):
            REQUESTS[other](session, KEY)


def _old_events() -> list[Event]:
    return [
        Event("opened", "", {"n": 9}),
        Event("unsure", "ann", {"item": 3, "note": ""}),
        Event("taken_back", "ann", {"item": 3}, key=KEY),
    ]


@pytest.mark.parametrize("key", ["", 7, b"bytes", ["a"]])
@pytest.mark.parametrize("name", REQUESTS)
def test_a_key_that_is_no_text_is_refused(name: str, key: object) -> None:
    session, store = _begun()
    before, events = session.state, _done(store)
    with pytest.raises(Refused, match="key"):
        REQUESTS[name](session, key)  # type: ignore[arg-type]
    assert session.state is before
    assert _done(store) == events
