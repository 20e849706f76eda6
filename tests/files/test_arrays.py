from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.errors import InvalidInput
from askless.files.arrays import open_array, write_array


@given(
    shape=st.sampled_from([(), (0,), (1,), (7,), (5, 0), (0, 3), (4, 3), (2, 3, 4)]),
    kind=st.sampled_from(["f4", "f8", "i1", "?", ">i4"]),
)
def test_array_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, shape: tuple[int, ...], kind: str
) -> None:
    path = tmp_path_factory.mktemp("arrays") / "x.npy"
    array = (np.random.default_rng(0).random(shape) * 10).astype(kind)
    write_array(path, array)
    found = open_array(path)
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert np.array_equal(found, array)


def test_array_larger_than_a_block_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askless.files.arrays._BLOCK", 10)
    array = np.arange(303.0).reshape(101, 3).T.copy().T  # columns first in memory
    write_array(tmp_path / "x.npy", array)
    assert np.array_equal(open_array(tmp_path / "x.npy"), array)


def test_numpy_alone_can_read_it(tmp_path: Path) -> None:
    write_array(tmp_path / "x.npy", np.arange(6).reshape(2, 3))
    assert np.load(tmp_path / "x.npy").tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("shape", [(4, 3), (4, 0)])
def test_opened_array_is_mapped_and_cannot_be_written(
    tmp_path: Path, shape: tuple[int, ...]
) -> None:
    write_array(tmp_path / "x.npy", np.zeros(shape))
    found = open_array(tmp_path / "x.npy")
    assert isinstance(found, np.memmap) or 0 in shape
    with pytest.raises(ValueError, match="read-only"):
        found[:] = 1


def test_same_content_has_the_same_checksum_and_other_content_another(tmp_path: Path) -> None:
    one = write_array(tmp_path / "a.npy", np.zeros(5))
    same = write_array(tmp_path / "b.npy", np.zeros(5))
    other = write_array(tmp_path / "c.npy", np.array([0.0, 0, 0, 0, 1e-300]))
    assert one == same != other


def test_whoever_has_the_old_array_open_keeps_it(tmp_path: Path) -> None:
    write_array(tmp_path / "x.npy", np.zeros(5))
    old = open_array(tmp_path / "x.npy")
    write_array(tmp_path / "x.npy", np.ones(5))
    assert old.tolist() == [0.0] * 5
    assert open_array(tmp_path / "x.npy").tolist() == [1.0] * 5


@given(at=st.integers(0, 300), bit=st.integers(0, 7))
def test_every_flipped_bit_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, at: int, bit: int
) -> None:
    path = tmp_path_factory.mktemp("arrays") / "x.npy"
    write_array(path, np.arange(20.0))
    content = bytearray(path.read_bytes())
    content[at % len(content)] ^= 1 << bit
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match="checksum"):
        open_array(path)


@given(length=st.integers(0, 300))
def test_every_shortened_file_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, length: int
) -> None:
    path = tmp_path_factory.mktemp("arrays") / "x.npy"
    write_array(path, np.arange(20.0))
    content = path.read_bytes()
    path.write_bytes(content[: min(length, len(content) - 1)])
    with pytest.raises(InvalidInput, match="checksum"):
        open_array(path)


def test_missing_array_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="There is no array at"):
        open_array(tmp_path / "x.npy")


def test_array_of_objects_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="holds numbers"):
        write_array(tmp_path / "x.npy", np.array([{}, []], dtype=object))
    assert list(tmp_path.iterdir()) == []


def test_file_of_another_make_is_refused_even_unchecked(tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(b"something else entirely")
    with pytest.raises(InvalidInput, match="written by askless"):
        open_array(tmp_path / "x.npy", check=False)
