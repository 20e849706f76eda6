"""What can be asked about the items of open clauses, and with what chance of a "yes".

Items that are in the same clauses form an *atom*; the options are its first 1, 2, ... items,
surest first, or some of these numbers where they are many. (Other subsets gain next to
nothing.) Given the clauses that hang together, let f(T) be the chance that among all the
other atoms the wrong items lie in just the clauses T. For an atom that lies in the clauses
s, all of its items right with chance q,

    F = f(all clauses),   G = sum of f(T) over all other T that lack none but clauses in s
    Z = F + (1 - q) G                              P(every clause holds)
    u = q_k (F + (1 - q/q_k) G) / Z                P(its first k items are right | clauses)
    w = e (F + G) / Z                              P(one of its items is wrong | clauses)

with q_k the chance of the k items to be right, before the clauses. Exact, and only positive terms
are added. With c clauses there are 2^c sets T; where more than `_EXACT` hang together, one
of them is taken for all.
Used by `askless.planners.fill`; tested in tests/planners/test_clause_options.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause

_EXACT: Final = 6
_STEPS: Final = 17
"""How many numbers of items of an atom are tried."""
_TINY: Final = 1e-300


@dataclass(frozen=True, slots=True)
class ClausePrefix:
    """The first items of one atom; each entry of the arrays is about another number of them.

    Parameters
    ----------
    items
        The free items of the atom, surest first, as many as may be asked together.
    guess
        The label guessed for each.
    table
        One column for each number of them that may be asked. Its rows are: how many; the natural
        logarithm of the chance, given the clauses, that they are right; how many clauses would be
        left with a single item, thereby found wrong, after a yes; and the largest chance, given the
        clauses, of any one of the items to be wrong.
    alone
        Whether nothing else may be asked with them.
    """

    items: tuple[int, ...]
    guess: tuple[bool, ...]
    table: NDArray[np.float64]
    alone: bool = False


def clause_prefixes(
    clauses: tuple[Clause, ...],
    held: dict[int, bool],
    wrong_if: Callable[[int, bool], float],
    leased: AbstractSet[int],
    most: int,
    row_of: Callable[[int, bool], int] | None,
) -> list[ClausePrefix]:
    """Every option for clauses that share items.

    Parameters
    ----------
    clauses
        The clauses; they agree on their guesses, and the first holds a free item.
    held
        The guess they hold for each item.
    wrong_if
        P(the guess is wrong) for an item and a guess, before the clauses; above 0.
    leased
        Items that may not be asked.
    most
        The most items in a question.
    row_of
        The row of an item with a guess, if an atom shall hold items of one row only; else None.
    """
    if len(clauses) > _EXACT:
        clauses = clauses[:1]
    atoms = _atoms(clauses, held, wrong_if, row_of)
    every = (1 << len(clauses)) - 1
    options = []
    for atom, hit in _without_each(atoms, [1.0] + [0.0] * every):
        sizes = [len(c) for bit, c in enumerate(clauses) if atom.mask >> bit & 1]
        free = [at for at, item in enumerate(atom.items) if item not in leased]
        free = free[: min(most, min(sizes) - 1)]
        if not free:
            continue
        all_hit = hit[every]
        but_for_it = sum([hit[t] for t in range(every) if t | atom.mask == every])
        weight = all_hit + atom.bad * but_for_it
        more_wrong = (all_hit + but_for_it) / weight
        # They are few numbers, and numpy is quick only with many.
        logs = list(accumulate([math.log1p(-atom.wrong[at]) for at in free]))
        columns = []
        for place in range(len(logs)) if len(logs) <= _STEPS else even_steps(np.array(logs)):
            others = math.expm1(min(atom.log_right - logs[place], 0.0))
            holds = max(all_hit - others * but_for_it, _TINY)
            columns.append(
                (
                    place + 1,
                    logs[place] + math.log(holds / weight),
                    sizes.count(place + 2),
                    min(atom.wrong[free[place]] * more_wrong, 1.0),
                )
            )
        options.append(
            ClausePrefix(
                items=tuple([atom.items[at] for at in free]),
                guess=tuple([held[atom.items[at]] for at in free]),
                table=np.array(columns, dtype=np.float64).T,
            )
        )
    return options


def even_steps(logs: NDArray[np.float64]) -> NDArray[np.intp]:
    """The places in a falling row of logarithms, or where they are many some at even distances.

    The last is always among them.
    """
    if len(logs) <= _STEPS:
        return np.arange(len(logs))
    levels = np.linspace(-logs[0], -logs[-1], _STEPS)
    return np.unique(np.append(np.searchsorted(-logs[:-1], levels[:-1]), len(logs) - 1))


def single(item: int, guess: bool, wrong: float) -> ClausePrefix:
    """One item by itself, as if no clause held it, to be asked with nothing else."""
    table = np.array([[1.0], [math.log1p(-wrong)], [0.0], [wrong]])
    return ClausePrefix((item,), (guess,), table, alone=True)


@dataclass(frozen=True, slots=True)
class _Atom:
    """Items that are in the same clauses, given as a bit mask; surest first."""

    mask: int
    items: list[int]
    wrong: list[float]
    log_right: float
    bad: float


def _atoms(
    clauses: tuple[Clause, ...],
    held: dict[int, bool],
    wrong_if: Callable[[int, bool], float],
    row_of: Callable[[int, bool], int] | None,
) -> list[_Atom]:
    masks: dict[int, int] = {}
    for bit, clause in enumerate(clauses):
        for item in clause.items:
            masks[item] = masks.get(item, 0) | 1 << bit
    members: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for item, mask in masks.items():
        kind = (mask, 0 if row_of is None else row_of(item, held[item]))
        members.setdefault(kind, []).append((wrong_if(item, held[item]), item))
    atoms = []
    for (mask, _), pairs in members.items():
        pairs.sort()
        wrong = [e for e, _ in pairs]
        log_right = math.fsum([math.log1p(-e) for e in wrong])
        bad = -math.expm1(log_right)
        atoms.append(_Atom(mask, [item for _, item in pairs], wrong, log_right, bad))
    return atoms


def _without_each(atoms: list[_Atom], hit: list[float]) -> Iterator[tuple[_Atom, list[float]]]:
    """Each atom, with the chances of all sets of clauses to be hit by the other ones.

    Parameters
    ----------
    atoms
        At least one.
    hit
        For each set of clauses, as a bit mask, the chance that it is hit by atoms not listed.
    """
    if len(atoms) == 1:
        yield atoms[0], hit
        return
    half = len(atoms) // 2
    yield from _without_each(atoms[:half], _hit_by(atoms[half:], hit))
    yield from _without_each(atoms[half:], _hit_by(atoms[:half], hit))


def _hit_by(atoms: list[_Atom], hit: list[float]) -> list[float]:
    """The chances `hit` once these atoms count as well."""
    for atom in atoms:
        mask, bad = atom.mask, atom.bad
        spread = [share * (1.0 - bad) for share in hit]
        for t, share in enumerate(hit):
            if share:
                spread[t | mask] += share * bad
        hit = spread
    return hit
