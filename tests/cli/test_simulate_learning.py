"""``askless simulate`` on pools that have labels and something to learn from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from askless.app.opening import pool_as_before
from askless.app.settings import read_settings
from askless.assemble import read_session
from askless.cli import main
from askless.folder import files as folders
from askless.folder.items import read_items
from askless.folder.verifying import verify_session
from askless.lab import trace
from askless.lab.trace import Step
from tests.terminal import in_a_terminal

WORDS = ["alpha", "beta", "gamma", "delta", "prize", "winner", "money"]


def reported(capsys: pytest.CaptureFixture[str], *args: str | Path) -> dict[str, Any]:
    assert main(["simulate", *map(str, args), "--json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert report["labels_right"] == report["items"]
    return report


def refused(capsys: pytest.CaptureFixture[str], *args: str | Path) -> str:
    assert main(["simulate", *map(str, args)]) == 2
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    return shown.err


@pytest.fixture
def arrays() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 3)) + 3 * (np.arange(80) % 2)[:, None]
    return {"x": x, "positive": np.arange(80) % 2}


@pytest.fixture
def pool(tmp_path: Path, arrays: dict[str, Any]) -> Path:
    np.savez(tmp_path / "mine.npz", **arrays)
    return tmp_path / "mine.npz"


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    lines = ["text\tkind"]
    for number in range(60):
        spam = number % 4 == 0
        words = rng.choice(WORDS[4:] if spam else WORDS[:4], 3)
        lines.append(f"{' '.join(words)} {number}\t{'spam' if spam else 'ham'}")
    lines += lines[1:6]
    (tmp_path / "m.tsv").write_text("\n".join(lines))
    return tmp_path / "m.tsv"


def test_rows_with_labels_are_learnt_from_one_label_on(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = reported(capsys, pool)
    assert (report["predictor"], report["features"], report["start"]) == ("kernel", ["table"], 1)
    assert report["questions"] < 60
    assert report["refits"] == report["questions"] - 1
    assert report["refit_s"]["max"] >= report["refit_s"]["median"] > 0
    assert 0 < report["prequential_bits"] < 80
    assert 0 <= report["calibration_error"] < 1
    assert report["bits"] is report["bound_questions"] is None
    assert report["recalibrate"] is False


def test_a_table_needs_its_label_column_and_the_positive_label(
    messages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--label" in refused(capsys, messages, "--text", "text")
    assert "--true" in refused(capsys, messages, "--text", "text", "--label", "kind")
    named = ("--text", "text", "--label", "kind", "--true", "spam")
    report = reported(capsys, messages, *named, "--features", "tf-idf", "--max-n", "none")
    assert (report["items"], report["duplicates"]) == (65, 5)
    assert report["one_by_one"]["questions"] == 60
    assert report["features"] == ["tf-idf"]


def test_a_folder_of_pictures_with_a_subfolder_per_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(0)
    for number in range(24):
        kind = "dark" if number % 2 else "light"
        (tmp_path / "in" / kind).mkdir(parents=True, exist_ok=True)
        pixels = rng.integers(0, 90, (8, 8, 3)) + (0 if kind == "dark" else 150)
        Image.fromarray(pixels.astype(np.uint8)).save(tmp_path / "in" / kind / f"{number}.png")
    (tmp_path / "in" / "dark" / "broken.png").write_bytes(b"")
    report = reported(capsys, tmp_path / "in", "--true", "light", "--features", "patches")
    assert (report["items"], report["unreadable"]) == (24, 1)


def test_probabilities_of_the_pool_help_what_learns(
    tmp_path: Path, arrays: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    probs = np.where(arrays["positive"] == 1, 0.9, 0.1)
    noise = {"x": np.random.default_rng(3).normal(size=(80, 3))}
    np.savez(tmp_path / "both.npz", **(arrays | noise), probs=probs)
    np.savez(tmp_path / "bare.npz", **(arrays | noise))
    both, bare = (
        reported(capsys, tmp_path / name, "--max-n", "none") for name in ("both.npz", "bare.npz")
    )
    assert both["questions"] < bare["questions"]
    assert both["bits"] == pytest.approx(-80 * np.log2(0.9))
    fixed = reported(capsys, tmp_path / "both.npz", "--predictor", "fixed")
    assert (fixed["predictor"], fixed["refits"], fixed["recalibrate"]) == ("fixed", 0, True)


def test_another_predictor_and_other_arrays_can_be_named(
    tmp_path: Path, arrays: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(tmp_path / "m.npz", x=arrays["x"], y=np.where(arrays["positive"], 7, 3))
    options = ("--label", "y", "--true", "7", "--predictor", "logistic")
    assert reported(capsys, tmp_path / "m.npz", *options)["predictor"] == "logistic"


def test_pointed_answers_teach_too(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = reported(capsys, pool, "--answers", "pointed")
    assert report["answers"]["pointed"] > 0
    assert report["questions"] < 40


def test_the_start_and_the_order_are_as_asked_for(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "t.jsonl"
    report = reported(capsys, pool, "--start", "7", "--schedule", "planner-order", "--trace", trace)
    assert (report["start"], report["schedule"]) == (7, "planner-order")
    steps = [json.loads(line) for line in trace.read_text().splitlines()][1:]
    assert [len(step["items"]) for step in steps[:7]] == [1] * 7
    assert len(steps[7]["items"]) > 1


@pytest.mark.parametrize("options", [(), ("--session", "s")])
@pytest.mark.filterwarnings("error")
def test_every_item_may_be_drawn_to_start_with(
    options: tuple[str, ...],
    pool: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    report = reported(capsys, pool, "--start", "80", *options)
    assert (report["start"], report["questions"], report["items_shown"]) == (80, 80, 80)
    assert (report["refits"], report["calibration_error"]) == (79, 0.0)
    assert report["reliability"]["count"] == []
    assert 0 < report["prequential_bits"] < 80
    assert report["one_by_one_bits"] == pytest.approx(report["prequential_bits"], abs=0.11)
    assert main(["simulate", str(pool), "--start", "80"]) == 0


def test_the_same_seed_asks_the_same_and_features_are_kept(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = (pool, "--cache", tmp_path / "cache", "--seed", "3", "--features", "table")
    one, other = reported(capsys, *options), reported(capsys, *options)
    assert one["questions_at"] == other["questions_at"]
    assert any((tmp_path / "cache").iterdir())


def test_a_learning_run_can_be_a_real_session(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = reported(capsys, pool, "--session", tmp_path / "s", "--planner", "nested")
    plain = reported(capsys, pool, "--planner", "nested")
    assert without_times(report) == without_times(plain)
    assert verify_session(tmp_path / "s").sound
    again = reported(capsys, pool, "--session", tmp_path / "s", "--planner", "nested")
    unknown = {"prequential_bits", "one_by_one_bits", "calibration_error", "reliability"}
    expected = {**without_times(plain), **dict.fromkeys(unknown), "refits": 0}
    assert without_times(again) == expected


def test_a_learning_run_that_was_stopped_is_read_and_taken_up_with_what_it_believed(
    pool: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stop(BaseException):
        pass

    def stop_at_ten(step: Step) -> dict[str, int]:
        if step.number == 10:
            raise Stop
        return {}

    folder, command = tmp_path / "s", (pool, "--session", tmp_path / "s")
    monkeypatch.setattr(trace, "_fields", stop_at_ten)
    with pytest.raises(Stop):
        main(["simulate", *map(str, command), "--trace", str(tmp_path / "t")])
    monkeypatch.undo()
    kept = read_session(folder)
    assert len(kept.history.answers) == 10
    assert kept.history.checkpoint >= 9
    still = [item for item in range(80) if kept.history.state.is_open(item)]
    right = (kept.probs.values[still] >= 0.5) == (np.array(still) % 2 == 1)
    assert np.mean(right) > 0.8
    report = reported(capsys, *command)
    assert report["refits"] == report["questions"] - 11  # those of this process
    assert report["prequential_bits"] is None
    versions = [asked.probs for asked in read_session(folder).history.asked.values()]
    assert versions == sorted(versions)
    assert len(set(versions)) == len(versions)


def without_times(report: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in report.items() if not key.endswith("_s")}


def test_a_session_knows_where_its_items_are_and_what_they_are_called(
    messages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = ("--text", "text", "--label", "kind", "--true", "spam", "--false", "*")
    reported(capsys, messages, *columns, "--predictor", "logistic", "--session", tmp_path / "s")
    kept = read_settings(tmp_path / "s")
    assert (kept.source, kept.positive) == (str(messages), "spam")
    assert kept.options == {
        "text": "text",
        "label": "kind",
        "true": ["spam"],
        "false": ["*"],
    }
    _, items = read_items(tmp_path / "s" / folders.ITEMS)
    again = pool_as_before(kept.source, kept.options, items)
    assert again.known.tolist() == read_session(tmp_path / "s").history.state.labels().tolist()


def test_a_session_goes_on_with_what_it_was_begun_with(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = (pool, "--session", tmp_path / "s", "--predictor", "logistic")
    reported(capsys, *command)
    for option, sentence in (
        (("--predictor", "kernel"), "predictor logistic; got predictor kernel"),
        (("--start", "4"), "test_sample 1; got test_sample 4"),
        (("--schedule", "planner-order"), "schedule random-rounds; got schedule planner-order"),
        (("--seed", "2"), "seed 0; got seed 2"),
        (("--max-n", "3"), "max_n 8; got max_n 3"),
    ):
        assert sentence in refused(capsys, *command, *option)


def test_a_session_goes_on_with_the_pool_it_was_begun_with(
    pool: Path, tmp_path: Path, arrays: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without probabilities of their own all pools of a size look alike."""
    options = ("--session", tmp_path / "s", "--predictor", "logistic", "--planner", "grid")
    reported(capsys, pool, *options)
    changed = {"x": arrays["x"] + 1.0}, {"positive": 1 - arrays["positive"]}
    for change in changed:
        np.savez(tmp_path / "other.npz", **{**arrays, **change})
        assert "Ask for the same" in refused(capsys, tmp_path / "other.npz", *options)
    np.savez(tmp_path / "copy.npz", **arrays)
    reported(capsys, tmp_path / "copy.npz", *options)


def test_a_session_that_is_a_file_is_refused(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "A session needs a folder" in refused(capsys, pool, "--session", pool)
    assert "A session needs a folder" in refused(capsys, pool, "--session", pool / "s")


def test_a_cache_that_is_a_file_is_refused(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Features need a folder" in refused(capsys, pool, "--cache", pool)


def test_people_see_what_was_learnt_and_left_out(
    messages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["simulate", str(messages), "--label", "kind", "--true", "spam"]
    assert main([*args, "--features", "tf-idf"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for words in (
        "kernel on tf-idf",
        "refits of",
        "5 exact duplicates, asked once",
        "as each was pre",
    ):
        assert words in shown


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--predictor", "prophet"], "no predictor named 'prophet'"),
        (["--features", "smell"], "no feature set named 'smell'"),
        (["--features", "tf-idf"], "is for pools of texts"),
        (["--start", "-1"], "must be at least 0"),
        (["--start", "81"], "no more labels than there are items to ask about, 80; got 81"),
        (["--schedule", "backwards"], "no schedule named 'backwards'"),
        (["--label", "truth"], "no array 'truth'"),
        (["--predictor", "fixed"], "brings no probabilities"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    args: list[str], sentence: str, pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sentence in refused(capsys, pool, *args)


def test_labels_that_are_not_all_known_are_refused(
    tmp_path: Path, arrays: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    arrays["positive"] = np.where(np.arange(80) == 5, -1, arrays["positive"])
    np.savez(tmp_path / "m.npz", **arrays)
    assert "1 of 80 have none, the first of them '5'" in refused(capsys, tmp_path / "m.npz")


def test_a_pool_of_probabilities_alone_has_nothing_to_learn_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(tmp_path / "p.npz", probs=[0.5, 0.2], positive=[1, 0])
    for option in (["--predictor", "kernel"], ["--features", "table"]):
        assert "nothing to learn from" in refused(capsys, tmp_path / "p.npz", *option)


def test_a_session_that_is_stopped_says_where_it_is(
    pool: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("askless.assemble.simulation.simulate", stop)
    assert main(["simulate", str(pool), "--session", str(tmp_path / "s")]) == 130
    assert f"every answer is kept in {tmp_path / 's'}" in capsys.readouterr().err


def test_a_terminal_gets_bars_while_getting_ready_and_while_asking(pool: Path) -> None:
    status, shown = in_a_terminal("simulate", pool)
    assert status == 0
    assert "getting ready" in shown
    assert "kernel on table" in shown
