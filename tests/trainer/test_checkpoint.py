from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.seams import Checkpoint
from askless.trainer.checkpoint import (
    checked_probs,
    newest_checkpoint,
    read_checkpoint,
    read_model,
    remove_older,
    write_checkpoint,
    write_model,
)

N = 5
BY = {"predictor": "logistic", "options": {"scale": 2.0}}


def checkpoint(number: int = 1) -> Checkpoint:
    return Checkpoint(number, Probs(np.full(N, number / 100)), 10 * number, fit_s=0.5)


def test_checkpoint_comes_back_as_it_was(tmp_path: Path) -> None:
    found = read_checkpoint(write_checkpoint(tmp_path, checkpoint(7)), N)
    assert (found.number, found.answers, found.fit_s) == (7, 70, 0.5)
    assert found.probs.values.tolist() == [0.07] * N
    assert len(found.checksum) == 64


def test_arrays_come_back_to_the_predictor_that_gave_them(tmp_path: Path) -> None:
    arrays = {"weights": np.arange(3.0), "bias": np.array(2.5)}
    write_model(tmp_path / "models" / "a.npz", arrays, BY)
    found = read_model(tmp_path / "models" / "a.npz", BY)
    assert found is not None
    assert {name: array.tolist() for name, array in found.items()} == {
        "weights": [0.0, 1.0, 2.0],
        "bias": 2.5,
    }


def test_arrays_are_not_given_to_another_predictor(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write_model(path, {"weights": np.arange(3.0)}, BY)
    assert read_model(path, {**BY, "options": {}}) is None


def test_no_arrays_and_none_at_all_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write_model(path, {}, BY)
    assert read_model(path, BY) == {}
    write_model(path, None, BY)
    assert read_model(path, BY) is None
    assert list(tmp_path.iterdir()) == []


def test_arrays_that_would_need_a_pickle_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Object arrays"):
        write_model(tmp_path / "a.npz", {"weights": np.array([{}], dtype=object)}, BY)
    assert list(tmp_path.iterdir()) == []


def test_newest_is_found_by_number(tmp_path: Path) -> None:
    for number in (9, 10, 2):
        write_checkpoint(tmp_path, checkpoint(number))
    found = newest_checkpoint(tmp_path, N)
    assert found.checkpoint is not None
    assert (found.checkpoint.number, found.last_number, found.complaints) == (10, 10, ())


def test_empty_folder_has_none(tmp_path: Path) -> None:
    found = newest_checkpoint(tmp_path, N)
    assert (found.checkpoint, found.path, found.last_number) == (None, None, 0)


@pytest.mark.parametrize("at", [0, 100, -30])
def test_damaged_one_is_passed_over_with_a_sentence(tmp_path: Path, at: int) -> None:
    write_checkpoint(tmp_path, checkpoint(1))
    newer = write_checkpoint(tmp_path, checkpoint(2))
    content = bytearray(newer.read_bytes())
    content[at] ^= 4
    newer.write_bytes(content)
    found = newest_checkpoint(tmp_path, N)
    assert found.checkpoint is not None
    assert (found.checkpoint.number, found.last_number) == (1, 2)
    assert len(found.complaints) == 1
    assert (
        "checkpoint-00000002.npz was passed over: A file that askless keeps" in found.complaints[0]
    )


def test_checkpoint_of_another_pool_is_passed_over(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, checkpoint())
    found = newest_checkpoint(tmp_path, N + 1)
    assert found.checkpoint is None
    assert "one probability per item" in found.complaints[0]


def test_checkpoint_of_a_later_format_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setattr("askless.trainer.checkpoint.FORMAT", 2)
        path = write_checkpoint(tmp_path, checkpoint())
    with pytest.raises(InvalidInput, match=r"format 1; checkpoint-00000001\.npz has 2"):
        read_checkpoint(path, N)


def test_last_three_are_kept(tmp_path: Path) -> None:
    for number in range(1, 7):
        write_checkpoint(tmp_path, checkpoint(number))
        remove_older(tmp_path, number)
    numbers = sorted(int(path.stem[-8:]) for path in tmp_path.iterdir())
    assert numbers == [4, 5, 6]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([0.1] * (N - 1), r"shape \(5,\); got shape \(4,\)"),
        ([0.1] * (N + 1), r"got shape \(6,\)"),
        ([[0.1]] * N, r"got shape \(5, 1\)"),
        ([0.1, 0.2, np.nan, 0.4, 0.5], "got nan for item 2"),
        ([0.1, np.inf, 0.3, 0.4, 0.5], "got inf for item 1"),
        ([0.1, 0.2, 0.3, 0.4, 1.5], "got 1.5 for item 4"),
        ([-0.1, 0.2, 0.3, 0.4, 0.5], "got -0.1 for item 0"),
        (None, r"got shape \(\)"),
        (["sure"] * N, "Probs are numbers"),
    ],
)
def test_what_are_no_probabilities_is_refused_with_the_reason(values: Any, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        checked_probs(values, N)


@pytest.mark.parametrize("values", [[0.0, 1.0, 0.0, 1.0, 1.0], [0.5] * N, np.ones(N, np.float32)])
def test_certain_and_constant_probabilities_are_probabilities(values: Any) -> None:
    assert checked_probs(values, N).values.tolist() == list(values)
