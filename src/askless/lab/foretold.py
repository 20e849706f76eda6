"""A predictor that remembers what it said of every label before the label was known.

What `askless.lab.learning` notes in its own loop, for a run through a real session: there the
predictor is fitted by a trainer, and may be taken up by another process. Its arrays are what
it remembers, not what the predictor within has learnt: that is learnt again from the answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askless.core.bounds import code_length_bits
from askless.core.clause import Clause
from askless.core.state import State, learn
from askless.errors import InvalidInput
from askless.lab.calibration import reliability
from askless.lab.known_pool import as_labels
from askless.lab.learning import LearningRun
from askless.lab.simulate import Run
from askless.seams import Predictor, ReportsCodeLength


class Foretold:
    """Fits and predicts as another does, and remembers.

    Parameters
    ----------
    predictor
        Who really does it.
    first
        P(label is True) for every item, as it was believed before the first fit.
    clock
        Gives the time in seconds.
    """

    def __init__(
        self,
        predictor: Predictor,
        first: ArrayLike,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._predictor, self._clock = predictor, clock
        self._probs = np.array(first, np.float64)
        self._labels = np.full(len(self._probs), -1, np.int8)
        self._said = np.full(len(self._probs), np.nan)
        self._fit_s: list[float] = []
        self._began_s = 0.0
        self._taken_up = False

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Learn, and remember what was said of the labels that are new."""
        new = (labels >= 0) & (self._labels < 0)
        self._said[new] = self._probs[new]
        self._labels = np.array(labels, np.int8)
        self._began_s = self._clock()
        self._predictor.fit(x, labels, clauses)

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """P(label is True) for every row of `x`."""
        self._probs = self._predictor.predict(x)
        if np.any(self._labels == -1):  # no question will be planned with the last fit
            self._fit_s.append(self._clock() - self._began_s)
        return self._probs

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """What it remembers."""
        return {
            "said": self._said,
            "probs": self._probs,
            "labels": self._labels,
            "fit_s": np.array(self._fit_s),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Remember what another did."""
        own, self._taken_up = self.arrays(), True
        if set(arrays) != set(own) or arrays["said"].shape != own["said"].shape:
            raise InvalidInput(f"What was foretold has {sorted(own)}; got {sorted(arrays)}.")
        self._said, self._probs = (np.array(arrays[name]) for name in ("said", "probs"))
        self._labels, self._fit_s = np.array(arrays["labels"]), arrays["fit_s"].tolist()

    def learnt(self, run: Run, labels: ArrayLike, drawn: Collection[int]) -> LearningRun:
        """The run with all that is known about the learning, but for the looks on the way.

        Where another process took part, nobody knows the sequential bits.

        Parameters
        ----------
        run
            What came of it.
        labels
            The right label of every item.
        drawn
            Items asked before anything was learnt; they are left out of the reliability.
        """
        truth = as_labels(labels)
        known = np.flatnonzero(np.isfinite(self._said))
        told = np.setdiff1d(known, np.array([*drawn], np.intp))
        state, found = State.blank(len(truth)), []
        for answer in run.trace.answers:
            state = learn(state, answer)
            found.append(int(np.count_nonzero(state.labels() == 1)))
        return LearningRun(
            replace(run, calibrating_s=sum(self._fit_s)),
            code_length_bits(self._said[known], truth[known]) if len(known) else 0.0,
            self._one_by_one_bits(),
            np.array(self._fit_s),
            np.array(found, np.int64),
            reliability(self._said[told], truth[told]),
            (),
        )

    def _one_by_one_bits(self) -> float | None:
        if self._taken_up or not isinstance(self._predictor, ReportsCodeLength):
            return None
        return self._predictor.one_by_one_bits
