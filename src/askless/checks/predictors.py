"""The laws of the `Predictor` seam.

The situations: pools of one item to two hundred, features of every awkward kind (none at all,
constant, far from zero, more columns than items, all rows alike), and every stage of a session:
nothing known, one label, labels of one kind only or all but a per cent, refuted guesses, items
set aside, and labels that were settled and are open again.
Tested in tests/laws/test_predictor_laws.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.checks._require import require, require_refusal
from askless.checks._situations import Rng
from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.seams import Predictor

MakePredictor = Callable[[], Predictor]
Known = tuple[NDArray[np.int8], tuple[Clause, ...]]

_require = partial(require, "predictor")


def predictor_laws() -> tuple[Callable[[MakePredictor, int], None], ...]:
    """Every law of the `Predictor` seam."""
    return (
        gives_every_item_a_probability_at_every_stage,
        same_calls_same_probs,
        leaves_its_inputs_untouched,
        keeps_what_it_gave,
        predicts_the_same_once_restored,
        refuses_to_be_restored_from_something_else,
    )


def gives_every_item_a_probability_at_every_stage(make: MakePredictor, seed: int) -> None:
    """One finite number in [0, 1] per item, whatever is known, also when less is known again."""
    rng = np.random.default_rng(seed)
    x, predictor = _features(rng), make()
    _legal(predictor, x)  # before it is taught anything
    for labels, clauses in _stages(rng, len(x)):
        predictor.fit(x, labels, clauses)
        _legal(predictor, x)


def same_calls_same_probs(make: MakePredictor, seed: int) -> None:
    """Two fresh predictors told the same say the same."""
    rng = np.random.default_rng(seed)
    x, one, other = _features(rng), make(), make()
    for labels, clauses in _stages(rng, len(x)):
        one.fit(x, labels, clauses)
        other.fit(x, labels, clauses)
        same = np.array_equal(_legal(one, x), _legal(other, x))
        _require(same, "gives other probabilities after the same calls")


def leaves_its_inputs_untouched(make: MakePredictor, seed: int) -> None:
    """Features and labels are read and nothing more; features may be read-only."""
    rng = np.random.default_rng(seed)
    x, predictor = _features(rng), make()
    before = x.copy()
    for labels, clauses in _stages(rng, len(x)):
        told = labels.copy()
        predictor.fit(x, told, clauses)
        predictor.predict(x)
        _require(np.array_equal(told, labels), "changes the labels it is told")
    _require(np.array_equal(x, before), "changes the features")


def keeps_what_it_gave(make: MakePredictor, seed: int) -> None:
    """Probabilities handed out do not change under the hands of their holder, or hers under its."""
    rng = np.random.default_rng(seed)
    x, predictor = _features(rng), make()
    labels, clauses = _stage(rng, len(x), known=0.5)
    predictor.fit(x, labels, clauses)
    given = predictor.predict(x)
    kept = given.copy()
    predictor.fit(x, *_stage(rng, len(x), known=0.9))
    predictor.predict(x)
    _require(np.array_equal(given, kept), "changes probabilities it gave before")
    predictor.fit(x, labels, clauses)
    first = predictor.predict(x)
    wanted = first.copy()
    if first.flags.writeable:
        first[:] = 0.25
    _require(
        np.array_equal(predictor.predict(x), wanted),
        "gives other probabilities once somebody has written on those it gave",
    )


def predicts_the_same_once_restored(make: MakePredictor, seed: int) -> None:
    """A fresh one given the arrays, by way of a file, is as good as the one they came from."""
    rng = np.random.default_rng(seed)
    x, predictor = _features(rng), make()
    for labels, clauses in _stages(rng, len(x))[: int(rng.integers(0, 4))]:
        predictor.fit(x, labels, clauses)
    arrays = predictor.arrays()
    if arrays is None:
        return
    kinds = {name: np.asarray(array).dtype for name, array in arrays.items()}
    odd = sorted(name for name, kind in kinds.items() if kind.kind not in "biuf")
    _require(not odd, f"has arrays that do not hold numbers: {', '.join(odd)}")
    probs = _legal(predictor, x)
    stored = {name: np.array(array) for name, array in arrays.items()}
    restored = make()
    restored.fit(x, *_stage(rng, len(x), known=0.3))  # which must leave no trace
    restored.restore(stored)
    _require(np.array_equal(_legal(restored, x), probs), "predicts otherwise once restored")
    for array in stored.values():
        array[...] = 0
    _require(np.array_equal(_legal(restored, x), probs), "keeps a hold on the arrays it is given")


def refuses_to_be_restored_from_something_else(make: MakePredictor, seed: int) -> None:
    """Arrays of a stranger are refused with a sentence, and change nothing."""
    rng = np.random.default_rng(seed)
    x, predictor = _features(rng), make()
    predictor.fit(x, *_stage(rng, len(x), known=0.5))
    probs = _legal(predictor, x)
    with require_refusal("predictor", InvalidInput, "takes arrays that are not its own"):
        predictor.restore({"no such array": np.zeros(3)})
    _require(np.array_equal(_legal(predictor, x), probs), "is changed by arrays it refuses")


# --- what makes probabilities legal ----------------------------------------------------------


def _legal(predictor: Predictor, x: NDArray[Any]) -> NDArray[np.float64]:
    probs = predictor.predict(x)
    _require(isinstance(probs, np.ndarray), f"gives {type(probs)}, not an array")
    _require(probs.dtype == np.float64, f"gives numbers of {probs.dtype}, not float64")
    _require(probs.shape == (len(x),), f"gives shape {probs.shape} for {len(x)} items")
    _require(np.all((probs >= 0) & (probs <= 1)), "gives numbers that are not in [0, 1]")
    return probs


# --- situations ------------------------------------------------------------------------------


def _features(rng: Rng) -> NDArray[Any]:
    n = int(rng.choice([1, 2, 7, 60, 200]))
    kind = rng.integers(7)
    columns = int(rng.choice([0, 1, 3, 90]))
    x = rng.standard_normal((n, columns))
    if kind == 0:
        x[:] = 1.0
    elif kind == 1:
        x = x + 1e9
    elif kind == 2:
        x = x * rng.choice([1e-9, 1.0, 1e9], columns)
    elif kind == 3:
        x[:] = x[:1]
    elif kind == 4:
        x = (x > 1).astype(np.float64)
    x = x.astype(np.float32 if rng.random() < 0.5 else np.float64)
    x.flags.writeable = False
    return x


def _stages(rng: Rng, n: int) -> list[Known]:
    """What may be known at successive moments, from nothing to everything and back."""
    shares = [0.0, 1 / n, 0.3, 0.7, 1.0, 0.2]
    return [_stage(rng, n, known) for known in shares]


def _stage(rng: Rng, n: int, known: float) -> Known:
    labels = np.full(n, -1, np.int8)
    rate = rng.choice([0.0, 0.01, 0.1, 0.5, 1.0])
    items = rng.permutation(n)
    settled = items[: round(known * n)]
    labels[settled] = rng.random(len(settled)) < rate
    rest = items[len(settled) :]
    labels[rest[rng.random(len(rest)) < 0.1]] = -2
    opened = np.flatnonzero(labels == -1)
    clauses = []
    for number in range(int(rng.integers(0, 4)) if len(opened) >= 2 else 0):
        held = rng.permutation(opened)[: rng.integers(2, 6)]
        # An open clause fixes the guess of its items, so two clauses never disagree.
        clauses.append(Clause(tuple(held.tolist()), tuple((held % 2 == 0).tolist()), number))
    labels.flags.writeable = False
    return labels, tuple(clauses)
