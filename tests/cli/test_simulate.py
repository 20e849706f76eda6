import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askless.assemble import load_pool
from askless.cli import main
from askless.core.state import replay
from askless.planners import planner_names
from tests.lab.traces import read_trace
from tests.terminal import in_a_terminal

KEYS = [
    "items",
    "labels_right",
    "labels_wrong",
    "questions",
    "items_shown",
    "seconds",
    "one_by_one",
    "marked_grid",
    "floor_seconds",
    "answers",
    "questions_at",
    "entropy_bits",
    "bound_questions",
    "bits",
    "bits_calibrated",
    "probs_changes",
    "planning_s",
    "calibrating_s",
    "duplicates",
    "unreadable",
    "prequential_bits",
    "one_by_one_bits",
    "refits",
    "refit_s",
    "calibration_error",
    "reliability",
    "preparing_s",
    "planner",
    "chosen",
    "max_n",
    "channel",
    "objective",
    "same_guess",
    "pace",
    "wrong_label_s",
    "recalibrate",
    "predictor",
    "features",
    "feature_options",
    "start",
    "schedule",
    "seed",
    "options",
    "annotator",
]
ABOUT = KEYS[KEYS.index("planner") :]


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    probs = rng.beta(0.3, 0.3, 300)
    np.savez(tmp_path / "pool.npz", probs=probs, positive=rng.random(300) < probs)
    return tmp_path / "pool.npz"


def planner_options(text: str) -> list[str]:
    return [word for option in text.split() for word in ("--planner-option", option)]


def reported(capsys: pytest.CaptureFixture[str], *args: str | Path) -> dict[str, Any]:
    assert main(["simulate", *map(str, args), "--json"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    report: dict[str, Any] = json.loads(shown.out)
    return report


def refused(capsys: pytest.CaptureFixture[str], *args: str | Path) -> str:
    assert main(["simulate", *map(str, args)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    return shown.err


def test_json_is_one_object_with_every_figure(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = reported(capsys, pool)
    assert list(report) == KEYS
    assert report["items"] == report["labels_right"] == 300
    assert sum(report["answers"].values()) == report["questions"] < 300
    assert list(report["answers"]) == ["yes", "no", "pointed"]
    assert list(report["questions_at"]) == ["100", "250", "300"]
    assert report["questions_at"]["300"] == report["questions"]
    assert report["items_shown"] > 0
    assert 0 < report["bound_questions"] <= report["entropy_bits"] + 300 / 8
    assert report["planning_s"] > 0
    assert (report["planner"], report["max_n"], report["seed"]) == ("auto", 8, 0)
    assert report["chosen"] in planner_names()
    assert (report["channel"], report["objective"]) == ("yes-no", "questions")
    assert report["same_guess"] is report["recalibrate"] is True
    assert (report["predictor"], report["features"], report["refits"]) == ("fixed", [], 0)
    assert report["feature_options"] == {}


def test_every_key_of_the_json_is_explained_in_the_documentation() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "commands.md").read_text()
    assert [key for key in KEYS if f"| `{key}` |" not in page] == []


def test_pointed_answers_are_counted_and_have_no_bounds(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = reported(capsys, pool, "--answers", "pointed", "--seconds", "2,.5,3")
    assert report["chosen"] == "grid"
    assert (report["max_n"], report["channel"]) == (24, "pointed")
    assert report["items_shown"] == report["labels_right"] == 300
    assert report["answers"]["pointed"] > 0
    for bound in ("entropy_bits", "bound_questions", "bits", "bits_calibrated"):
        assert report[bound] is None
    assert report["pace"] == {"question_s": 2.0, "item_s": 0.5, "pointed_s": 3.0}
    assert report["one_by_one"]["seconds"] == 750.0
    assert report["floor_seconds"] == 150.0
    assert 150.0 < report["seconds"] < 750.0


def test_saving_seconds_takes_fewer_of_them_and_leaves_the_size_to_the_planner(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ("--answers", "pointed", "--seconds", "1,.1,20", "--no-recalibrate")
    thrifty = reported(capsys, pool, "--objective", "seconds", *more)
    assert (thrifty["objective"], thrifty["max_n"]) == ("seconds", None)
    careless = reported(capsys, pool, "--max-n", "none", *more)
    assert thrifty["seconds"] < careless["seconds"]
    assert thrifty["seconds"] <= thrifty["one_by_one"]["seconds"]


def test_questions_show_one_guess_unless_told_to_mix(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = {}
    for switch in ("--same-guess", "--no-same-guess"):
        trace = tmp_path / f"{switch}.jsonl"
        reported(capsys, pool, "--planner", "grid", switch, "--trace", trace)
        steps = read_trace(trace).steps
        kinds[switch] = {len(set(step.answer.question.guess)) for step in steps}
    assert kinds == {"--same-guess": {1}, "--no-same-guess": {1, 2}}


def test_recalibration_is_on_unless_switched_off(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = reported(capsys, pool, "--trace", tmp_path / "on.jsonl")
    assert report["probs_changes"] > 0
    assert read_trace(tmp_path / "on.jsonl").steps[-1].probs == report["probs_changes"]
    report = reported(capsys, pool, "--no-recalibrate")
    assert report["probs_changes"] == 0


def test_every_option_reaches_the_planner(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "al_method=random cost=entropy max_expansions=4 temperature=2.5 max_depth=6"
        " reduce_certainty_factor=0.2 reset_tree=true early_stopping=true"
    )
    report = reported(
        capsys,
        pool,
        *["--planner", "lookahead", "--max-n", "5", "--seed", "3"],
        *planner_options(text),
    )
    assert (report["max_n"], report["seed"]) == (5, 3)
    assert report["options"] == {
        "al_method": "random",
        "cost": "entropy",
        "max_expansions": 4,
        "temperature": 2.5,
        "max_depth": 6,
        "reduce_certainty_factor": 0.2,
        "reset_tree": True,
        "early_stopping": True,
    }


def test_a_switch_turned_off_reaches_the_planner_too(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    switches = planner_options("reset_tree=false early_stopping=false")
    options = reported(capsys, pool, "--planner", "lookahead", *switches)["options"]
    assert (options["reset_tree"], options["early_stopping"]) == (False, False)


def test_no_cap_is_written_none(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = reported(capsys, pool, "--max-n", "none")
    assert report["max_n"] is None
    assert report["bound_questions"] == report["entropy_bits"]


def test_one_by_one_takes_a_question_for_every_item(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = reported(capsys, pool, "--planner", "one-by-one")
    assert report["questions"] == report["items_shown"] == 300


def test_the_same_seed_gives_the_same_trace(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawing = ("--planner", "lookahead", *planner_options("al_method=random"))
    for name in ("a", "b"):
        reported(capsys, pool, *drawing, "--trace", tmp_path / name)
    reported(capsys, pool, *drawing, "--trace", tmp_path / "c", "--seed", "1")
    steps = {name: read_trace(tmp_path / name).steps for name in ("a", "b", "c")}
    assert steps["a"] == steps["b"] != steps["c"]


def test_the_trace_replays_to_the_right_labels(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = reported(capsys, pool, "--trace", tmp_path / "t.jsonl")
    trace = read_trace(tmp_path / "t.jsonl")
    assert replay(trace.n, trace.answers).labels().tolist() == load_pool(pool).labels.tolist()
    assert len(trace.steps) == report["questions"]
    assert trace.about == {key: report[key] for key in ABOUT}


def test_people_get_a_table_without_escape_codes_when_piped(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "t.jsonl"
    assert main(["simulate", str(pool), "--trace", str(trace)]) == 0
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out
    assert shown.err == ""
    for word in ("labels right", "one by one", "wrong ones marked", "each item seen once"):
        assert word in shown.out
    assert shown.out.endswith(f"Every question and answer is in {trace}.\n")


def test_a_terminal_gets_a_progress_bar_and_json_none(pool: Path) -> None:
    status, shown = in_a_terminal("simulate", pool)
    assert status == 0
    assert "━" in shown
    status, shown = in_a_terminal("simulate", pool, "--json")
    assert json.loads(shown)["items"] == 300


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--planner best", "There is no planner named 'best'; choose one of: auto, "),
        ("--answers maybe", "channel is one of: yes-no, pointed; got 'maybe'."),
        ("--objective fame", "objective is one of: questions, labels, seconds; got 'fame'."),
        ("--seconds 1,2", "--seconds is three numbers with commas between them"),
        ("--seconds 1,-2,1", "seconds are three numbers, 0 or more"),
        ("--max-n 0", "max_n is a whole number, 1 or more, or None for no limit; got 0."),
        ("--max-n few", "--max-n is a whole number, 1 or more, or 'none' for no limit; got 'few'"),
        ("--max-n 2.5", "--max-n is a whole number, 1 or more, or 'none'"),
        ("--seed -1", "seed is a whole number, 0 or more; got -1."),
        ("--planner-option cost", "An option is OPTION=VALUE, such as cost=entropy; got 'cost'."),
        ("al_method=best", "The option al_method of the planner 'lookahead' is "),
        ("cost=time", "The option cost of the planner 'lookahead' is "),
        ("max_expansions=0", "max_expansions is a whole number, 1 or more; got 0."),
        ("temperature=0", "temperature is a number above 0; got 0.0."),
        ("max_depth=0", "max_depth is a whole number, 1 or more; got 0."),
        ("reduce_certainty_factor=2", "reduce_certainty_factor is a number"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(
    options: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if not options.startswith("--"):
        options = f"--planner lookahead --planner-option {options}"
    assert refused(capsys, "demo", *options.split()).startswith(f"askless: {sentence}")


@pytest.mark.parametrize(
    "option",
    [
        "--planner-option cost=entropy",
        "--objective labels",
        "--same-guess",
    ],
)
def test_an_option_the_planner_does_not_have_is_refused(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = refused(capsys, "demo", "--planner", "one-by-one", *option.split())
    assert sentence.startswith("askless: The planner 'one-by-one' has the options max_n, order")


def test_a_pool_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "mine.npz") == (
        "askless: There is no file mine.npz; name an .npz file.\n"
    )


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"probs": [0.5]}, "has no array 'positive'"),
        ({"probs": [0.5, np.nan], "positive": [0, 1]}, "got nan for item 1"),
        ({"probs": [0.5, 1.5], "positive": [0, 1]}, "got 1.5 for item 1"),
        ({"probs": [0.5, 0.5], "positive": [0, 2]}, "got 2"),
        ({"probs": [0.5], "positive": [0, 1]}, "got 1 probabilities and 2 labels"),
        ({"probs": [], "positive": []}, "at least one item; got none"),
        ({"probs": np.array([0.5, None]), "positive": [0, 1]}, "holds Python objects"),
    ],
)
def test_a_pool_that_makes_no_sense_is_refused_by_name(
    arrays: dict[str, Any], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.npz"
    np.savez(path, **arrays)
    shown = refused(capsys, path)
    assert shown.startswith(f"askless: {path}")
    assert sentence in shown


def test_a_trace_that_cannot_be_written_is_refused_before_anything_is_asked(
    pool: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "askless.assemble.simulation.simulate", lambda *_, **__: pytest.fail("it was asked")
    )
    shown = refused(capsys, pool, "--trace", pool.parent / "missing" / "t.jsonl")
    assert "The trace cannot be written to" in shown


def test_the_pool_is_not_overwritten_by_its_trace(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = pool.read_bytes()
    assert "is not a trace, so it is not replaced" in refused(capsys, pool, "--trace", pool)
    assert pool.read_bytes() == before
