"""What a few clauses entail together, decided exactly.

While every item has an escape, a possible class outside all guesses that open clauses hold for
it, unit propagation already finds all that is entailed. Only where an item has none can clauses
entail more together than apart, and there this module decides, by search (DPLL) over one connected
component. Exponential in the worst case, immediate for the components people make.

A labelling is searched for as one set of possible classes per item, a bit mask. A literal is an
item with a mask, "its class is one of these", and a formula a list of clauses of literals, one of
which must hold.

Used by `askless.core._propagate` and `askless.core.verify` alone; tested through
tests/core/test_state.py and tests/core/test_classes.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from askless.core.clause import Clause
from askless.core.guess import mask_of

Literal = tuple[int, int]
"""(item, mask): the item has one of these classes."""

Disjunction = Sequence[Literal]
"""At least one of these literals holds."""


class Formula:
    """Refuted guesses that hang together, and the classes possible for their items.

    Parameters
    ----------
    clauses
        The refuted guesses.
    domains
        For each of their items the possible classes, as a bit mask.
    classes
        How many classes there are.
    """

    def __init__(self, clauses: Sequence[Clause], domains: Mapping[int, int], classes: int) -> None:
        self._domains = domains
        self._of = {
            clause: [(i, domains[i] & ~mask_of(g, classes)) for i, g in clause.pairs]
            for clause in clauses
        }

    def excluded_classes(self) -> dict[int, int] | None:
        """For each item the possible classes that it cannot have after all, as a bit mask.

        Items without any are left out; None when the clauses cannot all be true.
        """
        model = self._solve(self._of)
        if model is None:
            return None
        seen = {item: 1 << label for item, label in model.items()}
        excluded: dict[int, int] = {}
        for item in sorted(model):
            while unseen := self._domains[item] & ~seen[item]:
                other = self._solve(self._of, (item, unseen))
                if other is None:
                    excluded[item] = unseen
                    break
                # One labelling clears a class of many items.
                for each, label in other.items():
                    seen[each] |= 1 << label
        return excluded

    def needed(self, *assumed: Literal) -> list[Clause]:
        """A subset of the clauses, none superfluous, that contradicts itself or what is assumed."""
        kept = dict(self._of)
        for clause in self._of:
            fewer = {other: literals for other, literals in kept.items() if other is not clause}
            if self._solve(fewer, *assumed) is None:
                kept = fewer
        return list(kept)

    def _solve(
        self, clauses: Mapping[Clause, Disjunction], *assumed: Literal
    ) -> dict[int, int] | None:
        return solve([*clauses.values(), *([literal] for literal in assumed)], self._domains)


def solve(formula: Sequence[Disjunction], domains: Mapping[int, int]) -> dict[int, int] | None:
    """A labelling that satisfies the formula, or None. Depth first, with its own stack.

    Parameters
    ----------
    formula
        The clauses.
    domains
        The possible classes of each item that they are about, as a bit mask.
    """
    stack = [(list(formula), dict(domains))]
    while stack:
        clauses, left = stack.pop()
        remaining = _propagate(clauses, left)
        if remaining is None:
            continue
        if not remaining:
            return {item: (mask & -mask).bit_length() - 1 for item, mask in left.items()}
        shortest = min(map(len, remaining))
        item, mask = min(min(clause) for clause in remaining if len(clause) == shortest)
        stack.append((remaining, left | {item: left[item] & ~mask}))
        stack.append((remaining, left | {item: left[item] & mask}))
    return None


def _propagate(clauses: list[Disjunction], left: dict[int, int]) -> list[Disjunction] | None:
    """The clauses that are still open once every single literal is followed; None for a clash.

    `left` is narrowed in place.
    """
    while True:
        remaining: list[Disjunction] = []
        changed = False
        for clause in clauses:
            if any(not left[item] & ~mask for item, mask in clause):
                continue  # holds already
            possible = [(item, mask) for item, mask in clause if left[item] & mask]
            if not possible:
                return None
            if len(possible) > 1:
                remaining.append(possible)
                continue
            ((item, mask),) = possible
            left[item] &= mask
            changed = True
        if not changed:
            return remaining
        clauses = remaining
