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
labels soon sets `sample` to a per cent or so: one small fair sample, then easy first.

Cost: O(n) for a correction, of which there are about 2 log2(n / 16); O(1) in between.
Not for a predictor that is fitted to the answers: it knows those labels by heart, so they do
not show how it does on others. Not in the paper. Tested in tests/predictors.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.core.state import State
from askless.errors import InvalidInput
from askless.predictors._correction import corrected, gather, logits_of

_SMALLEST_ROUND = 32
_ROUND_GROWTH = 1.5
_DONE = 0.9
"""The share of a round that must be settled before the next begins: nobody waits for the last."""
_REFIT_GROWTH = 1.4


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
    """`recalibrate` whenever there is enough new evidence, and the rounds that make it fair.

    Called with the raw probabilities and a state, as `Session` calls it before every
    question, it gives the same `Probs` until a round is over or the
    settled labels have grown by two fifths.

    Parameters
    ----------
    sample
        The share of the pool asked in random rounds before the planner may choose among all
        items: 1 for the fewest questions, about 0.01 for many labels soon, 0 for no rounds.
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
        self._fitted_at = self._due_at = 0

    def __call__(self, raw: Probs, state: State) -> Probs:
        """The probabilities to plan with.

        Parameters
        ----------
        raw
            What the predictor said.
        state
            What the answers imply.
        """
        settled = state.n_settled
        same = self._raw is raw and len(raw) == state.n
        if same and self._probs is not None and self._fitted_at <= settled < self._due_at:
            return self._probs
        probs = recalibrate(raw, state)
        if len(self._order) != state.n:
            self._order = np.random.default_rng(self.seed).permutation(state.n)
        wish, wait = self._round(state)
        if wish is not None:
            probs = Probs(probs.values, first=wish)
        self._raw, self._probs, self._fitted_at = raw, probs, settled
        self._due_at = settled + (wait or max(8, int((_REFIT_GROWTH - 1) * settled)))
        return probs

    def _round(self, state: State) -> tuple[NDArray[np.bool_] | None, int | None]:
        """Whom to ask in this round, and how many of them to settle until the next."""
        n = state.n
        if self.sample == 0.0 or n < 2 * _SMALLEST_ROUND:
            return None, None
        is_open = np.cumsum(state.labels()[self._order] == -1)
        size = float(_SMALLEST_ROUND)
        last = min(n, max(_SMALLEST_ROUND, round(self.sample * n)))
        while True:
            end = min(int(size), last)
            spare = int((1 - _DONE) * end)
            if is_open[end - 1] > spare:
                break
            if end == last:
                return None, None
            size *= _ROUND_GROWTH
        if end > _DONE * n:
            return None, None
        wish = np.zeros(n, dtype=np.bool_)
        wish[self._order[:end]] = True
        return wish, int(is_open[end - 1]) - spare
