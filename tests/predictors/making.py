"""Pools to learn from, and what is known of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]


def moons(n: int = 300, seed: int = 0) -> tuple[NDArray[np.float64], Bools]:
    """Two half circles, each in the other's hollow."""
    rng = np.random.default_rng(seed)
    positive = np.arange(n) % 2 == 0
    angle = np.pi * rng.random(n)
    x = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    x[~positive] = np.array([1.0, 0.5]) - x[~positive]
    return x + 0.06 * rng.standard_normal(x.shape), positive


def known(truth: Bools, items: NDArray[np.intp] | list[int]) -> NDArray[np.int8]:
    labels = np.full(len(truth), -1, np.int8)
    labels[items] = truth[items]
    return labels
