import csv
from pathlib import Path

import pytest

from askless.assemble import load_pool
from askless.cli import main
from askless.core.state import replay
from askless.lab.trace_file import read_trace
from tests.terminal import in_a_terminal


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_says_where_it_kept_what(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert "2,000 of 2,000 labels are settled and right" in shown
    assert "askless-demo/trace.jsonl" in shown
    assert "askless-demo/labels.csv" in shown
    assert sorted(path.name for path in Path("askless-demo").iterdir()) == [
        "labels.csv",
        "trace.jsonl",
    ]


def test_what_it_kept_is_right() -> None:
    assert main(["demo"]) == 0
    truth = load_pool("demo").labels.tolist()
    with Path("askless-demo/labels.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["item"]) for row in rows] == list(range(2000))
    assert [row["label"] == "1" for row in rows] == truth
    trace = read_trace("askless-demo/trace.jsonl")
    assert replay(trace.n, trace.answers).labels().tolist() == truth


def test_an_earlier_demo_is_replaced_even_if_it_was_cut_short() -> None:
    assert main(["demo"]) == 0
    whole = Path("askless-demo/trace.jsonl").read_bytes()
    Path("askless-demo/trace.jsonl").write_bytes(whole[: len(whole) // 2])
    assert main(["demo"]) == 0
    assert Path("askless-demo/trace.jsonl").read_bytes() == whole


def test_somebody_elses_files_are_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    Path("askless-demo").mkdir()
    Path("askless-demo/labels.csv").write_text("my work")
    assert main(["demo"]) == 2
    assert "holds something other than an earlier demo" in capsys.readouterr().err
    assert Path("askless-demo/labels.csv").read_text() == "my work"
    assert main(["demo", "--out", "elsewhere/deep"]) == 0
    assert Path("elsewhere/deep/labels.csv").is_file()


def test_a_folder_that_cannot_be_made_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").touch()
    assert main(["demo", "--out", "file"]) == 2
    assert capsys.readouterr().err == (
        "askless: The folder file cannot be made: File exists. Name another one with --out.\n"
    )


def test_a_terminal_shows_bars_a_curve_and_questions() -> None:
    status, shown = in_a_terminal("demo", "--fast")
    assert status == 0
    assert "one by one" in shown
    assert "█" in shown
    assert "Is this a top?" in shown
    assert "askless-demo/labels.csv" in shown


def test_a_demo_stopped_half_way_says_what_it_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("askless.assemble.Simulation.run", interrupted)
    assert main(["demo"]) == 130
    assert "The questions so far are in askless-demo/trace.jsonl." in capsys.readouterr().out
