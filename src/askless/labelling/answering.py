"""What an annotator function returned, or a caller told, as an answer.

Imported by `askless.labelling.labelling`; tested in tests/labelling/test_labelling.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np

from askless.core.question import Answer
from askless.errors import InvalidInput
from askless.labelling.question import ShownQuestion, UnsureAbout, several

_WANTED: Final = (
    "An annotator answers True (all are right), False (at least one is wrong), the ids of the "
    "wrong ones in a list, or question.unsure(ids)"
)


def asker_of(annotator: Any) -> Callable[[ShownQuestion], Any]:
    """How to put a question to an annotator: a function, or an object with ``answer``."""
    found = getattr(annotator, "answer", None) if not isinstance(annotator, type) else None
    asker: Any = found if callable(found) else annotator
    if isinstance(annotator, type) or not callable(asker):
        raise InvalidInput(
            "An annotator is a function of a question, or an object with such a method, answer; "
            f"got {annotator!r:.80}."
        )
    put: Callable[[ShownQuestion], Any] = asker
    return put


def answer_of(question: ShownQuestion, said: Any) -> Answer | UnsureAbout:
    """What was said, as an answer to that question.

    Raises
    ------
    InvalidInput
        It says nothing, or names what is not in the question.
    """
    if isinstance(said, UnsureAbout):
        return said
    if isinstance(said, Answer):
        if said.question != question.question:
            raise InvalidInput(
                f"{_WANTED}; got the answer to another question, about {said.question.items}."
            )
        return said
    if isinstance(said, bool | np.bool_):
        return question.yes() if said else question.no()
    named = isinstance(said, Iterable) and not isinstance(said, str | bytes | Mapping)
    if not named:
        raise InvalidInput(f"{_WANTED}; got {said!r:.80}.")
    wrong = several(said)
    return question.wrong(wrong) if wrong else question.yes()
