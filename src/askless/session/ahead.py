"""What will be asked after each answer, worked out while the person is still looking.

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

Foresee = Callable[[Answer], State | None]
"""The state after an answer; None if it cannot be true."""

_BRANCHES: Final[tuple[Literal["yes", "no"], ...]] = ("yes", "no")


def look_ahead(
    question: Question,
    state: State,
    foresee: Foresee,
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
    foresee
        What follows from an answer to `question`.
    choose
        Chooses what to ask.
    depth
        How many answers to look ahead.
    next_one
        Whether `question` is live, and not itself only foreseen.
    """
    for branch in _BRANCHES if depth > 0 else ():
        answer = question.yes() if branch == "yes" else question.no()
        after = state if question.purpose == "audit" else foresee(answer)
        following = None if after is None else choose(after, next_one)
        if after is None or following is None:
            continue
        yield branch, after, following
        deeper = look_ahead(following, after, _learning(after), choose, depth - 1, next_one=False)
        for path, there, what in deeper:
            yield f"{branch} {path}", there, what


def _learning(state: State) -> Foresee:
    def foresee(answer: Answer) -> State | None:
        try:
            return learn(state, answer)
        except Contradiction:
            return None

    return foresee
