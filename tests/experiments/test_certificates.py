"""Certificates through the real session: adversaries with leases, undo, skips and two windows."""

from __future__ import annotations

import json

import pytest

from experiments.certificates.session_adversaries import Setting
from experiments.certificates.through_session import RESULTS, SETTINGS, coverage, limit, play


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_a_run_is_the_same_again_and_its_replay_says_what_the_session_says(
    setting: Setting,
) -> None:
    first = play(setting, 3)
    assert play(setting, 3) == first
    assert first["checks"] > 0


def test_no_more_certificates_are_false_than_allowed_in_a_few_runs_of_each() -> None:
    found = coverage(runs=8)
    assert found["runs"] == 8 * len(SETTINGS)
    assert found["share"] <= found["limit"]


def test_no_more_certificates_are_false_than_allowed_in_the_results_on_file() -> None:
    found = json.loads(RESULTS.read_text())
    assert found["runs"] >= 1000
    assert found["share"] <= limit(found["runs"])
    assert found["bound_false"] / found["runs"] <= limit(found["runs"])
    assert set(found["settings"]) == {setting.name for setting in SETTINGS}
    for one in found["settings"].values():
        assert one["bound_false"] / one["runs"] <= limit(one["runs"])
