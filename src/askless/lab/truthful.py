"""An annotator who knows every label and never errs."""

from __future__ import annotations

from numpy.typing import ArrayLike

from askless.core.question import Answer, Question
from askless.lab.known_pool import as_labels


class TruthfulAnnotator:
    """Answers every question with the truth.

    Parameters
    ----------
    labels
        The right label of every item of the pool.
    pointing
        Whether to point at the wrong guesses, vouching for the rest, instead of a bare no. A
        question about one item is never pointed at: there a no says it all.
    """

    def __init__(self, labels: ArrayLike, *, pointing: bool = False) -> None:
        # A list of plain bools is read item by item some ten times faster than an array.
        self._labels: list[bool] = as_labels(labels).tolist()
        self._pointing = pointing

    def answer(self, question: Question) -> Answer:
        """Yes when every guess is right; otherwise no, or which guesses are wrong."""
        pairs = zip(question.items, question.guess, strict=True)
        wrong = [item for item, label in pairs if self._labels[item] is not label]
        if not wrong:
            return question.yes()
        if self._pointing and len(question) > 1:
            return question.pointed(wrong, rest_right=True)
        return question.no()
