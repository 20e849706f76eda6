"""Tickets say what was shown to whom, and cannot be made by anybody else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.question import Question
from askless.errors import Refused
from askless.web.tickets import Tickets

OURS = Tickets(b"a secret of thirty-two bytes ...")


@st.composite
def questions(draw: st.DrawFn) -> Question:
    items = draw(st.lists(st.integers(0, 10**6), min_size=1, max_size=30, unique=True))
    guess = draw(st.lists(st.booleans(), min_size=len(items), max_size=len(items)))
    return Question(tuple(items), tuple(guess), draw(st.sampled_from(["label", "audit"])))


@given(questions(), st.text(min_size=1, max_size=20))
def test_a_ticket_gives_back_its_question(question: Question, annotator: str) -> None:
    assert OURS.read(OURS.sign(question, annotator), annotator) == question


@given(questions())
def test_a_ticket_is_no_good_to_anybody_else(question: Question) -> None:
    with pytest.raises(Refused):
        OURS.read(OURS.sign(question, "ann"), "bob")
    with pytest.raises(Refused):
        Tickets(b"another secret, just as long ...").read(OURS.sign(question, "ann"), "ann")


@given(questions(), st.data())
def test_a_changed_ticket_is_refused(question: Question, data: st.DataObject) -> None:
    ticket = OURS.sign(question, "ann")
    at = data.draw(st.integers(0, len(ticket) - 1))
    other = data.draw(st.sampled_from("ABCxyz019-_.=é").filter(lambda c: c != ticket[at]))
    changed = ticket[:at] + other + ticket[at + 1 :]
    try:
        assert OURS.read(changed, "ann") == question  # the last letter has bits to spare
    except Refused:
        return
    assert at == len(ticket) - 1


@given(st.text(max_size=100))
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        OURS.read(text, "ann")
