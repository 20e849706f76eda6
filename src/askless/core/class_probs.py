"""Probabilities of more than two classes, and what no procedure can beat with them.

**Entropy.** H(Y) = sum_i H(p_i), in bits; a yes/no answer carries at most one.

**With at most M items in a question**, for procedures that ask one class at a time, likeliest first
(nested dichotomies), guess the likelier side and are answered yes or no. Item i then has a chain of
binary facts: is it its likeliest class; if not, is it the next; and so on, K - 1 at most. Fact v is
reached with chance B_v, the chance that none of the earlier ones was right, and then holds with
chance q_v. By the chain rule sum_v B_v h(q_v) = H(p_i), so the facts are worth as many bits
as the labels, and the bound of `askless.core.bounds` holds for them: B_v of a fact counts for one
item, e_v = min(q_v, 1 - q_v). It is no bound for other chains.

All O(n K). Used by `askless.planners.binary_reduction` and `askless.lab`; tested in
tests/core/test_class_probs.py.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.bounds import SMALLEST_CHANCE, capped_bound_from_sums
from askless.core.guess import MOST_CLASSES
from askless.doors import shown
from askless.errors import InvalidInput

Floats = NDArray[np.float64]

_versions = itertools.count(1)


@dataclass(frozen=True, eq=False)
class ClassProbs:
    """P(class) for every item, as one unchangeable version.

    Parameters
    ----------
    values
        Shape (n, classes), at least 0; every row adds up to 1. Copied and made read-only.
    version
        Different values have different versions; by default a new one.
    """

    values: Floats
    version: int = field(default_factory=lambda: next(_versions))

    def __post_init__(self) -> None:
        try:
            values = np.array(self.values, dtype=np.float64)
        except Exception as error:  # whatever holds them says so in its own way
            raise InvalidInput(
                f"Class probabilities are numbers between 0 and 1; got {shown(self.values)}."
            ) from error
        if values.ndim != 2 or not 2 <= values.shape[1] <= MOST_CLASSES:
            raise InvalidInput(
                "Class probabilities have a row for every item and a column for each of 2 to "
                f"{MOST_CLASSES} classes; got shape {values.shape}."
            )
        sums = values.sum(axis=1)
        wrong = np.flatnonzero(~((values >= 0).all(axis=1) & (np.abs(sums - 1) < 1e-6)))
        if len(wrong):
            raise InvalidInput(
                "The class probabilities of an item are 0 or more and add up to 1; got "
                f"{shown(values[wrong[0]].tolist())} for item {wrong[0]}."
            )
        values /= sums[:, None]
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return int(self.values.shape[1])


def class_entropy_bits(probs: ArrayLike) -> float:
    """Entropy of a whole labelling whose labels are independent, H(Y)."""
    p = ClassProbs(np.asarray(probs)).values
    return float(-np.sum(p * np.log2(np.where(p > 0, p, 1.0))) + 0.0)


def class_bound_questions(probs: ArrayLike, max_n: int | None) -> float:
    """The fewest expected questions about at most `max_n` items, one class at a time.

    Parameters
    ----------
    probs
        P(class) for every item, shape (n, classes).
    max_n
        The most items a question may show; None for no cap, which gives H(Y).
    """
    p = ClassProbs(np.asarray(probs)).values
    entropy = class_entropy_bits(p)
    if max_n is None:
        return entropy
    ordered = -np.sort(-p, axis=1)
    # The chance that a fact is reached, and the chance of its less likely side then.
    reached = np.cumsum(ordered[:, ::-1], axis=1)[:, ::-1][:, :-1]
    less_likely = np.minimum(ordered[:, :-1], reached - ordered[:, :-1])
    wrong = float(np.sum(np.maximum(less_likely, 0.0)))
    return capped_bound_from_sums(entropy, wrong, float(np.sum(reached)), max_n)


def class_code_length_bits(probs: ArrayLike, labels: ArrayLike) -> float:
    """The bits a realised labelling is worth under the probs: sum of -log2 P(label).

    Parameters
    ----------
    probs
        P(class) for every item, shape (n, classes).
    labels
        The right class of every item, by its number.
    """
    p = ClassProbs(np.asarray(probs)).values
    truth = np.asarray(labels)
    if truth.shape != p.shape[:1] or not np.all((truth >= 0) & (truth < p.shape[1])):
        raise InvalidInput(
            f"A code length needs one class number, 0 to {p.shape[1] - 1}, for each of the "
            f"{len(p)} items; got an array of shape {truth.shape}."
        )
    chance = p[np.arange(len(p)), truth.astype(np.intp)]
    return float(-np.sum(np.log2(np.maximum(chance, SMALLEST_CHANCE))))
