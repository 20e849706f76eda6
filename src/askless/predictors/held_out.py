"""What the other labels say about each label: kernel ridge regression with questions left out.

Also known as leave-one-out and leave-group-out cross-validation in closed form, or the PRESS
residuals. Not to be confused with a fitted probability, which has seen the label it is about.

With columns C of the labelled items, labels y = +-1 and the ridge r,

    H = C (C'C + r)^-1 C',   f = H y,   y_S - (I - H_SS)^-1 (y_S - f_S)

is what a fit without the items S predicts for them, exactly. S is all that one question settled, so
no label vouches for itself or for those that were said in the same breath. A question that settled
more than a twentieth of the labels is left out in parts of that size: without all of one label,
nothing would be known about it. The ridge is the one
with the least squared error when single labels are left out.

Scores become probabilities by P(y = 1) = e + (1 - 2 e) Phi(a s + b), fitted to the labels. The rate
e of labels that contradict what the score is sure of is given beside the probabilities
Phi(a s + b), which are of the right label, not of the one that was given.

Cost: O(n D^2) for D columns, seconds at 100,000 items; not for the path of a request. Needs scipy.
Used by `askless.app.mistakes`; tested in tests/predictors/test_held_out.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput

Floats = NDArray[np.float64]

_RIDGES: Final = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
_ROWS: Final = 20_000  # of the columns in one product
_FEWEST: Final = 20
"""With fewer labels, or fewer than two of a kind, nothing can be said."""
_MOST: Final = 0.05  # of the labels are left out together
_BINS: Final = 400
_SLOPES: Final = np.exp(np.linspace(np.log(0.5), np.log(12.0), 40))
_OFFSETS: Final = np.linspace(-1.0, 1.0, 41)
_NOISE: Final = np.array([0.0003, 0.001, 0.002, 0.004, 0.007, 0.01, 0.015, 0.02, 0.03, 0.045, 0.07])


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """What the labels of other questions say.

    Parameters
    ----------
    probs
        P(label is True) of every item, shape (n,); one half where nothing is known.
    noise
        The rate of labels that contradict what they are surest of.
    """

    probs: Floats
    noise: float


def held_out_probs(
    columns: NDArray[Any], labels: NDArray[np.int8], groups: NDArray[np.int64]
) -> HeldOut | None:
    """P(label is True) for every settled item, from the labels of other groups alone.

    Parameters
    ----------
    columns
        Shape (n, D), perhaps memory-mapped.
    labels
        1 and 0 for settled labels; anything below for the others.
    groups
        Items of one group are left out together; below 0, an item is left out alone.

    Returns None where the labels are too few.
    """
    if not len(columns) == len(labels) == len(groups):
        raise InvalidInput(
            "Columns, labels and groups have a row for every item; "
            f"got {len(columns)}, {len(labels)} and {len(groups)}."
        )
    items = np.flatnonzero(labels >= 0)
    signs = np.where(labels[items] == 1, 1.0, -1.0)
    if len(items) < _FEWEST or min(np.sum(signs > 0), np.sum(signs < 0)) < 2:
        return None
    parts = _in_parts(groups[items], max(1, round(_MOST * len(items))))
    scores = held_out_scores(columns, items, signs, parts)
    slope, offset, noise = _fit_probit(scores, signs)
    from scipy.special import ndtr

    probs = np.full(len(labels), 0.5)
    probs[items] = ndtr(slope * scores + offset)
    return HeldOut(np.clip(probs, 1e-6, 1 - 1e-6), noise)


def held_out_scores(
    columns: NDArray[Any], items: NDArray[np.intp], signs: Floats, groups: NDArray[np.int64]
) -> Floats:
    """The score of each item by a fit without its group; `groups` and `signs` are of `items`."""
    parts = [slice(at, at + _ROWS) for at in range(0, len(items), _ROWS)]
    d = columns.shape[1] + 1
    gram = np.zeros((d, d))
    for part in parts:
        rows = _rows(columns, items[part])
        gram += (rows.T @ rows).astype(np.float64)
    values, axes = np.linalg.eigh(gram)
    turned = np.empty((len(items), d), np.float32)
    for part in parts:
        turned[part] = _rows(columns, items[part]) @ axes.astype(np.float32)
    onto = turned.T @ signs.astype(np.float32)
    squares = np.square(turned)
    best, scale = np.inf, np.zeros(d)
    for ridge in _RIDGES:
        tried = 1.0 / (np.maximum(values, 0.0) + ridge)
        fitted, own = turned @ (tried * onto), squares @ tried
        left_out = (signs - fitted) / np.maximum(1.0 - own, 1e-6)
        if (error := float(left_out @ left_out)) < best:
            best, scale, residuals = error, tried, left_out
    del squares
    fitted = turned @ (scale * onto)
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=np.iinfo(np.int64).min))
    for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
        if stop - start > 1 and groups[order[start]] >= 0:
            some = order[start:stop]
            residuals[some] = _left_out_together(turned[some], scale, signs[some] - fitted[some])
    return np.asarray(signs - residuals, np.float64)


def _in_parts(groups: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """The groups, renumbered, with those above `most` items in parts; -1 stays alone."""
    order = np.argsort(groups, kind="stable")
    starts = np.diff(groups[order], prepend=np.iinfo(np.int64).min) != 0
    place = np.arange(len(groups)) - np.maximum.accumulate(
        np.where(starts, np.arange(len(groups)), 0)
    )
    parts = np.empty(len(groups), np.int64)
    parts[order] = np.cumsum(place % most == 0)
    parts[groups < 0] = -1
    return parts


def _rows(columns: NDArray[Any], items: NDArray[np.intp]) -> NDArray[np.float32]:
    """Those rows, with a constant column behind."""
    rows = np.asarray(columns[items], np.float32)
    return np.concatenate([rows, np.full((len(rows), 1), 2.0, np.float32)], axis=1)


def _left_out_together(rows: NDArray[np.float32], scale: Floats, residuals: Floats) -> Floats:
    """(I - H_SS)^-1 r, by whichever of the two sizes is the smaller."""
    rows64 = rows.astype(np.float64)
    if len(rows) <= rows.shape[1]:
        hat = (rows64 * scale) @ rows64.T
        return np.asarray(np.linalg.solve((1 + 1e-6) * np.eye(len(rows)) - hat, residuals))
    rest = np.diag(1.0 / scale) - rows64.T @ rows64 + 1e-6 * np.eye(rows.shape[1])
    return np.asarray(residuals + rows64 @ np.linalg.solve(rest, rows64.T @ residuals))


def _fit_probit(scores: Floats, signs: Floats) -> tuple[float, float, float]:
    """a, b and e of the module's formula, the likeliest of a grid, over binned scores."""
    from scipy.special import ndtr

    edges = np.linspace(-2.0, 2.0, _BINS + 1)
    place = np.clip(np.searchsorted(edges, scores) - 1, 0, _BINS - 1)
    positive = np.bincount(place[signs > 0], minlength=_BINS).astype(np.float64)
    negative = np.bincount(place[signs < 0], minlength=_BINS).astype(np.float64)
    seen = positive + negative > 0
    middle = ((edges[:-1] + edges[1:]) / 2)[seen]
    positive, negative = positive[seen], negative[seen]
    best, found = -np.inf, (1.0, 0.0, 0.01)
    for slope in _SLOPES:
        curve = ndtr(slope * (middle + _OFFSETS[:, None]))  # by offset and bin
        for noise in _NOISE:
            p = noise + (1 - 2 * noise) * curve
            likelihood = np.log(p) @ positive + np.log1p(-p) @ negative
            at = int(np.argmax(likelihood))
            if likelihood[at] > best:
                best, found = float(likelihood[at]), (slope, slope * _OFFSETS[at], float(noise))
    return float(found[0]), float(found[1]), found[2]
