"""The paper's three synthetic problems: ten points in the plane, with probs and labels.

(a) Five negatives around (0, 0), then five positives around (2, 2), identity
    covariance. The probs are the true ones, so they are calibrated.
(b) Five points around (0, 0), then five around (3, 3), covariance one half of the
    identity. The probs fall off across the diagonal, a logistic function of the distance
    (x2 - x1) / sqrt(2) to it over 0.3, and the labels are drawn from them.
(c) scikit-learn's ``make_classification`` with a fifth of the labels drawn again, and
    ``LogisticRegression`` fitted to those very points: probs that do not know
    their own accuracy.

One seed makes one pool. The order of the draws follows the paper's (numpy's legacy generator,
points before labels), so that entropies and Huffman code lengths agree with its table.
For (b) the paper prints (x2 - x1) / 2; only the distance above gives its entropy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

PROBLEMS: Final = {
    "a": "two blobs",
    "b": "two blobs, labels across",
    "c": "fitted predictor",
}
N_ITEMS: Final = 10


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """One pool.

    Parameters
    ----------
    points
        Where the items lie, shape (10, 2).
    probs
        P(label is True) for every item.
    labels
        The right labels.
    """

    points: NDArray[np.float64]
    probs: NDArray[np.float64]
    labels: NDArray[np.bool_]


def make_problem(name: str, seed: int) -> Problem:
    """Draw one pool of problem ``a``, ``b`` or ``c``."""
    return {"a": _two_blobs, "b": _labels_across, "c": _fitted_predictor}[name](seed)


def _two_blobs(seed: int) -> Problem:
    rng = np.random.RandomState(seed)
    points = np.concatenate([rng.randn(5, 2), rng.randn(5, 2) + 2])
    # Equal covariances: the log odds of the two Gaussians are linear.
    probs = _logistic(2 * points.sum(axis=1) - 4)
    return Problem(points, probs, np.arange(N_ITEMS) >= 5)


def _labels_across(seed: int) -> Problem:
    rng = np.random.RandomState(seed)
    points = np.concatenate([rng.randn(5, 2), rng.randn(5, 2)]) * np.sqrt(0.5)
    points[5:] += 3
    probs = _logistic((points[:, 1] - points[:, 0]) / np.sqrt(2) / 0.3)
    return Problem(points, probs, rng.rand(N_ITEMS) < probs)


def _fitted_predictor(seed: int) -> Problem:
    points, labels = make_classification(
        n_samples=N_ITEMS,
        n_features=2,
        n_classes=2,
        n_informative=1,
        n_redundant=0,
        n_repeated=0,
        n_clusters_per_class=1,
        flip_y=0.2,
        random_state=seed,
    )
    probs = LogisticRegression().fit(points, labels).predict_proba(points)[:, 1]
    return Problem(points, probs, labels == 1)


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-x)))
