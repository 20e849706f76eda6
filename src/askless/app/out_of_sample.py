"""Probabilities of labels by whoever has not learnt from them, for exports that look for mistakes.

    read_out_of_sample(history, probs, folder)

Where the features of the pool are in the user's cache, a model is fitted without the label and all
others of the same question (`askless.predictors.held_out`). Otherwise it is prequential: what was
stated when an item was first asked about, the chance of a yes shared out over the items of that
question. Later questions about it will not do: after a no, their chance is given that one of the
items is wrong. A label that came with the source was not predicted so; it is left out.
Imported by `askless.app.exporting`; tested in tests/exports/test_cleanlab.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.app.mistakes import read_evidence
from askless.app.neighbours import open_columns
from askless.app.review import cached_columns
from askless.core.probability import Probs
from askless.exports.contents import OutOfSample
from askless.history.history import History
from askless.history.projections import SOURCE
from askless.predictors.held_out import held_out_probs

_SAID: Final = {
    "held-out": "The probabilities are those of a model that learnt from other questions alone.",
    "when asked": "The probabilities are those that each item was first asked about with.",
    "given": "The probabilities are those that the session was begun with.",
}


def read_out_of_sample(history: History, probs: Probs, folder: Path | None) -> OutOfSample:
    """P(label is True) of every item by whoever has not learnt its label; NaN where nobody said.

    Parameters
    ----------
    history
        What has happened.
    probs
        What is believed now; used only if it was never fitted to answers.
    folder
        The session's, to find its features in the cache by; None for memory alone.
    """
    evidence = read_evidence(history, probs)
    columns = None if folder is None else cached_columns(folder)
    rows = None if columns is None else open_columns(columns, len(evidence.labels))
    held_out = None
    if rows is not None:
        held_out = held_out_probs(rows, evidence.labels, evidence.answer)
    if held_out is not None:
        stated = np.where(evidence.labels >= 0, held_out.probs, np.nan)
        return OutOfSample(stated, _SAID["held-out"])
    first = evidence.probs if evidence.said == "given" else _when_first_asked(history)
    return OutOfSample(np.where(evidence.labels >= 0, first, np.nan), _SAID[evidence.said])


def _when_first_asked(history: History) -> NDArray[np.float64]:
    """P(label is True) of each item as the first question about it had it."""
    found = np.full(history.state.n, np.nan)
    seen: set[int] = set()
    for number in sorted(history.answers):
        given = history.answers[number]
        question, chance = given.answer.question, history.asked[given.question_id].chance
        right = np.nan
        if chance is not None and given.annotator != SOURCE:
            right = max(chance, 1e-9) ** (1.0 / len(question))
        for item, guess in zip(question.items, question.guess, strict=True):
            if item not in seen:
                seen.add(item)
                found[item] = right if guess else 1.0 - right
    return found
