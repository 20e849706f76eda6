"""Certificates against adversaries who know the truth, and the naive tests that fail."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from askless.core.claim import Evidence, log_prior
from experiments.certificates import naive, table
from experiments.certificates.claim_adversaries import ALPHA, Game, Setting
from experiments.certificates.coverage import AGAIN, RESULTS, RUNS, SETTINGS, cover, limit


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_runs_are_the_same_again_and_all_of_them_end(setting: Setting) -> None:
    first = cover(setting, 20)
    assert cover(setting, 20) == first
    assert first["checks"] >= 20
    assert first["false"] <= first["certified"] <= 20


def test_runs_that_have_gone_alike_part_as_often_as_single_runs_would() -> None:
    setting, rng, runs = SETTINGS[0], np.random.default_rng(0), 40_000
    parts = list(Game(setting, ALPHA, runs).check(rng))
    assert sum(game.runs for game in parts) == runs
    (yes,) = (game for game in parts if game.left == [992])
    chance = math.comb(979, 8) / math.comb(1000, 8)
    assert yes.runs / runs == pytest.approx(chance, abs=4 * math.sqrt(0.25 / runs))
    (no,) = (game for game in parts if game is not yes)
    alone = Evidence(ALPHA, "yes-no", [log_prior(1000, 0.5, 20, 0.99)])
    alone.add(1000, 0, 8, "no")
    assert no.evidence.log_mean == alone.log_mean
    assert no.log_against == pytest.approx(alone.log_mean - alone.log_likelihood()[21])


def test_no_more_certificates_are_false_than_allowed_in_a_few_runs_of_each() -> None:
    runs = 60
    for setting in SETTINGS:
        sums = cover(setting, runs, seed=1)
        assert (sums["false"] + sums["cut"]) / runs <= limit(runs), setting.name


def test_naive_tests_are_false_more_often_and_the_right_ones_are_not() -> None:
    found = naive.measure(2000, seed=2)
    assert found["hypergeometric test, at every look"]["share"] > 0.2
    assert found["hypergeometric test, at one look"]["share"] < 0.05
    assert found["planner's surest groups"]["share"] == 1.0
    assert found["overlooks 14 %, folded in"]["share"] <= limit(100)


def test_results_on_file_hold_for_every_adversary_and_show_what_fails() -> None:
    found = json.loads(RESULTS.read_text())
    assert set(found["adversaries"]) == {setting.name for setting in SETTINGS}
    for name, one in found["adversaries"].items():
        assert one["runs"] >= RUNS
        most = ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / one["runs"])
        assert one["share"] <= most, name
        assert one["rejected_share"] <= most, name
        assert one["share"] == pytest.approx((one["false"] + one["cut"]) / one["runs"], abs=1e-5)
    power = found["adversaries"]["power: 5 wrong, 20 allowed"]
    assert power["certified"] == power["runs"]
    for name in (
        "hypergeometric test, at every look",
        "planner's surest groups",
        "points at one, says no to more",
        "overlooks 14 %, ignored",
        AGAIN.name,
    ):
        one = found["naive"][name]
        assert one["share"] - 3 * one["standard_error"] > ALPHA, name
    for name in ("always points", "always says yes or no", "overlooks 14 %, folded in"):
        one = found["naive"][name]
        assert one["share"] <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / one["runs"]), name


def test_the_tables_of_the_page_are_those_of_the_results() -> None:
    page = table.README.read_text()
    for name, text in table.tables().items():
        assert f"{table.BEGIN.format(name)}\n{text}\n{table.END.format(name)}" in page
