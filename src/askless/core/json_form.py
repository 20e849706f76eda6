"""Questions and answers in plain JSON values, the same wherever they are written down.

    {"items": [3, 8], "guess": [true, false]}                    a question
    {"answer": "pointed", "wrong": [8]}                          what was said to it
    {"items": [3, 8], "guess": [4, 4]}                           with more classes than two
    {"answer": "pointed", "wrong": [8], "typed": [[8, 9]]}       a class was typed for item 8

What is left out has its default: the purpose is ``label``, no item is wrong, no class is typed, and
nothing is said about the rest. A set of classes is a list. Fields of the two never share a name, so
both fit in one mapping. Tested in tests/core/test_json_form.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from askless.core.guess import require_classes
from askless.core.question import Answer, Question
from askless.errors import InvalidInput


def question_record(question: Question) -> dict[str, Any]:
    """A question in plain JSON values."""
    guess = [sorted(g) if isinstance(g, frozenset) else g for g in question.guess]
    record: dict[str, Any] = {"items": list(question.items), "guess": guess}
    if question.purpose != "label":
        record["purpose"] = question.purpose
    return record


def question_from(record: Mapping[str, Any], classes: int = 2) -> Question:
    """The question that `question_record` wrote down; other fields are left alone.

    Parameters
    ----------
    record
        The question.
    classes
        How many classes its pool has; a guess of another class is refused.
    """
    try:
        guess = [frozenset(g) if isinstance(g, list) else g for g in record["guess"]]
        question = Question(tuple(record["items"]), tuple(guess), record.get("purpose", "label"))
        require_classes(question.guess, classes)
        return question
    except (KeyError, TypeError, AttributeError):
        raise InvalidInput(
            "The record of a question needs 'items', a list of item numbers, and 'guess', a "
            f"list of labels; got {record!r:.120}."
        ) from None


def answer_record(answer: Answer) -> dict[str, Any]:
    """An answer in plain JSON values, without its question."""
    record: dict[str, Any] = {"answer": answer.kind}
    if answer.wrong:
        record["wrong"] = list(answer.wrong)
    if answer.rest_right:
        record["rest_right"] = True
    if answer.typed:
        record["typed"] = [list(pair) for pair in answer.typed]
    return record


def answer_from(record: Mapping[str, Any], question: Question | None = None) -> Answer:
    """The answer that `answer_record` wrote down.

    Parameters
    ----------
    record
        The answer; other fields are left alone.
    question
        What was answered; None if `record` has the fields of the question too.
    """
    if question is None:
        question = question_from(record)
    try:
        wrong, rest_right = tuple(record.get("wrong", ())), record.get("rest_right", False)
        typed = tuple([tuple(pair) for pair in record.get("typed", ())])
        return Answer(question, record["answer"], wrong, rest_right, typed)
    except (KeyError, TypeError, AttributeError):
        raise InvalidInput(
            "The record of an answer needs 'answer' (yes, no or pointed) and, if it points, "
            f"'wrong', a list of item numbers; got {record!r:.120}."
        ) from None
