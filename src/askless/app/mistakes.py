"""Which labels are likeliest to be wrong: what the model says joins how each was asked.

    evidence = read_evidence(history, probs)                        # with the lock
    held_out = held_out_probs(columns, evidence.labels, evidence.answer)
    rank(evidence, held_out, reviewed)

The mathematics is in `askless.core.mistakes`, the model in `askless.predictors.held_out`. Without
features the probabilities that came with the pool say what they say, and failing these what was
believed when the question was asked. Cost: a few passes over n and the answers, without the model.
Imported by `askless.app`, `askless.cli` and the experiments; tested in tests/app/test_mistakes.py.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from askless.app.label_table import HOW, LabelTable, read_table
from askless.core.misses import estimate_misses
from askless.core.mistakes import Floats, ReviewFit, chance_wrong, interval_of
from askless.core.probability import Probs
from askless.history.history import History
from askless.predictors.held_out import HeldOut

Said = Literal["held-out", "given", "when asked"]
"""Whose probabilities: of a model without the label, of the pool, or as they were at the time."""

MISTAKEN: Final = 0.01
"""How often an item asked alone gets a wrong label, where no model says better."""
_LEAST: Final = 0.001  # nobody is better than that
_MISCLICKED: Final = 0.002
_GIVEN: Final = 0.03  # labels of a source are wrong more often than those of whoever checks them
_REDEFINED: Final = 0.1  # labels that a new definition changes
_GROUP, _POINTED, _DEDUCED, _FROM_SOURCE = map(HOW.index, ("group", "pointed", "deduced", "given"))


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """How every label came about; one row an item.

    Parameters
    ----------
    labels
        1 and 0 for labels of items in the source, below 0 for all else.
    how
        How each was settled: a place in `askless.app.label_table.HOW`.
    answer
        The newest answer it follows from.
    outdated
        Whether it was given under an older definition.
    probs
        P(label is True) by whoever has not learnt from the labels.
    said
        Who that is.
    deduced
        The answers that each deduced label rests on.
    corrected
        Items whose label was corrected, and whether a group had it wrong.
    overlooked
        How often whoever gave the answer overlooks a wrong item in a group of that size.
    again
        Items whose giver was asked again (`askless.history.consistency`), and whether they denied
        the label.
    """

    labels: NDArray[np.int8]
    how: NDArray[np.int8]
    answer: NDArray[np.int64]
    outdated: NDArray[np.bool_]
    probs: Floats
    said: Said
    deduced: Mapping[int, tuple[int, ...]]
    corrected: Mapping[int, bool]
    overlooked: Floats
    again: Mapping[int, bool] = field(default_factory=dict)

    @property
    def denied(self) -> list[int]:
        """Items whose giver said otherwise when asked again."""
        return [item for item, denied in self.again.items() if denied]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The settled labels that nobody has looked at again, the likeliest to be wrong first.

    Parameters
    ----------
    items
        Which.
    chances
        The chance that the label of each is wrong.
    against
        P(the other label) of each, without its own label.
    said
        Whose probabilities these are.
    looked, found
        Labels that were looked at again, and how many of these were wrong.
    left, low, high
        Wrong labels expected among `items`, and the 95 % interval of their number.
    """

    items: NDArray[np.intp]
    chances: Floats
    against: Floats
    said: Said
    looked: int
    found: int
    left: float
    low: float
    high: float


def read_evidence(history: History, probs: Probs) -> Evidence:
    """How every label came about.

    Parameters
    ----------
    history
        What has happened.
    probs
        What is believed now; used only if it was never fitted to answers.
    """
    table, answers = read_table(history, probs), history.state.answers
    labels = table.labels.copy()
    labels[list(history.source.gone)] = -1
    sizes = np.ones(history.last + 2, np.int64)  # the last is for no answer
    for number, answer in answers.items():
        sizes[number] = len(answer)
    deduced = {}
    for item in np.flatnonzero(table.how == _DEDUCED).tolist():
        why = history.state.provenance(item)
        assert why is not None  # it has a label
        deduced[item] = why.answers
    newest = len(history.definitions)
    outdated = (labels >= 0) & (newest > 1) & (table.definition < newest)
    fitted = history.checkpoint > 0
    return Evidence(
        labels, table.how, table.number, outdated,
        _when_asked(history, table.number) if fitted else probs.values,
        "when asked" if fitted else "given",
        deduced, _corrected(history), _overlooked(history, table, sizes[table.number]),
        {
            item: denied
            for sample in history.reasks.samples()
            for item, denied in sample.denied(history.state).items()
        },
    )  # fmt: skip


def rank(
    evidence: Evidence, held_out: HeldOut | None = None, reviewed: Collection[int] = ()
) -> Ranking:
    """The labels, likeliest wrong first.

    Parameters
    ----------
    evidence
        How they came about.
    held_out
        What the labels of other questions say; None where there are no features.
    reviewed
        Items whose labels somebody has looked at again.
    """
    labels, n = evidence.labels, len(evidence.labels)
    settled = labels >= 0
    p, said, mistaken = evidence.probs, evidence.said, MISTAKEN
    if held_out is not None:
        p, said, mistaken = held_out.probs, "held-out", max(held_out.noise, _LEAST)
    against = np.where(labels == 1, 1.0 - p, p)
    chances = chance_wrong(against, _rates(evidence, against, mistaken))
    group, seen, wrong = evidence.how == _GROUP, np.zeros(n, bool), np.zeros(n, bool)
    seen[[item for item in reviewed if item < n]] = True
    seen[[item for item, denied in evidence.again.items() if not denied]] = True
    seen[evidence.denied] = False
    turned = np.array([i for i in evidence.corrected if not evidence.outdated[i]], np.intp)
    if len(turned):  # the chance is that of the label it had
        seen[turned] = wrong[turned] = True
        group[turned] = [evidence.corrected[item] for item in turned.tolist()]
        rates = mistaken + np.where(group[turned], evidence.overlooked[turned], 0.0)
        chances[turned] = chance_wrong(1.0 - against[turned], rates)
    seen &= settled
    mean = variance = 0.0
    for part in (group, ~group):
        looked, rest = part & seen, part & settled & ~seen
        fit = ReviewFit.learn(chances[looked], wrong[looked])
        more_mean, more_variance = fit.total(chances[rest])
        mean, variance = mean + more_mean, variance + more_variance
        chances[rest] = fit.apply(chances[rest])
    low, high = interval_of(mean, variance)
    items = np.flatnonzero(settled & ~seen)
    items = items[np.argsort(-chances[items], kind="stable")]
    return Ranking(
        items, chances[items], against[items], said, int(seen.sum()), int((wrong & seen).sum()),
        mean, low, high,
    )  # fmt: skip


def _rates(evidence: Evidence, against: Floats, mistaken: float) -> Floats:
    """How often each label's way of asking gives a wrong one."""
    how = evidence.how
    rates = np.full(len(how), mistaken)
    group = how == _GROUP
    rates[group] += evidence.overlooked[group]
    rates[how == _POINTED] += _MISCLICKED
    rates[how == _FROM_SOURCE] = max(mistaken, _GIVEN)
    if evidence.deduced:
        # An answer is wrong if one of the labels that it alone settles is.
        alone = (evidence.labels >= 0) & (how != _DEDUCED)
        kept = np.log1p(-chance_wrong(against[alone], rates[alone]))
        right = np.bincount(evidence.answer[alone], kept, minlength=evidence.answer.max() + 1)
        for item, answers in evidence.deduced.items():
            rates[item] = -np.expm1(sum(right[one] for one in answers) + np.log1p(-mistaken))
    rates[evidence.outdated] += _REDEFINED
    rates = np.minimum(rates, 0.5)
    denied = evidence.denied  # a wrong label and a right answer, or the other way round
    rates[denied] = chance_wrong(rates[denied], np.full(len(denied), 1.0 - mistaken))
    return np.asarray(rates)


def _when_asked(history: History, number: NDArray[np.int64]) -> Floats:
    """P(label is True) as each question had it: its chance of a yes, shared out over its items."""
    right = np.full(history.last + 2, 0.5)
    guessed = np.ones(len(number), bool)
    for at in history.state.answers:
        given = history.answers[at]
        question, chance = given.answer.question, history.asked[given.question_id].chance
        guessed[list(question.items)] = question.guess
        if chance is not None:
            right[at] = max(chance, 1e-9) ** (1.0 / len(question))
    return np.where(guessed, right[number], 1.0 - right[number])


def _overlooked(history: History, table: LabelTable, sizes: NDArray[np.int64]) -> Floats:
    """By item, the chance that whoever was asked overlooks one wrong item in such a group."""
    found = np.zeros(len(sizes))
    for at, annotator in enumerate(table.annotators):
        own = table.annotator == at
        found[own] = estimate_misses(history.audits.misses(annotator)).chances(sizes[own])
    return found


def _corrected(history: History) -> dict[int, bool]:
    """Items whose label somebody has corrected, and whether a group had it wrong.

    A correction may say again what earlier ones said, so what it replaces is followed back.
    """
    found: dict[int, bool] = {}
    for number in history.state.answers:
        waiting, chain = [number], []
        while waiting:
            chain.append(history.answers[waiting.pop()])
            waiting.extend(chain[-1].replaces)
        corrected = {
            item
            for given in chain
            if given.corrects is not None
            for item in (given.corrects, *given.also)
        }
        first = [given.answer for given in chain if given.corrects is None]
        for item in corrected:
            found[item] = any(len(one) > 1 for one in first if item in one.question.items)
    return found
