"""A planner that asks about one item after the other, in the order of the pool."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from askless import Probs, Question, State
from askless.planners.options import PlannerOptions
from askless.seams import Priority


@dataclass(kw_only=True, eq=False)
class InOrder(PlannerOptions):
    """One item a question; `max_n` means nothing here."""

    name = "in-order"
    follows_priority = False

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        """The first open item that nobody else is looking at, with its likelier label."""
        for item in state.open_items().tolist():
            if item not in leased:
                guess = state.fixed_guess(item)
                if guess is None:
                    guess = bool(probs.values[item] >= 0.5)
                return Question((item,), (guess,))
        return None

    def worst_case_questions(self, n: int) -> int:
        """`n`: every question settles its item."""
        return n
