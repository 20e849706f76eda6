"""Public files are read as they are published, and only then."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import tarfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from experiments import originals
from experiments.originals import original, pool_file
from experiments.scratch import __main__ as scratch
from experiments.scratch import pools
from experiments.scratch.results import read_results

LABELS = np.array([5, 0, 4, 9], np.uint8)
RNG = np.random.default_rng(0)


def publish(
    monkeypatch: pytest.MonkeyPatch, name: str, files: dict[str, bytes], kind: str = "md5"
) -> None:
    """Let these bytes be what the publisher offers, beside what others do."""
    urls = {f"https://publisher/{file}": content for file, content in files.items()}
    digests = {url: hashlib.new(kind, content).hexdigest() for url, content in urls.items()}
    monkeypatch.setitem(originals._FILES, name, digests)
    before = urllib.request.urlopen
    monkeypatch.setattr(
        "urllib.request.urlopen",
        lambda url, timeout: io.BytesIO(urls[url]) if url in urls else before(url, timeout=timeout),
    )


def zipped(name: str, content: str) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(name, content)
    return archive.getvalue()


def publish_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    spam = ["ham\tsee you, soon", 'spam\t"win" a prize', "ham\tcall\tme", "spam\twin\x85now"] * 2
    texts = "".join(f"{line} {number}\n" for number, line in enumerate(spam))
    publish(monkeypatch, "sms_spam", {"s.zip": zipped("SMSSpamCollection", texts)}, "sha256")
    rows = [f"{i % 2 * 9}.5,-{i}e-3,1,2,3,4,5,6,{i % 2}" for i in range(12)]
    table = "\r\n".join(rows) + "\r\n"
    publish(monkeypatch, "htru2", {"h.zip": zipped("HTRU_2.csv", table)}, "sha256")


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


def test_messages_and_rows_are_read_as_they_stand_and_become_pools(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    publish_tables(monkeypatch)
    monkeypatch.setenv("ASKLESS_DATA", str(tmp_path))
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    texts, spam = original("sms_spam")
    assert texts[:4].tolist() == [
        "see you, soon 0",
        '"win" a prize 1',
        "call\tme 2",
        "win\x85now 3",
    ]
    assert spam.tolist() == [0, 1] * 4
    x, pulsar = original("htru2")
    assert x.shape == (12, 8)
    assert x[1].tolist() == [9.5, -0.001, 1, 2, 3, 4, 5, 6]
    assert pulsar.tolist() == [0, 1] * 6
    assert pools.load(pool_file("sms_spam"), "tf-idf").labels.tolist() == [False, True] * 4
    assert pools.load(pool_file("htru2"), "table").labels.tolist() == [False, True] * 6


def test_pool_is_made_once_of_the_first_images(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pictures = RNG.integers(0, 255, (4, 28, 28), dtype=np.uint8)
    publish(monkeypatch, "mnist", {"images.gz": idx(pictures), "labels.gz": idx(LABELS)})
    monkeypatch.setenv("ASKLESS_DATA", str(tmp_path))
    monkeypatch.setattr(originals, "_FIRST", 3)
    path = pool_file("mnist")
    assert path == tmp_path / "first6000" / "mnist.npz"
    with np.load(path) as made:
        assert np.array_equal(made["images"], pictures[:3])
        assert made["labels"].tolist() == [5, 0, 4]
    monkeypatch.setattr(originals, "original", lambda name: pytest.fail("made again"))
    assert pool_file("mnist") == path


def test_public_pools_are_fetched_and_labelled_where_there_are_no_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    publish_tables(monkeypatch)
    pictures = RNG.integers(0, 255, (4, 9, 9), dtype=np.uint8)
    publish(monkeypatch, "mnist", {"images.gz": idx(pictures), "labels.gz": idx(LABELS)})
    monkeypatch.delenv("ASKLESS_DATA", raising=False)
    monkeypatch.setattr(originals, "_data", lambda: tmp_path)
    monkeypatch.setattr(scratch, "NAMES", ("mnist", "htru2"))
    monkeypatch.setattr(pools, "CACHE", tmp_path / "cache")
    out = tmp_path / "results.jsonl"
    words = ["scratch", "--seeds", "1", "--caps", "none", "--objectives", "questions"]
    monkeypatch.setattr(sys, "argv", [*words, "--out", str(out)])
    scratch.main()
    found = {cell["pool"]: cell for cell in read_results(out).values()}
    assert {name: (cell["items"], cell["right"]) for name, cell in found.items()} == {
        "mnist": (4, 4),
        "htru2": (12, 12),
    }


def test_folder_without_pools_is_not_filled_unasked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASKLESS_DATA", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["scratch"])
    with pytest.raises(SystemExit, match="must name a folder with pools"):
        scratch.main()
    assert list(tmp_path.iterdir()) == []


def test_without_a_network_it_is_said_where_the_file_may_be_put(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(url: str, timeout: float) -> io.BytesIO:
        raise urllib.error.URLError("no route")

    monkeypatch.setattr("urllib.request.urlopen", fail)
    with pytest.raises(SystemExit, match=r"no route.* put the file at .*htru2\.zip"):
        original("htru2", tmp_path)


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
