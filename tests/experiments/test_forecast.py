"""The forecast's factors are those of the runs on file, and its ranges hold on pools left out."""

from __future__ import annotations

import numpy as np
import pytest

from askless.core.probability import Probs
from askless.lab.known_pool import KnownPool
from askless.session.estimates import FACTORS, TIME_FACTORS
from experiments.forecast import runs
from experiments.forecast.factors import What, fit, points, try_on_others
from experiments.forecast.results import SAID, read_results
from experiments.forecast.runs import SHARES, Cell, measure
from experiments.forecast.table import README, SHOWN, said_at, tables

RUNS = read_results()
LATER = read_results(SAID)


def test_the_factors_in_use_are_those_fitted_to_the_runs_on_file() -> None:
    assert fit(list(points(RUNS, "answers"))) == FACTORS
    assert fit(list(points(RUNS, "seconds"))) == TIME_FACTORS


@pytest.mark.parametrize("what", ["answers", "seconds"])
@pytest.mark.parametrize("share", SHOWN)
def test_a_range_holds_what_came_nine_times_in_ten_on_pools_it_was_not_fitted_to(
    what: What, share: float
) -> None:
    tried = [one for one in try_on_others(RUNS, what) if one.point.share == share]
    assert np.mean([one.holds for one in tried]) >= 0.9


@pytest.mark.parametrize("what", ["answers", "seconds"])
def test_a_quarter_through_half_of_the_ranges_span_less_than_a_factor_of_two(what: What) -> None:
    tried = [one for one in try_on_others(RUNS, what) if one.point.share == 0.25]
    assert np.median([one.high / one.low for one in tried]) <= 2


@pytest.mark.parametrize("what", ["answers", "seconds"])
def test_what_was_said_in_later_runs_held_nine_times_in_ten_and_was_no_wider(what: What) -> None:
    said = {share: said_at(LATER, share, what) for share in (0.25, 0.5, 0.75)}
    assert np.mean([one.holds for some in said.values() for one in some]) >= 0.9
    assert np.median([one.high / one.low for one in said[0.25]]) <= 2


def test_the_tables_are_those_of_the_runs_on_file() -> None:
    assert README.read_text(encoding="utf-8").endswith(tables(RUNS, LATER))


@pytest.mark.parametrize(("way", "kind"), [("app points", "pointed"), ("app yes-no", "fixed")])
def test_a_run_tells_what_was_expected_on_the_way_and_what_came(
    way: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    probs = rng.beta(0.2, 0.2, 400)
    pool = KnownPool(Probs(probs), rng.random(400) < probs)
    monkeypatch.setattr(runs, "load", lambda _: pool)
    found = measure(Cell("made", way, None, 0))
    assert [point["share"] for point in found["points"]] == list(SHARES)
    last = found["points"][-1]
    assert last["answers_left"] == found["answers"] - round(0.9 * found["answers"])
    assert last["outlook"]["kind"] == kind
    low, high = last["said"][0]
    assert low <= last["outlook"]["answers"] <= high
    assert found["points"][0]["said"] == [None, None]
    assert found["points"][0]["outlook"] is None  # the test sample is being drawn
