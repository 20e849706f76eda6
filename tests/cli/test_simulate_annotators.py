"""`askless simulate --annotator`: people who err, and what their errors cost."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askless.assemble import Method, load_pool, open_simulation
from askless.cli import main
from askless.lab.simulate import simulate


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    probs = rng.beta(0.3, 0.3, 300)
    np.savez(tmp_path / "pool.npz", probs=probs, positive=rng.random(300) < probs)
    return tmp_path / "pool.npz"


def reported(capsys: pytest.CaptureFixture[str], *args: str | Path) -> dict[str, Any]:
    assert main(["simulate", *map(str, args), "--json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def refused(capsys: pytest.CaptureFixture[str], *args: str | Path) -> str:
    assert main(["simulate", *map(str, args)]) == 2
    return capsys.readouterr().err


def test_an_annotator_who_slips_leaves_labels_wrong_and_the_same_ones_again(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (reported(capsys, pool, "--annotator", "slips:0.3") for _ in range(2))
    assert first["labels_wrong"] > 0
    assert first["labels_right"] + first["labels_wrong"] == 300
    same = ("labels_wrong", "questions", "seconds", "annotator")
    assert [first[key] for key in same] == [second[key] for key in same]
    assert main(["simulate", str(pool), "--annotator", "slips:0.3"]) == 0
    assert f"{first['labels_right']} of 300 ({first['labels_wrong']} wrong)" in (
        capsys.readouterr().out
    )


def test_an_annotator_nobody_knows_is_refused(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "got 'lies'" in refused(capsys, pool, "--annotator", "lies:0.5")


def test_a_run_that_was_stopped_goes_on_with_the_errors_it_would_have_made(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known, folder = load_pool(str(pool)), tmp_path / "session"
    method = Method(recalibrate=False)
    with open_simulation(known, method, annotator="slips:0.3", folder=folder) as begun:
        simulate(begun.opened.session, known.labels, annotator=begun.annotator, max_questions=40)
    asked = (pool, "--annotator", "slips:0.3", "--no-recalibrate")
    resumed = reported(capsys, *asked, "--session", folder)
    whole = reported(capsys, *asked)
    same = ("labels_wrong", "questions", "seconds")
    assert [resumed[key] for key in same] == [whole[key] for key in same]
    assert "annotator" in refused(capsys, pool, "--no-recalibrate", "--session", folder)


def test_with_a_price_questions_follow_what_audits_show_to_be_overlooked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(0)
    probs = rng.beta(0.3, 1.2, 1500)
    np.savez(tmp_path / "pool.npz", probs=probs, positive=rng.random(1500) < probs)
    asked: list[str | Path] = [
        tmp_path / "pool.npz",
        "--objective",
        "seconds",
        "--answers",
        "pointed",
    ]
    asked += ["--annotator", "slips:0.5,growth=1"]
    without = reported(capsys, *asked)
    weighed = reported(capsys, *asked, "--price-of-a-wrong-label", "30")
    assert weighed["wrong_label_s"] == 30
    assert weighed["labels_wrong"] < 0.8 * without["labels_wrong"]
    assert weighed["questions"] > without["questions"]


def test_a_truthful_annotator_is_asked_the_same_whatever_a_wrong_label_costs(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = (pool, "--objective", "seconds", "--answers", "pointed")
    same = ("questions", "items_shown", "seconds", "labels_right")
    first, second = (
        reported(capsys, *asked, *more) for more in ((), ("--price-of-a-wrong-label", "30"))
    )
    assert [first[key] for key in same] == [second[key] for key in same]


def test_a_price_without_seconds_to_weigh_it_against_is_refused(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "needs the objective 'seconds'" in refused(capsys, pool, "--price-of-a-wrong-label", "3")
