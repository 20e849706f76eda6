"""The pools of the study, small enough for a run to take seconds.

The bundled demo and pools made here are always there. Where ``$ASKLESS_DATA`` is set, the first
items of the public sets join them (`experiments.originals` says which they are). A pool is a
question about some items: what to learn from, or probabilities, and the right labels.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.lab.known_pool import KnownPool, known_pool
from askless.pools import demo, open_pool
from askless.pools.arrays import open_arrays
from experiments.limits.pools import draw_pool

CACHE: Final = Path(__file__).parents[2] / "build" / "forecast"
_DATA: Final = os.environ.get("ASKLESS_DATA", "")


@cache
def load(name: str) -> KnownPool:
    """The pool of this name."""
    return _made()[name]()


def names() -> list[str]:
    """Every pool that is there."""
    return list(_made())


def _made() -> Mapping[str, Callable[[], KnownPool]]:
    found: dict[str, Callable[[], KnownPool]] = {
        "demo footwear": lambda: _pictures(demo.PICTURES, 2000, "footwear"),
        "demo tops": lambda: _demo_tops(),
        "demo tops given": lambda: _given(demo.PATH, 2000),
        "table linear": lambda: _table(2000, 8, "linear", 0.0),
        "table curved": lambda: _table(3000, 6, "curved", 0.0),
        "table rare": lambda: _table(2500, 10, "rare", 0.0),
        "table noisy": lambda: _table(1500, 8, "linear", 0.08),
        "given A": lambda: _drawn("A", 3000),
        "given B": lambda: _drawn("B", 1500),
        "given C": lambda: _drawn("C", 4000),
    }
    if _DATA:
        first, tables, given = (
            Path(_DATA) / part for part in ("first6000", "tables", "predictions")
        )
        found |= {
            "mnist high": lambda: _pictures(first / "mnist.npz", 2000, "labels", range(5, 10)),
            "mnist threes": lambda: _pictures(first / "mnist.npz", 2000, "labels", (3,)),
            "fashion high": lambda: _pictures(
                first / "fashion_mnist.npz", 2000, "labels", range(5, 10)
            ),
            "fashion bags": lambda: _pictures(first / "fashion_mnist.npz", 2000, "labels", (8,)),
            "cifar10 animals": lambda: _pictures(
                first / "cifar10.npz", 1500, "labels", (2, 3, 4, 5, 6, 7)
            ),
            "svhn high": lambda: _pictures(first / "svhn.npz", 1500, "labels", range(5, 10)),
            "sms spam": lambda: _texts(tables / "sms_spam.csv", 2500),
            "htru2": lambda: _rows(tables / "htru2.npz", 2500),
            "svhn given": lambda: _given(given / "svhn.npz", 3000),
            "cifar10 given": lambda: _given(given / "cifar10.npz", 1500),
        }
    return found


def _pictures(path: Path, n: int, label: str, positive: Any = (1,)) -> KnownPool:
    with np.load(path, allow_pickle=False) as file:
        truth = np.isin(file[label][:n].astype(int), list(positive))
        return known_pool(open_arrays(file["images"][:n], known=truth))


def _demo_tops() -> KnownPool:
    with np.load(demo.PICTURES, allow_pickle=False) as file, np.load(demo.PATH) as other:
        return known_pool(open_arrays(file["images"], known=other["positive"]))


def _given(path: Path, n: int) -> KnownPool:
    with np.load(path, allow_pickle=False) as file:
        return KnownPool(Probs(file["probs"][:n].astype(np.float64)), file["positive"][:n])


def _drawn(name: str, n: int) -> KnownPool:
    drawn = draw_pool(name, n, 0)
    return KnownPool(Probs(drawn.probs), drawn.labels)


def _texts(path: Path, n: int) -> KnownPool:
    CACHE.mkdir(parents=True, exist_ok=True)
    part = CACHE / f"{path.stem}-{n}.csv"
    if not part.exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row, _ in zip(csv.reader(file), range(n + 1), strict=False)]
        with part.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
    return known_pool(open_pool(part, text="text", label="label", true="1"))


def _rows(path: Path, n: int) -> KnownPool:
    with np.load(path, allow_pickle=False) as file:
        kept = np.random.default_rng(0).permutation(len(file["y"]))[:n]
        return known_pool(open_arrays(file["x"][kept], known=file["y"][kept] == 1))


def _table(n: int, columns: int, kind: str, flipped: float) -> KnownPool:
    """Rows whose label is a function of them, but for a share that is flipped at random."""
    rng = np.random.default_rng([n, columns])
    x: NDArray[Any] = rng.normal(size=(n, columns))
    score = x @ rng.normal(size=columns) / np.sqrt(columns)
    if kind == "curved":
        score = np.abs(x[:, 0]) + np.abs(x[:, 1]) - 1.5 + 0.3 * x[:, 2]
    truth = score > (np.quantile(score, 0.95) if kind == "rare" else 0.0)
    return known_pool(open_arrays(x, known=truth ^ (rng.random(n) < flipped)))
