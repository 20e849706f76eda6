"""Evidence against the truth is a martingale: all draws of three checks of twelve items.

Exact, by enumeration, with somebody who knows the truth taking items out between two draws.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator

import pytest

from askless.core.claim import Evidence, Form, Outcome, log_prior

_SMALL = 12
Truth = frozenset[int]
Leave = Callable[[list[int], Truth, Outcome], list[int]]


def _stay(items: list[int], truth: Truth, outcome: Outcome) -> list[int]:
    return []


def _right_leave_after_no(items: list[int], truth: Truth, outcome: Outcome) -> list[int]:
    return [item for item in items if item not in truth][:2] if outcome in ("no", 1, 2) else []


def _wrong_leave_after_yes(items: list[int], truth: Truth, outcome: Outcome) -> list[int]:
    return [item for item in items if item in truth][:1] if outcome in ("yes", 0) else []


def _runs(
    form: Form, truth: Truth, leave: Leave, alpha: float
) -> Iterator[tuple[float, list[float], bool]]:
    """Every run of three checks: its chance, M / L(truth) after each, whether truth was rejected.

    The adversary sees truth and outcome and takes out what it likes between two draws. Draws that
    leave as many right and as many wrong items go on alike, so one of them is followed for all.
    """

    def follow(
        items: list[int], past: list[tuple[int, int, int, Outcome]], chance: float
    ) -> Iterator[tuple[float, list[float], bool]]:
        if len(past) == 3:
            yield chance, *_replay(form, truth, past, alpha)
            return
        found = len(truth.difference(items))
        alike: dict[tuple[Outcome, int, int], tuple[int, list[int]]] = {}
        draws = list(itertools.combinations(items, 2))
        for drawn in draws:
            outcome = _outcome(form, drawn, truth)
            gone = set(leave([item for item in items if item not in drawn], truth, outcome))
            if form == "pointed" or outcome == "yes":
                gone.update(drawn)
            after = [item for item in items if item not in gone]
            key = outcome, len(after), len(truth.intersection(after))
            alike[key] = alike.get(key, (0, []))[0] + 1, after
        for (outcome, *_), (count, after) in alike.items():
            check = len(items), found, 2, outcome
            yield from follow(after, [*past, check], chance * count / len(draws))

    yield from follow(list(range(_SMALL)), [], 1.0)


def _replay(
    form: Form, truth: Truth, checks: Iterable[tuple[int, int, int, Outcome]], alpha: float
) -> tuple[list[float], bool]:
    evidence = Evidence(alpha, form, [log_prior(_SMALL, 0.5, 2, 0.9)])
    ratios: list[float] = []
    for check in checks:
        evidence.add(*check)
        values = evidence.log_likelihood()
        if evidence.contradicted or len(values) <= len(truth):
            return ratios, True
        ratios.append(math.exp(evidence.log_mean - values[len(truth)]))
    return ratios, False


@pytest.mark.parametrize("form", ["yes-no", "pointed"])
@pytest.mark.parametrize("leave", [_stay, _right_leave_after_no, _wrong_leave_after_yes])
def test_evidence_against_the_truth_has_mean_at_most_one_whatever_leaves(
    form: Form, leave: Leave
) -> None:
    for kappa in range(_SMALL + 1):
        runs = list(_runs(form, frozenset(range(kappa)), leave, alpha=1e-12))
        assert sum(chance for chance, *_ in runs) == pytest.approx(1, abs=1e-12)
        means = [sum(chance * ratios[after] for chance, ratios, _ in runs) for after in range(3)]
        assert max(means) <= 1 + 1e-9
        # With at most 6 items drawn, these can show everything that any number of wrong labels can.
        if leave is _stay and (kappa == 6 or (form == "yes-no" and 1 <= kappa <= 6)):
            assert means == pytest.approx([1, 1, 1], abs=1e-9)


@pytest.mark.parametrize("form", ["yes-no", "pointed"])
@pytest.mark.parametrize("leave", [_stay, _right_leave_after_no, _wrong_leave_after_yes])
@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.4])
def test_the_truth_is_rejected_with_chance_at_most_alpha(
    form: Form, leave: Leave, alpha: float
) -> None:
    """Over all draws, for every truth: exact, not by chance."""
    for kappa in range(_SMALL + 1):
        runs = _runs(form, frozenset(range(kappa)), leave, alpha)
        assert sum(chance for chance, _, rejected in runs if rejected) <= alpha


def _outcome(form: Form, drawn: Iterable[int], truth: Truth) -> Outcome:
    wrong = len(truth.intersection(drawn))
    if form == "pointed":
        return wrong
    return "no" if wrong else "yes"
