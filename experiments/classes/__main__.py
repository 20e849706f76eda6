"""More than two classes: questions over bits on calibrated pools, and real pools from scratch.

    python -m experiments.classes [--only calibrated|mnist|fashion_mnist] [--seeds N]

Real pools are ``first6000/NAME.npz`` in the folder that ASKLESS_DATA names. Every finished cell is
a line of results.jsonl, and cells that are there already are not run again; ``--table`` only writes
the tables of README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.assemble.class_simulation import open_class_pool, simulate_pool
from askless.lab.class_simulation import ClassPace, class_report, simulate_classes
from experiments.classes.table import write_tables

HERE = Path(__file__).parent
RESULTS = HERE / "results.jsonl"
CLASSES = 10
CALIBRATED = ((1500, 2.0), (1500, 4.0), (6000, 8.0), (6000, 16.0), (6000, 40.0), (6000, 100.0))
"""Items, and the scale of the logits."""
CAPS: tuple[int | None, ...] = (None, 64, 8)
GRID = 24


def calibrated_pool(
    n: int, scale: float, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Class probabilities from normal logits, scaled item by item, and labels drawn from them."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(n, CLASSES)) * scale * np.exp(0.6 * rng.normal(size=(n, 1)))
    p = np.exp(logits - logits.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    labels = (rng.random((n, 1)) > p.cumsum(1)).sum(1).clip(0, CLASSES - 1)
    return p, labels.astype(np.int8)


def cells(only: str | None, seeds: int) -> Iterator[dict[str, Any]]:
    """What is to be measured, the quick ones first."""
    for seed in range(seeds):
        for pool in ("mnist", "fashion_mnist"):
            if only in (None, pool):
                yield {"pool": pool, "channel": "typed", "max_n": GRID, "seed": seed}
                for max_n in CAPS:
                    yield {"pool": pool, "channel": "yes-no", "max_n": max_n, "seed": seed}
        for n, scale in CALIBRATED:
            for max_n in CAPS:
                if only in (None, "calibrated"):
                    yield {"pool": "calibrated", "n": n, "scale": scale, "max_n": max_n,
                           "seed": seed}  # fmt: skip


def measured(cell: dict[str, Any], cache: Path) -> dict[str, Any]:
    """The report of one cell."""
    began = time.process_time()
    if cell["pool"] == "calibrated":
        probs, labels = calibrated_pool(cell["n"], cell["scale"], cell["seed"])
        run = simulate_classes(labels, CLASSES, probs, max_n=cell["max_n"])
        report = class_report(run, ClassPace(), probs, cell["max_n"])
        report["top_right"] = float(np.mean(probs.argmax(1) == labels))
    else:
        path = Path(os.environ["ASKLESS_DATA"]) / "first6000" / f"{cell['pool']}.npz"
        pool = open_class_pool(path, label="labels")
        report = simulate_pool(
            pool, max_n=cell["max_n"], answers=cell["channel"], seed=cell["seed"], cache=cache
        )
    report["cpu_s"] = round(time.process_time() - began, 1)
    assert report["all_right"]
    return {**report, **cell}


def main() -> None:
    """Measure what is missing, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=("calibrated", "mnist", "fashion_mnist"))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    rows = [json.loads(line) for line in lines]
    with tempfile.TemporaryDirectory() as folder:
        cache = arguments.cache or Path(folder)
        for cell in cells(arguments.only, 0 if arguments.table else arguments.seeds):
            if any(all(row.get(key) == cell[key] for key in cell) for row in rows):
                continue
            rows.append(measured(cell, cache))
            with RESULTS.open("a") as file:
                file.write(json.dumps(rows[-1]) + "\n")
            print(cell, rows[-1]["questions"], round(rows[-1]["seconds"]), flush=True)
    write_tables(rows, HERE / "README.md")


if __name__ == "__main__":
    main()
