r"""Logistic regression on the features: the plain predictor that needs numpy alone.

    P(label is True) = sigmoid(bias + w . z),   z = (x - mean) / deviation, columnwise
    w_j ~ N(0, scale^2 / columns),  bias ~ N(0, 2^2)

The prior makes it sensible with no label (one half everywhere), with one, and with
labels of one kind only, where plain logistic regression would run off to infinity. `scale` is
the deviation of a typical logit before anything is known; 4 did well on digits, clothes, text
and a table alike, from twenty labels to fifteen hundred.

The weights are the maximum of the posterior, of which there is only one, found by
Newton's method. With fewer labels than columns they lie in the span of the known rows, and Newton
works there. A refuted guess teaches through expectation and maximisation: each of its items
takes part with the label it is expected to have, and for a guess right with chance r_i that is
P(wrong | at least one wrong) = (1 - r_i) / (1 - prod r).

Cost: m known rows of d columns take O(m d min(m, d)) a step, some ten steps; at most
`most_labels` are used, drawn evenly. The mean and deviation of the columns are taken once
from the whole pool. Prediction is one pass over x in blocks, O(n d), some tens of MB at any n.

Not for labels that only a curve can separate: a forest or a kernel does better there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.errors import InvalidInput

Vector = NDArray[np.float64]

_BIAS_SCALE: Final = 2.0
_BLOCK: Final = 2_000_000  # numbers in a block of rows, 16 MB
_ROUNDS: Final = 4  # of expectation and maximisation, when there are refuted guesses


class Logistic:
    """A linear score of the features, squashed into a probability.

    Parameters
    ----------
    scale
        Deviation of a typical logit before anything is known.
    most_labels
        Known labels used at most; more are thinned out evenly at random.
    seed
        Fixes which.
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
        """Find the most probable weights, given the labels and the refuted guesses."""
        score = self._score or _untaught(x)
        score.require_columns(x)
        known = np.flatnonzero(labels >= 0)
        if len(known) > self.most_labels:
            rng = np.random.default_rng(self.seed)
            known = np.sort(rng.choice(known, self.most_labels, replace=False))
        given = labels[known].astype(np.float64)
        if clauses:
            held = np.unique(np.concatenate([clause.items for clause in clauses]))
            rows = np.concatenate([known, held])
            before = np.full(len(held), np.inf)
            for _ in range(_ROUNDS):
                expected = _expected_labels(held, score.probs(x[held]), clauses)
                if np.abs(expected - before).max() < 0.01:
                    break
                before = expected
                score = self._taught(score, x[rows], np.concatenate([given, expected]))
        else:
            score = self._taught(score, x[known], given)
        self._score = score

    def predict(self, x: NDArray[Any]) -> Vector:
        """One pass over the features, block by block."""
        if self._score is None:
            return np.full(len(x), 0.5)
        self._score.require_columns(x)
        probs = np.empty(len(x))
        for rows in _blocks(x):
            probs[rows] = self._score.probs(x[rows])
        return probs

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Weights, bias, and how the features were measured; nothing before the first fit."""
        return {} if self._score is None else asdict(self._score)

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take the weights of another."""
        self._score = _Score.of(arrays) if arrays else None

    def _taught(self, score: _Score, x: NDArray[Any], target: Vector) -> _Score:
        """The most probable score, by Newton's method from the last one."""
        z = score.standard(x)
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
    """A linear score, with the measure its features are taken by.

    A column that says nothing has deviation 0, and its standard value is 0.
    """

    weights: Vector
    bias: Vector
    mean: Vector
    deviation: Vector

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> _Score:
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

    def standard(self, x: NDArray[Any]) -> Vector:
        z = x.astype(np.float64) - self.mean
        silent = self.deviation == 0
        return np.asarray(np.where(silent, 0.0, z / np.where(silent, 1.0, self.deviation)))

    def probs(self, x: NDArray[Any]) -> Vector:
        # The measure goes into the weights, so that the rows are passed over only once.
        silent = self.deviation == 0
        weights = np.where(silent, 0.0, self.weights / np.where(silent, 1.0, self.deviation))
        return _sigmoid(x.astype(np.float64) @ weights + (self.bias - self.mean @ weights))


def _newton(z: Vector, target: Vector, precision: Vector, start: Vector) -> Vector:
    """Minimise sum(log(1 + e^a) - target a) + precision w^2 / 2 over w, where a = z w."""

    def height(w: Vector) -> float:
        a = z @ w
        return float(np.sum(np.logaddexp(0.0, a) - target * a) + precision @ w**2 / 2)

    w, here = start, height(start)
    for _ in range(100):
        p = _sigmoid(z @ w)
        slope = z.T @ (p - target) + precision * w
        bend = (z * (p * (1 - p))[:, None]).T @ z
        bend[np.diag_indices_from(bend)] += precision
        step = np.linalg.solve(bend, slope)
        gain = float(slope @ step)
        if gain < 1e-4:  # so near the top, each step squares the distance: this one is the last
            return np.asarray(w - step)
        # Far from the top a whole step can overshoot: halve it until it climbs as promised.
        length = 1.0
        while (there := height(w - length * step)) > here - length * gain / 4 and length > 1e-9:
            length /= 2
        w, here = w - length * step, there
    return w


def _expected_labels(held: NDArray[np.intp], probs: Vector, clauses: Sequence[Clause]) -> Vector:
    """P(label is True | the clauses) for the items of clauses, taking each clause alone.

    An item in several clauses takes the one that speaks most against its guess.
    """
    at = {int(item): place for place, item in enumerate(held)}
    expected = np.full(len(held), np.nan)
    most = np.zeros(len(held))
    for clause in clauses:
        places = np.array([at[item] for item in clause.items])
        guess = np.array(clause.guess)
        wrong = np.where(guess, 1 - probs[places], probs[places])
        wrong = np.clip(wrong, 1e-12, 1 - 1e-12)
        wrong = np.minimum(1.0, wrong / -np.expm1(np.sum(np.log1p(-wrong))))
        louder = wrong > most[places]
        places, guess, wrong = places[louder], guess[louder], wrong[louder]
        most[places] = wrong
        expected[places] = np.where(guess, 1 - wrong, wrong)
    return expected


def _untaught(x: NDArray[Any]) -> _Score:
    """One half for everything, and the mean and deviation of every column of the pool."""
    if x.ndim != 2:
        raise InvalidInput(f"Features have shape (n, columns); got shape {x.shape}.")
    total, squares = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    # Differences to the first row, lest large values (dates, say) drown their own variation.
    origin = x[:1].astype(np.float64).sum(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in _blocks(x):
            block = x[rows].astype(np.float64) - origin
            total += block.sum(axis=0)
            squares += np.einsum("ij,ij->j", block, block)
        mean = total / max(1, len(x))
        spread = squares / max(1, len(x))
        variance = spread - mean**2
    strange = np.flatnonzero(~np.isfinite(variance + origin))
    if len(strange):
        raise InvalidInput(
            f"Features are finite and below 1e150; column {strange[0]} has one that is not. "
            "Fill it in or rescale it."
        )
    speaks = variance > 1e-12 * spread
    deviation = np.sqrt(np.where(speaks, variance, 0.0))
    return _Score(np.zeros(x.shape[1]), np.zeros(()), mean + origin, deviation)


def _sigmoid(a: Vector) -> Vector:
    return np.asarray(np.exp(-np.logaddexp(0.0, -a)))


def _blocks(x: NDArray[Any]) -> Iterator[slice]:
    rows = max(1, _BLOCK // max(1, x.shape[1]))
    return (slice(start, start + rows) for start in range(0, len(x), rows))
