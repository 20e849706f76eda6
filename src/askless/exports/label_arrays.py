"""Labels of all items as arrays, some ten bytes an item, for exports to write and to count.

Imported by `askless.exports.contents` and whoever makes what an export writes.
Tested in tests/exports/test_contents.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

import numpy as np
from numpy.typing import NDArray

from askless.core.provenance import How
from askless.history.labels import Labelled

HOWS: Final = ("", "unsure", "given", "accepted", *get_args(How))
"""How a label was settled, by its number in the arrays."""


class LabelArrays:
    """Labels of all items, in little room.

    Parameters
    ----------
    labels
        From `askless.history.labels.labelled`, all items in order.
    n
        How many items there are.
    """

    def __init__(self, labels: Iterable[Labelled], n: int) -> None:
        self.code = np.full(n, -1, np.int8)
        self.how = np.zeros(n, np.uint8)
        self.probability = np.full(n, 0.5)
        self.in_test_sample = np.zeros(n, np.bool_)
        self.accepted = np.full(n, -1, np.int8)
        self.suspect = np.zeros(n, np.bool_)
        numbers = {how: number for number, how in enumerate(HOWS)}
        for entry in labels:
            item = entry.item
            if entry.label is not None:
                self.code[item] = int(entry.label)
            self.how[item] = numbers[entry.how]
            self.probability[item] = entry.probability
            self.in_test_sample[item] = entry.in_test_sample
            if entry.accepted is not None:
                self.accepted[item] = int(entry.accepted)
                self.suspect[item] = entry.suspect

    @classmethod
    def to_count(cls, codes: NDArray[np.int8], probability: NDArray[np.float64]) -> LabelArrays:
        """Enough to count with, without asking how each label was settled.

        Parameters
        ----------
        codes
            By item, as `askless.core.state.State.labels` gives them.
        probability
            By item, of the positive label.
        """
        found = cls((), len(codes))
        found.code = np.maximum(codes, -1)
        found.how[codes >= 0] = HOWS.index("group")
        found.how[codes < -1] = HOWS.index("unsure")
        found.probability = probability
        return found

    def guesses(self, above: float) -> NDArray[np.int8]:
        """By item, the likelier label where the item is open and it is likelier than `above`."""
        likely = np.maximum(self.probability, 1 - self.probability) > above
        found = (self.probability >= 0.5).astype(np.int8)
        is_open = (self.how == HOWS.index("")) | (self.how == HOWS.index("accepted"))
        found[~is_open | ~likely] = -1
        return found
