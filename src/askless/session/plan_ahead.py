"""What will be asked after each answer, planned while the person is still looking.

The tree of what may come has two branches a question, yes and no; its paths are named
``yes``, ``no``, ``yes yes``, ``yes no`` and so on. A depth of d costs 2 + ... + 2^d plans.
Imported by the session room alone; tested in tests/session/test_session.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal

from askless.core.question import Answer, Question
from askless.core.state import State, learn
from askless.errors import Contradiction

Choose = Callable[[State, bool], Question | None]
"""What to ask in a state; the flag says whether it is the very next question."""

StateAfter = Callable[[Answer], State | None]
"""The state after an answer; None if it cannot be true."""

_BRANCHES: Final[tuple[Literal["yes", "no"], ...]] = ("yes", "no")


def plan_ahead(
    question: Question,
    state: State,
    state_after: StateAfter,
    choose: Choose,
    depth: int,
    *,
    next_one: bool = True,
) -> Iterator[tuple[str, State, Question]]:
    """Every path of answers with the state it leads to and what to ask there.

    Parameters
    ----------
    question
        What is being looked at.
    state
        What is known while it is.
    state_after
        What follows from an answer to `question`.
    choose
        Chooses what to ask.
    depth
        How many answers to plan ahead.
    next_one
        Whether `question` is leased, and not itself only planned.
    """
    for branch in _BRANCHES if depth > 0 else ():
        answer = question.yes() if branch == "yes" else question.no()
        after = state if question.purpose == "audit" else state_after(answer)
        following = None if after is None else choose(after, next_one)
        if after is None or following is None:
            continue
        yield branch, after, following
        deeper = plan_ahead(following, after, _learn_from(after), choose, depth - 1, next_one=False)
        for path, there, what in deeper:
            yield f"{branch} {path}", there, what


def _learn_from(state: State) -> StateAfter:
    def state_after(answer: Answer) -> State | None:
        try:
            return learn(state, answer)
        except Contradiction:
            return None

    return state_after
