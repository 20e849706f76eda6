"""The best any questions can do: a Huffman tree over all labellings (Sec. 3.1).

A general question is "is the right labelling among these?". Asking such
questions until one labelling is left is reading that labelling's code word, so
the fewest expected questions are those of a Huffman code whose symbols are the
2^n labellings:

    H <= E[Q] <= H + 1,    with equality on the left when all chances are powers of 1/2.

Built with two queues after one sort: O(m log m) for m = 2^n labellings, about
0.2 s at n = 16 and 5 s at n = 20, the limit. A baseline for tiny pools and not
a way to label: nobody can answer a question about thousands of labellings.

Labellings of chance 0 are leaves like the others, as deep as they come, so a
tree finds the right labelling even when the probs excluded it. Where a choice
is free (equal chances) single labellings go before merged ones, then the lower
number first: the tree is a function of the chances alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.entropy import binary_entropy_bits
from askless.core.labellings import checked_chances, labelling_chances
from askless.errors import InvalidInput

MAX_ITEMS = 20


@dataclass(frozen=True, eq=False, slots=True)
class HuffmanTree:
    """A complete plan of questions. Its nodes are numbered.

    Of m labellings, node k < m is labelling k found; nodes m to 2m - 2 each ask
    a question, the last being the root. All arrays are read-only.

    Parameters
    ----------
    branches
        For each node where an answer leads: ``branches[node] = (no, yes)``; -1 at
        the leaves. The likelier of the two is the one asked about.
    chance
        The probability that the questions lead through this node.
    cost_questions
        The expected number of questions still to come from this node.
    entropy_bits
        The entropy of the labellings that are left at this node.
    depth
        The number of questions asked before this node; at a leaf, all of them.
    order, start, size
        ``order[start[node] : start[node] + size[node]]`` are the labellings left.
    """

    branches: NDArray[np.int64]
    chance: NDArray[np.float64]
    cost_questions: NDArray[np.float64]
    entropy_bits: NDArray[np.float64]
    depth: NDArray[np.int64]
    order: NDArray[np.int64]
    start: NDArray[np.int64]
    size: NDArray[np.int64]

    @property
    def n_labellings(self) -> int:
        """How many labellings the tree tells apart."""
        return len(self.order)

    @property
    def root(self) -> int:
        """The node where the questions begin."""
        return len(self.chance) - 1

    @property
    def expected_questions(self) -> float:
        """E[Q] of the whole procedure."""
        return float(self.cost_questions[self.root])

    def labellings(self, node: int) -> NDArray[np.int64]:
        """The numbers of the labellings not excluded when this node is reached."""
        return self.order[self.start[node] : self.start[node] + self.size[node]]

    def question(self, node: int) -> NDArray[np.int64]:
        """Is the right labelling among these? Their numbers; none at a leaf."""
        yes = self.branches[node, 1]
        return self.labellings(int(yes)) if yes >= 0 else self.order[:0]

    def play(self, labelling: int) -> tuple[tuple[int, bool], ...]:
        """Each question put and its answer, if the right labelling has this number.

        Parameters
        ----------
        labelling
            The right labelling, see `labellings.labelling_number`.

        Returns
        -------
        tuple
            The asking node and whether the answer was yes, from the root on. Its
            length is the number of questions.
        """
        if not 0 <= labelling < self.n_labellings:
            raise InvalidInput(
                f"The tree knows the labellings 0 to {self.n_labellings - 1}; got {labelling}."
            )
        steps = []
        node = self.root
        while node >= self.n_labellings:
            answer = labelling in self.question(node)
            steps.append((node, answer))
            node = int(self.branches[node, int(answer)])
        return tuple(steps)


def huffman_tree(probs: ArrayLike) -> HuffmanTree:
    """The best general questions for items with independent labels.

    Parameters
    ----------
    probs
        P(label is True) for every item, at most `MAX_ITEMS` of them.
    """
    return _tree(labelling_chances(probs, MAX_ITEMS, "A Huffman tree"))


def huffman_tree_over(chances: ArrayLike) -> HuffmanTree:
    """The best general questions for any joint distribution over labellings.

    Parameters
    ----------
    chances
        The probability of each labelling, by number.
    """
    return _tree(checked_chances(chances, 2**MAX_ITEMS, "A Huffman tree"))


def _tree(leaf_chance: NDArray[np.float64]) -> HuffmanTree:
    m = len(leaf_chance)
    branches, chance = _merge(leaf_chance)
    levels = _levels(branches)

    size = np.ones(2 * m - 1, dtype=np.int64)
    cost = np.zeros(2 * m - 1)
    entropy = np.zeros(2 * m - 1)
    for asking in reversed(levels):  # from the leaves up: children before their parents
        children = branches[asking]
        size[asking] = size[children].sum(axis=1)
        share = _shares(chance[children], size[children])
        cost[asking] = 1 + (share * cost[children]).sum(axis=1)
        entropy[asking] = binary_entropy_bits(share[:, 1]) + (share * entropy[children]).sum(axis=1)

    depth = np.zeros(2 * m - 1, dtype=np.int64)
    start = np.zeros(2 * m - 1, dtype=np.int64)
    for asking in levels:
        no, yes = branches[asking].T
        depth[no] = depth[yes] = depth[asking] + 1
        start[no] = start[asking]
        start[yes] = start[asking] + size[no]
    order = np.argsort(start[:m])  # a leaf's start is its own place

    tree = HuffmanTree(branches, chance, cost, entropy, depth, order, start, size)
    for array in (branches, chance, cost, entropy, depth, order, start, size):
        array.flags.writeable = False
    return tree


def _merge(leaf_chance: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Join the two least likely nodes until one is left.

    Merged nodes come out in ascending order of chance, so two queues do what a
    heap would: the sorted leaves, and the merged nodes as they are made.
    """
    m = len(leaf_chance)
    leaves = np.argsort(leaf_chance, kind="stable").tolist()
    chance = leaf_chance.tolist()
    branches = [(-1, -1)] * m
    leaf, merged = 0, m  # the heads of the two queues
    for _ in range(m - 1):
        pair = []
        for _ in range(2):
            none_merged = merged == len(chance)
            if leaf < m and (none_merged or chance[leaves[leaf]] <= chance[merged]):
                pair.append(leaves[leaf])
                leaf += 1
            else:
                pair.append(merged)
                merged += 1
        less, more = pair
        branches.append((less, more))
        chance.append(chance[less] + chance[more])
    return np.array(branches, dtype=np.int64), np.array(chance)


def _levels(branches: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The asking nodes, by the number of questions before them."""
    levels: list[NDArray[np.int64]] = []
    asking = np.array([len(branches) - 1])
    while True:
        asking = asking[branches[asking, 0] >= 0]
        if not len(asking):
            return levels
        levels.append(asking)
        asking = branches[asking].ravel()


def _shares(chance: NDArray[np.float64], size: NDArray[np.int64]) -> NDArray[np.float64]:
    """P(no), P(yes) at each node; where both have chance 0, labellings count alike."""
    weight = np.where(chance.sum(axis=1, keepdims=True) > 0, chance, size)
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))
