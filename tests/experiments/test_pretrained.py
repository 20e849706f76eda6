from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="the experiments extra is not installed")

from askless.core.probability import Probs
from askless.lab.known_pool import KnownPool
from experiments.pretrained import figures, table
from experiments.pretrained.cells import CAPS, METHODS, cell_name, measure, measure_pool
from experiments.pretrained.results import RESULTS, Results, read_results, write_results
from experiments.pretrained.verdict import comparisons, verdict

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def results() -> Results:
    return read_results()


@pytest.fixture(scope="module")
def pool() -> KnownPool:
    rng = np.random.default_rng(0)
    true = 1 / (1 + np.exp(-rng.normal(0, 3, 400)))
    bold = true**2 / (true**2 + (1 - true) ** 2)
    return KnownPool(Probs(bold), rng.random(400) < true)


def test_every_method_was_measured_under_every_cap(results: Results) -> None:
    assert list(results) == ["cifar10", "svhn"]
    expected = [cell_name(method, max_n) for max_n in CAPS for method in METHODS]
    for found in results.values():
        assert list(found["cells"]) == expected
        assert found["pool"]["items"] == 6000


@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_measured_to_the_last_label(pool: KnownPool, method: str) -> None:
    found = measure(pool, method, 8)
    assert found["questions"] == found["curve"][-1] <= 440
    assert found["labels_at_2500_questions"] == 400
    assert found["curve"] == sorted(found["curve"])
    assert len(found["curve"]) == 4


def test_the_second_half_is_worth_less_once_corrected(pool: KnownPool) -> None:
    found = measure_pool(pool)
    assert found["second_half_bits_hindsight"] <= found["second_half_bits_recalibrated"]
    assert found["second_half_bits_recalibrated"] < found["second_half_bits_raw"]
    assert found["bits_calibrated"] < found["bits"]


def test_the_verdict_compares_the_best_variant_of_the_same_file_cap_and_objective(
    results: Results,
) -> None:
    every = list(comparisons(results))
    assert len(every) == len(results) * len(CAPS) * 2
    svhn = results["svhn"]["cells"]
    (found,) = [c for c in every if (c.file, c.max_n, c.objective) == ("svhn", 8, "labels")]
    variants = [svhn[cell_name(m, 8)] for m in METHODS if m.startswith("lookahead")]
    assert found.papers == min(cell["questions_for_2500_labels"] for cell in variants)
    ours = svhn[cell_name("auto labels, recalibrated", 8)]
    assert found.ours == ours["questions_for_2500_labels"]


def test_auto_never_asks_more_than_the_papers_best_in_any_cell(results: Results) -> None:
    assert [c for c in comparisons(results) if not c.holds] == []
    assert verdict(results).startswith("In each of the 16 cells")


def test_a_cell_in_which_we_ask_more_is_named(results: Results) -> None:
    worse = {"svhn": {"pool": {}, "cells": dict(results["svhn"]["cells"])}}
    name = cell_name("auto questions, recalibrated", 16)
    worse["svhn"]["cells"][name] = {**worse["svhn"]["cells"][name], "questions": 9999}
    assert "asks MORE" in verdict(worse)
    assert "svhn max_n=16 questions: 9999 against" in verdict(worse)


def test_the_readme_shows_the_tables_of_the_results_on_file(results: Results) -> None:
    assert table.tables(results) in table.README.read_text(encoding="utf-8")


def test_the_figure_is_drawn_from_the_results_alone(results: Results, tmp_path: Path) -> None:
    figures.draw_all(results, tmp_path)
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == {path.name for path in figures.FOLDER.glob("*.png")}


def test_results_survive_being_written_and_read(results: Results, tmp_path: Path) -> None:
    write_results(results, tmp_path / "results.json")
    assert read_results(tmp_path / "results.json") == results
    assert (tmp_path / "results.json").read_bytes() == RESULTS.read_bytes()


def test_without_predictions_it_says_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "experiments.pretrained", "--out", str(tmp_path)],
        cwd=ROOT,
        env={"ASKLESS_DATA": str(tmp_path), "MPLCONFIGDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "name .npz files with 'probs' and 'positive'" in done.stderr


def test_the_page_on_planners_tells_the_figures_on_file(results: Results) -> None:
    page = (ROOT / "docs" / "planners.md").read_text(encoding="utf-8")
    names = {"svhn": "SVHN", "cifar10": "CIFAR10"}
    wanted = {
        "questions": "all labels",
        "labels": "first 2500 labels, objective `labels`",
    }
    told = [c for c in comparisons(results) if c.max_n == 8]
    assert len(told) == 4
    for c in told:
        assert f"| {names[c.file]}, {wanted[c.objective]} | {c.ours} | {c.papers} |" in page
