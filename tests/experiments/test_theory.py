from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="the experiments extra is not installed")

from askless.core.entropy import binary_entropy_bits
from askless.planners._groups import group_ends
from experiments.theory import __main__ as theory
from experiments.theory.equal_errors import (
    best_group,
    linear_search,
    nested_search,
    questions_per_item,
)


def test_the_results_on_file_are_those_the_code_computes() -> None:
    on_file = json.loads(theory.RESULTS.read_text())
    again = theory.compute()
    assert on_file.keys() == again.keys()
    for name, curve in again.items():
        np.testing.assert_allclose(on_file[name], curve, rtol=1e-4, err_msg=name)


@pytest.mark.parametrize("e", [0.02, 0.05, 0.1, 0.2, 0.3, 0.45])
def test_the_planner_starts_with_the_group_that_is_best_in_an_endless_pool(e: float) -> None:
    ends = group_ends(np.full(400, e), 8, 1.0, 0.0)
    assert ends[0] == best_group(e, 8, nested_search)


@pytest.mark.parametrize("m", [1, 2, 3, 6])
def test_linear_search_counts_the_questions_of_every_labelling(m: int) -> None:
    e, expected = 0.3, 0.0
    for wrong in itertools.product((False, True), repeat=m):
        size, questions = m, 0
        while size > 1 and any(wrong[:size]):
            size, questions = size - 1, questions + 1
        # The group itself was asked first; a single item is asked only to be found right or wrong.
        weight = float(np.prod([e if w else 1 - e for w in wrong]))
        expected += weight * questions
    assert linear_search(e, m)[m] == pytest.approx(expected)


def test_nested_is_never_worse_than_one_by_one_nor_better_than_the_entropy() -> None:
    for e in (0.01, 0.1, theory.CUT_OFF, 0.5):
        cost = questions_per_item(e, 200, nested_search)
        assert float(binary_entropy_bits(e)) - 1e-12 <= cost <= 1.0 + 1e-12


def test_every_run_needs_about_as_many_questions_as_its_labels_have_bits() -> None:
    runs = theory.read_runs()
    assert len(runs) > 100
    ratio = [run["questions"] / run["prequential_bits"] for run in runs]
    assert 0.94 < min(ratio) < max(ratio) < 1.05


def test_both_figures_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theory.main(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "code_length.png",
        "nested.png",
        "results.json",
    }
    assert f"{len(theory.read_runs())} runs" in capsys.readouterr().out
