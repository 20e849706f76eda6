"""What a few clauses entail together, decided exactly.

While every open clause guesses the same label for an item, unit propagation
already finds all that is entailed: making every item wrong satisfies every
clause, and any single item of a clause of two or more may as well be right. Only
where guesses of opposite sign meet can clauses entail more together than
apart, and there this module decides, by search (DPLL) over one connected
component. Exponential in the worst case, immediate for the components people make.

Used by `askless.core._propagate` and `askless.core.verify` alone; tested through
tests/core/test_state.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from askless.core.clause import Clause

Literal = tuple[int, bool]
"""(item, label): the item has this label."""


def entailed_labels(clauses: Sequence[Clause]) -> dict[int, bool] | None:
    """The labels that follow from the clauses, or None when they cannot all be true."""
    formula = _formula(clauses)
    model = solve(formula)
    if model is None:
        return None
    suspected = dict(model)
    for item in sorted(model):
        if item not in suspected:
            continue
        other = solve([*formula, frozenset({(item, not model[item])})])
        if other is None:
            continue
        # Whatever can be otherwise is not entailed; one counter-model clears many items.
        suspected = {k: label for k, label in suspected.items() if other.get(k) == label}
    return suspected


def needed(clauses: Sequence[Clause], *assumed: Literal) -> list[Clause]:
    """A subset of the clauses, none superfluous, that contradicts itself or what is assumed."""
    kept = list(clauses)
    units = [frozenset({literal}) for literal in assumed]
    for clause in clauses:
        fewer = [other for other in kept if other is not clause]
        if solve([*_formula(fewer), *units]) is None:
            kept = fewer
    return kept


def solve(formula: list[frozenset[Literal]]) -> dict[int, bool] | None:
    """A labelling that satisfies the formula, or None. Depth first, with its own stack."""
    items = sorted({item for clause in formula for item, _ in clause})
    stack: list[tuple[list[frozenset[Literal]], dict[int, bool]]] = [(formula, {})]
    while stack:
        remaining, labels = stack.pop()
        settled = _propagate(remaining, labels)
        if settled is None:
            continue
        remaining, labels = settled
        if not remaining:
            return {item: labels.get(item, False) for item in items}
        shortest = min(len(clause) for clause in remaining)
        item, label = min(literal for c in remaining if len(c) == shortest for literal in c)
        stack.append(([*remaining, frozenset({(item, not label)})], labels))
        stack.append(([*remaining, frozenset({(item, label)})], labels))
    return None


def _formula(clauses: Sequence[Clause]) -> list[frozenset[Literal]]:
    return [frozenset((item, not guess) for item, guess in clause.literals) for clause in clauses]


def _propagate(
    formula: list[frozenset[Literal]], labels: dict[int, bool]
) -> tuple[list[frozenset[Literal]], dict[int, bool]] | None:
    """Follow every clause with a single literal; None when that leads to a clash."""
    labels = dict(labels)
    while units := {literal for clause in formula if len(clause) == 1 for literal in clause}:
        chosen = dict(units)
        if any(chosen[item] != label for item, label in units):
            return None
        labels.update(chosen)
        untrue = {(item, not label) for item, label in units}
        formula = [clause - untrue for clause in formula if not clause & units]
        if not all(formula):
            return None
    return formula, labels
