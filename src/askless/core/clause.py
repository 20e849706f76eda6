"""A refuted guess: at least one of these guessed labels is wrong.

In the words of logic a `Clause` is a disjunction whose literals are
"the label is not as guessed". It holds open items only: an item found right leaves its
clause, an item found wrong satisfies it. Tested in tests/core/test_state.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from askless.core.guess import Guess


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one of these guesses is wrong.

    Parameters
    ----------
    items
        The open items among those the answer was about; at least two.
    guess
        The label guessed for each of them, as in the question (`askless.core.guess`).
    answer
        Number of the answer that refuted the guess.
    """

    items: tuple[int, ...]
    guess: tuple[Guess, ...]
    answer: int

    def __len__(self) -> int:
        return len(self.items)

    @property
    def pairs(self) -> tuple[tuple[int, Guess], ...]:
        """Each item with its guess, in order."""
        return tuple(zip(self.items, self.guess, strict=True))

    @property
    def literals(self) -> frozenset[tuple[int, Guess]]:
        """The pairs (item, guessed label), of which at least one is wrong."""
        return frozenset(self.pairs)


def components(clauses: Iterable[Clause]) -> list[list[Clause]]:
    """Clauses grouped so that two groups never share an item.

    Given the answers, labels in different groups are independent, whatever
    ties them inside a group.
    """
    parent: dict[int, int] = {}

    def root(item: int) -> int:
        while (above := parent.setdefault(item, item)) != item:
            parent[item] = item = parent[above]
        return item

    clauses = list(clauses)
    for clause in clauses:
        first = root(clause.items[0])
        for item in clause.items[1:]:
            parent[root(item)] = first
    groups: dict[int, list[Clause]] = {}
    for clause in clauses:
        groups.setdefault(root(clause.items[0]), []).append(clause)
    return list(groups.values())


def neighbourhood(
    start: Iterable[int], holding: Mapping[int, tuple[int, ...]], clauses: Mapping[int, Clause]
) -> list[Clause]:
    """Every clause connected to the items of `start`, by number.

    `holding` says by number which clauses hold an item. The cost is the size of what is found.
    """
    found: dict[int, Clause] = {}
    frontier = list(start)
    while frontier:
        for number in holding.get(frontier.pop(), ()):
            if number not in found:
                found[number] = clause = clauses[number]
                frontier.extend(clause.items)
    return [found[number] for number in sorted(found)]
