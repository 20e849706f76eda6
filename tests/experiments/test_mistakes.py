"""What the runs on file show about finding one's own mistakes, and that they are made so."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from experiments.mistakes import coverage, runs
from experiments.mistakes.measure import SHARES, measure
from experiments.mistakes.results import COVERAGE, read_results
from experiments.mistakes.runs import Cell
from experiments.mistakes.table import MARKS, README, by_pool, person, share_found, tables
from experiments.scratch.pools import ScratchPool

RUNS, REASKS = read_results(), read_results(COVERAGE)


@pytest.mark.parametrize(
    ("pool", "habits", "share", "mark"),
    [(*key, share, mark) for key, marks in MARKS.items() for share, mark in marks.items()],
)
def test_the_first_of_the_list_hold_as_many_wrong_labels_as_they_should(
    pool: str, habits: str, share: float, mark: float
) -> None:
    assert share_found(by_pool(RUNS, 0.0)[pool, habits], share) >= mark


def test_somebody_who_slips_ends_with_a_third_of_the_wrong_labels() -> None:
    """In less than 5 % more time on one of the three pools; the README says what is missed."""
    found = {row[0]: row[2:] for row in person(RUNS) if row[1] == "slips:0.15"}
    for pool in ("fashion_mnist", "sms_spam"):
        was, now, _ = found[pool]
        assert now <= was / 3
    assert found["sms_spam"][2] <= 0.05
    assert found["mnist"][2] <= 0.05


def test_what_asking_again_says_is_false_no_more_often_than_promised() -> None:
    assert sum(row["runs"] for row in REASKS) >= 2000
    for row in REASKS:
        assert row["false"] / row["runs"] <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / row["runs"])


def test_the_tables_are_those_of_the_runs_on_file() -> None:
    assert README.read_text(encoding="utf-8").endswith(tables(RUNS, REASKS))


def test_a_run_of_re_asks_goes_through_the_session_and_bounds_what_would_be_changed() -> None:
    false, at_most = coverage.one_run(10, 3, np.random.default_rng(1))
    assert not false
    assert 1 <= at_most < coverage.LABELS // 2


def test_a_session_is_measured_from_its_labels_to_the_end_of_the_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    labels = rng.random(300) < 0.4
    x = rng.normal(size=(300, 6)).astype(np.float32)
    x[:, 0] += 3 * labels
    columns = np.concatenate([x, np.ones((300, 1), np.float32)], axis=1)
    pool = ScratchPool(columns, (("x", 7),), labels, None)
    monkeypatch.setattr(runs, "load", lambda *_: pool)
    monkeypatch.setattr(runs, "FOLDER", tmp_path)
    found = measure(Cell(Path("made"), "slips:0.3", "pointed", 12, 0, 10.0))
    assert found["wrong"] == sum(found["how"].values())
    assert found["found"]["ranking"][-1] == 1.0
    assert len(found["found"]["ranking"]) == len(SHARES)
    assert found["review"][0]["left"] == found["wrong"]
    assert found["to_the_end"]["left"] <= found["wrong"]
    assert found["seconds"] > 300 * 0.3
    assert measure(Cell(Path("made"), "slips:0.3", "pointed", 12, 0, 10.0)) == found  # is kept
