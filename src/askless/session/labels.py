"""Items with what is known about them, for the gallery and for export: the same for both.

Tested in tests/session/test_labels.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from askless.core.clause import components
from askless.core.probability import Probs, chance
from askless.core.state import How, State
from askless.session.history import History

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
        What was noted when it was marked unsure.
    in_test_sample
        Whether it belongs to the test sample, and was asked alone (`SessionOptions.test_sample`).
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
    in_test_sample: bool = False
    definition: int | None = None


def labelled(
    history: History,
    probs: Probs,
    items: Iterable[int] | None = None,
    state: State | None = None,
) -> Iterator[Labelled]:
    """Every item of the pool, in order, or some of them.

    Parameters
    ----------
    history
        What has happened.
    probs
        What is believed about the items that are not settled.
    items
        Which; None for all.
    state
        An earlier state of this history, for labels as they were then; None for the newest.
    """
    state = history.state if state is None else state
    items = range(state.n) if items is None else list(items)
    refuted = _given_refuted(probs, state, items)
    for item in items:
        prob = refuted.get(item, float(probs.values[item]))
        provenance, sampled = state.provenance(item), item in history.test_sample
        if provenance is not None:
            given = [history.answers[number] for number in provenance.answers]
            yield Labelled(
                item, state.label(item), provenance.how, provenance.answers,
                tuple(sorted({answer.annotator for answer in given})), prob, "", sampled,
                min(map(history.definition_at, provenance.answers)),
            )  # fmt: skip
        elif state.is_unsure(item):
            said = history.unsure.get(item)
            note = "" if said is None else said.note
            yield Labelled(item, None, "unsure", (), (), prob, note, sampled)
        else:
            yield Labelled(item, prob >= 0.5, "predicted", (), (), prob, "", sampled)


def _given_refuted(probs: Probs, state: State, items: Iterable[int]) -> dict[int, float]:
    """P(label is True) of those that are in a refuted guess: one of its items at least is wrong."""
    held = {item for clause in state.clauses for item in clause.items}.intersection(items)
    return {
        item: chance(probs.values, (item,), (True,), tied)
        for tied in components(state.clauses if held else ())
        for item in held.intersection(item for clause in tied for item in clause.items)
    }
