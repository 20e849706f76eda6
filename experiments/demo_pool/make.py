"""Make the bundled demo pool: 2000 pictures of garments, and a predictor's view of them.

The first 2000 training images of Fashion-MNIST are the pool. ``pictures.npz`` has the images
and, as ``footwear``, whether each is a sandal, sneaker or boot; a person who labels it is
not told. ``pool.npz`` has the probabilities and truth of another question. A logistic
regression on raw pixels, fitted on training images 2000 to 5999 (none of them in
the pool), says for each how likely it is a top: a T-shirt, pullover, coat or shirt.
A dress is not, and that is where most of the errors lie.

    python experiments/demo_pool/make.py SOURCE

SOURCE is either a folder with the original ``train-images-idx3-ubyte.gz`` and
``train-labels-idx1-ubyte.gz`` (https://github.com/zalandoresearch/fashion-mnist), or
an ``.npz`` with ``images`` and ``labels`` of at least the first 6000 in that order.
Without it, ``$ASKLESS_DATA/first6000/fashion_mnist.npz`` is read. The fit has no
randomness: the same scikit-learn gives the same file again. Needs scikit-learn.
"""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

POOL_ITEMS = 2000
ALL_ITEMS = 6000
TOPS = (0, 2, 4, 6)  # T-shirt, pullover, coat, shirt
FOOTWEAR = (5, 7, 9)  # sandal, sneaker, ankle boot
FOLDER = Path(__file__).parents[2] / "src" / "askless" / "pools" / "demo"
OUT, PICTURES = FOLDER / "pool.npz", FOLDER / "pictures.npz"


def main() -> None:
    """Read, fit, predict, write, and say how good the predictor is."""
    images, labels = read(source())
    pixels = images[:ALL_ITEMS].reshape(ALL_ITEMS, -1) / 255.0
    positive = np.isin(labels[:ALL_ITEMS], TOPS)
    probs = fit_and_predict(pixels[POOL_ITEMS:], positive[POOL_ITEMS:], pixels[:POOL_ITEMS])
    truth = positive[:POOL_ITEMS]
    np.savez_compressed(OUT, probs=probs.astype(np.float32), positive=truth)
    footwear = np.isin(labels[:POOL_ITEMS], FOOTWEAR)
    np.savez_compressed(PICTURES, images=images[:POOL_ITEMS], footwear=footwear)

    accuracy = np.mean((probs > 0.5) == truth)
    bits = -np.log2(np.where(truth, probs, 1 - probs)).sum()
    print(f"wrote {OUT.name}: {POOL_ITEMS} items, {truth.sum()} tops, {OUT.stat().st_size} bytes")
    size = PICTURES.stat().st_size
    print(f"wrote {PICTURES.name}: {footwear.sum()} pieces of footwear, {size} bytes")
    print(f"accuracy {accuracy:.4f}, code length of the truth {bits:.0f} bits")


def source() -> Path:
    """The source named on the command line, or the one under ASKLESS_DATA."""
    if len(sys.argv) == 2:
        return Path(sys.argv[1])
    if "ASKLESS_DATA" in os.environ:
        return Path(os.environ["ASKLESS_DATA"]) / "first6000" / "fashion_mnist.npz"
    sys.exit("Name a folder with the original Fashion-MNIST files, or set ASKLESS_DATA.")


def read(path: Path) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Images and labels of the training set, in their original order."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as file:
            return file["images"], file["labels"]
    return (
        read_idx(path / "train-images-idx3-ubyte.gz"),
        read_idx(path / "train-labels-idx1-ubyte.gz"),
    )


def read_idx(path: Path) -> npt.NDArray[np.uint8]:
    """One IDX file of bytes: two zeros, the type 8, the number of axes, their lengths, data."""
    content = gzip.decompress(path.read_bytes())
    axes = content[3]
    if content[:3] != b"\0\0\x08":
        sys.exit(f"{path} is not an IDX file of bytes.")
    shape = np.frombuffer(content, ">u4", count=axes, offset=4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * axes).reshape(shape)


def fit_and_predict(
    known: npt.NDArray[np.float64], labels: npt.NDArray[np.bool_], pool: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """P(label is True) of the pool's items, by a regularised logistic regression."""
    from sklearn.linear_model import LogisticRegression

    model: Any = LogisticRegression(C=0.1, max_iter=2000)
    probs: npt.NDArray[np.float64] = model.fit(known, labels).predict_proba(pool)[:, 1]
    return probs


if __name__ == "__main__":
    main()
