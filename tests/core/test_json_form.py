from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.json_form import answer_from, answer_record, question_from, question_record
from askless.core.question import Answer, Question
from askless.errors import InvalidInput


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    items = draw(st.lists(st.integers(0, 10**9), min_size=1, max_size=8, unique=True))
    guess = draw(st.lists(st.booleans(), min_size=len(items), max_size=len(items)))
    purpose = draw(st.sampled_from(["label", "audit"]))
    question = Question(tuple(items), tuple(guess), purpose)  # type: ignore[arg-type]
    wrong = draw(st.lists(st.sampled_from(items), unique=True))
    pointed = question.pointed(wrong, rest_right=not wrong or draw(st.booleans()))
    return draw(st.sampled_from([question.yes(), question.no(), pointed]))


@given(answers())
def test_answer_and_question_come_back_from_one_json_mapping(answer: Answer) -> None:
    record = {**question_record(answer.question), **answer_record(answer)}
    assert answer_from(json.loads(json.dumps(record))) == answer


@given(answers())
def test_answer_comes_back_when_its_question_is_known(answer: Answer) -> None:
    record = json.loads(json.dumps(answer_record(answer)))
    assert answer_from(record, answer.question) == answer
    assert question_from(question_record(answer.question)) == answer.question


def test_what_has_its_default_is_not_written() -> None:
    question = Question((3, 8), (True, False))
    assert question_record(question) == {"items": [3, 8], "guess": [True, False]}
    assert answer_record(question.no()) == {"answer": "no"}


@pytest.mark.parametrize(
    "record",
    [{}, {"items": [1]}, {"items": 1, "guess": [True]}, {"items": [1], "guess": None}, [], None],
)
def test_record_that_lacks_part_of_a_question_is_refused(record: Any) -> None:
    with pytest.raises(InvalidInput, match="record of a question needs 'items'"):
        question_from(record)


@pytest.mark.parametrize("record", [{}, {"answer": "pointed", "wrong": 5}, [], None])
def test_record_that_lacks_part_of_an_answer_is_refused(record: Any) -> None:
    with pytest.raises(InvalidInput, match="record of an answer needs 'answer'"):
        answer_from(record, Question((1,), (True,)))


def test_record_of_nonsense_is_refused_as_the_nonsense_it_is() -> None:
    with pytest.raises(InvalidInput, match="'yes', 'no' or 'pointed'"):
        answer_from({"answer": "maybe"}, Question((1,), (True,)))
