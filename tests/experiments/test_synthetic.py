from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the experiments extra is not installed")
pytest.importorskip("matplotlib", reason="the experiments extra is not installed")

from experiments.synthetic import figures, table
from experiments.synthetic.methods import HUFFMAN, METHODS, count_questions
from experiments.synthetic.problems import PROBLEMS, make_problem
from experiments.synthetic.results import (
    RESULTS,
    Results,
    measure_method,
    measure_pools,
    read_results,
    write_results,
)

A_FEW_SEEDS = 5


@pytest.fixture(scope="module")
def results() -> Results:
    return read_results()


# The paper's Table 1: mean H; and mean Q, Q - H, Q / H of Huffman's questions.
@pytest.mark.parametrize(
    ("name", "entropy", "huffman"),
    [
        ("a", 2.77, (2.80, 0.03, 1.05)),
        ("b", 6.03, (6.11, 0.08, 1.01)),
        ("c", 7.33, (5.08, -2.25, 0.67)),
    ],
)
def test_entropy_and_huffman_agree_with_the_paper_to_its_printed_digits(
    results: Results, name: str, entropy: float, huffman: tuple[float, ...]
) -> None:
    problem = results["problems"][name]
    assert round(float(np.mean(problem["entropy_bits"])), 2) == entropy
    found = table.means(problem["questions"][HUFFMAN], problem["entropy_bits"])
    assert tuple(round(value, 2) for value in found) == huffman


def test_every_method_was_measured_on_every_seed(results: Results) -> None:
    assert results["seeds"] == 1000
    for name in PROBLEMS:
        questions = results["problems"][name]["questions"]
        assert list(questions) == [HUFFMAN, *METHODS]
        assert {len(counts) for counts in questions.values()} == {1000}


def test_the_pools_are_drawn_again_as_they_were(results: Results) -> None:
    again = measure_pools(A_FEW_SEEDS)
    for name in PROBLEMS:
        for key in ("entropy_bits", "code_length_bits", "huffman_expected_questions"):
            on_file = results["problems"][name][key][:A_FEW_SEEDS]
            assert again["problems"][name][key] == pytest.approx(on_file, abs=2e-3)
        assert again["pictures"][name]["labels"] == results["pictures"][name]["labels"]
    assert len(again["tree"]["cost_questions"]) == len(results["tree"]["cost_questions"])


@pytest.mark.parametrize("method", [HUFFMAN, *METHODS])
def test_each_method_asks_as_many_questions_as_are_on_file(results: Results, method: str) -> None:
    for name in PROBLEMS:
        on_file = results["problems"][name]["questions"][method][:A_FEW_SEEDS]
        again = [count_questions(method, make_problem(name, s), s) for s in range(A_FEW_SEEDS)]
        assert again == on_file


def test_expected_questions_on_file_lie_within_one_of_the_entropy(results: Results) -> None:
    for part in [*results["problems"].values(), results["tree"]]:
        entropy = np.array(part["entropy_bits"])
        cost = np.array(part.get("huffman_expected_questions", part.get("cost_questions")))
        assert np.all(cost >= entropy - 1e-3)
        assert np.all(cost <= entropy + 1)


def test_the_readme_shows_the_table_of_the_results_on_file(results: Results) -> None:
    assert table.table(results) in table.README.read_text(encoding="utf-8")


def test_results_survive_being_written_and_read(tmp_path: Path) -> None:
    results = measure_pools(2)
    measure_method(results, "one by one")
    write_results(results, tmp_path / "results.json")
    assert read_results(tmp_path / "results.json") == results
    assert results["problems"]["b"]["questions"]["one by one"] == [10, 10]


def test_the_figures_are_drawn_from_the_results_alone(results: Results, tmp_path: Path) -> None:
    figures.draw_all(results, tmp_path)
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == {path.name for path in figures.FOLDER.glob("*.png")}


def test_the_results_file_stays_small() -> None:
    assert RESULTS.stat().st_size < 300_000
