r"""Logistic regression with a Gaussian prior: the simple predictor that needs numpy alone.

Also known as ridge- or L2-penalised logistic regression, and as maximum a posteriori (MAP)
estimation. Not to be confused with Bayesian logistic regression, which averages over the
posterior; here only its mode is used.

    P(label is True) = sigmoid(bias + w . z),   z = (x - mean) / deviation, columnwise
    w_j ~ N(0, scale^2 / columns),  bias ~ N(0, 2^2)

The prior makes it sensible with no label (one half everywhere), with one, and with
labels of one kind only, where plain logistic regression would diverge. `scale` is
the deviation of a typical logit before anything is known; 4 did well on digits, clothes, text
and a table alike, from twenty labels to fifteen hundred.

The posterior has one mode, found by Newton's method (also known as iteratively reweighted least
squares). With fewer labels than columns the weights lie in the span of the known rows, and Newton
works there. Refuted guesses teach it nothing: planners account for them (docs/predictors.md).

Cost: m known rows of d columns take O(m d min(m, d)) a step, some ten steps; at most
`most_labels` are used, drawn evenly. The mean and deviation of the columns are taken once
from the whole pool. Prediction is one pass over x in blocks, O(n d), some tens of MB at any n.

Not for labels that no hyperplane separates: `kernel` or a forest does better there.
Tested in tests/predictors/test_logistic.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.predictors._row_blocks import Vector, column_moments, row_blocks

_BIAS_SCALE: Final = 2.0


class Logistic:
    """A linear logit of the features.

    Parameters
    ----------
    scale
        Standard deviation of a typical logit before anything is known.
    most_labels
        Known labels used at most; of more a random sample is used.
    seed
        Fixes that sample.
    """

    def __init__(self, *, scale: float = 4.0, most_labels: int = 20_000, seed: int = 0) -> None:
        if not (np.isfinite(scale) and scale > 0):
            raise InvalidInput(f"The scale of a logit is a positive number; got {scale!r}.")
        if most_labels < 1:
            raise InvalidInput(f"At least one label must be used; got most_labels={most_labels!r}.")
        self.scale = float(scale)
        self.most_labels = int(most_labels)
        self.seed = int(seed)
        self._score: _Score | None = None

    def fit(
        self, x: NDArray[Any], labels: NDArray[np.int8], clauses: Sequence[Clause] = ()
    ) -> None:
        """Find the mode of the posterior, given the labels."""
        score = self._score or _initial_score(x)
        score.require_columns(x)
        known = np.flatnonzero(labels >= 0)
        if len(known) > self.most_labels:
            rng = np.random.default_rng(self.seed)
            known = np.sort(rng.choice(known, self.most_labels, replace=False))
        self._score = self._mode(score, x[known], labels[known].astype(np.float64))

    def predict(self, x: NDArray[Any]) -> Vector:
        """One pass over the features, block by block."""
        if self._score is None:
            return np.full(len(x), 0.5)
        self._score.require_columns(x)
        probs = np.empty(len(x))
        for rows in row_blocks(*x.shape):
            probs[rows] = self._score.probs(x[rows])
        return probs

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Weights, bias, and the scale of the features; nothing before the first fit."""
        return {} if self._score is None else asdict(self._score)

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Become the predictor with these arrays."""
        self._score = _Score.from_arrays(arrays) if arrays else None

    def _mode(self, score: _Score, x: NDArray[Any], target: Vector) -> _Score:
        """The mode of the posterior, by Newton's method from `score`."""
        z = score.standardise(x)
        columns, start = z.shape[1], score.weights
        basis = np.linalg.qr(z.T)[0] if columns > len(z) else None
        if basis is not None:
            z, start = z @ basis, basis.T @ start
        z = np.column_stack([z, np.ones(len(z))])
        precision = np.full(z.shape[1], columns / self.scale**2)
        precision[-1] = _BIAS_SCALE**-2
        found = _newton(z, target, precision, np.append(start, score.bias))
        weights = found[:-1] if basis is None else basis @ found[:-1]
        return replace(score, weights=weights, bias=found[-1:].reshape(()))


@dataclass(frozen=True, slots=True)
class _Score:
    """Weights and bias, and the mean and deviation that standardise the features.

    A constant column has deviation 0, and is standardised to 0.
    """

    weights: Vector
    bias: Vector
    mean: Vector
    deviation: Vector

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> _Score:
        names = [part.name for part in fields(cls)]
        if sorted(arrays) != sorted(names):
            raise InvalidInput(
                f"Logistic restores from {', '.join(names)}; got {', '.join(sorted(arrays))}."
            )
        score = cls(*(np.array(arrays[name], dtype=np.float64) for name in names))
        numbers = (score.weights, score.mean, score.deviation)
        if (
            score.bias.shape != ()
            or any(part.shape != (score.weights.size,) for part in numbers)
            or not all(np.isfinite(part).all() for part in (*numbers, score.bias))
        ):
            raise InvalidInput(
                "Weights, mean and deviation are finite, one number per feature, with one bias; "
                f"got shapes {[part.shape for part in (*numbers, score.bias)]}. "
                "Fit again from the answers."
            )
        return score

    def require_columns(self, x: NDArray[Any]) -> None:
        if x.ndim != 2 or x.shape[1] != len(self.weights):
            raise InvalidInput(
                f"A predictor serves one pool, this one with {len(self.weights)} features an item; "
                f"got features of shape {x.shape}."
            )

    def standardise(self, x: NDArray[Any]) -> Vector:
        z = x.astype(np.float64) - self.mean
        return np.divide(z, self.deviation, out=np.zeros_like(z), where=self.deviation != 0)

    def probs(self, x: NDArray[Any]) -> Vector:
        # Rescaling the weights instead of the rows saves a pass over the rows.
        rescaled, varies = np.zeros_like(self.weights), self.deviation != 0
        weights = np.divide(self.weights, self.deviation, out=rescaled, where=varies)
        return _sigmoid(x.astype(np.float64) @ weights + (self.bias - self.mean @ weights))


def _newton(z: Vector, target: Vector, precision: Vector, start: Vector) -> Vector:
    """Minimise sum(log(1 + e^a) - target a) + precision w^2 / 2 over w, where a = z w."""

    def loss(w: Vector) -> float:
        a = z @ w
        return float(np.sum(np.logaddexp(0.0, a) - target * a) + precision @ w**2 / 2)

    w, here = start, loss(start)
    for _ in range(100):
        p = _sigmoid(z @ w)
        gradient = z.T @ (p - target) + precision * w
        hessian = (z * (p * (1 - p))[:, None]).T @ z
        hessian[np.diag_indices_from(hessian)] += precision
        step = np.linalg.solve(hessian, gradient)
        gain = float(gradient @ step)
        if gain < 1e-4:  # so near the minimum each step squares the distance: this is the last
            return np.asarray(w - step)
        # Far from the minimum a whole step can overshoot: halve it until the loss falls enough.
        length = 1.0
        while (there := loss(w - length * step)) > here - length * gain / 4 and length > 1e-9:
            length /= 2
        w, here = w - length * step, there
    return w


def _initial_score(x: NDArray[Any]) -> _Score:
    """Weights of zero, and the mean and deviation of every column of the pool."""
    if x.ndim != 2:
        raise InvalidInput(f"Features have shape (n, columns); got shape {x.shape}.")
    return _Score(np.zeros(x.shape[1]), np.zeros(()), *column_moments(x))


def _sigmoid(a: Vector) -> Vector:
    return np.asarray(np.exp(-np.logaddexp(0.0, -a)))
