from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from askless.assemble import prepare
from askless.errors import InvalidInput, UnknownPart
from askless.files.arrays import open_array
from askless.pools import open_pool
from askless.pools.pool import OpenedPool


def rows(n: int = 40) -> OpenedPool:
    rng = np.random.default_rng(0)
    return open_pool({"u": rng.normal(size=n), "v": rng.normal(size=n)})


def pictures(*shape: int) -> OpenedPool:
    return open_pool(np.random.default_rng(0).integers(0, 256, shape).astype(np.uint8))


def test_a_pool_becomes_a_kernel_that_fits(tmp_path: Path) -> None:
    made = prepare(rows(), cache=tmp_path)
    assert (made.predictor, made.features, len(made.x)) == ("kernel", ("table",), 40)
    json.dumps(made.options)
    predictor = made.make()
    labels = np.full(40, -1, np.int8)
    labels[:2] = (1, 0)
    predictor.fit(made.x, labels)
    assert predictor.predict(made.x).shape == (40,)
    assert made.x_path is not None
    assert np.array_equal(open_array(made.x_path), made.x)


def test_what_was_made_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = prepare(rows(), cache=tmp_path)
    monkeypatch.setattr("askless.assemble.preparing._basis", lambda *_: pytest.fail("made again"))
    again = prepare(rows(), cache=tmp_path)
    assert (again.x_path, again.options) == (first.x_path, first.options)
    with pytest.raises(pytest.fail.Exception):
        prepare(rows(41), cache=tmp_path)


def test_what_is_damaged_is_made_again(tmp_path: Path) -> None:
    first = prepare(rows(), cache=tmp_path)
    before = np.array(first.x)
    assert first.x_path is not None
    first.x_path.write_bytes(first.x_path.read_bytes()[:-9])
    assert np.array_equal(prepare(rows(), cache=tmp_path).x, before)


def test_without_a_cache_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert prepare(rows()).x_path is None
    assert list(tmp_path.iterdir()) == []


def test_probabilities_of_the_pool_become_the_prior() -> None:
    pool = open_pool({"u": [1.0, 2, 3, 4], "p": [0.1, 0.2, 0.3, 0.4]}, prob="p")
    assert prepare(pool).options["prior"] == [0.1, 0.2, 0.3, 0.4]
    fixed = prepare(pool, predictor="fixed")
    assert fixed.make().predict(fixed.x).tolist() == [0.1, 0.2, 0.3, 0.4]
    with pytest.raises(InvalidInput, match="brings no probabilities"):
        prepare(rows(), predictor="fixed")


def test_kernel_is_told_whether_labels_will_come_at_random() -> None:
    assert prepare(rows()).options["random_labels"] is True
    assert (
        prepare(rows(), schedule="random-rounds-then-planner-order").options["random_labels"]
        is False
    )
    assert (
        prepare(rows(), schedule="planner-order", options={"random_labels": True}).options[
            "random_labels"
        ]
        is True
    )


def test_other_predictors_get_the_features_side_by_side() -> None:
    made = prepare(rows(), predictor="logistic")
    assert made.x.shape[0] == 40
    assert made.make().predict(made.x).shape == (40,)


def test_options_and_names_that_are_wrong_are_refused_at_once() -> None:
    with pytest.raises(UnknownPart):
        prepare(rows(), predictor="prophet")
    with pytest.raises(UnknownPart):
        prepare(rows(), features=["smell"])
    with pytest.raises(InvalidInput, match="has the options"):
        prepare(rows(), options={"depth": 3})


def test_progress_ends_at_one() -> None:
    told = list[float]()
    prepare(rows(), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1


@pytest.mark.torch
@pytest.mark.parametrize(
    ("pool", "shape"),
    [
        (pictures(5, 28, 28), [28, 28, 1]),
        (pictures(5, 20, 40, 3), [20, 40, 3]),
        (pictures(5, 90, 70, 3), [32, 32, 3]),
    ],
)
def test_the_network_is_given_pixels(pool: OpenedPool, shape: list[int], tmp_path: Path) -> None:
    made = prepare(pool, predictor="network", cache=tmp_path)
    assert made.options == {"shape": shape}
    assert made.x.dtype == np.uint8
    assert made.x.shape == (5, int(np.prod(shape)))
    if shape[0] == 28:
        assert np.array_equal(made.x[3].reshape(28, 28), pool.picture(3)[:, :, 0])


@pytest.mark.torch
def test_pictures_of_several_sizes_are_put_in_one_frame(tmp_path: Path) -> None:
    for number, size in enumerate(((20, 10), (40, 40), (10, 20))):
        Image.new("RGB", size, (number, 9, 9)).save(tmp_path / f"{number}.png")
    made = prepare(open_pool(tmp_path), predictor="network")
    assert made.x.shape == (3, 32 * 32 * 3)


@pytest.mark.torch
def test_the_network_wants_pictures() -> None:
    with pytest.raises(InvalidInput, match="learns from pictures"):
        prepare(rows(), predictor="network")
