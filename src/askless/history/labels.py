"""Items with what is known about them, for the gallery and for export: the same for both.

Tested in tests/history/test_labels.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askless.core.claimed import Mask
from askless.core.clause import components
from askless.core.probability import Probs, chance
from askless.core.provenance import How, Provenance
from askless.core.state import State
from askless.history.history import History
from askless.history.projections import SOURCE

Known = How | Literal["given", "unsure", "accepted", ""]


class Accepted(NamedTuple):
    """The items whose labels are the frozen guesses of a claim.

    Parameters
    ----------
    claim
        Number of its event.
    items
        Which; by item.
    guess
        The frozen guess; by item.
    probs
        P(label is True) as it was believed then; None if nobody noted it.
    suspect
        Those among which some are known to be wrong: an open clause holds their frozen guesses.
    """

    claim: int
    items: Mask
    guess: Mask
    probs: NDArray[np.float32] | None
    suspect: frozenset[int] = frozenset()


def accepted_of(history: History, state: State | None = None) -> Accepted | None:
    """What is accepted in this state, or in the newest; None while nothing is claimed."""
    claim = history.claims.current
    if claim is None:
        return None
    state = history.state if state is None else state
    accepted, guess = claim.accepted(state), claim.guess
    suspect = (
        item
        for clause in state.clauses
        for item, refuted in clause.pairs
        if accepted[item] and guess[item] == refuted
    )
    return Accepted(claim.number, accepted, guess, claim.probs, frozenset(suspect))


@dataclass(frozen=True, slots=True)
class Labelled:
    """One item and its label.

    Parameters
    ----------
    item
        Its index in the pool.
    label
        What the answers entail; None while the item is open, or where it is unsure.
    how
        How the label was settled, ``given`` if the source gave it; ``unsure``; ``accepted`` for an
        open item of the claim in force; else empty while open, also while the item is gone from
        the source.
    answers
        Numbers of answers that entail it.
    annotators
        Who gave them.
    probability
        P(label is True) as it is believed now; of an item in a refuted guess, this being given; of
        an accepted one as it was believed when the guesses were frozen.
    note
        What was noted when it was marked unsure.
    in_test_sample
        Whether it belongs to the test sample, and was asked alone (`SessionOptions.test_sample`).
    definition
        How many definitions there were when the oldest of the answers was given.
    accepted, claim
        Of an accepted item: the frozen guess, and the number of its claim.
    suspect
        Whether it is accepted and one of several of which at least one is known to be wrong.
    """

    item: int
    label: bool | None
    how: Known
    answers: tuple[int, ...]
    annotators: tuple[str, ...]
    probability: float
    note: str
    in_test_sample: bool = False
    definition: int | None = None
    accepted: bool | None = None
    claim: int | None = None
    suspect: bool = False


def labelled(
    history: History,
    probs: Probs,
    items: Iterable[int] | None = None,
    state: State | None = None,
    accepted: Accepted | None = None,
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
    accepted
        What was accepted then; None to find out.
    """
    state = history.state if state is None else state
    accepted = accepted_of(history, state) if accepted is None else accepted
    items = range(state.n) if items is None else list(items)
    refuted = _given_refuted(probs, state, items)
    for item in items:
        prob = refuted.get(item, float(probs.values[item]))
        provenance, sampled = state.provenance(item), item in history.test_sample
        if provenance is not None:
            given = [history.answers[number] for number in provenance.answers]
            yield Labelled(
                item, state.label(item) == 1, _how(history, item, provenance), provenance.answers,
                tuple(sorted({answer.annotator for answer in given})), prob, "", sampled,
                min(map(history.definitions.count_before, provenance.answers)),
            )  # fmt: skip
        elif state.is_unsure(item) and item not in history.source.closed:
            said = history.unsure.get(item)
            note = "" if said is None else said.note
            yield Labelled(item, None, "unsure", (), (), prob, note, sampled)
        elif accepted is not None and accepted.items[item]:
            if accepted.probs is not None:
                prob = float(accepted.probs[item])
            guess = bool(accepted.guess[item])
            yield Labelled(
                item, None, "accepted", (), (), prob, "", sampled, None,
                guess, accepted.claim, item in accepted.suspect,
            )  # fmt: skip
        else:
            yield Labelled(item, None, "", (), (), prob, "", sampled)


def how_settled(history: History, item: int) -> Known:
    """How the newest state of this history has the item: see `Labelled`."""
    provenance = history.state.provenance(item)
    if provenance is not None:
        return _how(history, item, provenance)
    return "unsure" if item in history.unsure else ""


def given_here(history: History) -> int:
    """How many labels that the source gave are of items that are in it now."""
    _, given = history.tally.of(SOURCE)
    return given - sum(how_settled(history, item) == "given" for item in history.source.gone)


def _how(history: History, item: int, provenance: Provenance) -> Known:
    if provenance.how == "deduced":
        return "deduced"
    said = history.answers[provenance.answers[-1]]
    while item not in (said.corrects, *said.also):  # what others said before is only repeated
        before = (history.answers[number] for number in said.replaces)
        about = [one for one in before if item in one.answer.question.items]
        if not about:
            break
        said = about[-1]
    if said.annotator == SOURCE:
        return "given"
    if item in said.answer.wrong:
        return "pointed"
    return "alone" if len(said.answer) == 1 else "group"


def _given_refuted(probs: Probs, state: State, items: Iterable[int]) -> dict[int, float]:
    """P(label is True) of those that are in a refuted guess: one of its items at least is wrong."""
    wanted = set(items) if state.clauses else set()
    return {
        item: chance(probs.values, (item,), (True,), tied)
        for tied in components(state.clauses_tied_to(wanted))
        for item in wanted.intersection(item for clause in tied for item in clause.items)
    }
