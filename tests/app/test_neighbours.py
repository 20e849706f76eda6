"""Which items are like which: exactly for one item, and groups of near-duplicates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.app import neighbours
from askless.app.neighbours import NEAR, Columns, Neighbours, near_duplicates
from askless.files.arrays import write_array


def some_rows(n: int = 300, width: int = 20) -> NDArray[np.float16]:
    return np.random.default_rng(5).standard_normal((n, width)).astype(np.float16)


def cosines(rows: NDArray[np.float16]) -> NDArray[np.float64]:
    unit = rows.astype(float)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    return np.asarray(unit @ unit.T)


def test_likeness_is_the_cosine_of_the_first_columns_whatever_the_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbours, "_CHUNK", 130)
    rows = some_rows()
    write_array(tmp_path / "x.npy", rows)
    alike = Neighbours(300)
    assert alike.use(Columns(tmp_path / "x.npy", 12))
    assert alike.likeness(7) == pytest.approx(cosines(rows[:, :12])[7], abs=1e-5)


def test_a_row_of_nothing_is_like_none(tmp_path: Path) -> None:
    rows = some_rows(5)
    rows[2] = 0
    write_array(tmp_path / "x.npy", rows)
    alike = Neighbours(5)
    assert alike.use(Columns(tmp_path / "x.npy", 20))
    assert alike.likeness(2).tolist() == [0.0] * 5
    assert alike.likeness(0)[2] == 0.0


def test_near_duplicates_are_found_as_groups_and_nothing_else_is(tmp_path: Path) -> None:
    rows = some_rows()
    noise = np.random.default_rng(6).standard_normal((90, 20)) * 0.05
    rows[100:190] = rows[:90] + noise  # every one has a twin, and the first thirty a third
    rows[190:220] = rows[:30] + noise[60:]
    write_array(tmp_path / "x.npy", rows)
    alike = Neighbours(300)
    assert alike.groups() is None  # nothing to compare them by
    assert alike.use(Columns(tmp_path / "x.npy", 20))
    alike.groups()
    alike.wait()
    groups = alike.groups()
    assert groups is not None
    similar = cosines(rows)
    for item in range(90):
        assert groups[item] == groups[item + 100] >= 0, item
    for group in set(groups[groups >= 0].tolist()):
        members = np.flatnonzero(groups == group)
        best = np.sort(similar[np.ix_(members, members)], axis=1)[:, -2]
        assert best.min() >= NEAR - 1e-3
    assert (groups[220:] == -1).all()


def test_few_items_or_none_have_no_near_duplicates() -> None:
    for n in (0, 1, 2):
        rows = some_rows(n)
        lengths = np.linalg.norm(rows.astype(np.float32), axis=1)
        assert near_duplicates(rows, lengths, NEAR).tolist() == [-1] * n


@pytest.mark.parametrize("what", ["gone", "another pool", "no array", "flat", "too narrow"])
def test_features_that_are_not_of_this_pool_are_not_used(tmp_path: Path, what: str) -> None:
    path = tmp_path / "x.npy"
    if what == "no array":
        path.write_bytes(b"not numbers")
    elif what != "gone":
        shape = {"another pool": (4, 3), "flat": (5,), "too narrow": (5, 2)}[what]
        write_array(path, np.zeros(shape, np.float16))
    alike = Neighbours(5)
    assert not alike.use(Columns(path, 3))
    assert alike.groups() is None


def test_other_features_give_other_groups(tmp_path: Path) -> None:
    rows = some_rows(40)
    write_array(tmp_path / "one.npy", rows)
    rows[1] = rows[0]
    write_array(tmp_path / "other.npy", rows)
    alike = Neighbours(40)
    found = []
    for name in ("one.npy", "other.npy"):
        alike.use(Columns(tmp_path / name, 20))
        alike.groups()
        alike.wait()
        groups = alike.groups()
        assert groups is not None
        found.append(int((groups >= 0).sum()))
    assert found == [0, 2]
    assert not alike.use(None)
