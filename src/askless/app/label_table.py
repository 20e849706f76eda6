"""What is known about every item, as columns: what a gallery of any size filters and sorts by.

    table = read_table(history, probs)     # some milliseconds for 100,000 items, with the lock
    table.how == HOW.index("pointed")

An answer that settles items says the same of all of them, so its words are looked up once and
spread over its items; only labels that follow from several answers, and those said again by a
correction, are looked at one by one. Cost: a few passes over n, and the answers.
Imported by `askless.web`; tested in tests/app/test_label_table.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.history.history import History
from askless.history.labels import Known, how_settled
from askless.history.projections import SOURCE

HOW: Final[tuple[Known, ...]] = ("", "unsure", "given", "alone", "group", "pointed", "deduced")
NOBODY: Final = -1


@dataclass(frozen=True, eq=False, slots=True)
class LabelTable:
    """One row an item.

    Parameters
    ----------
    labels
        1 and 0 where settled, -1 where open, -2 where unsure or gone without a label.
    probs
        P(label is positive), as the model has it.
    how
        How the label was settled: a place in `HOW`.
    number
        Number of the newest answer that its label follows from, or of the event that marked it
        unsure; -1 where open.
    annotator
        Who gave that answer: a place in `annotators`; -1 where nobody did.
    definition
        How many definitions there were at the oldest answer that its label follows from; -1 where
        it has none.
    annotators
        Everybody who gave an answer that settles an item.
    others
        By item, who else has a part in its label, where several have.
    """

    labels: NDArray[np.int8]
    probs: NDArray[np.float64]
    how: NDArray[np.int8]
    number: NDArray[np.int64]
    annotator: NDArray[np.int32]
    definition: NDArray[np.int32]
    annotators: tuple[str, ...]
    others: dict[int, frozenset[str]] = field(default_factory=dict)

    def by(self, annotator: str) -> NDArray[np.bool_]:
        """Which labels this annotator has a part in."""
        if annotator not in self.annotators:
            return np.zeros(len(self.labels), bool)
        mask: NDArray[np.bool_] = self.annotator == self.annotators.index(annotator)
        mask[[item for item, others in self.others.items() if annotator in others]] = True
        return mask


def read_table(history: History, probs: Probs) -> LabelTable:
    """What is known about every item now."""
    state = history.state
    labels, settled_by = state.labels(), state.settled_by()
    words = _Words(history)
    how = words.how[settled_by]
    how[list(history.unsure)] = HOW.index("unsure")
    annotator, definition = words.annotator[settled_by], words.definition[settled_by]
    number = settled_by.copy()
    for answer, given in words.given.items():
        wrong = given.answer.wrong
        if given.replaces:
            for item in given.answer.question.items:
                if settled_by[item] == answer:
                    how[item] = HOW.index(how_settled(history, item))
        elif wrong and how[wrong[0]] != HOW.index("given"):
            pointed = np.array(wrong)
            how[pointed[settled_by[pointed] == answer]] = HOW.index("pointed")
    others: dict[int, frozenset[str]] = {}
    alone = (labels >= 0) & ((settled_by < 0) | (how == HOW.index("deduced")))
    for item in np.flatnonzero(alone).tolist():
        why = state.provenance(item)
        assert why is not None  # it has a label
        how[item], number[item] = HOW.index("deduced"), max(why.answers)
        annotator[item] = words.annotator[max(why.answers)]
        definition[item] = min(int(words.definition[one]) for one in why.answers)
        others[item] = frozenset(history.answers[one].annotator for one in why.answers)
    for item, said in history.unsure.items():
        number[item] = said.number
    return LabelTable(
        labels, probs.values, how, number, annotator, definition,
        tuple(words.annotators), others,
    )  # fmt: skip


class _Words:
    """What every answer that counts says of the items it settles, by number; the last is nobody."""

    def __init__(self, history: History) -> None:
        size = history.last + 2  # so that -1, for no answer, is a place of its own
        self.how = np.zeros(size, np.int8)
        self.annotator = np.full(size, NOBODY, np.int32)
        self.definition = np.full(size, NOBODY, np.int32)
        self.annotators: dict[str, int] = {}
        self.given = {number: history.answers[number] for number in history.state.answers}
        for number, given in self.given.items():
            answer, annotators = given.answer, self.annotators
            if len(answer) == 1:
                known: Known = "alone"
            else:
                known = "deduced" if answer.kind == "no" else "group"
            if given.annotator == SOURCE:
                known = "given"
            self.how[number] = HOW.index(known)
            self.annotator[number] = annotators.setdefault(given.annotator, len(annotators))
            self.definition[number] = history.definitions.count_before(number)
