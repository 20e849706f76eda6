"""Online recalibration: given probabilities corrected by the answers so far.

A fixed predictor is rarely as sure as it should be. Every settled label and every refuted guess
says how far off it is. `recalibrate` corrects the logits of all items by a smooth curve that a
Gaussian process learns (`askless.calibration._gp_calibration`): nearly the identity at first, then
what the evidence supports. An item whose error passes one half gets the other guess. Platt scaling
and temperature scaling are the special cases of a straight curve.

Selection is the danger: easy items alone do not show how the hard ones will do. So the answers
should come from random rounds (`askless.planners.schedule`); all items are asked in the end, so
the rounds themselves cost nothing.

Cost: O(n) for a fit, of which there are about 2 log2(n / 16) and a few more where guesses are
refuted one after the other; O(1) in between.
Not for a predictor that is fitted to the answers: it knows those labels by heart, so they do not
show how it does on others. Not in the paper. Tested in tests/calibration/test_online.py.
"""

from __future__ import annotations

from typing import Final

from askless.calibration._gp_calibration import calibrated, gather, logits_of
from askless.core.probability import Probs
from askless.core.state import State
from askless.errors import InvalidInput

_REFIT_GROWTH: Final = 1.4
_FEWEST_NEW: Final = 8
_MANY_CLAUSES: Final = 4
"""A new fit is due when there are this many clauses more than twice those of the last fit: where
every guess is refuted nothing is settled, and the labels alone would never show why."""


def recalibrate(raw: Probs, state: State) -> Probs:
    """The probabilities calibrated on all settled labels and open clauses.

    Depends on nothing else; with no evidence it is `raw` itself.

    Parameters
    ----------
    raw
        What the predictor said, for every item, before any answer.
    state
        What the answers imply.
    """
    if len(raw) != state.n:
        raise InvalidInput(
            "Recalibration needs one probability per item of the state; "
            f"got {len(raw)} probabilities for {state.n} items."
        )
    logits = logits_of(raw.values)
    evidence = gather(logits, state.labels(), state.clauses)
    return raw if evidence is None else Probs(calibrated(logits, evidence))


class OnlineRecalibration:
    """`recalibrate` whenever there is enough new evidence.

    It gives the very same `Probs` until the settled labels have grown by two fifths, or refuted
    guesses pile up, or answers were taken back.
    """

    def __init__(self) -> None:
        self._raw: Probs | None = None
        self._state: State | None = None  # of the fit that is still to be made
        self._probs: Probs | None = None
        self._fitted_at = self._due_at = self._most_clauses = 0

    def __call__(self, probs: Probs, state: State) -> Probs:
        """The probabilities to plan with; `probs` are those of the predictor."""
        self.note(probs, state)
        if self._probs is None or self._state is not None:
            self._probs, self._state = recalibrate(probs, self._state or state), None
        return self._probs

    def note(self, probs: Probs, state: State) -> None:
        """See a state go by: if a fit is due in it, the next call makes that one."""
        settled, waiting = state.n_settled, len(state.clauses)
        current = self._fitted_at <= settled < self._due_at and waiting < self._most_clauses
        if self._raw is not probs or len(probs) != state.n or not current:
            self._raw, self._state = probs, state
            self._fitted_at = settled
            self._due_at = settled + max(_FEWEST_NEW, int((_REFIT_GROWTH - 1) * settled))
            self._most_clauses = 2 * waiting + _MANY_CLAUSES
