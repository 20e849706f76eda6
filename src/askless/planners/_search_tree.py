"""The lookahead tree of the paper: states, guesses, and what they are expected to cost.

A `Node` is a state: some free items, at most one of the guesses about them refuted. An
`Action` is a guess put to the annotator; "yes" leads to one node, "no" to another.

    cost(action) = 1 + P(yes) cost(yes) + (1 - P(yes)) cost(no)
    cost(node)   = the least cost of its actions, or a proxy while it has none

The proxy is a sum of one weight per open item (its entropy; or 1, for the log-size) plus an
`excess` for the refuted guess g, which has entropy h, m items and probability P:

    entropy:   (h + P log2 P) / (1 - P) + log2(1 - P) - h
    log-size:  log2(2^m - 1) - m

Only differences between costs matter, so costs are counted from the root of the tree: a node
costs minus the weights of the items settled since, plus the excess. Nothing is
summed over the pool, and nothing underflows in a large one.

After a refuted guess G there is one action, g = G without its least certain item d, and

    P(g right | G wrong) = P(g) (1 - P(d right)) / (1 - P(G))

Yes settles g and, the other way, d. No refutes g (d is free again), or, when g is a
single item, settles it the other way.

Which leaf is looked at next: the priority of a leaf is the product, down from the root, of
the softmax of minus cost over temperature among sibling actions and of the
probabilities of the answers. Each node keeps the largest priority within it (`reach`) and the
child it lies in (`toward`), so the best leaf is found by walking down, and after
its expansion only the nodes on that walk are updated, whether their
costs rise or fall. Sec. 4.1 and the appendix of the paper.

An expansion costs O(max_n) plus O(depth * max_n) for the way back up; nothing depends on n.
Used by `askless.planners.lookahead` alone; tested in tests/planners/test_search_tree.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Protocol

LN2: Final = math.log(2.0)


class Node:
    """A state, told by how it differs from the node above.

    Parameters
    ----------
    base
        Minus the weights of all items settled since the tree began.
    left
        How many free items are still open.
    gone
        The items settled by the answer that led here.
    guess
        The refuted guess, most certain item first; empty if there is none.
    logs
        Natural logarithm of P(right) for each item of `guess`.
    excess
        What the refuted guess adds to the sum of weights.
    """

    __slots__ = (
        "actions", "base", "begun", "cost", "gone", "guess", "left", "logs", "reach", "toward",
    )  # fmt: skip

    def __init__(
        self,
        base: float,
        left: int,
        gone: tuple[int, ...] = (),
        guess: tuple[int, ...] = (),
        logs: tuple[float, ...] = (),
        excess: float = 0.0,
    ) -> None:
        self.base = base
        self.left = left
        self.gone = gone
        self.guess = guess
        self.logs = logs
        self.cost = base + excess
        self.actions: list[Action] | None = None
        self.reach = 1.0 if left else 0.0
        self.toward: tuple[Action, Node] | None = None
        self.begun = False  # whether a tree was ever grown from here


class Action:
    """A guess to put to the annotator, and the two states it can lead to."""

    __slots__ = ("chance", "cost", "items", "no", "yes")

    def __init__(self, items: tuple[int, ...], chance: float, yes: Node, no: Node) -> None:
        self.items = items
        self.chance = chance
        self.yes = yes
        self.no = no
        self.refresh()

    def refresh(self) -> None:
        """Set the cost from those of the two states."""
        self.cost = 1.0 + self.chance * self.yes.cost + (1.0 - self.chance) * self.no.cost


class FreeItems(Protocol):
    """The free items of the root, as an expansion needs to see them."""

    def surest(self, gone: AbstractSet[int]) -> Iterator[int]:
        """Those not in `gone`, the most certain first."""
        ...

    def singles(self, gone: AbstractSet[int]) -> Iterable[int]:
        """Those not in `gone` that are worth asking about alone; at least one, no repeats."""
        ...


class SearchTree:
    """How nodes are made, chosen and updated, for one version of the probs.

    Parameters
    ----------
    logs
        Natural logarithm of P(likelier label), for every item.
    weights
        What an open item adds to the proxy cost; None for 1 each (the log-size).
    max_n
        The largest guess, None for any.
    temperature, max_depth, early_stopping
        As in `askless.planners.lookahead.Lookahead`.
    """

    EVERY_SIZE: Final = 64
    """Up to this `max_n` every size is tried."""

    SMALL: Final = 16
    """Beyond, every size up to this one, and then sizes that grow by a quarter."""

    LEAST_CHANCE: Final = 1.0 / 16.0
    """Beyond, no larger size is tried once P(yes) is below this."""

    def __init__(
        self,
        logs: Sequence[float],
        weights: Sequence[float] | None,
        max_n: int | None,
        temperature: float,
        max_depth: int,
        early_stopping: bool,
    ) -> None:
        self._logs = logs
        self._weights = weights
        self._max_n = max_n
        self._temperature = temperature
        self._max_depth = max_depth
        self._early_stopping = early_stopping

    def root(self, left: int, guess: Iterable[tuple[int, float]] = ()) -> Node:
        """The node a tree begins with.

        Parameters
        ----------
        left
            How many items are free.
        guess
            The refuted guess if there is one: items with the logarithm of P(right).
        """
        ranked = sorted(guess, key=lambda pair: -pair[1])
        items = tuple([item for item, _ in ranked])
        logs = tuple([log for _, log in ranked])
        excess = self._excess(self._weigh(items), math.fsum(logs), len(items)) if items else 0.0
        return Node(0.0, left, (), items, logs, excess)

    def grow(self, root: Node, free: FreeItems, expansions: int) -> bool:
        """Expand the leaves of highest priority, one after the other.

        Returns whether leaves were left out because they lie too deep.

        Parameters
        ----------
        root
            The node to look ahead from.
        free
            Its free items.
        expansions
            How many leaves at most; fewer when there is nothing left to expand.
        """
        too_deep = False
        root.begun = True
        for _ in range(expansions):
            if root.reach <= 0.0:
                break
            node, path, gone = root, list[Node](), set[int]()
            while node.toward is not None:
                path.append(node)
                node = node.toward[1]
                gone.update(node.gone)
            self._expand(node, free, gone)
            if len(path) + 1 >= self._max_depth:
                too_deep = True
                for action in node.actions or ():
                    action.yes.reach = action.no.reach = 0.0
            self._choose(node)
            for above in reversed(path):
                self._refresh(above)
        return too_deep

    def reopen(self, root: Node) -> bool:
        """Bring every cost and priority below `root` up to date.

        Needed when a tree goes on from a node further down, since leaves that were too deep
        to expand may no longer be; and when it goes on from where it has `begun` before, since
        what was grown further down in between, perhaps until nothing was left to
        expand, was not told upwards. Returns whether some leaves are still too deep. O(tree).
        """
        too_deep = False
        order, depths = [root], [0]
        for node, depth in zip(order, depths, strict=False):  # both grow while they are read
            for action in node.actions or ():
                order += (action.yes, action.no)
                depths += (depth + 1, depth + 1)
        for node, depth in zip(reversed(order), reversed(depths), strict=True):
            if node.actions is None:
                node.reach = 1.0 if node.left and depth < self._max_depth else 0.0
                too_deep = too_deep or depth >= self._max_depth
            else:
                for action in node.actions:
                    action.refresh()
                self._choose(node)
        return too_deep

    def _refresh(self, node: Node) -> None:
        """Recompute a node whose child on the best way down has changed."""
        assert node.toward is not None
        node.toward[0].refresh()
        self._choose(node)

    def _choose(self, node: Node) -> None:
        """Set a node's cost, and where the best leaf below it lies, from its actions."""
        actions = node.actions
        assert actions
        least = min([action.cost for action in actions])
        node.cost = least
        total, reach, toward = 0.0, -1.0, None
        for action in actions:
            # Siblings differ by a few questions; the least one has weight 1, so none underflows.
            weight = math.exp((least - action.cost) / self._temperature)
            total += weight
            yes = action.chance * action.yes.reach
            no = (1.0 - action.chance) * action.no.reach
            if weight * yes > reach:
                reach, toward = weight * yes, (action, action.yes)
            if weight * no > reach:
                reach, toward = weight * no, (action, action.no)
        node.reach = reach / total
        node.toward = toward

    def _expand(self, node: Node, free: FreeItems, gone: AbstractSet[int]) -> None:
        """Give a leaf its actions, with proxy costs for what they lead to."""
        if node.guess:
            node.actions = [self._without_least_certain(node)]
            return
        singles = [self._single(node, item) for item in free.singles(gone)]
        node.actions = singles
        previous = min([action.cost for action in singles])
        for action in self._groups(node, free.surest(gone)):
            node.actions.append(action)
            if self._early_stopping and action.cost > previous:
                return
            previous = action.cost

    def _single(self, node: Node, item: int) -> Action:
        base = node.base - self._weigh((item,))
        yes = Node(base, node.left - 1, (item,))
        no = Node(base, node.left - 1, (item,))
        return Action((item,), math.exp(self._logs[item]), yes, no)

    def _groups(self, node: Node, surest: Iterator[int]) -> Iterator[Action]:
        """Guesses about the n most certain items, n = 2, 3, ..."""
        most = node.left if self._max_n is None else min(self._max_n, node.left)
        every = self._max_n is not None and self._max_n <= self.EVERY_SIZE
        weights = self._weights
        items, logs = list[int](), list[float]()
        log_chance = weight = 0.0
        following = 2
        for n, item in enumerate(itertools.islice(surest, most), start=1):
            items.append(item)
            logs.append(self._logs[item])
            log_chance += logs[-1]
            weight += 1.0 if weights is None else weights[item]
            if n < following:
                continue
            chance = math.exp(log_chance)
            if not every and n > self.SMALL and chance < self.LEAST_CHANCE:
                return
            group = tuple(items)
            yes = Node(node.base - weight, node.left - n, group)
            no = Node(
                node.base, node.left, (), group, tuple(logs), self._excess(weight, log_chance, n)
            )
            yield Action(group, chance, yes, no)
            following = n + 1 if every or n < self.SMALL else min(n + n // 4, max(most, n + 1))

    def _without_least_certain(self, node: Node) -> Action:
        """The one action after a refuted guess."""
        guess, logs = node.guess, node.logs
        items, rest = guess[:-1], logs[:-1]
        log_chance = math.fsum(rest)
        wrong = -math.expm1(log_chance + logs[-1])
        chance = min(1.0, math.exp(log_chance) * -math.expm1(logs[-1]) / wrong)
        yes = Node(node.base - self._weigh(guess), node.left - len(guess), guess)
        weight, m = self._weigh(items), len(items)
        if m == 1:
            no = Node(node.base - weight, node.left - 1, items)
        else:
            no = Node(node.base, node.left, (), items, rest, self._excess(weight, log_chance, m))
        return Action(items, chance, yes, no)

    def _weigh(self, items: tuple[int, ...]) -> float:
        weights = self._weights
        return float(len(items)) if weights is None else sum([weights[item] for item in items])

    def _excess(self, weight: float, log_chance: float, m: int) -> float:
        """What is known of `m` items more, or less, once the guess about them is refuted."""
        if self._weights is None:
            return math.log1p(-(2.0**-m)) / LN2
        wrong = -math.expm1(log_chance)
        surprise = weight + math.exp(log_chance) * log_chance / LN2
        return surprise / wrong + math.log2(wrong) - weight
