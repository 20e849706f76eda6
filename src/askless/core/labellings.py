"""Every labelling of a small pool, by number.

Labelling number k gives item i the label in bit i of k, so n items have the
labellings 0 .. 2^n - 1. With independent labels the probability of a labelling
is the product of the probabilities of its labels (Sec. 3 of the paper).

Time and memory O(2^n): for the exact computations on tiny pools that need all
of them (`huffman`), never for a pool that somebody labels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.errors import InvalidInput, TooLarge


def labelling_chances(
    probs: ArrayLike, max_items: int, purpose: str = "Listing all labellings"
) -> NDArray[np.float64]:
    """The probability of each of the 2^n labellings, in order of their numbers.

    Parameters
    ----------
    probs
        P(label is True) for every item; labels are taken as independent.
    max_items
        The most items the caller can handle; `TooLarge` is raised beyond.
    purpose
        Who asks, as the subject of that error's message.
    """
    marginals = np.asarray(probs, dtype=np.float64)
    if marginals.ndim != 1 or not np.all((marginals >= 0) & (marginals <= 1)):
        raise InvalidInput(
            "Probs are a row of numbers between 0 and 1, one for each item; "
            f"got an array of shape {marginals.shape} or a value outside."
        )
    if len(marginals) > max_items:
        raise TooLarge(
            f"{purpose} handles at most {max_items} items ({2**max_items} labellings); "
            f"got {len(marginals)}. Use a planner for larger pools."
        )
    chances = np.ones(1)
    for p in marginals:
        chances = np.concatenate([chances * (1 - p), chances * p])
    return chances


def checked_chances(chances: ArrayLike, max_labellings: int, purpose: str) -> NDArray[np.float64]:
    """A joint distribution over labellings, as an array, if it is one.

    Parameters
    ----------
    chances
        The probability of each labelling; they sum to one.
    max_labellings
        The most labellings the caller can handle; `TooLarge` is raised beyond.
    purpose
        Who asks, as the subject of that error's message.
    """
    values = np.asarray(chances, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not np.all(values >= 0):
        raise InvalidInput(
            "A distribution over labellings is a row of probabilities, none below 0; "
            f"got an array of shape {values.shape}."
        )
    if not abs(float(np.sum(values)) - 1) < 1e-6:
        raise InvalidInput(
            f"The probabilities of all labellings sum to 1; got {np.sum(values)}. Normalise them."
        )
    if len(values) > max_labellings:
        raise TooLarge(
            f"{purpose} handles at most {max_labellings} labellings; got {len(values)}. "
            "Use a planner for larger pools."
        )
    return values


def labelling_number(labels: ArrayLike) -> int:
    """The number of the labelling that gives these labels to the items, in order."""
    bits = np.asarray(labels)
    if bits.ndim != 1 or not np.all((bits == 0) | (bits == 1)):
        raise InvalidInput(f"A labelling is a row of labels True or False; got {labels!r}.")
    return sum(1 << int(item) for item in np.flatnonzero(bits))


def labelling_labels(number: int, n_items: int) -> NDArray[np.bool_]:
    """The label each of `n_items` items has in labelling `number`."""
    if not 0 <= number < 1 << n_items:
        raise InvalidInput(
            f"{n_items} items have the labellings 0 to {(1 << n_items) - 1}; got {number}."
        )
    return np.array([number >> item & 1 for item in range(n_items)], dtype=np.bool_)
