"""The paper's fixed predictors can be trained on any images, and labelled with afterwards."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.torch


def test_predictions_of_the_pool_are_learnt_from_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from experiments.pretrained import train

    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, 160)
    images = rng.integers(0, 80, (160, 8, 8, 3), dtype=np.uint8)
    images[labels > 4, :4] += 120
    np.savez(tmp_path / "bands.npz", images=images, labels=labels)
    words = ["train", str(tmp_path / "bands.npz"), "--pool", "40", "--width", "4"]
    more = ["--batch", "60", "--epochs", "12", "--out", str(tmp_path / "predictions")]
    monkeypatch.setattr(sys, "argv", [*words, *more])
    train.main()
    with np.load(tmp_path / "predictions" / "bands.npz") as file:
        probs, positive = file["probs"], file["positive"]
    assert np.array_equal(positive, labels[:40] > 4)
    assert np.mean((probs > 0.5) == positive) > 0.8
    assert "epoch 12: loss" in capsys.readouterr().out
    told = (tmp_path / "predictions" / "trained.jsonl").read_text()
    (line,) = map(json.loads, told.splitlines())
    assert line["accuracy"] == np.mean((probs > 0.5) == positive)
    assert (line["items"], line["learnt_from"], line["epochs"]) == (40, 120, 12)
    assert 0 <= line["bits"] < 40


@pytest.mark.parametrize("name", ["sms_spam", "htru2", "nothing"])
def test_what_is_no_set_of_images_is_refused_before_anything_is_fetched(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from experiments.pretrained import train

    monkeypatch.setattr(train, "original", lambda name: pytest.fail(f"{name} was fetched"))
    out = tmp_path / "predictions"
    monkeypatch.setattr(sys, "argv", ["train", "svhn", name, "--out", str(out)])
    with pytest.raises(SystemExit):
        train.main()
    told = f"NAME is one of mnist, fashion_mnist, cifar10, svhn, or an .npz file; got {name}."
    assert told in capsys.readouterr().err
    assert not out.exists()


def test_pool_that_leaves_nothing_to_learn_from_is_refused() -> None:
    from experiments.pretrained.train import train

    with pytest.raises(ValueError, match="leaves too few"):
        train(np.zeros((5, 4, 4), np.uint8), np.ones(5, bool), 5)
