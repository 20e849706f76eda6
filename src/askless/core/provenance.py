"""Why a label is certain: the way it was settled, and the answers it rests on.

Made by `askless.core.state.State.provenance`; tested in tests/core/test_state.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from askless.core._ledger import NOBODY, Ledger

How = Literal["alone", "group", "pointed", "deduced"]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Why a label is certain.

    Parameters
    ----------
    how
        Asked ``alone``, in a ``group`` that was all right, ``pointed`` at (or spared by
        the pointing), or ``deduced`` from a refuted guess. With more classes than two, by the
        answer that excluded the last other class.
    answers
        Numbers of answers that together entail the label.
    """

    how: How
    answers: tuple[int, ...]


def way_settled(ledger: Ledger, item: int) -> How:
    """How a settled item was settled."""
    number = ledger.reason[item]
    if number == NOBODY:
        return "deduced"
    answer = ledger.answers[number]
    if item in answer.wrong:
        return "pointed"
    if len(answer) == 1:
        return "alone"
    return "deduced" if answer.kind == "no" else "group"
