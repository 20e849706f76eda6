"""The public image sets the paper labels, fetched from their publishers and checked.

`original` gives the training images and their labels, 0 to 9, in their original order. Files are
looked for in a folder (``$ASKLESS_DATA/originals``, or ``build/originals`` where that is not set)
and downloaded there if they are missing: 10 MB for MNIST, 26 MB for Fashion-MNIST, 170 MB
for CIFAR10 and 182 MB for SVHN. A file whose checksum is not the published one is refused.
Nothing is unpickled.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import tarfile
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Images = tuple[NDArray[np.uint8], NDArray[np.int64]]

_MNIST: Final = "https://ossci-datasets.s3.amazonaws.com/mnist/"
_FASHION: Final = (
    "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/"
)
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
}
"""Every file of every set, with the MD5 its publisher gives."""

NAMES: Final = tuple(_FILES)


def original(name: str, folder: Path | None = None) -> Images:
    """The training images of the set, and their labels.

    Parameters
    ----------
    name
        One of `NAMES`.
    folder
        Where the files are or will be.
    """
    if name not in _FILES:
        raise ValueError(f"There are the sets {', '.join(NAMES)}; got {name!r}.")
    if folder is None:
        data = os.environ.get("ASKLESS_DATA")
        folder = Path(data) if data else Path(__file__).parents[1] / "build"
        folder /= "originals"
    paths = [_fetched(url, md5, folder / name) for url, md5 in _FILES[name].items()]
    return _READERS[name](paths)


def _fetched(url: str, md5: str, folder: Path) -> Path:
    """The file, downloaded if it is not there, and as it was published."""
    path = folder / url.rpartition("/")[2]
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        print(f"fetching {url}", flush=True)
        with urllib.request.urlopen(url, timeout=60) as source, partial.open("wb") as file:
            shutil.copyfileobj(source, file)
        _check(partial, md5)
        partial.replace(path)
    _check(path, md5)
    return path


def _check(path: Path, md5: str) -> None:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
    if digest != md5:
        raise ValueError(
            f"{path} is not the published file: its MD5 is {digest}, not {md5}. Remove it."
        )


def _read_idx(paths: list[Path]) -> Images:
    """Images and labels in the format of MNIST: a head of big-endian numbers, then bytes."""
    arrays = []
    for path in paths:
        with gzip.open(path) as file:
            content = file.read()
        dimensions = content[3]
        shape = np.frombuffer(content, ">u4", dimensions, 4).astype(int)
        arrays.append(np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape))
    return arrays[0], arrays[1].astype(np.int64)


def _read_cifar(paths: list[Path]) -> Images:
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


def _read_svhn(paths: list[Path]) -> Images:
    """A MATLAB file; the digit 0 has the label 10."""
    from scipy.io import loadmat

    arrays: dict[str, Any] = loadmat(paths[0], variable_names=["X", "y"])
    images = np.ascontiguousarray(arrays["X"].transpose(3, 0, 1, 2))
    return images, arrays["y"].ravel().astype(np.int64) % 10


_READERS: Final[dict[str, Callable[[list[Path]], Images]]] = {
    "mnist": _read_idx,
    "fashion_mnist": _read_idx,
    "cifar10": _read_cifar,
    "svhn": _read_svhn,
}
