"""The experiment on learning from scratch runs on any pool, and takes up where it stopped."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import askless
from askless.lab.simulate import Run, simulate
from experiments.scratch import __main__ as scratch
from experiments.scratch import cells, figures, kernels, pools, public, rare
from experiments.scratch.carry import carry
from experiments.scratch.given import best_bits, prequential_probs, tree_bits
from experiments.scratch.results import code_of, read_results
from experiments.scratch.table import MARK, tables

CELL: dict[str, Any] = {
    "pool": "big",
    "sets": "plain",
    "prior": "none",
    "max_n": "8",
    "objective": "questions",
    "order": "random-rounds",
    "clauses": True,
    "seed": 0,
    "items": 6000,
    "positives": 3000,
    "questions": 900,
    "questions_at": {"1000": 110, "2500": 400},
    "items_shown": 300,
    "prequential_bits": 30.0,
    "one_by_one_bits": 30.0,
    "refit_s": {"median": 0.01},
    "calibration_error": 0.01,
    "reliability": {"said": [0.5], "came": [0.5], "count": [9]},
    "run_s": 1.0,
    "curve": [1],
    "positives_curve": [1],
    "looks": [[25, 30, 0.9, 70]],
}


def two_groups(n: int = 80) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    rng = np.random.default_rng(0)
    truth = np.arange(n) % 2 == 0
    return rng.standard_normal((n, 2)) + 4 * truth[:, None], truth


def command(monkeypatch: pytest.MonkeyPatch, *words: object) -> None:
    monkeypatch.setattr(sys, "argv", ["scratch", *map(str, words)])
    scratch.main()


def test_table_is_labelled_and_a_second_run_measures_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    x, truth = two_groups()
    np.savez(tmp_path / "two.npz", x=x, positive=truth)
    out = tmp_path / "results.jsonl"
    words = [tmp_path / "two.npz", "--seeds", "1", "--caps", "none,8", "--out", out]
    command(monkeypatch, *words)
    results = read_results(out)
    assert len(results) == 4
    whole = [cell for cell in results.values() if cell["objective"] == "questions"]
    assert all(cell["right"] == 80 for cell in whole)
    assert {cell["code"] for cell in whole} == {code_of(Path(askless.__file__).parent)}
    assert results["two questions max_n=none sets=table seed=0"]["questions"] < 40
    capsys.readouterr()
    command(monkeypatch, *words)
    assert capsys.readouterr().out == ""


def test_where_seconds_are_saved_somebody_points_and_seconds_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    x, truth = two_groups(60)
    np.savez(tmp_path / "two.npz", x=x, positive=truth)
    out = tmp_path / "results.jsonl"
    words = [tmp_path / "two.npz", "--seeds", "1", "--caps", "none", "--objectives", "seconds"]
    command(monkeypatch, *words, "--schedules", "best,random-rounds", "--out", out)
    results = read_results(out)
    assert {cell["planner"] for cell in results.values()} == {"grid"}
    assert all(cell["right"] == 60 for cell in results.values())
    by_order = {cell["order"]: cell["seconds"] for cell in results.values()}
    assert all(60 * 0.3 < seconds < 60 * 2 for seconds in by_order.values())
    row = (
        f"| {by_order['random-rounds']} (1) | {by_order['random-rounds-then-planner-order']} (1) |"
    )
    assert f"| two | table | seconds | none {row}" in tables(results)


@pytest.mark.parametrize(("objective", "kind"), [("seconds", "pointed"), ("questions", "no")])
def test_who_answers_points_where_seconds_are_saved_and_says_no_elsewhere(
    objective: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    x, truth = two_groups(60)
    np.savez(tmp_path / "two.npz", x=x, positive=truth)
    runs: list[Run] = []

    def watched(*args: Any, **more: Any) -> Run:
        runs.append(simulate(*args, **more))
        return runs[-1]

    monkeypatch.setattr(cells, "simulate", watched)
    path = tmp_path / "two.npz"
    cells.measure(cells.Cell(path, "table", "none", "none", objective, "random-rounds", 0))
    several = [step for step in runs[0].trace.steps if len(step.answer.question.items) > 1]
    assert {step.answer.kind for step in several} == {"yes", kind}


def test_results_of_another_machine_are_added_and_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    x, truth = two_groups(60)
    folder = tmp_path / "ready"
    folder.mkdir()
    np.save(folder / "plain.npy", x)
    np.save(folder / "labels.npy", truth)
    np.save(folder / "prior.npy", np.where(truth, 0.8, 0.3))
    elsewhere, out = tmp_path / "elsewhere.jsonl", tmp_path / "results.jsonl"
    words = [folder, "--seeds", "2", "--caps", "none", "--objectives", "questions"]
    command(monkeypatch, *words, "--prior", "none,with,alone", "--out", elsewhere)
    (tmp_path / "README.md").write_text(f"Words.\n\n{MARK}\nold\n")
    command(monkeypatch, "--add", elsewhere, "--out", out)
    text = (tmp_path / "README.md").read_text()
    assert "old" not in text
    assert "prior alone" in text
    assert len(read_results(out)) == 6
    assert (tmp_path / "curves.png").stat().st_size > 1000
    assert (tmp_path / "reliability.png").stat().st_size > 1000


def test_texts_and_images_become_pools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    table = tmp_path / "texts.csv"
    table.write_text("label,text\n1,win a prize\n0,see you soon\n1,win now\n0,see you\n")
    texts = pools.load(table, "tf-idf")
    assert texts.labels.tolist() == [True, False, True, False]
    images = np.random.default_rng(0).integers(0, 255, (12, 9, 9), dtype=np.uint8)
    np.savez(tmp_path / "digits.npz", images=images, labels=np.arange(12) % 10)
    pictures = pools.load(tmp_path / "digits.npz", "scattering,patches")
    assert pictures.columns.shape == (12, sum(width for _, width in pictures.blocks))
    assert pictures.labels.sum() == 5


def test_features_made_here_are_a_pool_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    x, truth = two_groups(40)
    (tmp_path / "data").mkdir()
    (tmp_path / "predictions").mkdir()
    np.savez(tmp_path / "data" / "two.npz", x=x, positive=truth)
    np.savez(tmp_path / "predictions" / "two.npz", probs=np.where(truth, 0.8, 0.3))
    (line,) = carry(tmp_path / "data" / "two.npz", "table", tmp_path / "folder")
    assert (line["pool"], line["set"], line["items"]) == ("two", "table", 40)
    assert line["near_right"] > 0.95
    made = pools.load(tmp_path / "folder", "table")
    assert np.array_equal(made.labels, truth)
    assert made.prior is not None


def test_sought_class_is_made_rare_and_nothing_else_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = np.arange(60) % 3
    np.savez(tmp_path / "all.npz", images=np.arange(60)[:, None, None], labels=labels)
    words = [tmp_path / "all.npz", 2, 0.1, tmp_path / "out" / "rare.npz"]
    monkeypatch.setattr(sys, "argv", ["rare", *map(str, words)])
    rare.main()
    with np.load(tmp_path / "out" / "rare.npz") as made:
        assert made["positive"].sum() == 4  # of 44
        shown = made["images"].ravel()
        assert np.array_equal(labels[shown] == 2, made["positive"])
        assert np.count_nonzero(labels[shown] != 2) == 40


def test_table_tells_by_which_question_rare_positives_were_found() -> None:
    cell = CELL | {"pool": "rare", "items": 200, "positives": 10, "questions_at": {}}
    cell |= {"questions": 47, "positives_curve": [2, 5, 7, 9]}
    text = tables({"one": cell, "common": cell | {"pool": "common", "positives": 90}})
    found = text.partition("**Rare positives")[2].partition("**")[2].splitlines()
    assert "| rare | plain | 8 | 10 of 200 | 20 | 40 | 47 | 47 | 47 (1) | 100 |" in found
    assert not any("common" in line for line in found)


def test_table_of_all_labels_tells_by_which_question_2500_were_known() -> None:
    other = CELL | {"max_n": "none", "questions": 700}
    cells = {
        "8": CELL,
        "none": other | {"questions_at": {"2500": 300}},
        "again": other | {"questions_at": {"2500": 310}},
        "small": CELL | {"pool": "small", "items": 2000, "questions_at": {"1000": 110}},
        "labels": CELL | {"objective": "labels", "order": "random-rounds-then-planner-order"},
    }
    whole, soonest = tables(cells).split("**The first 2500 labels")
    assert "| max_n 8 | 2500 labels: none / 64 / 8 | bits asked |" in whole
    assert "| big | plain | 700 ± 0 (2) |  | 900 (1) | 305 / - / 400 | 30 |" in whole
    assert "| small | plain |  |  | 900 (1) |  | 30 |" in whole
    assert "| max_n 8 | bits asked |" in soonest
    assert "| big | plain |  |  | 400 (1) | 30 |" in soonest


def test_code_is_told_by_the_files_that_questions_depend_on(tmp_path: Path) -> None:
    rooms = ("core", "lab", "planners", "predictors")
    for room in (*rooms, "web"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "one.py").write_text(room)
    (tmp_path / "core" / "within").mkdir()
    (tmp_path / "core" / "within" / "a.py").write_text("within")
    code = code_of(tmp_path)
    assert code == hashlib.sha256(b"corewithinlabplannerspredictors").hexdigest()[:8]
    (tmp_path / "web" / "one.py").write_text("another page")
    (tmp_path / "core" / "notes.txt").write_text("no code")
    assert code_of(tmp_path) == code
    for room in rooms:
        (tmp_path / room / "one.py").write_text("something else")
        assert code_of(tmp_path) != code
        code = code_of(tmp_path)


def test_tables_end_with_the_code_that_made_the_runs_where_some_note_it() -> None:
    old = {f"old {seed}": CELL | {"seed": seed} for seed in range(3)}
    assert "code" not in tables(old)
    new = {f"new {cap}": CELL | {"max_n": cap, "code": "1a2b3c4d"} for cap in ("none", "64")}
    last = {"last": CELL | {"pool": "small", "code": "99999999"}}
    assert tables(old | new | last).endswith(
        "Runs by the code that made them. `1a2b3c4d`: big (2 of 5); `99999999`: small; "
        "not noted: big (3 of 5).\n"
    )


def test_accuracy_and_calibration_on_the_way_are_drawn_of_runs_that_noted_them(
    tmp_path: Path,
) -> None:
    old = CELL | {"sets": "a", "max_n": "none"}
    figures.draw_all({"old": old}, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"curves.png", "reliability.png"}
    new = old | {"looks": [[25, 30, 0.8, 70, 0.1], [50, 90, 0.9, 20, 0.05]]}
    other = {"pool": "other", "looks": []}  # over before the first look
    figures.draw_all({"old": old, "new": new, "other": new | other}, tmp_path)
    assert (tmp_path / "along.png").stat().st_size > 1000
    left, right = figures._along([new, new | {"sets": "b"}]).axes
    assert left.get_legend_handles_labels()[1] == ["a", "b"]
    drawn = [np.array(line.get_data()).tolist() for line in right.get_lines()]
    assert drawn == [[[25, 50], [0.1, 0.05]]] * 2


def test_scores_that_know_different_things_are_worth_more_together() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(400) < 0.5
    scores = [np.where(truth, 1.0, -1.0) + rng.standard_normal(400) for _ in range(2)]
    alone = [best_bits([score], truth) for score in scores]
    assert best_bits(scores, truth) < 0.9 * min(alone)


def test_trees_find_where_in_the_pool_a_score_can_be_trusted() -> None:
    rng = np.random.default_rng(1)
    truth, place = rng.random(1200) < 0.5, rng.random(1200)
    right = np.where(truth, 2.0, -2.0) + rng.standard_normal(1200)
    score = np.where(place < 0.5, right, -right)  # upside down in one half of the pool
    assert best_bits([score], truth) > 1100
    assert tree_bits([score], place[:, None], truth) < 700


def test_label_is_predicted_before_it_is_learnt() -> None:
    x, truth = two_groups()
    order = np.random.default_rng(0).permutation(80)
    said = prequential_probs(x, None, truth, seed=0)
    assert np.all(said[order[:64]] == 0.5)
    assert np.all((said[order[64:]] > 0.5) == truth[order[64:]])


def test_words_of_a_table_become_numbers_where_all_are_and_the_last_column_its_labels() -> None:
    text = "1, red, b\n?, blue, a\n\n3.5, , a\na line that is none\n"
    (numbers, words), positive = public.from_text(text)
    assert np.array_equal(numbers, [1.0, np.nan, 3.5], equal_nan=True)
    assert words.tolist() == ["red", "blue", ""]
    assert positive.tolist() == [True, False, False]


def test_rarer_of_two_labels_is_positive_and_of_more_the_first_half() -> None:
    assert public.positives(np.array([0, 1, 0])).tolist() == [False, True, False]
    assert public.positives(np.array(list("dabca"))).tolist() == [False, True, True, False, True]


def test_linear_kernels_are_measured_on_a_table_made_into_a_pool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    x = np.random.default_rng(0).standard_normal((200, 5))
    small = ("small", [np.arange(9.0)], np.arange(9) > 4)
    monkeypatch.setattr(public, "bundled", lambda: iter([("line", list(x.T), x.sum(1) > 0)]))
    monkeypatch.setattr(public, "repository", lambda: iter([small]))
    monkeypatch.setattr(sys, "argv", ["tables", str(tmp_path / "out")])
    public.main()
    assert [folder.name for folder in (tmp_path / "out").iterdir()] == ["line"]
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(kernels, "KERNELS", tmp_path / "kernels.jsonl")
    monkeypatch.setattr(sys, "argv", ["kernels", str(tmp_path / "out" / "line"), "--draw"])
    kernels.main()
    (found,) = map(json.loads, (tmp_path / "kernels.jsonl").read_text().splitlines())
    assert (found["pool"], found["items"]) == ("line", 200)
    assert found["with"] < found["without"] < 200
    assert 0 < found["apart"] < 200
    assert 0 < found["both"] < min(found["with"], found["given"]) + 3
    assert 0 < found["alone"] < found["given"]
    assert f"over without: {found['with'] / found['without']:.3f} in 1 " in capsys.readouterr().out
