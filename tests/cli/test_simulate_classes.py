"""``askless simulate --classes`` on pools with more labels than two."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from askless.cli import main
from tests.cli.test_simulate_learning import refused, reported

NAMES = ["ant", "bee", "cat"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Three classes that a number tells apart, and one row of a fourth."""
    rng = np.random.default_rng(0)
    rows = [f"{3 * (i % 3) + rng.normal(0, 0.5):.4f},{NAMES[i % 3]}" for i in range(90)]
    path = tmp_path / "animals.csv"
    path.write_text("\n".join(["size,kind", *rows, "40,dog"]) + "\n")
    return path


@pytest.mark.parametrize("answers", ["yes-no", "pointed", "typed"])
def test_every_label_comes_out_right(
    table: Path, answers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--label", "kind", "--classes", "all", "--answers", answers)
    report = reported(capsys, table, *options, "--seconds", "1,.3,1,1.5")
    assert report["all_right"]
    assert report["classes"] == [*NAMES, "dog"]
    assert report["questions"] < report["items"] == 91
    assert report["code_length_bits"] > 0
    assert (report["typed"] > 0) == (answers == "typed")
    assert report["pace"]["typed_s"] == 1.5


def test_an_estimator_of_ones_own_may_predict(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forest = "estimator=sklearn.ensemble:RandomForestClassifier"
    report = reported(
        capsys, table, "--label", "kind", "--classes", "all", "--predictor", "sklearn",
        "--predictor-option", forest,
    )  # fmt: skip
    assert report["all_right"]
    assert report["predictor"] == "sklearn"


def test_people_read_a_table_and_a_trace_has_every_question(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "trace.jsonl"
    options = ["--label", "kind", "--classes", "all", "--max-n", "none", "--trace", str(path)]
    assert main(["simulate", str(table), *options]) == 0
    shown = capsys.readouterr().out
    assert "91 of 91" in shown
    assert "questions a bit" in shown
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[0]["about"]["classes"] == [*NAMES, "dog"]
    assert lines[-1]["settled"] == 91


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--classes", "ant,bee,cat", "--label", "kind"), "1 of 91 have none of the classes named"),
        (("--classes", "ant,ant", "--label", "kind"), "each named once"),
        (("--classes", "ant", "--label", "kind"), "2 to 100 classes"),
        (("--classes", "ant,owl", "--label", "kind"), "'owl'"),
        (("--classes", "all"), "needs --label"),
        (("--label", "kind", "--answers", "typed"), "got no --classes"),
        (("--classes", "all", "--label", "kind", "--true", "ant"), "--true is for two labels"),
        (("--classes", "all", "--label", "kind", "--seconds", "1,2"), "three or four numbers"),
        (("--classes", "all", "--label", "kind", "--answers", "spoken"), "answers is one of"),
        (("--classes", "all", "--label", "kind", "--predictor", "network"), "kernel or sklearn"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    table: Path, options: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sentence in refused(capsys, table, *options)


def test_every_key_of_the_json_is_explained(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [
        Path(__file__).parents[2].joinpath("docs", page).read_text()
        for page in ("classes.md", "commands.md")
    ]
    report = reported(capsys, table, "--label", "kind", "--classes", "all")
    assert [key for key in report if not any(f"`{key}`" in page for page in pages)] == []
