"""The open clauses a planner may ask about, the clauses tied to them, and their guesses.

Used by `askless.planners.nested` and `askless.planners.fill`; tested in
tests/planners/test_refuted.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from askless.core.clause import Clause
from askless.core.state import State


def within_reach(
    state: State,
    leased: AbstractSet[int],
    wanted: Callable[[int, bool], bool] | None = None,
) -> tuple[Clause, ...]:
    """The open clauses that hold a free item, oldest first.

    Parameters
    ----------
    state, leased
        Where things stand.
    wanted
        Whether the free item may have this guess; None for any.
    """
    if not leased and wanted is None:
        return state.clauses
    return tuple(
        clause
        for clause in state.clauses
        if any(
            item not in leased and (wanted is None or wanted(item, held == 1))
            for item, held in clause.pairs
        )
    )


def tied(clause: Clause, state: State) -> tuple[Clause, ...]:
    """The clauses that hang together with `clause` through shared items, itself first."""
    others = state.clauses_tied_to(clause.items)
    return (clause, *(other for other in others if other != clause))


def held_guesses(clauses: Iterable[Clause]) -> tuple[dict[int, bool], bool]:
    """The guess that these clauses hold for each item, and whether they agree on it.

    Where they disagree the oldest clause counts.
    """
    held: dict[int, bool] = {}
    agree = True
    for clause in sorted(clauses, key=lambda c: c.answer):
        for item, guess in clause.pairs:
            if held.setdefault(item, guess == 1) != guess:
                agree = False
    return held, agree
