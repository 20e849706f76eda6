"""The reach of promises is measured on real runs, and its table says what the file says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from askless.core.promise import Promise
from experiments.certificates import reach
from experiments.certificates.reach import Cell, measure, read_results, table
from experiments.scratch import pools


@pytest.fixture
def small_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pool of two clouds of points where the public one is looked for."""
    rng = np.random.default_rng(0)
    y = np.arange(240) % 4 == 0
    x = rng.normal(size=(240, 3)) + 4 * y[:, None]
    (tmp_path / "tables").mkdir()
    np.savez(tmp_path / "tables" / "htru2.npz", x=x, y=y.astype(int))
    monkeypatch.setenv("ASKLESS_DATA", str(tmp_path))
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    return tmp_path


@pytest.mark.parametrize("pointed", [False, True])
def test_a_promise_is_measured_beside_every_label(small_pool: Path, pointed: bool) -> None:
    found = measure(Cell("htru2", "10%", 8, pointed), 0)
    full = measure(Cell("htru2", "", 8, pointed), 0)
    assert found["settled"] < full["settled"] == 240
    assert found["accepted_wrong"] <= found["allowed"] == 24
    assert 0 < found["checks"] < found["questions"]
    assert (full["checks"], full["claims"]) == (0, 0)
    out = small_pool / "reach.jsonl"
    out.write_text("".join(json.dumps(run) + "\n" for run in (found, full)), encoding="utf-8")
    assert list(read_results(out).values()) == [found, full]


def test_the_table_has_means_marks_and_the_worst_seed() -> None:
    cell = Cell("mnist", "1%", 8)
    run = {"accepted_wrong": 3, "items": 6000, "settled": 5000, "seconds": 9.0}
    results = {(cell.name, seed): {**run, "questions": 100 * (seed + 1)} for seed in range(3)}
    results[Cell("mnist", "", 8).name, 0] = {**run, "questions": 400}
    shown = table(results).splitlines()[-1]
    assert "| 200 | 420 | 300 | 400 | 0.75 |" in shown


def test_every_cell_has_a_promise_that_can_be_read_and_a_name_of_its_own() -> None:
    cells = [*reach.MARKS, *reach.BESIDE]
    assert len({cell.name for cell in cells}) == len(cells)
    for cell in cells:
        assert Promise.parse(cell.promise).text == cell.promise
