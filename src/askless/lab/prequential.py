"""What a predictor said of every label before it was known: prequential, predictive sequential.

A `PrequentialRecorder` listens to a simulated session whose predictor learns from the answers. A
label is predicted before it is learnt, so it tests what was learnt before it and no hold-out is
needed (prequential evaluation, Dawid 1984; also known as progressive validation). The truth is
used to count bits, never to predict.

prequential bits
    The code length of the labels under the probabilities they were asked with, those of the test
    sample too. A planner that prices groups by products of these marginals would need about
    as many questions.
one-by-one bits
    The same if every label were predicted with all others before it known, also those of its
    own group (only from a predictor that says so, as `kernel` does). The difference is what
    products of marginals leave on the table.

Tested in tests/lab/test_prequential.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.bounds import code_length_bits
from askless.errors import InvalidInput
from askless.lab.calibration import Reliability, reliability
from askless.lab.known_pool import as_labels
from askless.lab.trace import Step
from askless.seams import Trainer
from askless.session.session import Session

_SNAPSHOT_EVERY: Final = 25  # questions


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How good the probabilities of the open items are at some moment.

    Parameters
    ----------
    question
        Questions asked so far.
    settled
        Labels settled so far.
    accuracy
        Share of the open items whose likelier label is right.
    bits
        Code length of the open labels under the probabilities.
    ece
        Expected calibration error of these probabilities.
    """

    question: int
    settled: int
    accuracy: float
    bits: float
    ece: float


class PrequentialRecorder:
    """Notes what was said of each label before it was settled; for `simulate(record=...)`.

    Parameters
    ----------
    session
        The one that is simulated. What was answered in it before is not known here, and then
        nothing is told about bits and calibration.
    labels
        The right label of every item.
    trainer
        Fits the predictor, one fit an answer.
    """

    def __init__(self, session: Session, labels: ArrayLike, trainer: Trainer) -> None:
        self._session, self._trainer = session, trainer
        self._truth = as_labels(labels)
        self._before = session.state.labels()
        self._said = np.full(len(self._truth), np.nan)
        self.complete = not session.history.answers
        """Whether it has heard the run from the first question on."""
        self.fit_s: list[float] = []
        """Seconds of every fit and prediction that a question was planned with."""
        self.found: list[int] = []
        """How many positives were settled after each question."""
        self.snapshots: list[Snapshot] = []
        """Accuracy, code length and calibration of what is still open, along the way."""

    def __call__(self, step: Step) -> None:
        """Take note of a question that was just answered."""
        status = self._trainer.status()
        if status.failures:
            raise InvalidInput(f"A simulation needs a predictor that works. {status.last_failure}")
        labels, values = self._session.state.labels(), self._session.probs.values
        new = np.flatnonzero(labels != self._before)
        self._said[new] = values[new]
        self._before = labels
        self.found.append(int(np.count_nonzero(labels == 1)))
        if not self._session.state.done:  # no question is planned with the last fit
            self.fit_s.append(status.fit_s)
        if step.number % _SNAPSHOT_EVERY == 0:
            self.snapshots.append(_snapshot(step, values, labels, self._truth))

    @property
    def prequential_bits(self) -> float:
        """Code length of all labels settled, under the probabilities they were settled with."""
        known = np.flatnonzero(np.isfinite(self._said))
        return code_length_bits(self._said[known], self._truth[known]) if len(known) else 0.0

    @property
    def reliability(self) -> Reliability:
        """What was said about those labels against what came, the test sample left out."""
        known = np.flatnonzero(np.isfinite(self._said))
        drawn = np.array([*self._session.history.test_sample], np.intp)
        told = np.setdiff1d(known, drawn)
        return reliability(self._said[told], self._truth[told])

    def figures(self, one_by_one_bits: float | None = None) -> dict[str, Any]:
        """What learning adds to the report of a run, in JSON values.

        Parameters
        ----------
        one_by_one_bits
            What the predictor says about itself; None if it does not.
        """
        spent = self.fit_s or [0.0]
        bits = one_by_one_bits if self.complete else None
        return {
            "prequential_bits": round(self.prequential_bits, 1) if self.complete else None,
            "one_by_one_bits": None if bits is None else round(bits, 1),
            "refits": len(self.fit_s),
            "refit_s": {
                "median": round(float(np.median(spent)), 4),
                "max": round(float(np.max(spent)), 4),
            },
            "calibration_error": round(self.reliability.ece, 4) if self.complete else None,
            "reliability": self.reliability.plain() if self.complete else None,
        }


def _snapshot(
    step: Step, values: NDArray[np.float64], labels: NDArray[np.int8], truth: NDArray[np.bool_]
) -> Snapshot:
    left = np.flatnonzero(labels < 0)
    right = (values[left] > 0.5) == truth[left]
    accuracy = float(right.mean()) if len(left) else 1.0
    bits = code_length_bits(values[left], truth[left]) if len(left) else 0.0
    ece = reliability(values[left], truth[left]).ece
    return Snapshot(step.number, step.settled, accuracy, bits, ece)
