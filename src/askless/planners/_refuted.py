"""The open clauses a planner may ask about, the clauses tied to them, and their guesses.

Used by `askless.planners.nested` and `askless.planners.fill`; tested in
tests/planners/test_refuted.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from askless.core.clause import Clause
from askless.core.state import State


def within_reach(
    state: State, leased: AbstractSet[int], guess: bool | None = None
) -> tuple[Clause, ...]:
    """The open clauses that hold a free item, oldest first.

    Parameters
    ----------
    state, leased
        Where things stand.
    guess
        The label that must be guessed for the free item; None for either.
    """
    if not leased and guess is None:
        return state.clauses
    return tuple([c for c in state.clauses if _reachable(c, leased, guess)])


def tied(clause: Clause, state: State) -> tuple[Clause, ...]:
    """The clauses that hang together with `clause` through shared items, itself first."""
    found = {clause.answer: clause}
    items = list(clause.items)
    seen = set(items)
    while items:
        for other in state.clauses_of(items.pop()):
            if other.answer not in found:
                found[other.answer] = other
                items += [item for item in other.items if item not in seen]
                seen.update(other.items)
    return tuple(found.values())


def held_guesses(clauses: Iterable[Clause]) -> tuple[dict[int, bool], bool]:
    """The guess that these clauses hold for each item, and whether they agree on it.

    Where they disagree the oldest clause counts.
    """
    held: dict[int, bool] = {}
    agree = True
    for clause in sorted(clauses, key=lambda c: c.answer):
        for item, guess in zip(clause.items, clause.guess, strict=True):
            if held.setdefault(item, guess) != guess:
                agree = False
    return held, agree


def _reachable(clause: Clause, leased: AbstractSet[int], guess: bool | None) -> bool:
    literals = zip(clause.items, clause.guess, strict=True)
    return any(item not in leased and guess in (None, held) for item, held in literals)
