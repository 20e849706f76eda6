"""Predictors frozen after so many labels of a random sample: what the baselines start from.

The pools, their features and the predictor are those of `experiments.scratch`: the kernel, learning
from nothing. Random items are labelled one by one; after each of `SIZES` the probs of all items
are kept, in ``build/certificates``, so that the next call takes no time.
Imported by `experiments.certificates.baselines`; tested in tests/experiments/test_baselines.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askless.predictors import make_predictor
from experiments.originals import pool_file
from experiments.scratch.pools import ScratchPool, load

POOLS: Final = ("mnist", "fashion_mnist", "sms_spam", "htru2")
SIZES: Final = (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048)
FOLDER: Final = Path(__file__).parents[2] / "build" / "certificates"


class Frozen(NamedTuple):
    """A pool with what was predicted along the way.

    Parameters
    ----------
    labels
        The right label of each item.
    order
        The items labelled at random, in that order.
    sizes
        After how many of them there are probs.
    probs
        For each of these sizes, P(True) of every item.
    """

    labels: NDArray[np.bool_]
    order: NDArray[np.intp]
    sizes: tuple[int, ...]
    probs: NDArray[np.float32]

    def rest(self, at: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """P(True) and label of every item that was not labelled at the `at`-th size."""
        rest = np.ones(len(self.labels), bool)
        rest[self.order[: self.sizes[at]]] = False
        return self.probs[at][rest].astype(np.float64), self.labels[rest]


def frozen(name: str, seed: int, folder: Path = FOLDER) -> Frozen:
    """The predictions for a public pool, made or read.

    Parameters
    ----------
    name
        One of `experiments.originals.NAMES`.
    seed
        Fixes which items are labelled.
    folder
        Where they are kept.
    """
    file = folder / f"{name}-{seed}.npz"
    if not file.exists():
        found = learn(load(pool_file(name)), seed)
        folder.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(file, **found._asdict())
    with np.load(file, allow_pickle=False) as kept:
        return Frozen(kept["labels"], kept["order"], tuple(kept["sizes"].tolist()), kept["probs"])


def learn(pool: ScratchPool, seed: int, sizes: tuple[int, ...] = SIZES) -> Frozen:
    """Label items at random and keep what is predicted after each of these sizes."""
    n = len(pool.labels)
    order = np.random.default_rng(seed).permutation(n)
    kernel = make_predictor("kernel", blocks=pool.blocks, seed=seed)
    known, kept = np.full(n, -1, np.int8), []
    for before, size in zip((0, *sizes), sizes, strict=False):
        new = order[before:size]
        known[new] = pool.labels[new]
        kernel.fit(pool.columns, known, ())
        kept.append(kernel.predict(pool.columns).astype(np.float32))
    return Frozen(pool.labels, order[: sizes[-1]], sizes, np.array(kept))
