"""Probabilities corrected by the answers so far.

A fixed predictor is rarely as sure as it should be. Every settled label and every
refuted guess says how far off it is, and `recalibrate` corrects the logits of all items by a
smooth curve (`askless.predictors._correction`): nearly the identity at first, then what the
evidence supports. An item whose error passes one half thereby gets the other guess.

Selection is the danger: from easy items alone nobody knows how the hard ones will do.
`Recalibrated` therefore wishes (`Probs.first`) that the items be asked in rounds, each a
uniformly random part of the pool half as large as all before it, and corrects
the probabilities after every round. All are asked in the end, so the rounds themselves
cost nothing; inside a round the planner groups as it likes. Whoever wants many
labels soon sets `sample` to a per cent or so: easy first until a guess is refuted, then one
small fair sample, then easy first again. Since a
few early errors could then put off a whole kind of easy items for good, a handful
drawn from the surer half of the pool is asked before each further correction.

Cost: O(n) for a correction, of which there are about 2 log2(n / 16) and a few more where guesses
are refuted one after the other; O(1) in between.
Not for a predictor that is fitted to the answers: it knows those labels by heart, so they do
not show how it does on others. Not in the paper. Tested in
tests/predictors/test_recalibrated.py.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.core.state import State
from askless.errors import InvalidInput
from askless.predictors._correction import corrected, gather, logits_of

_SMALLEST: Final = 32
"""Items in the first round."""
_HANDFUL: Final = 48
_ROUND_GROWTH: Final = 1.5
_DONE: Final = 0.9
"""The share of a round that is settled when the next begins: nobody waits for the last."""
_REFIT_GROWTH: Final = 1.4
_MANY_WAITING: Final = 4
"""So many open clauses more than twice those there were are reason enough for a correction,
unless a round is under way, in which none has to wait."""


def recalibrate(raw: Probs, state: State) -> Probs:
    """The probabilities corrected by all settled labels and open clauses.

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
    return raw if evidence is None else Probs(corrected(logits, evidence))


class Recalibrated:
    """`recalibrate` whenever there is enough new evidence, and the wishes that make it fair.

    Called with the raw probabilities and a state, as `Session` calls it before every
    question, it gives the very same `Probs` until a round is over, or the settled labels have
    grown by two fifths, or refuted guesses pile up: whoever is refuted all the time
    settles nothing, and would never learn why.

    Parameters
    ----------
    sample
        The share of the pool asked in random rounds before the planner may choose among all
        items: 1 for the fewest questions, about 0.01 for many labels soon, 0 for no wishes.
    seed
        Fixes who comes in which round.
    """

    def __init__(self, *, sample: float = 1.0, seed: int = 0) -> None:
        if not 0.0 <= sample <= 1.0:
            raise InvalidInput(f"sample is a share of the pool, from 0 to 1; got {sample}.")
        self.sample = float(sample)
        self.seed = seed
        self._raw: Probs | None = None
        self._probs: Probs | None = None
        self._order: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._handful_asked = False
        self._fitted_at = self._due_at = self._too_many = 0

    def __call__(self, raw: Probs, state: State) -> Probs:
        """The probabilities to plan with.

        Parameters
        ----------
        raw
            What the predictor said.
        state
            What the answers imply.
        """
        settled, waiting = state.n_settled, len(state.clauses)
        same = self._raw is raw and len(raw) == state.n
        still = self._fitted_at <= settled < self._due_at and waiting < self._too_many
        if same and self._probs is not None and still:
            return self._probs
        probs = recalibrate(raw, state)
        if len(self._order) != state.n:
            self._order = np.random.default_rng(self.seed).permutation(state.n)
        wished, enough = self._wish(raw, state)
        if enough:
            first = np.zeros(state.n, dtype=np.bool_)
            first[wished] = True
            probs = Probs(probs.values, first=first)
        self._raw, self._probs, self._fitted_at = raw, probs, settled
        self._too_many = state.n if enough else 2 * waiting + _MANY_WAITING
        self._due_at = settled + (enough or max(8, int((_REFIT_GROWTH - 1) * settled)))
        return probs

    def _wish(self, raw: Probs, state: State) -> tuple[NDArray[np.intp], int]:
        """Whom to ask first, and how many of them are enough; 0 if the planner may choose."""
        if self.sample == 0.0 or state.n < 2 * _SMALLEST:
            return self._order, 0
        labels = state.labels()
        if self.sample < 1.0 and not state.clauses:
            settled = labels >= 0
            if np.array_equal(labels[settled] == 1, raw.values[settled] >= 0.5):
                return self._order, 0  # nothing has gone wrong yet
        is_open = labels[self._order] == -1
        end, enough = self._round(is_open)
        if enough or self.sample == 1.0:
            return self._order[:end], enough
        self._handful_asked = not self._handful_asked
        if not self._handful_asked:
            return self._order, 0
        sureness = np.abs(raw.values - 0.5)
        surer = sureness[self._order] >= np.median(sureness)
        handful = self._order[is_open & surer][:_HANDFUL]
        return handful, int(np.ceil(_DONE * len(handful)))

    def _round(self, is_open: NDArray[np.bool_]) -> tuple[int, int]:
        """How many items of the order are in the round, and how many of those it waits for."""
        n = len(is_open)
        last = min(n, max(_SMALLEST, round(self.sample * n)))
        still_open = np.cumsum(is_open)
        size = float(_SMALLEST)
        while (end := min(int(size), last)) <= _DONE * n:
            enough = int(still_open[end - 1]) - int((1 - _DONE) * end)
            if enough > 0:
                return end, enough
            if end == last:
                break
            size *= _ROUND_GROWTH
        return n, 0
