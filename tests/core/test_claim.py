"""The evidence of checks against enumeration, exact fractions and its own laws."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.core.claim import Evidence, Form, Outcome, log_chance, log_prior
from askless.errors import InvalidInput

N = 8
Truth = frozenset[int]


def _exact(left: int, found: int, drawn: int, outcome: Outcome, kappa: int) -> Fraction:
    """The chance of an outcome, in whole numbers."""
    j = kappa - found
    if not 0 <= j <= left:
        return Fraction(0)
    wrong = outcome if isinstance(outcome, int) else 0
    ways = math.comb(j, wrong) * math.comb(left - j, drawn - wrong) if wrong <= drawn else 0
    chance = Fraction(ways, math.comb(left, drawn))
    return 1 - chance if outcome == "no" else chance


def _outcome(form: Form, drawn: Iterable[int], truth: Truth) -> Outcome:
    wrong = len(truth.intersection(drawn))
    if form == "pointed":
        return wrong
    return "no" if wrong else "yes"


def _flat(size: int) -> np.ndarray:
    return np.full(size + 1, -math.log(size + 1))


def _truths(size: int) -> Iterator[Truth]:
    for kappa in range(size + 1):
        yield from map(frozenset, itertools.combinations(range(size), kappa))


# The likelihood


@pytest.mark.parametrize("form", ["yes-no", "pointed"])
@pytest.mark.parametrize("gone", [(), (0,), (1, 4, 6), (0, 1, 2, 3, 4, 5)])
def test_a_likelihood_is_the_share_of_draws_with_that_outcome(
    form: Form, gone: tuple[int, ...]
) -> None:
    """Every truth, every draw; some items have left before, wrong or right."""
    items = [item for item in range(N) if item not in gone]
    for drawn in range(1, len(items) + 1):
        draws = list(itertools.combinations(items, drawn))
        for truth in _truths(N):
            outcomes = [_outcome(form, each, truth) for each in draws]
            found = len(truth.intersection(gone))
            for outcome in set(outcomes):
                evidence = Evidence(1e-9, form, [_flat(N)])
                evidence.add(len(items), found, drawn, outcome)
                share = outcomes.count(outcome) / len(draws)
                likelihood = np.exp(evidence.log_likelihood())
                assert likelihood[len(truth)] == pytest.approx(share, rel=1e-12)


@pytest.mark.parametrize("form", ["yes-no", "pointed"])
def test_the_chances_of_all_outcomes_add_up_to_one_for_every_number_of_wrong_labels(
    form: Form,
) -> None:
    for left, drawn in itertools.product(range(1, 31), range(1, 31)):
        if drawn > left:
            continue
        outcomes: list[Outcome] = ["yes", "no"] if form == "yes-no" else [*range(drawn + 1)]
        total = np.zeros(31)
        for outcome in outcomes:
            evidence = Evidence(1e-300, form, [_flat(30)])
            evidence.add(left, 0, drawn, outcome)
            likelihood = np.exp(evidence.log_likelihood())
            total[: len(likelihood)] += likelihood
        assert total == pytest.approx(np.where(np.arange(31) <= left, 1.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("found", [0, 3])
def test_a_large_claim_keeps_its_digits(found: int) -> None:
    n = 1_000_000
    left = n - 5
    cases: list[tuple[Form, int, Outcome]] = [
        ("yes-no", 24, "yes"),
        ("yes-no", 1, "no"),
        ("yes-no", 24, "no"),
        ("yes-no", 5_000, "no"),
        ("pointed", 24, 0),
        ("pointed", 24, 3),
        ("pointed", 24, 24),
    ]
    for form, drawn, outcome in cases:
        evidence = Evidence(1e-300, form, [np.full(n + 1, -math.log(n + 1))])
        evidence.add(left, found, drawn, outcome)
        values = evidence.log_likelihood()
        for kappa in (found + 1, found + 24, found + 4_000, 300_000):
            exact = _exact(left, found, drawn, outcome, kappa)
            if exact == 0 or kappa >= len(values):
                continue
            expected = math.log(exact.numerator) - math.log(exact.denominator)
            assert values[kappa] == pytest.approx(expected, rel=1e-7, abs=1e-7)


def test_one_minus_a_chance_near_one_is_exact_at_a_million_items() -> None:
    chance = log_chance(1_000_000, 1_000_000, 1, 0, 3)
    assert -np.expm1(chance[1:]) == pytest.approx(np.array([1e-6, 2e-6, 3e-6]), rel=1e-8)


def test_all_items_drawn_and_nothing_wrong_or_everything() -> None:
    everything = Evidence(0.05, "pointed", [_flat(N)])
    everything.add(N, 0, N, N)
    assert np.flatnonzero(np.isfinite(everything.log_likelihood())).tolist() == [N]
    nothing = Evidence(0.05, "yes-no", [_flat(N)])
    nothing.add(N, 0, N, "yes")
    assert nothing.at_most([N], [0]) == 0


# The bound


def _by_hand(
    alpha: float, priors: Sequence[np.ndarray], checks: Sequence[tuple[int, int, int, Outcome, int]]
) -> set[tuple[int, ...]]:
    """All combinations of kappa not rejected at any look, each with the whole of M."""
    shape = [len(prior) for prior in priors]
    live = set(itertools.product(*(range(n) for n in shape)))
    values = [[Fraction(1)] * n for n in shape]
    for left, found, drawn, outcome, stratum in checks:
        for kappa in range(shape[stratum]):
            values[stratum][kappa] *= _exact(left, found, drawn, outcome, kappa)
        mean = math.prod(
            sum(math.exp(weight) * float(value) for weight, value in zip(prior, each, strict=True))
            for prior, each in zip(priors, values, strict=True)
        )
        live = {
            kappas
            for kappas in live
            if float(math.prod(values[at][kappa] for at, kappa in enumerate(kappas))) > alpha * mean
        }
    return live


def _random_checks(
    rng: np.random.Generator, form: Form, sizes: Sequence[int], count: int
) -> tuple[list[tuple[int, int, int, Outcome, int]], list[int], list[int]]:
    """Checks of a random truth with items leaving in between; what is left and found at the end."""
    wrong = [rng.random(size) < 0.3 for size in sizes]
    there = [np.arange(size) for size in sizes]
    found = [0] * len(sizes)
    checks: list[tuple[int, int, int, Outcome, int]] = []
    for _ in range(count):
        at = int(rng.integers(len(sizes)))
        if len(there[at]) < 2:
            continue
        group = rng.choice(there[at], int(rng.integers(1, len(there[at]))), replace=False)
        seen = int(wrong[at][group].sum())
        outcome: Outcome = seen if form == "pointed" else ("no" if seen else "yes")
        checks.append((len(there[at]), found[at], len(group), outcome, at))
        gone = group if form == "pointed" or not seen else rng.choice(there[at], 1)
        found[at] += int(wrong[at][gone].sum())
        there[at] = np.setdiff1d(there[at], gone)
    return checks, [len(each) for each in there], found


@pytest.mark.parametrize("form", ["yes-no", "pointed"])
@pytest.mark.parametrize("sizes", [(14,), (9, 5), (4, 9), (6, 6), (7, 0)])
@pytest.mark.parametrize("seed", range(8))
def test_bounds_are_those_by_hand(form: Form, sizes: tuple[int, ...], seed: int) -> None:
    rng = np.random.default_rng(seed)
    checks, left, found = _random_checks(rng, form, sizes, 6)
    priors = [log_prior(size, 1.0, 2) for size in sizes]
    evidence = Evidence(0.2, form, priors)
    for check in checks:
        evidence.add(*check)
    live = _by_hand(0.2, priors, checks)
    rows = [kappas for kappas in live if all(f <= k for k, f in zip(kappas, found, strict=True))]
    worst = [
        tuple(min(k - f, m) for k, f, m in zip(kappas, found, left, strict=True)) for kappas in rows
    ]
    if not worst:
        assert evidence.at_most(left, found) == sum(left)
        return
    assert evidence.at_most(left, found) == max(map(sum, worst))
    if len(sizes) == 2:
        for stratum, settled in itertools.product((0, 1), (0, 4)):
            recalls = [
                right / whole if (whole := right + pair[1 - stratum]) else 1.0
                for pair in worst
                for right in [settled + left[stratum] - pair[stratum]]
            ]
            assert evidence.recall_at_least(left, found, settled, stratum) == min(recalls)
            whole = settled + left[stratum]
            precisions = [(whole - pair[stratum]) / whole if whole else 1.0 for pair in worst]
            assert evidence.precision_at_least(left, found, settled, stratum) == min(precisions)


@given(st.integers(0, 10_000), st.sampled_from(["yes-no", "pointed"]))
def test_what_is_rejected_stays_so_and_the_bound_never_grows(seed: int, form: Form) -> None:
    rng = np.random.default_rng(seed)
    checks, _, _ = _random_checks(rng, form, (30,), 8)
    evidence = Evidence(0.1, form, [log_prior(30, 1.0, 5)])
    before = 30
    for check in checks:
        evidence.add(*check)
        if evidence.contradicted:
            return
        assert len(evidence.log_likelihood()) - 1 <= before
        before = len(evidence.log_likelihood()) - 1
        assert evidence.at_most([30], [0]) == before


def test_nothing_is_promised_before_the_first_check() -> None:
    assert Evidence(0.05, "yes-no", [_flat(N)]).at_most([5], [1]) == 5
    paired = Evidence(0.05, "yes-no", [_flat(N), _flat(3)])
    assert paired.at_most([N, 2], [0, 1]) == N + 2
    assert paired.recall_at_least([N, 2], [0, 1], settled=4) == pytest.approx(4 / (4 + N))


def test_recall_of_a_label_that_nothing_can_have_is_one() -> None:
    assert Evidence(0.05, "pointed", [_flat(0), _flat(3)]).recall_at_least([0, 0], [0, 3], 0) == 1


def test_every_item_that_leaves_lowers_the_bound_and_none_left_is_none_wrong() -> None:
    evidence = Evidence(0.05, "yes-no", [log_prior(200, 1, 4)])
    evidence.add(200, 0, 60, "yes")
    bound = evidence.at_most([140], [0])
    assert 0 < bound < 140
    assert evidence.at_most([140], [1]) == bound - 1
    assert evidence.at_most([2], [0]) == 2
    assert evidence.at_most([0], [0]) == 0


def test_more_found_than_allowed_still_gives_a_bound() -> None:
    evidence = Evidence(0.05, "pointed", [log_prior(100, 0.5, 2)])
    evidence.add(100, 0, 40, 9)
    bound = evidence.at_most([60], [9])
    assert 9 < bound < 60


def test_more_found_than_the_bound_says_promises_nothing() -> None:
    evidence = Evidence(0.05, "yes-no", [log_prior(100, 0.5, 2)])
    evidence.add(100, 0, 60, "yes")
    assert evidence.at_most([40], [0]) == 3
    assert evidence.at_most([30], [10]) == 30
    evidence.add(30, 10, 5, "no")
    assert evidence.contradicted
    evidence.add(29, 10, 5, "yes")
    assert evidence.at_most([24], [10]) == 24


def test_without_a_check_nothing_is_rejected_and_all_evidence_is_missing() -> None:
    evidence = Evidence(0.05, "yes-no", [log_prior(12, 2.0, 4), log_prior(8, 1.0, 4)])
    assert evidence.at_most([11, 8], [1, 0]) == 19
    assert evidence.recall_at_least([11, 8], [1, 0], settled=22) == pytest.approx(22 / 33)
    assert evidence.precision_at_least([11, 8], [1, 0], settled=22) == pytest.approx(22 / 30)
    assert evidence.missing_nats([1, 0], allowed=18) == pytest.approx(math.log(20))
    assert evidence.missing_nats([1, 0], allowed=19) == 0.0


@pytest.mark.parametrize(
    ("check", "match"),
    [
        ((9, 0, 2, "yes"), "only leave"),
        ((7, 2, 2, "yes"), "only leave"),
        ((8, 0, 0, "yes"), "1 to 8"),
        ((8, 0, 9, "yes"), "1 to 8"),
        ((8, 0, 2, 1), "yes or no"),
        ((8, 0, 2, "yes", 1), "strata"),
    ],
)
def test_a_check_that_cannot_be_is_refused(
    check: tuple[int, int, int, Outcome], match: str
) -> None:
    evidence = Evidence(0.05, "yes-no", [_flat(N)])
    with pytest.raises(InvalidInput, match=match):
        evidence.add(*check)
    assert evidence.log_mean == 0


def test_items_do_not_come_back_and_forms_do_not_mix() -> None:
    evidence = Evidence(0.05, "pointed", [_flat(N)])
    evidence.add(6, 1, 2, 0)
    for check in ((7, 1, 2, 0), (5, 0, 2, 0)):
        with pytest.raises(InvalidInput, match="only leave"):
            evidence.add(*check)
    for outcome in ("yes", "no", 3, -1, True):
        with pytest.raises(InvalidInput, match="number of wrong items"):
            evidence.add(5, 1, 2, outcome)


# The prior


@given(
    st.integers(0, 300),
    st.floats(0, 1e6),
    st.integers(0, 400),
    st.floats(0, 1),
)
def test_a_prior_sums_to_one_and_leaves_no_number_out(
    size: int, expected: float, allowed: int, trust: float
) -> None:
    prior = log_prior(size, expected, allowed, trust)
    assert len(prior) == size + 1
    assert np.exp(prior).sum() == pytest.approx(1)
    assert np.all(np.exp(prior) >= 0.0099 / (size + 1))


@pytest.mark.parametrize("bad", [(-1, 1.0, 1), (5, -1.0, 1), (5, math.nan, 1), (5, 1.0, -1)])
def test_a_prior_of_nonsense_is_refused(bad: tuple[int, float, int]) -> None:
    with pytest.raises(InvalidInput, match="A prior needs"):
        log_prior(*bad)


@pytest.mark.parametrize(
    ("alpha", "form", "strata"),
    [(0, "yes-no", 1), (1, "yes-no", 1), (0.1, "both", 1), (0.1, "pointed", 3)],
)
def test_evidence_of_nonsense_is_refused(alpha: float, form: Form, strata: int) -> None:
    with pytest.raises(InvalidInput):
        Evidence(alpha, form, [_flat(3)] * strata)


def test_what_is_added_to_a_copy_is_not_added_to_the_evidence_itself() -> None:
    evidence = Evidence(0.05, "yes-no", [log_prior(60, 1.0, 3)])
    evidence.add(60, 0, 20, "yes")
    apart = evidence.copy()
    for left in (40, 20):
        apart.add(left, 0, 20, "yes")
    straight = Evidence(0.05, "yes-no", [log_prior(60, 1.0, 3)])
    straight.add(60, 0, 20, "yes")
    assert evidence.at_most([40], [0]) == straight.at_most([40], [0]) > apart.at_most([0], [0])
    assert evidence.log_mean == straight.log_mean
    evidence.add(40, 0, 20, "no")  # it goes on by itself
    assert evidence.log_mean < straight.log_mean


def test_where_no_evidence_is_missing_the_bound_is_as_low_as_allowed() -> None:
    for allowed in (3, 6):
        priors = [log_prior(40, 1.0, allowed), log_prior(30, 1.0, allowed)]
        evidence, left = Evidence(0.1, "yes-no", priors), [40, 30]
        assert evidence.missing_nats((0, 0), allowed) == pytest.approx(math.log(10), abs=1e-6)
        for draw in range(14):
            evidence.add(left[draw % 2], 0, 4, "yes", draw % 2)
            left[draw % 2] -= 4
            missing = evidence.missing_nats((0, 0), allowed)
            assert missing > 0 or evidence.at_most(left, (0, 0)) <= allowed
        assert missing == 0
