"""Whether something may happen, decided before it is stored; a sentence says why not.

Imported by the session room alone; tested in tests/session/test_session.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from askless.core.content import C, read_content
from askless.core.events import Asked
from askless.core.question import Answer, Question
from askless.core.state import State, undecided
from askless.doors import shown, whole
from askless.errors import InvalidInput, Refused
from askless.history.history import History


def check_item(state: State, item: Any) -> int:
    """The item, if the pool has it."""
    try:
        return whole("An item", item, 0, state.n - 1)
    except InvalidInput:
        raise Refused(
            f"Items of this pool are the whole numbers 0 to {state.n - 1}; got {shown(item)}."
        ) from None


def check_asked(history: History, question_id: Any, annotator: str | None) -> Asked:
    """The question of this id, if it was put to this annotator."""
    asked = history.asked.get(question_id) if isinstance(question_id, int) else None
    named = annotator is None or isinstance(annotator, str)
    if asked is None or not named or annotator not in (None, asked.annotator):
        raise Refused(
            "An answer needs a question that was put to the annotator; "
            f"question {question_id!r:.80} was not. Ask for the next one."
        )
    return asked


def check_unstored(
    history: History, answer: Any, key: str, annotator: str | None, tab: str, number: int
) -> Asked:
    """The question of an answer whose question was not stored when it was shown.

    Parameters
    ----------
    history
        What has happened; if the answer was told before, its question is stored by now.
    answer, key
        What was said to it, and the key of that.
    annotator, tab
        Who answers, and where.
    number
        The id the question will have.
    """
    if annotator is None or not isinstance(answer, Answer):
        raise Refused("An answer to a question without an id needs the answer and who gave it.")
    given = history.answer(history.keys.event_of(key))
    if given is not None and (given.answer, given.annotator) == (answer, annotator):
        return history.asked[given.question_id]
    question = answer.question
    check_question(history.state, question)
    claim, place = history.claims.current, None
    if question.purpose == "check":
        place = None if claim is None else claim.place_of(question, history.state)
        if claim is None or place is None:
            raise Refused("A check is drawn by the session; these items are not. Ask for another.")
        return Asked(
            question, tab=tab, claim=claim.number, check=place, number=number, annotator=annotator
        )
    return Asked(question, tab=tab, number=number, annotator=annotator)


def check_answer(history: History, asked: Asked, answer: Any) -> None:
    """Refuse an answer to something else, and a second one."""
    if not isinstance(answer, Answer) or answer.question != asked.question:
        raise Refused(
            f"An answer must be to the question that was asked; question {asked.id} "
            f"is about items {list(asked.question.items)}."
        )
    # One that was corrected counts: it comes back when the correction is undone.
    number = history.answer_to(asked.id)
    if number is not None:
        raise Refused(
            f"A question has one answer; question {asked.id} has answer {number}. "
            "Retract it first to change it."
        )


def check_seconds(seconds: Any) -> float | None:
    """How long somebody looked, in milliseconds' precision; None where nobody measured it."""
    if seconds is None:
        return None
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not number or not 0 <= seconds < 1e9:
        raise Refused(f"An answer takes a number of seconds, 0 or more; got {seconds!r:.80}.")
    return round(float(seconds), 3)


def check_content(content: type[C], said: Mapping[str, Any]) -> C:
    """What a caller says, read as a stored event is read."""
    try:
        return read_content(content, said, {})
    except InvalidInput as error:
        raise Refused(str(error)) from None


def check_question(state: State, question: Any) -> None:
    """Refuse a question about something else, or an audit of what is not settled."""
    if not isinstance(question, Question) or max(question.items) >= state.n:
        raise Refused(f"A question is about items 0 to {state.n - 1}; got {question!r:.120}.")
    if question.purpose == "audit" and not may_be_asked(state, question, frozenset()):
        raise Refused("An audit shows settled items again; not all of these are settled.")


def may_be_asked(state: State, question: Question, leased: AbstractSet[int]) -> bool:
    """Whether asking this now says something and gets in nobody's way.

    Parameters
    ----------
    state
        What is known when it is asked.
    question
        About items of this pool.
    leased
        Items that other windows are looking at.
    """
    if not leased.isdisjoint(question.items):
        return False
    if question.purpose == "audit":
        return all(state.label(item) is not None for item in question.items)
    return undecided(state, question)
