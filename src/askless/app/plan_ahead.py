"""Questions for later, so that a key press shows the next one at once.

For a question that somebody looks at: what would be asked after yes and after no, and after two
such answers; and spare questions, on items of their own, which may be shown whatever was
answered, also while the server cannot be reached.

A pointed answer settles the whole question, as a yes does. If no refuted guess holds any of
its items, the next question is then the same as after a yes. Tested in tests/web/test_labelling.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from askless.core.question import Question
from askless.session.session import Session

DEPTH: Final = 2


@dataclass(frozen=True, slots=True)
class NextQuestions:
    """What may come.

    Parameters
    ----------
    paths
        By the answers that lead there, ``yes``, ``no``, ``pointed``, ``yes no``, ...: what is asked
        then.
    spare
        Questions on items that are in none of the others.
    wait
        Whether what comes next is decided only once the answer is there, since something is
        promised (`askless.session.certifying`) or a label is asked again: spare questions are then
        for a lost connection.
    """

    paths: Mapping[str, Question]
    spare: tuple[Question, ...]
    wait: bool = False


def plan_ahead(session: Session, annotator: str, question_id: int, spare: int) -> NextQuestions:
    """What may be asked after a live question; nothing if it is not live.

    Parameters
    ----------
    session
        Plans it; nothing is stored.
    annotator
        Who would be asked.
    question_id
        What they look at.
    spare
        How many spare questions to plan.
    """
    asked = session.history.asked[question_id]
    paths = dict(session.queue.plan_ahead(question_id, DEPTH))
    for before in ("", "yes ", "no "):
        shown = paths.get(before.strip()) if before else asked.question
        following = paths.get(f"{before}yes")
        if shown is not None and following is not None and _stands_alone(session, shown):
            paths[f"{before}pointed"] = following
    if "pointed" in paths:
        for name in ("yes", "no", "pointed"):
            if f"yes {name}" in paths:
                paths[f"pointed {name}"] = paths[f"yes {name}"]
    taken = {item for question in (asked.question, *paths.values()) for item in question.items}
    further = session.queue.spare(annotator, spare, frozenset(taken), asked.tab)
    drawn = session.standing() is not None or session.reask.due(annotator)
    wait = drawn and not {"yes", "no"} <= paths.keys()
    return NextQuestions(paths, tuple(further), wait)


def _stands_alone(session: Session, question: Question) -> bool:
    return not any(session.state.clauses_of(item) for item in question.items)
