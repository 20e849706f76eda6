"""The best any questions can do: a Huffman tree over all labellings (Sec. 3.1).

A general question is "is the right labelling among these?". Asking such
questions until one labelling is left is reading that labelling's code word, so
the fewest expected questions are those of a Huffman code whose symbols are the
2^n labellings:

    H <= E[Q] <= H + 1,    with equality on the left when all chances are powers of 1/2.

Labellings are numbered by their labels: bit k of the number is 1 if the label of item k is True.

Built with a heap: O(m log m) for m = 2^n labellings, about 0.3 s at n = 16 and 10 s at
n = 20, the limit. A baseline for tiny pools and not
a way to label: nobody can answer a question about thousands of labellings.

Labellings of chance 0 are leaves like the others, as deep as they come, so a
tree finds the right labelling even when the probs excluded it. Where a choice
is free (equal chances) single labellings go before merged ones, then the lower
number first: the tree is a function of the chances alone.
Tested in tests/experiments/test_huffman.py.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.entropy import binary_entropy_bits
from askless.core.probability import Probs
from askless.errors import InvalidInput, TooLarge

MAX_ITEMS = 20


@dataclass(frozen=True, eq=False, slots=True)
class HuffmanTree:
    """A complete plan of questions. Its nodes are numbered.

    Of m labellings, node k < m is labelling k found; nodes m to 2m - 2 each ask
    a question, the last being the root.

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
    """

    branches: NDArray[np.int64]
    chance: NDArray[np.float64]
    cost_questions: NDArray[np.float64]
    entropy_bits: NDArray[np.float64]
    depth: NDArray[np.int64]

    @property
    def n_labellings(self) -> int:
        """How many leaves there are."""
        return (len(self.chance) + 1) // 2

    @property
    def expected_questions(self) -> float:
        """E[Q], the fewest questions that can be expected."""
        return float(self.cost_questions[-1])


def huffman_tree(probs: ArrayLike) -> HuffmanTree:
    """The tree for independent labels.

    Parameters
    ----------
    probs
        P(label is True) for each item, at most `MAX_ITEMS` of them.

    Raises
    ------
    TooLarge
        There are more items.
    """
    leaf_chance = labelling_chances(probs)
    branches, chance = _merge(leaf_chance)
    levels = _levels(branches)
    n = len(chance)
    size = np.ones(n, dtype=np.int64)
    cost, entropy = np.zeros(n), np.zeros(n)
    for asking in reversed(levels):  # from the leaves up: children before their parents
        children = branches[asking]
        size[asking] = size[children].sum(axis=1)
        share = _shares(chance[children], size[children])
        cost[asking] = 1 + (share * cost[children]).sum(axis=1)
        entropy[asking] = binary_entropy_bits(share[:, 1]) + (share * entropy[children]).sum(axis=1)
    depth = np.zeros(n, dtype=np.int64)
    for asking in levels:
        depth[branches[asking]] = depth[asking, None] + 1
    return HuffmanTree(branches, chance, cost, entropy, depth)


def labelling_chances(probs: ArrayLike) -> NDArray[np.float64]:
    """The probability of each of the 2^n labellings of independent items, by number."""
    marginals = Probs(np.asarray(probs, dtype=np.float64)).values
    if len(marginals) > MAX_ITEMS:
        raise TooLarge(
            f"A Huffman tree handles at most {MAX_ITEMS} items ({2**MAX_ITEMS} labellings); "
            f"got {len(marginals)}. Use a planner for larger pools."
        )
    chances = np.ones(1)
    for p in marginals:
        chances = np.concatenate([chances * (1 - p), chances * p])
    return chances


def labelling_number(labels: ArrayLike) -> int:
    """The number of a labelling."""
    bits = np.asarray(labels)
    if bits.ndim != 1 or not np.all((bits == 0) | (bits == 1)):
        raise InvalidInput(f"A labelling is a row of labels True or False; got {labels!r}.")
    return sum(1 << int(item) for item in np.flatnonzero(bits))


def _merge(leaf_chance: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Where each node leads, and its chance: the two least likely are merged, until one is left."""
    chance = leaf_chance.tolist()
    branches = [(-1, -1)] * len(chance)
    heap = [(each, node) for node, each in enumerate(chance)]
    heapq.heapify(heap)
    while len(heap) > 1:
        (least, less), (next_least, more) = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (least + next_least, len(chance)))
        branches.append((less, more))
        chance.append(least + next_least)
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
