"""Every item with what is known about it, for people and for export."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from askless.core.clause import Clause, components
from askless.core.probability import Probs, chance
from askless.core.state import How
from askless.session.record import Record

Known = How | Literal["predicted", "unsure"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """One item and its label.

    Parameters
    ----------
    item
        Its index in the pool.
    label
        The final label; the likelier one where it is only ``predicted``; None where ``unsure``.
    how
        How the label was settled, or ``predicted`` or ``unsure``.
    answers
        Numbers of answers that entail it.
    annotators
        Who gave them.
    prob
        P(label is True) as it is believed now; of an item in a refuted guess, this being given.
    note
        What was noted when it was set aside.
    drawn
        Whether the item was drawn at random and asked alone (`Manners.draw`).
    definition
        How many definitions there were when the oldest of the answers was given.
    """

    item: int
    label: bool | None
    how: Known
    answers: tuple[int, ...]
    annotators: tuple[str, ...]
    prob: float
    note: str
    drawn: bool = False
    definition: int | None = None


def labelled(record: Record, probs: Probs) -> Iterator[Labelled]:
    """Every item of the pool, in order.

    Parameters
    ----------
    record
        What has happened.
    probs
        What is believed about the items that are not settled.
    """
    state = record.state
    refuted = _given_refuted(probs, state.clauses)
    for item, before in enumerate(probs.values.tolist()):
        prob = refuted.get(item, before)
        provenance, drawn = state.provenance(item), item in record.drawn
        if provenance is not None:
            given = [record.given[number] for number in provenance.answers]
            yield Labelled(
                item, state.label(item), provenance.how, provenance.answers,
                tuple(sorted({answer.annotator for answer in given})), prob, "", drawn,
                min(answer.definition for answer in given),
            )  # fmt: skip
        elif state.is_unsure(item):
            note = record.notes.get(item, "")
            yield Labelled(item, None, "unsure", (), (), prob, note, drawn)
        else:
            yield Labelled(item, prob >= 0.5, "predicted", (), (), prob, "", drawn)


def _given_refuted(probs: Probs, clauses: Sequence[Clause]) -> dict[int, float]:
    """P(label is True) of every item in a refuted guess: one of them at least is wrong."""
    return {
        item: chance(probs.values, (item,), (True,), tied)
        for tied in components(clauses)
        for item in {item for clause in tied for item in clause.items}
    }
