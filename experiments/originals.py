"""Public sets, those the paper labels among them, fetched from their publishers and checked.

`original` gives the items of a set and their labels in their original order: training images,
labelled 0 to 9; the messages of SMS spam and the rows of HTRU2, labelled 1 if spam or a pulsar.
Files are looked for in a folder (``$ASKLESS_DATA/originals``, or ``build/originals`` where that is
not set) and downloaded there if they are missing: 10 MB for MNIST, 26 MB for Fashion-MNIST, 170 MB
for CIFAR10, 182 MB for SVHN, 2 MB for the two others. A file whose checksum is not the published
one is refused. Nothing is unpickled.

`pool_file` gives a file with the pool made of a set: the first 6000 images, or everything.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import os
import shutil
import tarfile
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from askless.files import write_whole

Items = tuple[NDArray[Any], NDArray[np.int64]]

_MNIST: Final = "https://ossci-datasets.s3.amazonaws.com/mnist/"
_FASHION: Final = (
    "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/"
)
_UCI: Final = "https://archive.ics.uci.edu/static/public/"
_FILES: Final = {
    "mnist": {
        _MNIST + "train-images-idx3-ubyte.gz": "f68b3c2dcbeaaa9fbdd348bbdeb94873",
        _MNIST + "train-labels-idx1-ubyte.gz": "d53e105ee54ea40749a09fcbcd1e9432",
    },
    "fashion_mnist": {
        _FASHION + "train-images-idx3-ubyte.gz": "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
        _FASHION + "train-labels-idx1-ubyte.gz": "25c81989df183df01b3e8a0aad5dffbe",
    },
    "cifar10": {
        "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz": (
            "c32a1d4ab5d03f1284b67883e8d87530"
        ),
    },
    "svhn": {
        "http://ufldl.stanford.edu/housenumbers/train_32x32.mat": (
            "e26dedcc434d2e4c54c9b2d4a06d8373"
        ),
    },
    "sms_spam": {
        _UCI + "228/sms+spam+collection.zip": (
            "1587ea43e58e82b14ff1f5425c88e17f8496bfcdb67a583dbff9eefaf9963ce3"
        ),
    },
    "htru2": {
        _UCI + "372/htru2.zip": (
            "ba442c076dd22a8952700f26e38499fc1806037dcf7bea0e125e6bfba393f379"
        ),
    },
}
"""Every file of every set, with the MD5 its publisher gives; UCI gives none, there the SHA-256."""

NAMES: Final = tuple(_FILES)
IMAGES: Final = ("mnist", "fashion_mnist", "cifar10", "svhn")
_TABLES: Final = {"sms_spam": "tables/sms_spam.csv", "htru2": "tables/htru2.npz"}
_FIRST: Final = 6000  # images in a pool


def original(name: str, folder: Path | None = None) -> Items:
    """The items of the set, and their labels.

    Parameters
    ----------
    name
        One of `NAMES`.
    folder
        Where the files are or will be.
    """
    if name not in _FILES:
        raise ValueError(f"There are the sets {', '.join(NAMES)}; got {name!r}.")
    folder = folder or _data() / "originals"
    paths = [_fetched(url, digest, folder / name) for url, digest in _FILES[name].items()]
    return _READERS[name](paths)


def pool_file(name: str) -> Path:
    """A file with the pool made of the set, as `experiments.scratch.pools` reads it.

    It is in the folder ``first6000`` or ``tables`` beside the originals, and made if it is missing.

    Parameters
    ----------
    name
        One of `NAMES`.
    """
    path = _data() / _TABLES.get(name, f"first6000/{name}.npz")
    if not path.exists():
        items, labels = original(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lambda file: _write_pool(file, items, labels))
    return path


def _data() -> Path:
    data = os.environ.get("ASKLESS_DATA")
    return Path(data) if data else Path(__file__).parents[1] / "build"


def _write_pool(file: BinaryIO, items: NDArray[Any], labels: NDArray[np.int64]) -> None:
    if items.dtype.kind == "U":
        rows = zip(labels.tolist(), items.tolist(), strict=True)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([("label", "text"), *rows])
        file.write(text.getvalue().encode())
    elif items.ndim == 2:
        np.savez_compressed(file, x=items, y=labels)
    else:
        np.savez_compressed(file, images=items[:_FIRST], labels=labels[:_FIRST])


def _fetched(url: str, digest: str, folder: Path) -> Path:
    """The file, downloaded if it is not there, and as it was published."""
    path = folder / url.rpartition("/")[2]
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        print(f"fetching {url}", flush=True)
        try:
            with urllib.request.urlopen(url, timeout=60) as source, partial.open("wb") as file:
                shutil.copyfileobj(source, file)
        except OSError as error:
            raise SystemExit(
                f"{url} must be at hand once; it could not be fetched ({error}). Try again with a "
                f"network, or put the file at {path}."
            ) from error
        _check(partial, digest)
        partial.replace(path)
    _check(path, digest)
    return path


def _check(path: Path, digest: str) -> None:
    kind = "md5" if len(digest) == 32 else "sha256"
    with path.open("rb") as file:
        found = hashlib.file_digest(file, lambda: hashlib.new(kind, usedforsecurity=False))
    if found.hexdigest() != digest:
        raise ValueError(
            f"{path} is not the published file: its {kind.upper()} is {found.hexdigest()}, "
            f"not {digest}. Remove it."
        )


def _read_idx(paths: list[Path]) -> Items:
    """Images and labels in the format of MNIST: a head of big-endian numbers, then bytes."""
    arrays = []
    for path in paths:
        with gzip.open(path) as file:
            content = file.read()
        dimensions = content[3]
        shape = np.frombuffer(content, ">u4", dimensions, 4).astype(int)
        arrays.append(np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape))
    return arrays[0], arrays[1].astype(np.int64)


def _read_cifar(paths: list[Path]) -> Items:
    """Five files of records: a label, then 32 x 32 pixels, channel by channel."""
    parts = []
    with tarfile.open(paths[0]) as archive:
        for part in range(1, 6):
            file = archive.extractfile(f"cifar-10-batches-bin/data_batch_{part}.bin")
            assert file is not None
            parts.append(np.frombuffer(file.read(), np.uint8).reshape(-1, 1 + 3 * 32 * 32))
    records = np.concatenate(parts)
    images = records[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(images), records[:, 0].astype(np.int64)


def _read_svhn(paths: list[Path]) -> Items:
    """A MATLAB file; the digit 0 has the label 10."""
    from scipy.io import loadmat

    arrays: dict[str, Any] = loadmat(paths[0], variable_names=["X", "y"])
    images = np.ascontiguousarray(arrays["X"].transpose(3, 0, 1, 2))
    return images, arrays["y"].ravel().astype(np.int64) % 10


def _read_messages(paths: list[Path]) -> Items:
    """A message a line: ``ham`` or ``spam``, a tab, the text."""
    with zipfile.ZipFile(paths[0]) as archive:
        text = archive.read("SMSSpamCollection").decode()
    lines = [line.partition("\t") for line in text.split("\n") if line]
    spam = np.array([kind == "spam" for kind, _, _ in lines], np.int64)
    return np.array([message for _, _, message in lines]), spam


def _read_pulsars(paths: list[Path]) -> Items:
    """A candidate a line: eight numbers, then 1 for a pulsar or 0 for noise."""
    with zipfile.ZipFile(paths[0]) as archive, archive.open("HTRU_2.csv") as file:
        rows = np.loadtxt(io.TextIOWrapper(file), delimiter=",", ndmin=2)
    return rows[:, :-1], rows[:, -1].astype(np.int64)


_READERS: Final[dict[str, Callable[[list[Path]], Items]]] = {
    "mnist": _read_idx,
    "fashion_mnist": _read_idx,
    "cifar10": _read_cifar,
    "svhn": _read_svhn,
    "sms_spam": _read_messages,
    "htru2": _read_pulsars,
}
