"""How many wrong labels may be left in a claim: the evidence of random checks.

A claim holds n open items with frozen guesses, of which an unknown kappa are wrong. Items only
leave it. A check draws g items uniformly from the m that are left, when F wrong ones have left, so
that j = kappa - F are wrong. Then exactly

    P(yes)          = C(m-j, g) / C(m, g)
    P(no)           = 1 - P(yes)
    P(x are wrong)  = C(j, x) C(m-j, g-x) / C(m, g)

L(kappa) is the product over the checks in the order of their draws, and M its mean under a prior
fixed at the freeze. kappa is rejected, for ever, when L(kappa) <= alpha M. Since M / L(true kappa)
is a nonnegative supermartingale that starts at 1, Ville's inequality says that the true kappa is
ever rejected with chance at most alpha, whatever decides about the next check or when to stop
(Waudby-Smith & Ramdas 2020; the proof is in docs/certificates.md).

Two strata, the items guessed to have a label and the others, have L = L0 L1 and M = M0 M1, and
pairs are rejected: for each kappa of the shorter stratum the largest of the longer that is not
rejected with it is kept. One stratum is two of which the other is empty. Numbers beyond the last
that is not rejected are dropped, which can only lower M and so reject less.

Every chance comes from a table of the logarithms of whole numbers, by sums: no approximation. A
check with its look is O(n) at first, then O(kappas not rejected).
Tested in tests/core/test_claim.py, test_claim_martingale.py and, by simulation, in
experiments/certificates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput

Form = Literal["yes-no", "pointed"]
"""How the checks of a claim are answered: fixed before the first draw, the same for all."""
Outcome = Literal["yes", "no"] | int
"""What a check has shown: yes or no, or by pointing how many of its items are wrong."""

_UNIFORM = 0.01
"""The share of the prior that is spread over every kappa."""

Floats = NDArray[np.float64]


def log_prior(size: int, expected: float, allowed: int, trust: float = 0.75) -> Floats:
    """The prior of kappa = 0, ..., size as logarithms: it decides how soon, never whether.

    A geometric distribution with the mean that the predictor expects, with weight `trust`, and one
    with mean `allowed` / 2, both cut at `allowed`; of all that 1 % spread over every kappa.

    Parameters
    ----------
    size
        Items of the claim, or of the stratum.
    expected
        How many of their guesses the predictor expects to be wrong.
    allowed
        How many may be.
    trust
        How much to trust the predictor about `expected`, between 0 and 1.
    """
    if size < 0 or allowed < 0 or not 0 <= expected < math.inf or not 0 <= trust <= 1:
        raise InvalidInput(
            "A prior needs a size and an allowed number of at least 0, a finite expected number of "
            f"at least 0 and a trust between 0 and 1; got {size}, {allowed}, {expected}, {trust}."
        )
    cut = min(allowed, size)
    weight = np.full(size + 1, _UNIFORM / (size + 1))
    weight[: cut + 1] += (1 - _UNIFORM) * (
        trust * _geometric(expected, cut) + (1 - trust) * _geometric(allowed / 2, cut)
    )
    prior: Floats = np.log(weight / weight.sum())
    return prior


def log_chance(size: int, left: int, drawn: int, wrong: int, top: int) -> Floats:
    """Log P(`wrong` of `drawn` items are wrong | j of the `left` are), for j = 0, ..., `top`.

    By P(j+1) / P(j) = (j+1) (m-j-g+x) / ((j+1-x) (m-j)), from P(x). For x = 0 every step has the
    same sign, so that even 1 - P keeps its digits.

    Parameters
    ----------
    size
        The largest number needed; one table is kept for each.
    left, drawn, wrong, top
        m, g, x and the last j.
    """
    logs = _log_table(size)
    m, g, x = left, drawn, wrong
    result = np.full(top + 1, -np.inf)
    last = min(top, m - g + x)
    if last < x:
        return result
    steps = result[x : last + 1]  # filled in place: a fresh array costs more than the sums
    steps[0] = logs[g - x + 1 : g + 1].sum() - logs[m - x + 1 : m + 1].sum()
    np.subtract(
        logs[m - g + x - last + 1 : m - g + 1][::-1],
        logs[m - last + 1 : m - x + 1][::-1],
        out=steps[1:],
    )
    if x:
        steps[1:] += logs[x + 1 : last + 1]
        steps[1:] -= logs[1 : last - x + 1]
    np.cumsum(steps, out=steps)
    return result


class Evidence:
    """What the checks of one claim say about the number of wrong labels left in it.

    Parameters
    ----------
    alpha
        The chance, at most, that the true number is ever rejected.
    form
        How every check is answered.
    log_priors
        For each stratum, one or two, the prior of its kappa, `log_prior`.
    """

    def __init__(self, alpha: float, form: Form, log_priors: Sequence[Floats]) -> None:
        if not 0 < alpha < 1:
            raise InvalidInput(f"alpha is between 0 and 1, both excluded; got {alpha}.")
        if form not in get_args(Form):
            raise InvalidInput(f"Checks are answered by yes-no or pointed; got {form!r:.40}.")
        if len(log_priors) not in (1, 2):
            raise InvalidInput(f"A claim has one stratum or two; got {len(log_priors)}.")
        self.alpha = alpha
        self.form = form
        self.sizes = tuple(len(prior) - 1 for prior in log_priors)
        priors = [*log_priors, np.zeros(1)][:2]
        self._priors = priors
        self._log_likelihood = [np.zeros(len(prior)) for prior in priors]
        self._log_mean = [0.0, 0.0]
        self._before: dict[int, tuple[int, int]] = {}
        self._short = int(len(priors[1]) <= len(priors[0]))
        short, long = self._short, 1 - self._short
        self._last = np.full(len(priors[short]), len(priors[long]) - 1)
        self.contradicted = False
        """Every possible number has been rejected: the one time in 1 / alpha."""

    @property
    def log_mean(self) -> float:
        """Log M."""
        return sum(self._log_mean)

    def log_likelihood(self, stratum: int = 0) -> Floats:
        """Log L of each kappa of a stratum, from 0 to the last that is not rejected."""
        values = self._log_likelihood[stratum].view()
        values.flags.writeable = False
        return values

    def copy(self) -> Evidence:
        """The same evidence; what is added to one of the two is not added to the other."""
        other = copy(self)
        other._log_likelihood = [values.copy() for values in self._log_likelihood]
        other._log_mean, other._before = [*self._log_mean], {**self._before}
        other._last = self._last.copy()
        return other

    def add(self, left: int, found: int, drawn: int, outcome: Outcome, stratum: int = 0) -> None:
        """Take in the next check, in the order of the draws, and look.

        Parameters
        ----------
        left, found
            Items left in the stratum at the draw, before those of this check leave, and how many
            of the items that had left were wrong.
        drawn
            How many items were drawn from them.
        outcome
            In the form of this claim.
        stratum
            From which they were drawn.
        """
        if stratum not in range(len(self.sizes)):
            raise InvalidInput(f"The claim has {len(self.sizes)} strata; got number {stratum}.")
        size = self.sizes[stratum]
        left_before, found_before = self._before.get(stratum, (size, 0))
        if not (found_before <= found <= size - left and 0 <= left <= left_before):
            raise InvalidInput(
                f"Items only leave a claim; of {size} items {left} were left and {found} found "
                f"wrong, after {left_before} and {found_before}."
            )
        if not 1 <= drawn <= left:
            raise InvalidInput(f"A check draws 1 to {left} of {left} items; got {drawn}.")
        wrong = self._wrong(outcome, drawn)
        self._before[stratum] = left, found
        if self.contradicted:
            return
        values = self._log_likelihood[stratum]
        values[:found] = -np.inf
        values[found + left + 1 :] = -np.inf
        possible = values[found : found + left + 1]
        if len(possible):
            chance = log_chance(size, left, drawn, max(wrong, 0), len(possible) - 1)
            if wrong < 0:  # no: at least one
                np.expm1(chance, out=chance)
                np.negative(chance, out=chance)
                with np.errstate(divide="ignore"):
                    np.log(chance, out=chance)
            possible += chance
        self._log_mean[stratum] = _log_sum(values, self._priors[stratum])
        self._reject()

    def at_most(self, left: Sequence[int], found: Sequence[int]) -> int:
        """The most wrong labels that can be left, at every moment at once.

        Parameters
        ----------
        left, found
            For each stratum, items left now and wrong ones among those that have left.
        """
        wrong = self._worst(left, found)
        return sum(left) if wrong is None else int(np.max(wrong[0] + wrong[1], initial=0))

    def missing_nats(self, found: Sequence[int], allowed: int) -> float:
        """How much evidence is missing to reject all that is not allowed; it guides alone.

        Parameters
        ----------
        found
            As in `at_most`.
        allowed
            How many wrong labels may be left.
        """
        short, long = self._short, 1 - self._short
        rows, columns = self._log_likelihood[short], self._log_likelihood[long]
        if self.contradicted or not len(rows) or not len(columns):
            return 0.0
        if not self._before:
            return -math.log(self.alpha) if allowed + sum(found) < sum(self.sizes) else 0.0
        most = np.append(np.maximum.accumulate(columns[::-1])[::-1], -np.inf)
        first = allowed + sum(found) + 1 - np.arange(len(rows))
        with np.errstate(invalid="ignore"):
            worst = float(np.max(rows + most[np.clip(first, 0, len(columns))]))
        return max(0.0, worst - self.log_mean - math.log(self.alpha))

    def recall_at_least(
        self, left: Sequence[int], found: Sequence[int], settled: int, stratum: int = 1
    ) -> float:
        """The smallest share of the items of a label that can have been given it.

        Parameters
        ----------
        left, found
            As in `at_most`; the claim has two strata.
        settled
            Items settled to have that label, whether they were in the claim or not.
        stratum
            The one of the items guessed to have that label.
        """
        if len(self.sizes) != 2:
            raise InvalidInput("Recall needs a claim with two strata; got one.")
        wrong = self._worst(left, found)
        if wrong is None:
            right, missed = np.array([settled]), np.array([left[1 - stratum]])
        else:
            right, missed = settled + left[stratum] - wrong[stratum], wrong[1 - stratum]
        whole = right + missed
        return float(np.min(np.where(whole > 0, right / np.maximum(whole, 1), 1.0)))

    def precision_at_least(
        self, left: Sequence[int], found: Sequence[int], settled: int, stratum: int = 1
    ) -> float:
        """The smallest share of the labels of one kind that can be right; as `recall_at_least`."""
        if len(self.sizes) != 2:
            raise InvalidInput("Precision needs a claim with two strata; got one.")
        wrong = self._worst(left, found)
        most = left[stratum] if wrong is None else int(np.max(wrong[stratum], initial=0))
        whole = settled + left[stratum]
        return (whole - most) / whole if whole else 1.0

    def _wrong(self, outcome: Outcome, drawn: int) -> int:
        """The number seen to be wrong; -1 for at least one."""
        if self.form == "yes-no":
            if outcome not in ("yes", "no"):
                raise InvalidInput(f"These checks are answered yes or no; got {outcome!r:.40}.")
            return 0 if outcome == "yes" else -1
        if isinstance(outcome, str | bool) or not 0 <= outcome <= drawn:
            raise InvalidInput(
                f"These checks are answered by the number of wrong items, 0 to {drawn}; "
                f"got {outcome!r:.40}."
            )
        return outcome

    def _reject(self) -> None:
        """Look: reject what is as unlikely as that, and drop what is beyond the last one left."""
        short, long = self._short, 1 - self._short
        rows, columns = self._log_likelihood[short], self._log_likelihood[long]
        if self.log_mean == -np.inf:
            self.contradicted = True
            return
        with np.errstate(invalid="ignore"):
            needed = math.log(self.alpha) + self.log_mean - rows
        falling = np.maximum.accumulate(columns[::-1])  # the largest from the end so far
        last = len(columns) - 1 - np.searchsorted(falling, needed, side="right")
        np.minimum(self._last, last, out=self._last)
        live = np.flatnonzero(self._last >= 0)
        if not len(live):
            self.contradicted = True
            return
        self._last = self._last[: live[-1] + 1]
        self._log_likelihood[short] = rows[: live[-1] + 1]
        self._log_likelihood[long] = columns[: self._last.max() + 1]

    def _worst(
        self, left: Sequence[int], found: Sequence[int]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """Pairs of wrong labels left that are not rejected, the outermost; None for no bound."""
        if len(left) != len(self.sizes) or len(found) != len(self.sizes):
            raise InvalidInput(
                f"The claim has {len(self.sizes)} strata; got {len(left)} and {len(found)} numbers."
            )
        if self.contradicted or not self._before:
            return None
        m, f = [*left, 0], [*found, 0]
        short, long = self._short, 1 - self._short
        rows = np.arange(f[short], min(len(self._last) - 1, f[short] + m[short]) + 1)
        columns = np.minimum(self._last[rows], f[long] + m[long])
        possible = columns >= f[long]
        if not possible.any():
            return None
        pair = [rows[possible] - f[short], columns[possible] - f[long]]
        return (pair[0], pair[1]) if short == 0 else (pair[1], pair[0])


def _geometric(mean: float, last: int) -> Floats:
    """A geometric distribution of that mean, cut behind `last`."""
    weight: Floats = (mean / (1 + mean)) ** np.arange(last + 1.0)
    weight /= weight.sum()
    return weight


def _log_sum(values: Floats, prior: Floats) -> float:
    """Log of the mean of exp(values) under the prior."""
    both = values + prior[: len(values)]
    peak = float(both.max())
    if peak == -np.inf:
        return peak
    both -= peak
    np.exp(both, out=both)
    return peak + math.log(float(both.sum()))


@lru_cache(maxsize=4)
def _log_table(size: int) -> Floats:
    """Log of 0, ..., size; of 0 as -inf, which no sum asks for."""
    with np.errstate(divide="ignore"):
        table: Floats = np.log(np.arange(size + 1.0))
    table.flags.writeable = False
    return table
