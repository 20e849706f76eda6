from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.errors import InvalidInput, TooLarge
from askless.files import npz
from askless.pools import open_pool
from askless.pools._duplicates import merged, unique_ids


def images(n: int, *shape: int) -> Any:
    return np.random.default_rng(0).integers(0, 256, (n, *shape)).astype(np.uint8)


def test_grey_colour_and_clear_pictures_become_colour() -> None:
    grey = images(3, 6, 7)
    assert (open_pool(grey).picture(1) == grey[1][:, :, None]).all()
    colour = images(3, 6, 7, 3)
    assert (open_pool(colour).picture(2) == colour[2]).all()
    assert (open_pool(np.moveaxis(colour, 3, 1)).picture(2) == colour[2]).all()
    clear = images(3, 6, 7, 4)
    clear[..., 3] = 0
    assert (open_pool(clear).picture(0) == 255).all()


@pytest.mark.parametrize("top", [1.0, 255.0])
def test_floats_run_to_one_or_to_255(top: float) -> None:
    colour = images(3, 6, 7, 3)
    colour[0, 0, 0, 0] = 255
    floats = (colour / 255 * top).astype(np.float32)
    seen = open_pool(floats).picture(2).astype(int)
    assert np.abs(seen - colour[2]).max() <= 1


def test_other_numbers_are_stretched() -> None:
    seen = open_pool(images(2, 6, 4).astype(np.int32) * 100 - 3000).picture(1)
    assert (seen.min(), seen.max()) == (0, 255)


def test_black_and_white_is_shown_so() -> None:
    assert set(open_pool(images(2, 6, 4) > 99).picture(0).ravel().tolist()) == {0, 255}


def test_an_npz_brings_labels_probabilities_and_ids(tmp_path: Path) -> None:
    x = np.arange(8.0).reshape(4, 2)
    np.savez(tmp_path / "p.npz", x=x, y=[0, 1, 1, 0], p=[0.1, 0.2, 0.3, 0.4], who=list("abcd"))
    pool = open_pool(tmp_path / "p.npz", label="y", prob="p", id="who")
    assert (pool.kind, pool.ids, pool.known.tolist()) == ("rows", tuple("abcd"), [0, 1, 1, 0])
    assert pool.probs is not None
    assert pool.probs.tolist() == [0.1, 0.2, 0.3, 0.4]
    assert pool.text(3) == "x0: 6\nx1: 7"


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"z": np.zeros(3)}, "no array 'images' or 'x'"),
        ({"x": np.zeros(3)}, "got float64 of shape"),
        ({"images": np.zeros((3, 5, 5, 9))}, "1 to 4 channels"),
        ({"images": np.zeros((3, 0, 4))}, "A picture has 1 to"),
        ({"images": np.zeros((3, 4, 4)), "positive": [1, 0]}, "as many labels"),
        ({"images": np.zeros((3, 4, 4)), "positive": [1, 0, 7]}, "Say which of the labels"),
        ({"images": np.zeros((3, 4, 4)), "probs": [1, 0, 7]}, "from 0 to 1; got '7'"),
        ({"x": np.array([["a", "b"]])}, "got <U1"),
        ({"x": np.zeros((0, 4))}, "nothing to label"),
    ],
)
def test_arrays_that_make_no_pool_are_refused(
    tmp_path: Path, arrays: dict[str, Any], sentence: str
) -> None:
    np.savez(tmp_path / "p.npz", **arrays)
    with pytest.raises(InvalidInput, match=sentence):
        open_pool(tmp_path / "p.npz")


def test_pickles_and_arrays_that_unfold_too_far_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.savez(tmp_path / "p.npz", images=np.array([object()]))
    with pytest.raises(InvalidInput, match="Python objects"):
        open_pool(tmp_path / "p.npz")
    np.savez_compressed(tmp_path / "p.npz", images=np.zeros((10, 100, 100), np.uint8))
    monkeypatch.setattr(npz, "MAX_BYTES", 50_000)
    with pytest.raises(TooLarge, match="unfolds to more than"):
        open_pool(tmp_path / "p.npz")


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from((-1, 0, 1))), max_size=12),
)
def test_merging_keeps_every_id_and_every_claim(things: list[tuple[str, int]]) -> None:
    checksums = [checksum for checksum, _ in things]
    known = np.array([claim for _, claim in things], np.int8)
    ids = [str(i) for i in range(len(things))]
    keep, labels, copies, items = merged(checksums, known, ids)
    kept = [ids[place] for place in keep]
    assert [checksums[keep[item]] for item in items] == checksums
    assert sorted([*kept, *(name for rest in copies.values() for name in rest)]) == sorted(ids)
    assert keep.tolist() == sorted(keep.tolist())
    for item, (place, label) in enumerate(zip(keep, labels, strict=True)):
        own = [int(place), *(int(name) for name in copies.get(item, ()))]
        assert {checksums[p] for p in own} == {checksums[place]}
        assert {int(known[p]) for p in own} <= {-1, int(label)}


@given(st.lists(st.sampled_from(["a", "b", "a (2)", "a (3)"]), max_size=8))
def test_ids_become_unique_and_the_first_of_each_stays(ids: list[str]) -> None:
    unique = unique_ids(ids)
    assert len(set(unique)) == len(ids)
    for name in set(ids):
        assert unique[ids.index(name)] == name
