"""Five pools whose probs are calibrated, so that the bounds are true ones.

Each is made of e, the chance that an item's likelier label is wrong, drawn as below, scaled to
the mean and clipped to [1e-6, 1/2]. The likelier label is True for one half of the items, at
random.

A  mean .07: 62 % Beta(.6, 60), 28 % Beta(1.2, 9), 10 % half of Beta(4, 2.1); a good predictor
B  mean .33: half of Beta(2.6, 1.35); a poor one
C  mean .01: 95 % Beta(.5, 200), 5 % half of Beta(1, 1.9); an excellent one
D  e = .05 for every item
E  the errors of A, but in clusters of ten items of similar e: with probability .3 a cluster
   errs together (one uniform number decides for all ten), otherwise each item by itself.
   Every single probability stays true, two errors of a cluster have correlation .3, and the
   entropy of the labels is less than the sum over items says.

Labels are drawn from e; for A to D independently.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.entropy import binary_entropy_bits

POOLS: Final = {
    "A": "good predictor, .93",
    "B": "poor predictor, .67",
    "C": "excellent predictor, .99",
    "D": "equal errors of .05",
    "E": "as A, errors in clusters",
}
CLUSTER: Final = 10
TOGETHER: Final = 0.3
_BAND: Final = 20  # clusters to a band of items with similar e

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Drawn:
    """One draw of a pool.

    Parameters
    ----------
    probs
        P(label is True) for every item.
    labels
        The right labels.
    joint_entropy_bits
        Entropy of the labelling, dependence and all; for A to D that of the probs.
    """

    probs: Floats
    labels: NDArray[np.bool_]
    joint_entropy_bits: float


def draw_pool(name: str, n: int, seed: int) -> Drawn:
    """Draw pool ``A`` to ``E`` with `n` items; for E a multiple of ten."""
    rng = np.random.default_rng([ord(name), n, seed])
    errors = _errors(name, n, rng)
    if name == "E":
        errors, wrong, entropy_bits = _clustered(errors, rng)
    else:
        wrong = rng.random(n) < errors
        entropy_bits = float(binary_entropy_bits(errors).sum())
    guess = rng.random(n) < 0.5
    return Drawn(np.where(guess, 1 - errors, errors), guess ^ wrong, entropy_bits)


def _errors(name: str, n: int, rng: np.random.Generator) -> Floats:
    if name == "D":
        return np.full(n, 0.05)
    kind = rng.random(n)
    if name == "B":
        errors, mean = rng.beta(2.6, 1.35, n) / 2, 0.33
    elif name == "C":
        sure, doubtful = rng.beta(0.5, 200, n), rng.beta(1, 1.9, n) / 2
        errors, mean = np.where(kind < 0.95, sure, doubtful), 0.01
    else:
        sure, fair, doubtful = rng.beta(0.6, 60, n), rng.beta(1.2, 9, n), rng.beta(4, 2.1, n) / 2
        errors, mean = np.where(kind < 0.62, sure, np.where(kind < 0.9, fair, doubtful)), 0.07
    for _ in range(30):  # clipping moves the mean, a little less each time
        errors = np.clip(errors * (mean / errors.mean()), 1e-6, 0.5)
    return errors


def _clustered(errors: Floats, rng: np.random.Generator) -> tuple[Floats, NDArray[np.bool_], float]:
    """The errors in clusters, shuffled, which of them happen, and the joint entropy."""
    n = len(errors)
    # Items of similar e, in random order within bands that hold many clusters, so that the
    # members of a cluster do not stand side by side when a planner sorts.
    ranked = np.sort(errors)
    band = np.arange(n) // (_BAND * CLUSTER)
    mixed = ranked[np.lexsort((rng.random(n), band))].reshape(-1, CLUSTER)
    together = rng.random((len(mixed), 1)) < TOGETHER
    decides = np.where(together, rng.random((len(mixed), 1)), rng.random(mixed.shape))
    shuffled = rng.permutation(n)
    wrong = (decides < mixed).ravel()[shuffled]
    return mixed.ravel()[shuffled], wrong, _joint_entropy_bits(mixed)


def _joint_entropy_bits(errors: Floats) -> float:
    """Entropy of clusters that err together with probability t, and item by item otherwise.

    Together, the k items with the largest e are wrong for some k: eleven labellings of ten items.
    All others have (1 - t) times their independent probability, whose entropy is known, so only
    the eleven need to be put right.
    """
    e = -np.sort(-errors, axis=1)  # largest first
    edges = np.concatenate([np.ones((len(e), 1)), e, np.zeros((len(e), 1))], axis=1)
    shared = edges[:, :-1] - edges[:, 1:]  # P(the first k wrong, together), k = 0 .. 10
    zeros = np.zeros((len(e), 1))
    wrong = np.concatenate([zeros, np.cumsum(np.log(e), axis=1)], axis=1)
    right = np.concatenate([np.cumsum(np.log1p(-e)[:, ::-1], axis=1)[:, ::-1], zeros], axis=1)
    alone = np.exp(wrong + right)
    t = TOGETHER
    everywhere = (1 - t) * (float(binary_entropy_bits(e).sum()) - len(e) * np.log2(1 - t))
    put_right = _surprise(t * shared + (1 - t) * alone) - _surprise((1 - t) * alone)
    return float(everywhere + put_right.sum())


def _surprise(p: Floats) -> Floats:
    return np.asarray(-p * np.log2(np.where(p > 0, p, 1.0)))
