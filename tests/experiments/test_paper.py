"""The paper's setting runs on any pool of pictures, and takes up where it stopped."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="the experiments extra is not installed")

from experiments.paper import __main__ as paper
from experiments.paper import figures, runs, table
from experiments.paper.results import Result, read_results
from experiments.paper.runs import BEST, RUNS, due

OPTIONS = {"width": 2, "epochs": 1, "device": "cpu"}


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    truth = np.arange(50) % 2 == 0
    images = rng.integers(0, 80, (50, 6, 6), dtype=np.uint8)
    images[truth, :3] += 120
    path = tmp_path / "stripes.npz"
    np.savez(path, images=images, positive=truth)
    return path


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["paper", *words])
    paper.main()


def test_refits_become_rarer_by_the_hundred() -> None:
    asked = [question for question in range(1, 400) if due(question)]
    counts = np.histogram(asked, bins=[1, 100, 200, 300, 400])[0]
    assert counts.tolist() == [99, 50, 33, 25]


def test_kernel_learns_from_the_same_sets_whatever_is_installed(
    pool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def prepared(things: object, **more: Any) -> SimpleNamespace:
        asked.append(more["features"])
        return SimpleNamespace(x=np.zeros((50, 1)), options={"blocks": ()})

    monkeypatch.setattr(runs, "prepare", prepared)
    runs.load(pool, "kernel")
    assert asked == [("scattering", "scattering-fine", "patches", "pixels")]


@pytest.mark.torch
def test_run_is_kept_and_not_repeated(
    pool: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results"
    name = f"stripes, {BEST}, paper, seed 0"
    words = [str(pool), "--only", name, "--options", json.dumps(OPTIONS), "--out", str(out)]
    run(monkeypatch, *words)
    (found,) = read_results(out)
    assert found["finished"]
    assert found["right"] == found["labels"] == 50
    assert found["refits"] == found["questions"]
    assert (tmp_path / "curves.png").exists()
    assert f"| {BEST} | paper |" in capsys.readouterr().out
    before = [path.stat().st_mtime_ns for path in out.iterdir()]
    run(monkeypatch, *words)
    assert [path.stat().st_mtime_ns for path in out.iterdir()] == before


@pytest.fixture
def results() -> list[Result]:
    return [
        {
            "pool": "mnist",
            "planner": planner,
            "predictor": predictor,
            "seed": 0,
            "finished": at != 1,
            "items_shown": 9000,
            "prequential_bits": 800.0,
            "ece": 0.01,
            "questions": 2500,
            "labels": 4000 + at,
            "questions_for_2500_labels": 770 + at,
            "no": 1200,
            "refit_s_median": 0.1,
            "run_s": 60.0,
            "curve": [10, 30],
            "along": [{"question": 1, "accuracy": 0.5}, {"question": 100, "accuracy": 0.8}],
        }
        for at, (planner, predictor) in enumerate(RUNS)
    ]


def test_table_stands_beside_what_the_paper_prints(results: list[Result]) -> None:
    lines = table.tables(results).splitlines()
    first = next(line for line in lines if line.startswith("| lookahead random/entropy | paper"))
    assert "| 1 | 770 | 740 | 1.04 | 2500 | 4000 | 5234 | 1200 | 1559 |" in first
    assert not any("random/log-size | paper" in line for line in lines)  # it was cut short


def test_table_gives_mean_and_deviation_over_seeds(results: list[Result]) -> None:
    again = {**results[0], "seed": 1, "questions_for_2500_labels": 790}
    assert "| 2 | 780 ± 14 | 740 | 1.05 |" in table.tables([*results, again])


def test_figure_is_drawn_from_the_results_alone(results: list[Result], tmp_path: Path) -> None:
    figures.draw_all(results, tmp_path)
    first = (tmp_path / "curves.png").read_bytes()
    figures.draw_all(results, tmp_path)
    assert (tmp_path / "curves.png").read_bytes() == first
