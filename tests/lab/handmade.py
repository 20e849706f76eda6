"""Two planners simple enough to check a run of theirs by hand."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.seams import PlannerInfo, Priority


class Singles:
    """Asks about the first open item alone, guessing True."""

    max_n: int | None = 1

    def worst_case_questions(self, n: int) -> int:
        return n

    def describe(self, n: int) -> PlannerInfo:
        return PlannerInfo("singles", follows_priority=False)

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        free = [item for item in state.open_items().tolist() if item not in leased]
        return Question((free[0],), (True,)) if free else None


class Halves:
    """Asks whether `most` open items are as guessed; a refuted guess is asked again in half."""

    def __init__(self, most: int = 4) -> None:
        self.most = most
        self.max_n: int | None = most

    def worst_case_questions(self, n: int) -> int:
        return n * (1 + self.most)  # every question settles an item or halves a refuted guess

    def describe(self, n: int) -> PlannerInfo:
        return PlannerInfo("halves", follows_priority=False)

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        if state.clauses:
            clause = state.clauses[-1]
            half = (len(clause) + 1) // 2
            return Question(clause.items[:half], clause.guess[:half])
        items = [item for item in state.open_items().tolist() if item not in leased][: self.most]
        return Question(tuple(items), tuple(probs.values[items] > 0.5)) if items else None
