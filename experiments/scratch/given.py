"""What given probabilities can be worth beside learning, in hindsight.

    python -m experiments.scratch.given POOL --sets SETS [--seed 0]

The kernel learns the labels of a pool (`experiments.scratch.pools`) in random order, without the
given probabilities, and predicts each before it is learnt: that is the learnt score. Afterwards a
logistic regression, ten-fold, finds the best use of the learnt score, of the given one, and of
both, with all labels at hand. Trust in the given one may differ over the pool: boosted trees
that see the first columns of the kernels too look for that, with the given score and without.
Nobody can ask that way; it says how much is there to be had. The code lengths are added to
``given.jsonl``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.bounds import code_length_bits
from askless.predictors.kernel import Kernel
from experiments.scratch.pools import load

Floats = NDArray[np.float64]

GIVEN: Final = Path(__file__).with_name("given.jsonl")
_CHUNK: Final = 64
_COLUMNS: Final = 40  # of the kernels, for the trees


def prequential_probs(
    columns: NDArray[Any], blocks: Any, labels: NDArray[np.bool_], seed: int
) -> Floats:
    """P(label is True) of every item, said when those before it in a random order were known."""
    kernel, n = Kernel(blocks=blocks), len(labels)
    order, known, said = np.random.default_rng(seed).permutation(n), np.full(n, -1, np.int8), []
    for start in range(0, n, _CHUNK):
        now = order[start : start + _CHUNK]
        said.append(kernel.predict(columns)[now])
        known[now] = labels[now]
        kernel.fit(columns, known)
    found = np.empty(n)
    found[order] = np.concatenate(said)
    return found


def best_bits(scores: list[Floats], labels: NDArray[np.bool_]) -> float:
    """Code length of the labels under the best logistic regression on the scores."""
    from sklearn.linear_model import LogisticRegression

    columns = np.stack([part for s in scores for part in (s, s / (1 + np.abs(s)))], axis=1)
    return _bits(LogisticRegression(), columns, labels)


def tree_bits(scores: list[Floats], columns: NDArray[Any], labels: NDArray[np.bool_]) -> float:
    """The same under boosted trees on the scores and on columns that tell where an item lies."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    trees = HistGradientBoostingClassifier(
        max_iter=120,
        learning_rate=0.05,
        max_leaf_nodes=12,
        min_samples_leaf=40,
        l2_regularization=5.0,
        random_state=0,
    )
    return _bits(trees, np.column_stack([*scores, columns]), labels)


def _bits(model: Any, columns: NDArray[Any], labels: NDArray[np.bool_]) -> float:
    from sklearn.model_selection import cross_val_predict

    chance = cross_val_predict(model, columns, labels, cv=10, method="predict_proba")[:, 1]
    return code_length_bits(chance, labels)


def _logit(probs: Floats) -> Floats:
    p = np.clip(probs, 1e-7, 1 - 1e-7)
    return np.asarray(np.log(p) - np.log1p(-p))


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.scratch.given")
    parser.add_argument("pool", type=Path)
    parser.add_argument("--sets", required=True)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    pool = load(options.pool, options.sets)
    if pool.prior is None:
        raise SystemExit(f"{options.pool} comes without probabilities.")
    learnt = _logit(prequential_probs(pool.columns, pool.blocks, pool.labels, options.seed))
    given = _logit(pool.prior)
    found = {"pool": options.pool.stem, "sets": options.sets, "seed": options.seed}
    for name, scores in {"learnt": [learnt], "given": [given], "both": [learnt, given]}.items():
        found[name] = round(best_bits(scores, pool.labels))
    places = pool.columns[:, :_COLUMNS]
    found["trees_learnt"] = round(tree_bits([learnt], places, pool.labels))
    found["trees_both"] = round(tree_bits([learnt, given], places, pool.labels))
    print(json.dumps(found))
    with GIVEN.open("a", encoding="utf-8") as file:
        file.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
