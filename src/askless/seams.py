"""The sockets: what each part of askless must offer, and nothing about how.

Session knows its parts only through these Protocols. Their laws are in
`askless.checks`, callable by anyone on a part of their own.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Protocol

from askless.core.probability import Probs
from askless.core.question import Answer, Question
from askless.core.state import State


class Planner(Protocol):
    """Chooses the next question.

    Laws (`askless.checks.planner_laws`): asks only about free open items; never asks
    what is already implied; the same seed and the same calls give the same
    questions; its inputs are left untouched; it takes up from any reachable state.

    Attributes
    ----------
    max_n
        The most items a question may hold; None for no cap.
    """

    max_n: int | None

    def plan(
        self, probs: Probs, state: State, leased: AbstractSet[int] = frozenset()
    ) -> Question | None:
        """The question worth most now, or None when no open item is free.

        Parameters
        ----------
        probs
            P(label is True) for every item; a new version announces new values.
        state
            What the answers so far imply.
        leased
            Items that stand in somebody else's live question.
        """
        ...

    def worst_case_questions(self, n: int) -> int:
        """The most questions it takes to settle `n` items from nothing, whatever the truth.

        For yes and no answers, all items free, and probabilities that do not change.
        """
        ...


class Annotator(Protocol):
    """Whoever answers."""

    def answer(self, question: Question) -> Answer:
        """The answer to `question`."""
        ...
