"""Other predictors: made in seconds, measured in the same cells, told in the README."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="the experiments extra is not installed")

from experiments.pretrained import others_table
from experiments.pretrained.cells import CAPS, cell_name
from experiments.pretrained.others import (
    CELLS,
    KEPT,
    METHODS,
    RESULTS,
    kept_cells,
    measure_one,
    title,
)
from experiments.pretrained.results import Results, read_results
from experiments.pretrained.shallow import SHALLOW, predicted, present
from experiments.pretrained.verdict import comparisons

BUNDLED = [name for name, shallow in SHALLOW.items() if not shallow.needs]


@pytest.fixture(scope="module")
def results() -> Results:
    return read_results(RESULTS)


def test_some_predictors_need_no_data_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASKLESS_DATA", raising=False)
    assert [name for name in SHALLOW if present(name)] == BUNDLED
    assert len(BUNDLED) >= 2


@pytest.mark.parametrize("name", BUNDLED)
def test_a_predictor_is_better_than_a_coin_on_items_it_has_not_seen(name: str) -> None:
    pool = predicted(name, 0)
    assert np.mean((pool.probs.values >= 0.5) == pool.labels) > 0.55
    again = predicted(name, 0)
    assert np.array_equal(pool.probs.values, again.probs.values)
    assert not np.array_equal(pool.labels, predicted(name, 1).labels)


def test_a_file_is_measured_in_every_cell(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    probs = rng.beta(0.3, 0.3, 60)
    np.savez(tmp_path / "some.npz", probs=probs, positive=rng.random(60) < probs)
    found = measure_one((str(tmp_path / "some.npz"), 2, {}))
    assert title(str(tmp_path / "some.npz"), 2) == "some 2"
    assert list(found["cells"]) == [cell_name(method, cap) for cap in CAPS for method in METHODS]
    assert all(tuple(cell) == KEPT for cell in found["cells"].values())
    assert len(list(comparisons({"some 2": found}))) == len(CAPS) * 2


def test_cells_asked_for_again_are_measured_and_all_others_kept() -> None:
    old = {"cancer-logistic 0": {"cells": {cell: {"questions": -1} for cell in CELLS}}}
    assert len(kept_cells(old, "cancer-logistic 0", None)) == len(CELLS)
    assert kept_cells(old, "cancer-logistic 1", None) == {}
    kept = kept_cells(old, "cancer-logistic 0", "auto labels, recalibrated max_n=64")
    found = measure_one(("cancer-logistic", 0, kept))["cells"]
    assert list(found) == list(CELLS)
    measured = [cell for cell in found if found[cell]["questions"] > 0]
    assert measured == ["auto labels, recalibrated max_n=64"]


def test_the_readme_shows_the_tables_of_the_results_on_file(results: Results) -> None:
    assert others_table.tables(results) in others_table.README.read_text(encoding="utf-8")
