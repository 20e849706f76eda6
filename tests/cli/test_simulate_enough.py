"""``askless simulate --enough``: a run that stops once its promise holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from askless.assemble import load_pool
from askless.cli import main


def simulated(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert main(["simulate", "demo", "--json", *options]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_a_run_stops_once_its_promise_holds(capsys: pytest.CaptureFixture[str]) -> None:
    full = simulated(capsys)
    report = simulated(capsys, "--enough", "5%")
    certificate = report["certificate"]
    assert (certificate["kind"], certificate["rate"], certificate["confidence"]) == (
        "all",
        0.05,
        0.95,
    )
    assert certificate["holds"]
    assert report["accepted_wrong"] <= certificate["left_at_most"] <= certificate["allowed"] == 100
    assert report["accepted"] == certificate["accepted"] > 0
    assert report["labels_right"] + report["accepted"] == report["items"] == 2000
    assert report["questions"] < full["questions"]
    assert report["items_shown"] >= certificate["checks"]["items"] > 0
    assert sum(report["answers"].values()) == report["questions"]
    assert "certificate" not in full


def test_the_same_seed_gives_the_same_run_and_another_seed_other_draws(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ("--enough", "accepted:10%", "--max-n", "16")
    one, again = (simulated(capsys, *options) for _ in range(2))
    other = simulated(capsys, *options, "--seed", "1")
    assert one["certificate"] == again["certificate"]
    assert one["questions"] == again["questions"]
    assert one["certificate"] != other["certificate"]


@pytest.mark.parametrize("answers", ["yes-no", "pointed"])
def test_recall_is_promised_alone(capsys: pytest.CaptureFixture[str], answers: str) -> None:
    report = simulated(capsys, "--recall", "80%", "--answers", answers, "--max-n", "24")
    certificate = report["certificate"]
    assert (certificate["kind"], certificate["rate"]) == ("recall", 0.8)
    assert certificate["recall_at_least"] >= 0.8
    assert report["accepted"] + report["labels_right"] == len(load_pool("demo"))


def test_the_table_shows_what_is_certified(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "demo", "--enough", "count:100", "--max-n", "24"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "accepted labels are wrong, 95% sure" in shown


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--enough", "all of it"], "A promise is written as a share"),
        (["--enough", "precision:5%"], "A promise is about one of"),
        (["--enough", "1%", "--recall", "95%"], "One promise is kept"),
        (["--recall", "accepted:5%", "--enough", "1%"], "One promise is kept"),
        (["--recall", "0"], "Recall is above 0"),
    ],
)
def test_what_is_no_promise_is_refused(
    capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    assert main(["simulate", "demo", *options]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())
