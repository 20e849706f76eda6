"""Whether something may happen, decided before it is stored; a sentence says why not.

Imported by the session room alone; tested in tests/session/test_session.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

from askless.core.question import Answer, Question
from askless.core.record import answer_record, question_record
from askless.core.state import State, undecided
from askless.errors import Refused
from askless.session.record import Asked, Record, Request


def item_of(state: State, item: Any) -> int:
    """The item, if the pool has it."""
    whole = hasattr(item, "__index__") and not isinstance(item, bool)
    if not whole or not 0 <= item.__index__() < state.n:
        raise Refused(
            f"Items of this pool are the whole numbers 0 to {state.n - 1}; got {item!r:.80}."
        )
    return int(item.__index__())


def done_before(record: Record, key: Any, request: Request) -> bool:
    """Whether this very request came with this key before; refused if another did."""
    if key is None:
        return False
    if not isinstance(key, str) or not key:
        raise Refused(f"A key is text that the caller makes up for one request; got {key!r:.80}.")
    if key not in record.by_key:
        return False
    if request not in record.request_of_key[key]:
        raise Refused(
            f"A key stands for one request; key {key!r:.80} came with another before. "
            "Make up a new one."
        )
    return True


def asked_of(record: Record, question_id: Any, annotator: str | None) -> Asked:
    """The question of this id, if it was put to this annotator."""
    asked = record.asked.get(question_id) if isinstance(question_id, int) else None
    if asked is None or annotator not in (None, asked.annotator):
        raise Refused(
            "An answer needs a question that was put to the annotator; "
            f"question {question_id!r:.80} was not. Ask for the next one."
        )
    return asked


def foretold(
    record: Record, answer: Any, key: str, annotator: str | None, tab: str, number: int
) -> Asked:
    """The question of an answer whose question was never stored; as stored, if it was since.

    Parameters
    ----------
    record
        What has happened.
    answer, key
        What was said to it, and the key of that.
    annotator, tab
        Who answers, and where.
    number
        The id the question will have.
    """
    if annotator is None or not isinstance(answer, Answer):
        raise Refused("An answer to a question without an id needs the answer and who gave it.")
    given = record.answers.get(record.by_key.get(key, -1))
    if given is not None and (given.answer, given.annotator) == (answer, annotator):
        return record.asked[given.question_id]
    check_items(record.state, answer.question)
    return Asked(number, answer.question, annotator, tab)


def check_answer(record: Record, asked: Asked, answer: Any) -> None:
    """Refuse an answer to something else, and a second one."""
    if not isinstance(answer, Answer) or answer.question != asked.question:
        raise Refused(
            f"An answer must be to the question that was asked; question {asked.id} "
            f"is about items {list(asked.question.items)}."
        )
    # One that was corrected counts: it comes back when the correction is undone.
    number = record.in_place_of(record.answer_to.get(asked.id))
    if number is not None:
        raise Refused(
            f"A question has one answer; question {asked.id} has answer {number}. "
            "Retract it first to change it."
        )


def answered(asked: Asked, answer: Answer, seconds: Any) -> dict[str, Any]:
    """What there is to store about an answer."""
    body: dict[str, Any] = {
        "question_id": asked.id,
        **question_record(asked.question),
        **answer_record(answer),
    }
    if seconds is not None:
        if not isinstance(seconds, (int, float)) or not 0 <= seconds < float("inf"):
            raise Refused(f"An answer takes a number of seconds, 0 or more; got {seconds!r:.80}.")
        body["seconds"] = round(float(seconds), 3)
    return body


def check_items(state: State, question: Any) -> None:
    """Refuse a question about something else, or an audit of what is not settled."""
    if not isinstance(question, Question) or max(question.items) >= state.n:
        raise Refused(f"A question is about items 0 to {state.n - 1}; got {question!r:.120}.")
    if question.purpose == "audit" and not may_be_asked(state, question, frozenset()):
        raise Refused("An audit shows settled items again; not all of these are settled.")


def may_be_asked(state: State, question: Question, taken: AbstractSet[int]) -> bool:
    """Whether asking this now says something and gets in nobody's way.

    Parameters
    ----------
    state
        What is known when it is asked.
    question
        About items of this pool.
    taken
        Items in live questions of other windows.
    """
    if not taken.isdisjoint(question.items):
        return False
    if question.purpose == "audit":
        return all(state.label(item) is not None for item in question.items)
    return undecided(state, question)
