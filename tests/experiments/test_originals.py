"""Public files are read as they are published, and only then."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from experiments import originals
from experiments.originals import original

LABELS = np.array([5, 0, 4, 9], np.uint8)
RNG = np.random.default_rng(0)


def publish(monkeypatch: pytest.MonkeyPatch, name: str, files: dict[str, bytes]) -> str:
    """Let these bytes be what the publisher offers."""
    md5 = {
        f"https://publisher/{file}": hashlib.md5(content, usedforsecurity=False).hexdigest()
        for file, content in files.items()
    }
    monkeypatch.setitem(originals._FILES, name, md5)
    monkeypatch.setattr(
        "urllib.request.urlopen",
        lambda url, timeout: io.BytesIO(files[url.rpartition("/")[2]]),
    )
    return name


def idx(array: NDArray[np.uint8]) -> bytes:
    head = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
    return gzip.compress(head + array.tobytes(), mtime=0)


def test_digits_are_fetched_once_and_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pictures = RNG.integers(0, 255, (4, 28, 28), dtype=np.uint8)
    publish(monkeypatch, "mnist", {"images.gz": idx(pictures), "labels.gz": idx(LABELS)})
    images, labels = original("mnist", tmp_path)
    assert np.array_equal(images, pictures)
    assert labels.tolist() == LABELS.tolist()
    monkeypatch.setattr("urllib.request.urlopen", lambda url, timeout: pytest.fail("fetched again"))
    assert np.array_equal(original("mnist", tmp_path)[0], pictures)


def test_photographs_are_turned_channel_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pictures = RNG.integers(0, 255, (5, 1, 3, 32, 32), dtype=np.uint8)
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        for part in range(5):
            content = bytes([part]) + pictures[part].tobytes()
            member = tarfile.TarInfo(f"cifar-10-batches-bin/data_batch_{part + 1}.bin")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    publish(monkeypatch, "cifar10", {"cifar.tar.gz": archive.getvalue()})
    images, labels = original("cifar10", tmp_path)
    assert labels.tolist() == [0, 1, 2, 3, 4]
    assert np.array_equal(images[2], pictures[2, 0].transpose(1, 2, 0))


def test_house_number_ten_is_the_digit_zero(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from scipy.io import savemat

    pictures = RNG.integers(0, 255, (32, 32, 3, 3), dtype=np.uint8)
    file = io.BytesIO()
    savemat(file, {"X": pictures, "y": np.array([[10], [1], [9]], np.uint8)})
    publish(monkeypatch, "svhn", {"train.mat": file.getvalue()})
    images, labels = original("svhn", tmp_path)
    assert labels.tolist() == [0, 1, 9]
    assert np.array_equal(images[1], pictures[..., 1])


def test_file_that_is_not_the_published_one_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    publish(monkeypatch, "mnist", {"images.gz": idx(np.zeros((4, 2, 2), np.uint8))})
    (tmp_path / "mnist").mkdir()
    (tmp_path / "mnist" / "images.gz").write_bytes(b"something else")
    with pytest.raises(ValueError, match="not the published file"):
        original("mnist", tmp_path)


def test_unknown_set_is_refused() -> None:
    with pytest.raises(ValueError, match="There are the sets mnist"):
        original("imagenet")
