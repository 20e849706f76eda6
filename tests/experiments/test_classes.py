"""The tables of experiments/classes are those of its results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from experiments.classes.__main__ import HERE, RESULTS, calibrated_pool, cells, measured
from experiments.classes.table import MARK, tables


def test_the_tables_are_those_of_the_results() -> None:
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    assert all(row["all_right"] for row in rows)
    assert (HERE / "README.md").read_text().split(MARK)[1].strip() == tables(rows).strip()


def test_a_calibrated_pool_is_calibrated() -> None:
    probs, labels = calibrated_pool(20_000, 3.0, 1)
    top = probs.argmax(1) == labels
    assert abs(top.mean() - probs.max(1).mean()) < 0.01
    assert np.allclose(probs.sum(1), 1)


def test_a_cell_has_what_the_tables_need(tmp_path: Path) -> None:
    cell = next(cell for cell in cells("calibrated", 1) if cell["max_n"] == 8)
    row = measured(cell | {"n": 60}, tmp_path)
    assert row["questions"] > 0
    assert "| 60 | 8 |" in tables([row])
