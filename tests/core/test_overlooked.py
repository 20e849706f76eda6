"""What people overlook, folded into a certificate: bounds that hold at all times at once."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.core.claim import Evidence, Form, Outcome, log_prior
from askless.core.overlooked import SHARES, overlooked_at_most, wrong_at_most
from askless.errors import InvalidInput

_ALPHA = 0.05


def test_the_shares_of_alpha_add_up_to_all_of_it() -> None:
    assert sum(SHARES) == pytest.approx(1)


def test_what_is_left_is_the_largest_number_that_the_binomial_does_not_exclude() -> None:
    def at_most(visible: int, chance: float, count: int) -> float:
        terms = range(min(visible, count) + 1)
        return sum(math.comb(count, i) * chance**i * (1 - chance) ** (count - i) for i in terms)

    for visible in range(9):
        for overlooked in (0.05, 0.2, 0.5, 0.9):
            possible = [k for k in range(61) if at_most(visible, 1 - overlooked, k) > 0.01]
            assert wrong_at_most(visible, overlooked, 60, 0.01) == max(possible)


def test_nothing_overlooked_adds_nothing_and_all_overlooked_bounds_nothing() -> None:
    assert wrong_at_most(7, 0.0, 60, 0.01) == 7
    assert wrong_at_most(7, 1.0, 60, 0.01) == 60
    assert wrong_at_most(60, 0.3, 60, 0.01) == 60
    assert wrong_at_most(0, 0.5, 1, 0.4) == 1
    assert overlooked_at_most(5, 5, 0.01) == 1.0
    assert overlooked_at_most(0, 0, 0.01) == 1.0


def test_more_audits_that_go_alike_lower_the_bound_and_more_misses_raise_it() -> None:
    bounds = [overlooked_at_most(n // 10, n, 0.01) for n in (20, 60, 200, 2000, 10**6)]
    assert bounds == sorted(bounds, reverse=True)
    assert 0.1 < bounds[-1] < 0.102
    assert overlooked_at_most(3, 60, 0.01) < overlooked_at_most(4, 60, 0.01)


@pytest.mark.parametrize(
    ("missed", "planted", "alpha"), [(3, 2, 0.1), (-1, 2, 0.1), (1, 2, 0), (1, 2, 1)]
)
def test_numbers_that_cannot_be_are_refused(missed: int, planted: int, alpha: float) -> None:
    with pytest.raises(InvalidInput, match="none to all are overlooked"):
        overlooked_at_most(missed, planted, alpha)
    with pytest.raises(InvalidInput, match="at least 0"):
        wrong_at_most(missed - 5, 0.1, 10, 0.1)


def test_the_bound_is_below_the_true_chance_at_some_look_no_oftener_than_promised() -> None:
    """A look after each audit from the 20th to the 200th; a fixed-sample interval fails this."""
    rng = np.random.default_rng(1)
    runs, alpha, below = 2000, 0.05, 0
    limits = {
        n: [m for m in range(n + 1) if overlooked_at_most(m, n, alpha) < 0.14]
        for n in range(20, 201)
    }
    most = np.array([max(limits[n], default=-1) for n in range(20, 201)])  # so few misses are bad
    misses = np.cumsum(rng.random((runs, 200)) < 0.14, axis=1)[:, 19:]
    below = int((misses <= most).any(axis=1).sum())
    assert 0 < below <= runs * alpha + 3 * math.sqrt(runs * alpha * (1 - alpha))


def _run(
    rng: np.random.Generator, form: Form, size: int, truly: int, allowed: int, mu: float
) -> tuple[bool, bool]:
    """Check until it is enough or nothing is left: whether the naive and the folded bound lied."""
    n, audits = 200, 60
    wrong: NDArray[np.bool_] = np.zeros(n, bool)
    wrong[rng.choice(n, truly, replace=False)] = True
    seen = wrong & (rng.random(n) >= mu)  # whoever overlooks an item does so whenever it is shown
    upper = overlooked_at_most(int(rng.binomial(audits, mu)), audits, SHARES.audits * _ALPHA)
    prior = log_prior(n, 0.5, allowed, 0.99)
    evidence = [Evidence(alpha, form, [prior]) for alpha in (_ALPHA, SHARES.checks * _ALPHA)]
    left, found = np.arange(n), 0
    lied = [False, False]
    said = [False, False]
    for _ in range(80):
        if len(left) < size or all(said):
            break
        drawn = rng.choice(left, size, replace=False)
        visible = int(seen[drawn].sum())
        outcome: Outcome = visible if form == "pointed" else "no" if visible else "yes"
        for one in evidence:
            one.add(len(left), found, size, outcome)
        if form == "pointed" or not visible:
            left, found = np.setdiff1d(left, drawn), found + visible
        still = int(wrong[left].sum())
        bounds: Sequence[int] = [one.at_most([len(left)], [found]) for one in evidence]
        folded = wrong_at_most(bounds[1], upper, len(left), SHARES.visible * _ALPHA)
        for which, bound in enumerate((bounds[0], folded)):
            if bound <= allowed and not said[which]:
                said[which], lied[which] = True, still > bound
    return lied[0], lied[1]


@pytest.mark.parametrize(("form", "size"), [("yes-no", 5), ("pointed", 8)])
def test_with_one_in_seven_overlooked_the_folded_bound_holds_and_lies_less_than_the_plain_one(
    form: Form, size: int
) -> None:
    rng = np.random.default_rng(7)
    runs = 100
    lies = np.array([_run(rng, form, size, 7, 6, 0.14) for _ in range(runs)]).sum(axis=0)
    error = 3 * math.sqrt(runs * _ALPHA * (1 - _ALPHA))
    assert lies[1] <= runs * _ALPHA + error
    assert lies[0] > lies[1]
