"""The experiment on learning from scratch runs on any pool, and takes up where it stopped."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from experiments.scratch import __main__ as scratch
from experiments.scratch import pools


def test_table_is_labelled_and_a_second_run_measures_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    rng = np.random.default_rng(0)
    truth = np.arange(80) % 2 == 0
    x = rng.standard_normal((80, 2)) + 4 * truth[:, None]
    np.savez(tmp_path / "two.npz", x=x, positive=truth)
    out = tmp_path / "results.json"
    words = ["scratch", str(tmp_path / "two.npz"), "--seeds", "1", "--caps", "none,8"]
    monkeypatch.setattr(sys, "argv", [*words, "--out", str(out)])
    scratch.main()
    results = json.loads(out.read_text())
    assert len(results) == 4
    assert all(cell["right"] == 80 for cell in results.values())
    assert results["two questions max_n=none seed=0"]["questions"] < 40
    capsys.readouterr()
    scratch.main()
    assert capsys.readouterr().out == ""


def test_texts_and_images_become_pools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    table = tmp_path / "texts.csv"
    table.write_text("label,text\n1,win a prize\n0,see you soon\n1,win now\n0,see you\n")
    texts = pools.load(table)
    assert texts.labels.tolist() == [True, False, True, False]
    images = np.random.default_rng(0).integers(0, 255, (12, 9, 9), dtype=np.uint8)
    np.savez(tmp_path / "digits.npz", images=images, labels=np.arange(12) % 10)
    pictures = pools.load(tmp_path / "digits.npz")
    assert pictures.columns.shape == (12, sum(width for _, width in pictures.blocks))
    assert pictures.labels.sum() == 5
