import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.lab.known_pool import KnownPool, as_labels, read_known_pool

GOOD = {"probs": [0.2, 0.9, 0.5], "positive": [False, True, True]}


def saved(path: Path, **arrays: object) -> None:
    kept: dict[str, Any] = {name: np.asarray(values) for name, values in arrays.items()}
    np.savez(path, **kept)


def test_probs_and_truth_are_read(tmp_path: Path) -> None:
    saved(tmp_path / "p.npz", **GOOD)
    pool = read_known_pool(tmp_path / "p.npz")
    assert pool.probs.values.tolist() == GOOD["probs"]
    assert pool.labels.tolist() == GOOD["positive"]


@pytest.mark.parametrize("kind", [np.bool_, np.int64, np.uint8, np.float32])
def test_the_truth_may_be_any_kind_of_zero_and_one(tmp_path: Path, kind: type) -> None:
    saved(tmp_path / "p.npz", probs=[0.5, 0.5], positive=np.array([1, 0], dtype=kind))
    assert read_known_pool(tmp_path / "p.npz").labels.tolist() == [True, False]


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.int8, np.bool_])
def test_probs_may_be_any_kind_of_number(tmp_path: Path, kind: type) -> None:
    saved(tmp_path / "p.npz", probs=np.array([1, 0], dtype=kind), positive=[1, 0])
    assert read_known_pool(tmp_path / "p.npz").probs.values.dtype == np.float64


def test_labels_are_a_copy_nobody_can_write_to() -> None:
    mine = np.array([True, False])
    theirs = as_labels(mine)
    mine[0] = False
    assert theirs.tolist() == [True, False]
    with pytest.raises(ValueError, match="read-only"):
        theirs[0] = False


def test_a_pool_made_by_hand_is_checked_too() -> None:
    with pytest.raises(InvalidInput, match="got 1 probabilities and 2 labels"):
        KnownPool(Probs(np.array([0.5])), np.array([True, False]))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"probs": [0.2, 0.9]}, "got 2 probabilities and 3 labels"),
        ({"probs": [[0.2, 0.9, 0.5]]}, r"one number per item, shape \(n,\); got shape \(1, 3\)"),
        ({"probs": 0.5}, r"got shape \(\)"),
        ({"probs": [0.2, np.nan, 0.5]}, "between 0 and 1; got nan for item 1"),
        ({"probs": [0.2, 0.9, np.inf]}, "between 0 and 1; got inf for item 2"),
        ({"probs": [-0.1, 0.9, 0.5]}, "between 0 and 1; got -0.1 for item 0"),
        ({"probs": ["a", "b", "c"]}, "Probs are numbers between 0 and 1; got type <U1"),
        ({"probs": [1j, 0, 0]}, "Probs are numbers between 0 and 1; got type complex128"),
        ({"positive": [0, 1, 2]}, "Labels are True or False, or 1 or 0; got 2"),
        ({"positive": [0, 1, np.nan]}, "Labels are True or False, or 1 or 0; got nan"),
        ({"positive": ["0", "1", "1"]}, "Labels are True or False, or 1 or 0; got type <U1"),
        ({"positive": [[0], [1], [1]]}, r"in one row; got shape \(3, 1\)"),
        ({"probs": [], "positive": []}, "at least one item; got none"),
        ({"positive": np.array([0, 1, None])}, "'positive' holds Python objects"),
    ],
)
def test_arrays_that_make_no_sense_are_refused_with_the_files_name(
    tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    path = tmp_path / "mine.npz"
    saved(path, **(GOOD | change))
    with pytest.raises(InvalidInput, match=sentence) as caught:
        read_known_pool(path)
    assert str(caught.value).startswith(str(path))


def single_array(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, [0.5])


def cut_short(path: Path) -> None:
    saved(path, **GOOD)
    path.write_bytes(path.read_bytes()[:-30])


def spoilt(path: Path) -> None:
    """A zip whose directory is whole but whose first array is not."""
    np.savez_compressed(path, probs=np.random.default_rng(0).random(500), positive=[1])
    content = bytearray(path.read_bytes())
    content[200:400] = bytes(200)
    path.write_bytes(content)


def zip_of_words(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("probs", "not an array")
        file.writestr("positive", "nor this")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: None, "There is no file .*; name an .npz file"),
        (Path.mkdir, "is a folder; name an .npz file"),
        (Path.touch, "make it with numpy.savez"),
        (lambda path: path.write_text("probs,positive\n"), "is not an .npz file"),
        (lambda path: path.write_bytes(pickle.dumps([1])), "is not an .npz file"),
        (single_array, "holds a single array; a pool is an .npz file with 'probs' and 'positive'"),
        (cut_short, "is not an .npz file"),
        (spoilt, "'probs' is damaged and cannot be read"),
        (zip_of_words, "'probs' is not an array saved by numpy"),
        (lambda path: saved(path, probs=[0.5]), "has no array 'positive'; .*got 'probs'"),
        (lambda path: saved(path), "has no array 'probs'; .*got no array at all"),
    ],
)
def test_a_file_that_is_no_pool_is_refused_in_words(
    tmp_path: Path, make: Callable[[Path], object], sentence: str
) -> None:
    path = tmp_path / "mine.npz"
    make(path)
    with pytest.raises(InvalidInput, match=sentence):
        read_known_pool(path)
