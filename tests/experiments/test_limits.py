from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="the experiments extra is not installed")

from askless.core.entropy import independent_entropy_bits
from experiments.limits import figures, pools, table
from experiments.limits.cells import CAPS, DRAWS, Cell, all_cells, bounds, measure
from experiments.limits.measure import measure_all
from experiments.limits.pools import POOLS, draw_pool
from experiments.limits.results import (
    RESULTS,
    Results,
    ratio,
    read_results,
    without_luck,
    write_results,
)

MEANS = {"A": 0.07, "B": 0.33, "C": 0.01, "D": 0.05, "E": 0.07}


@pytest.fixture(scope="module")
def results() -> Results:
    return read_results()


@pytest.mark.parametrize("name", POOLS)
def test_the_probs_of_a_pool_have_its_mean_error_and_are_true(name: str) -> None:
    drawn = draw_pool(name, 100_000, 0)
    errors = np.minimum(drawn.probs, 1 - drawn.probs)
    wrong = (drawn.probs >= 0.5) != drawn.labels
    assert errors.mean() == pytest.approx(MEANS[name], rel=1e-6)
    for low, high in itertools.pairwise(np.quantile(errors, [0, 0.5, 0.8, 0.95, 1])):
        among = (errors >= low) & (errors <= high)
        spread = np.sqrt(errors[among].sum() * (3 if name == "E" else 1))
        assert abs(wrong[among].sum() - errors[among].sum()) < 5 * spread + 1
    assert abs(np.mean(drawn.probs >= 0.5) - 0.5) < 0.01


def test_the_same_seed_draws_the_same_pool_and_another_another() -> None:
    one, same, other = (draw_pool("A", 1000, seed) for seed in (3, 3, 4))
    assert np.array_equal(one.labels, same.labels)
    assert np.array_equal(one.probs, same.probs)
    assert not np.array_equal(one.probs, other.probs)


def test_the_joint_entropy_of_clusters_is_that_of_all_their_labellings() -> None:
    errors = np.random.default_rng(0).random((3, 4)) / 2
    expected = 0.0
    for cluster in errors:
        for wrong in itertools.product([False, True], repeat=4):
            alone = np.prod(np.where(wrong, cluster, 1 - cluster))
            below = min([e for e, w in zip(cluster, wrong, strict=True) if w], default=1.0)
            above = max([e for e, w in zip(cluster, wrong, strict=True) if not w], default=0.0)
            p = pools.TOGETHER * max(0.0, below - above) + (1 - pools.TOGETHER) * alone
            expected -= p * np.log2(p)
    assert pools._joint_entropy_bits(errors) == pytest.approx(expected)


def test_errors_that_come_together_leave_less_to_learn_than_the_probs_say() -> None:
    drawn = draw_pool("E", 6000, 0)
    assert drawn.joint_entropy_bits < 0.9 * independent_entropy_bits(drawn.probs)
    drawn = draw_pool("A", 6000, 0)
    assert drawn.joint_entropy_bits == pytest.approx(independent_entropy_bits(drawn.probs))


def test_every_cell_has_a_name_of_its_own_and_was_measured_on_every_draw(results: Results) -> None:
    cells = list(all_cells())
    assert list(results["cells"]) == [cell.name for cell in cells]
    for cell in cells:
        assert len(results["cells"][cell.name]["questions"]) == cell.draws


@pytest.mark.parametrize("pool", POOLS)
def test_the_bounds_on_file_are_found_again(results: Results, pool: str) -> None:
    again, on_file = bounds(pool, 6000), results["bounds"][f"{pool} 6000"]
    assert list(again) == list(on_file)
    for key, values in again.items():
        assert values == pytest.approx(on_file[key], abs=0.02)


def test_a_few_cells_are_measured_again_as_they_were(results: Results) -> None:
    for cell in all_cells():
        if cell.pool == "C" and cell.n == 6000 and cell.part in ("count", "effort"):
            again = measure(replace(cell, draws=1))
            on_file = results["cells"][cell.name]
            for key in ("questions", "items_shown", "seconds"):
                # Another machine may round otherwise, and ask otherwise from there on.
                assert again[key] == pytest.approx(on_file[key][:1], rel=0.03), cell.name


def test_several_processes_measure_what_one_does_and_go_on_where_they_were(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    few = [
        replace(cell, n=60, draws=2) for cell in all_cells() if cell.name.startswith("mixed C 6000")
    ]
    monkeypatch.setattr("experiments.limits.measure.DRAWS", {})
    monkeypatch.setattr("experiments.limits.measure.all_cells", lambda: iter(few))
    found = []
    for jobs in (1, 2):
        results: Results = {"bounds": {}, "cells": {}}
        path = tmp_path / f"{jobs}.json"
        measure_all(results, path, jobs=jobs)
        found.append(path.read_bytes())
    assert found[0] == found[1]
    assert list(results["cells"]) == [cell.name for cell in few]

    asked: list[str] = []
    real = measure_all.__globals__["play"]

    def watched(cell: Cell, seed: int) -> object:
        asked.append(cell.name)
        return real(cell, seed)

    monkeypatch.setattr("experiments.limits.measure.play", watched)
    del results["cells"][few[0].name]
    measure_all(results, path, again=few[1].name, only=few[1].name)
    assert asked == [few[1].name] * 2
    asked.clear()
    measure_all(results, path)
    assert asked == [few[0].name] * 2
    assert read_results(path) == results


def test_with_one_item_a_question_every_pool_takes_as_many_questions_as_items(
    results: Results,
) -> None:
    counts = [
        found["questions"]
        for name, found in results["cells"].items()
        if name.startswith("count") and name.endswith("max_n=1")
    ]
    assert {q for questions in counts for q in questions} == set(DRAWS)


def test_a_ratio_is_the_mean_over_the_draws_with_its_standard_error() -> None:
    mean, error = ratio([2, 4], [1, 1])
    assert mean == 3
    assert error == pytest.approx(np.std([2, 4], ddof=1) / np.sqrt(2))
    assert ratio([3], [2, 9]) == (1.5, 0.0)


def test_the_luck_of_the_draws_is_removed_along_a_line() -> None:
    entropy, bits = [100.0] * 4, [90.0, 100.0, 110.0, 120.0]
    questions = [102.0 + 0.5 * (b - 100.0) for b in bits]
    mean, error = without_luck(questions, [100.0] * 4, bits, entropy)
    assert mean == pytest.approx(1.02)
    assert error == pytest.approx(0, abs=1e-9)


def test_results_survive_being_written_and_read(results: Results, tmp_path: Path) -> None:
    write_results(results, tmp_path / "results.json")
    assert read_results(tmp_path / "results.json") == results
    assert (tmp_path / "results.json").read_bytes() == RESULTS.read_bytes()
    assert read_results(tmp_path / "none.json") == {"bounds": {}, "cells": {}}


def test_the_readme_shows_the_tables_of_the_results_on_file(results: Results) -> None:
    assert table.tables(results) in table.README.read_text(encoding="utf-8")


@pytest.mark.parametrize("pool", "ABCD")
def test_the_page_on_planners_tells_the_figures_on_file(results: Results, pool: str) -> None:
    bound = results["bounds"][f"{pool} 6000"]["max_n=8"]
    ours = [results["cells"][f"count {pool} 6000 {name} max_n=8"] for name in ("fill", "nested")]
    cells = [*ours, table.best_paper(results, pool, 8)]
    row = " | ".join(f"{ratio(cell['questions'], bound)[0]:.3f}" for cell in cells if cell)
    page = Path(__file__).parents[2] / "docs" / "planners.md"
    assert f"({pool}) | 8 | {row} |" in page.read_text(encoding="utf-8")


def test_the_figure_is_drawn_from_the_results_alone(results: Results, tmp_path: Path) -> None:
    figures.draw_all(results, tmp_path)
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == {path.name for path in figures.FOLDER.glob("*.png")}


def test_the_sentence_about_one_by_one_tells_the_truth() -> None:
    name = "effort A 10 yes-no seconds 1,1,1"
    for seconds, sentence in ((20.0, "is never above"), (20.5, "is NOT never above")):
        made_up = {"bounds": {}, "cells": {name: {"seconds": [seconds]}}}
        assert sentence in table.never_above_one_by_one(made_up)


def test_caps_go_from_one_item_to_no_limit() -> None:
    assert (CAPS[0], CAPS[-1]) == (1, None)
