"""The search over all general questions, with the entropy as cost (Sec. 3.2).

When every chance is a power of 1/2, the cheapest procedure costs exactly the
entropy of the labellings left. Take that entropy as the cost of a state s, and
the best question is the subset q that leaves the least of it on average:

    argmin_q  P(q | s) H(q) + P(s - q | s) H(s - q)

This goes from the root down where Huffman's tree grows from the leaves up. In
the dyadic case both cost H; elsewhere this one is greedy and may cost more
(probs .1, .3, .45, .8: 3.26 questions against 3.09), since the entropy is then
only a lower bound on what a state costs.

A state of k labellings has 2^(k-1) - 1 questions, all of which are tried: with
n items O(2^(2^n)) time and memory, so four items (65,536 states) are the limit
and five (four thousand million) out of reach. An illustration; for a baseline
use `huffman`, which is never worse and far cheaper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.labellings import checked_chances, labelling_chances
from askless.errors import InvalidInput

MAX_ITEMS = 4


@dataclass(frozen=True, slots=True)
class SearchedQuestions:
    """What the search asks, everywhere it can come to.

    A state, like a question, is a set of labellings written as a number: bit k
    is set when labelling k belongs to it.

    Parameters
    ----------
    n_labellings
        How many labellings there are to tell apart.
    questions
        For each state that can be reached with more than one labelling left, the
        labellings asked about.
    expected_questions
        E[Q] of the whole procedure.
    """

    n_labellings: int
    questions: dict[int, int]
    expected_questions: float

    def play(self, labelling: int) -> tuple[tuple[int, bool], ...]:
        """Each question put and its answer, if the right labelling has this number."""
        if not 0 <= labelling < self.n_labellings:
            raise InvalidInput(
                f"The search knows the labellings 0 to {self.n_labellings - 1}; got {labelling}."
            )
        steps = []
        state = 2**self.n_labellings - 1
        while state in self.questions:
            asked = self.questions[state]
            answer = bool(asked >> labelling & 1)
            steps.append((asked, answer))
            state = asked if answer else state & ~asked
        return tuple(steps)


def search_questions(probs: ArrayLike) -> SearchedQuestions:
    """Search for items with independent labels.

    Parameters
    ----------
    probs
        P(label is True) for every item, at most `MAX_ITEMS` of them.
    """
    return _search(labelling_chances(probs, MAX_ITEMS, "The exhaustive search"))


def search_questions_over(chances: ArrayLike) -> SearchedQuestions:
    """Search for any joint distribution over labellings.

    Parameters
    ----------
    chances
        The probability of each labelling, by number.
    """
    return _search(checked_chances(chances, 2**MAX_ITEMS, "The exhaustive search"))


def _search(chances: NDArray[np.float64]) -> SearchedQuestions:
    m = len(chances)
    mass = _over_subsets(chances)
    # P(s) H(s) = P log2 P - sum p log2 p, for every state s at once.
    uncertainty = _p_log2_p(mass) - _over_subsets(_p_log2_p(chances))
    log_size = mass * np.log2(np.maximum(_over_subsets(np.ones(m)), 1))

    questions: dict[int, int] = {}
    expected = 0.0
    states = [2**m - 1]
    while states:
        state = states.pop()
        if state & (state - 1) == 0:  # one labelling left
            continue
        asked = _best_question(state, uncertainty, log_size)
        questions[state] = asked
        expected += float(mass[state])  # every state passed costs its question
        states += [asked, state & ~asked]
    return SearchedQuestions(m, questions, expected)


def _best_question(
    state: int, uncertainty: NDArray[np.float64], log_size: NDArray[np.float64]
) -> int:
    """The subset that leaves the least expected entropy.

    Questions that tie (up to rounding, so that it is the same on every machine)
    are told apart by the expected logarithm of the labellings left, which still
    sees the labellings of chance 0, and then by the lower number.
    """
    asked = _questions(state)
    rest = state & ~asked
    left = np.round(uncertainty[asked] + uncertainty[rest], 12)
    tied = np.flatnonzero(left == left.min())
    sizes = np.round(log_size[asked[tied]] + log_size[rest[tied]], 12)
    return int(asked[tied[np.argmin(sizes)]])


def _questions(state: int) -> NDArray[np.int64]:
    """Every proper subset of the state that holds its first labelling.

    Asking about the others is asking about their complement: the same question.
    """
    first = state & -state
    subsets = np.array([first], dtype=np.int64)
    rest = state & ~first
    while rest:
        bit = rest & -rest
        rest &= ~bit
        subsets = np.concatenate([subsets, subsets | bit])
    return subsets[:-1]  # the last one is the whole state


def _over_subsets(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of the values over each of the 2^m subsets."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def _p_log2_p(p: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(p * np.log2(np.where(p > 0, p, 1.0)))
