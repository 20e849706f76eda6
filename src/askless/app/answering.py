"""How an answer that a page sends is read.

Imported by `askless.app.service` alone; tested in tests/web/test_labelling.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from askless.core.question import Answer, Question
from askless.errors import InvalidInput


def read_answer(question: Question, kind: str, wrong: Sequence[int]) -> Answer:
    """The answer to a question; a pointed one says that the rest are right."""
    if kind == "pointed":
        if not wrong:
            raise InvalidInput("A pointed answer names the wrong items; got none. Say yes instead.")
        return question.pointed(wrong, rest_right=True)
    if wrong:
        raise InvalidInput(f"Only a pointed answer names wrong items; got a {kind} that does.")
    return question.yes() if kind == "yes" else question.no()
