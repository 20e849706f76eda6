"""Lookahead search, the paper's planner (IA, intelligent annotation).

From the present state a tree of guesses and answers is grown for `max_expansions` leaves
(`askless.planners._search_tree` has the formulas), and the guess with the least
expected cost is asked. What keeps the tree small, Sec. 4.1 of the paper:

- *most likely*: a guess of size n is about the n most certain items;
- *single guess*: each item is guessed to have its likelier label;
- *don't give up*: a refuted guess is asked again without its least certain item;
- *early stopping* (off by default, as in the paper's experiments): sizes are tried upwards
  until the cost rises. With ``uncertainty`` and the entropy that is mostly at n = 2, since
  a pair of sure items looks worse than one coin toss: nearly single questions;
- n = 1 is treated apart: a random item, or (``uncertainty``) both the most and the
  least certain one.

With `max_n` up to 64 every size is tried. Above, and with no limit at all, every
size up to 16 and then sizes that grow by a quarter, as far as P(yes) >= 1/16. To one who
looks a single question ahead the best of these large guesses has P(yes) >= 1/4: under
the entropy because one item fewer would leave it above 1/2, under the log-size
because n P(yes) must not have been larger for n - 1.

The tree lives on from question to question while the probs and the leases stay the same and the
state is the one the answer to our question leads to. Where that answer was planned for, and a
question planned for it and for the answers after it, what all of them found is kept too.
Otherwise a new tree is grown, from any state: where several guesses stand refuted, or one whose
items are partly leased, the shortest of them is asked about first and no tree is grown.

One sort per version of the probs, then a question costs O(max_expansions * max_n * depth),
independent of n. Not for large `max_n`: dropping one item at a time is a linear search, and
``nested`` needs a logarithm. Tested in tests/planners/test_lookahead.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.core.entropy import binary_entropy_bits
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.planners import options
from askless.planners._line import Inputs, Line, Recent
from askless.planners._refuted import held_guesses, within_reach
from askless.planners._search_tree import Action, Node, SearchTree
from askless.planners.options import PlannerOptions, check_plan, refuted_down_to_one
from askless.seams import Priority

AlMethod = Literal["random", "uncertainty"]
Cost = Literal["entropy", "log-size"]

_REDUCE: Final[dict[Cost, float]] = {"entropy": 0.01, "log-size": 0.05}
_SUREST: Final = 1.0 - 1e-9


@dataclass(kw_only=True, eq=False)
class Lookahead(PlannerOptions):
    """Lookahead minimisation of a proxy cost; further options in `PlannerOptions`.

    Parameters
    ----------
    al_method
        Which single items are offered: a ``random`` one at every expansion, or by
        ``uncertainty`` the most and the least certain one.
    max_expansions
        How many leaves of the tree are expanded for a question.
    temperature
        How evenly sibling guesses share the priority: the softmax is over minus cost / temperature.
    max_depth
        How many questions ahead the tree may reach.
    cost
        What a state is expected to cost as long as one looks no further: its ``entropy``, or its
        ``log-size``, the logarithm of the number of labellings left.
    reduce_certainty_factor
        r in p' = (1 - r) p + r/2, against overconfident probs. None for 0.01 with the
        entropy and 0.05 with the log-size.
    reset_tree
        Whether to grow a new tree for every question.
    early_stopping
        Whether to stop trying larger guesses as soon as the cost rises.
    """

    name = "lookahead"
    follows_priority = False

    al_method: AlMethod = "uncertainty"
    max_expansions: int = 8
    temperature: float = 10.0
    max_depth: int = 20
    cost: Cost = "log-size"
    reduce_certainty_factor: float | None = None
    reset_tree: bool = False
    early_stopping: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.al_method = options.choice("al_method", self.al_method, get_args(AlMethod))
        self.max_expansions = options.whole("max_expansions", self.max_expansions, 1)
        self.temperature = options.number(
            "temperature", self.temperature, 0.0, float("inf"), open_below=True
        )
        self.max_depth = options.whole("max_depth", self.max_depth, 1)
        self.cost = options.choice("cost", self.cost, get_args(Cost))
        if self.reduce_certainty_factor is None:
            self.reduce_certainty_factor = _REDUCE[self.cost]
        self._reduce = self.reduce_certainty_factor = options.number(
            "reduce_certainty_factor", self.reduce_certainty_factor, 0.0, 1.0
        )
        self.reset_tree = options.flag("reset_tree", self.reset_tree)
        self.early_stopping = options.flag("early_stopping", self.early_stopping)
        self._rng = np.random.default_rng(self.seed)
        self._inputs = Inputs()
        self._plans: Recent[_Plan] = Recent()

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        """The guess with the least expected cost; None when no open item is free."""
        check_plan(probs, state)
        if self._inputs.change_to(probs, None):
            self._sort(probs.values)
        known = self._plans.get(state.key)
        if known is not None and known.leased == leased:
            return known.question
        before = self._plans.get(state.parent_key)
        line = Line(self._order, state) if before is None else before.line.follow(state)
        n_free = state.n_open - sum([state.is_open(item) for item in leased])
        if n_free == 0:
            return None
        refuted = within_reach(state, leased)
        plan = _Plan(frozenset(leased), line)
        if len(refuted) > 1 or (refuted and not self._fits(refuted[0], leased)):
            plan.question = self._about(refuted, state, leased)
        else:
            self._look_ahead(plan, state, n_free, refuted, before)
        self._plans.put(state.key, plan)
        return plan.question

    def worst_case_questions(self, n: int) -> int:
        """The sum of min(max_n, k) over k = 1 .. n.

        At worst every guess of m items is refuted down to the last one: m
        questions, and one item settled.
        """
        return refuted_down_to_one(n, self.max_n)

    def _sort(self, values: NDArray[np.float64]) -> None:
        """Work out what depends on the probs alone."""
        self._plans.clear()
        self._order = np.argsort(-np.abs(values - 0.5), kind="stable")
        r = self._reduce
        reduced = (1.0 - r) * values + 0.5 * r
        # A likelier label is never quite certain: "no" to a sure guess must stay possible.
        right = np.minimum(np.maximum(reduced, 1.0 - reduced), _SUREST)
        self._values = values.data
        self._chance = reduced.data
        self._tree = SearchTree(
            np.log(right).data,
            binary_entropy_bits(right).data if self.cost == "entropy" else None,
            self.max_n,
            self.temperature,
            self.max_depth,
            self.early_stopping,
        )

    def _look_ahead(
        self,
        plan: _Plan,
        state: State,
        n_free: int,
        refuted: tuple[Clause, ...],
        before: _Plan | None,
    ) -> None:
        """Grow the tree and take the action with the least cost."""
        fixed = {i: g == 1 for i, g in refuted[0].pairs} if refuted else {}
        node = None if self.reset_tree else _reached(before, state, plan.leased)
        if node is None:
            node = self._tree.root(n_free, [(i, self._log_right(i, g)) for i, g in fixed.items()])
        elif node.begun or (before is not None and before.too_deep):
            plan.too_deep = self._tree.reopen(node)
        window = _Window(plan.line, state, plan.leased, self.al_method, self._rng)
        forced = self.reset_tree and bool(fixed)  # one action only, and no tree to keep
        if self._tree.grow(node, window, 1 if forced else self.max_expansions):
            plan.too_deep = True
        assert node.actions
        plan.action = min(node.actions, key=lambda action: action.cost)
        items = plan.action.items
        labels = tuple([fixed.get(item, self._values[item] >= 0.5) for item in items])
        plan.question = Question(items, labels)

    def _fits(self, clause: Clause, leased: AbstractSet[int]) -> bool:
        """Whether asking a refuted guess without its least certain item is possible."""
        small = self.max_n is None or len(clause) - 1 <= self.max_n
        return small and leased.isdisjoint(clause.items)

    def _about(
        self, refuted: tuple[Clause, ...], state: State, leased: AbstractSet[int]
    ) -> Question:
        """A question about one of several refuted guesses, or one that is partly leased."""
        fixed, agree = held_guesses(state.clauses)
        free_pairs = {c: [(i, g == 1) for i, g in c.pairs if i not in leased] for c in refuted}
        agreeing = [c for c in refuted if all(fixed[i] == g for i, g in free_pairs[c])]
        clause = min(agreeing, key=lambda c: (len(c), c.answer))
        free = sorted(free_pairs[clause], key=lambda pair: -self._log_right(*pair))
        if not agree:
            # Guesses of opposite sign may together refute any group; a single item is safe.
            free = free[-1:]
        elif len(free) == len(clause):
            free.pop()
        free = free[: self.max_n]
        return Question(tuple([item for item, _ in free]), tuple([guess for _, guess in free]))

    def _log_right(self, item: int, guess: bool) -> float:
        """Logarithm of the chance, certainty reduced, that the item has this label."""
        p = self._chance[item]
        return float(np.log(np.clip(p if guess else 1.0 - p, 1.0 - _SUREST, _SUREST)))


@dataclass(slots=True)
class _Plan:
    """What was worked out for one state."""

    leased: frozenset[int]
    line: Line
    question: Question | None = None
    action: Action | None = None
    too_deep: bool = False


class _Window:
    """The free items of one state, read only as far as the tree looks."""

    def __init__(
        self,
        line: Line,
        state: State,
        leased: AbstractSet[int],
        al_method: AlMethod,
        rng: np.random.Generator,
    ) -> None:
        self._line, self._state, self._leased = line, state, leased
        self._random = al_method == "random"
        self._rng = rng
        self._front = _Reread(line.front(state, leased))
        self._back = _Reread(line.back(state, leased))

    def surest(self, gone: AbstractSet[int]) -> Iterator[int]:
        return (item for item in self._front if item not in gone)

    def singles(self, gone: AbstractSet[int]) -> tuple[int, ...]:
        if self._random:
            return (self._line.draw(self._rng, self._state, self._leased, gone),)
        first = next(self.surest(gone))
        last = next(item for item in self._back if item not in gone)
        return (first,) if first == last else (first, last)


class _Reread:
    """An iterator that can be read from its beginning again and again."""

    def __init__(self, source: Iterator[int]) -> None:
        self._source = source
        self._read: list[int] = []

    def __iter__(self) -> Iterator[int]:
        yield from self._read
        for item in self._source:
            self._read.append(item)
            yield item


def _reached(before: _Plan | None, state: State, leased: frozenset[int]) -> Node | None:
    """The node of the earlier tree that `state` is, if the answer was to our own question."""
    if before is None or before.action is None or before.leased != leased:
        return None
    answer = state.answers.get(state.next_number - 1)
    if answer is None or answer.kind == "pointed" or answer.question != before.question:
        return None
    return before.action.yes if answer.kind == "yes" else before.action.no
