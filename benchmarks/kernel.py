"""How long the kernel predictor takes, and how much memory: a large pool, and a usual one.

    python -m benchmarks.kernel [--items 1000000] [--columns 384] [--labels 1000] [--json FILE]

Made-up features around some hundred centres; a label is that of its centre, one in twenty is
turned round. The large pool: making the kernel (once for a pool), a first fit to many labels, a fit
to fifty more, one to a single label more, which waits for others, and the probabilities of all
items. The usual one: 6,000 items with four feature sets, as pictures have, fitted after every one
of 200 answers of 1 to 16 labels. Times are for this machine, and for the threads that numpy was
allowed: ``OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2 taskset -c 0,1 python -m benchmarks.kernel``
for two.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.predictors.kernel import Kernel
from askless.predictors.kernel_basis import kernel_basis

TYPICAL_ITEMS: Final = 6000
_TYPICAL_COLUMNS: Final = 1200
_SETS: Final = 4
_ANSWERS: Final = 200
_MOST_LABELS: Final = 16
_CENTRES: Final = 200
_TURNED: Final = 0.05
_ROWS: Final = 50_000

Pool = tuple[NDArray[np.float32], NDArray[np.bool_]]


def pool(items: int, columns: int) -> Pool:
    """Features and right labels."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((_CENTRES, columns)).astype(np.float32)
    group = rng.integers(0, _CENTRES, items)
    x = np.empty((items, columns), np.float32)
    for start in range(0, items, _ROWS):
        part = group[start : start + _ROWS]
        noise = rng.standard_normal((len(part), columns), dtype=np.float32)
        x[start : start + _ROWS] = centres[part] + noise
    return x, (group % 3 == 0) ^ (rng.random(items) < _TURNED)


def large(items: int, columns: int, labels: int) -> dict[str, float]:
    """Seconds and bytes of a large pool."""
    x, truth = pool(items, columns)
    found: dict[str, float] = {"items": items, "columns": columns, "labels": labels}
    found["features_gb"] = x.nbytes / 1e9
    began = time.perf_counter()
    basis = kernel_basis(x)
    found["kernel_s"] = time.perf_counter() - began
    found["kernel_gb"] = basis.columns.nbytes / 1e9
    del x
    kernel = Kernel(blocks=basis.blocks)
    order = np.random.default_rng(1).permutation(items)
    known = np.full(items, -1, np.int8)
    told = 0
    for name, more in {"first_fit_s": labels, "refit_50_s": 50, "refit_1_s": 1}.items():
        new = order[told : told + more]
        known[new] = truth[new]
        told += more
        found[name] = _seconds(lambda: kernel.fit(basis.columns, known))
    found["predict_s"] = _seconds(lambda: kernel.predict(basis.columns))
    found["accuracy"] = float(np.mean((kernel.predict(basis.columns) > 0.5) == truth))
    found["most_memory_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return found


def usual(items: int) -> dict[str, float]:
    """Seconds of every fit to a pool with several feature sets."""
    x, truth = pool(items, _TYPICAL_COLUMNS)
    began = time.perf_counter()
    basis = kernel_basis({str(at): x[:, at::_SETS] for at in range(_SETS)})
    found: dict[str, float] = {"items": items, "kernel_s": time.perf_counter() - began}
    kernel = Kernel(blocks=basis.blocks)
    rng = np.random.default_rng(1)
    order, known = rng.permutation(items), np.full(items, -1, np.int8)
    ends = np.cumsum(rng.integers(1, _MOST_LABELS + 1, _ANSWERS))
    spent = []
    for end in ends[ends <= items]:
        known[order[:end]] = truth[order[:end]]
        spent.append(_seconds(lambda: kernel.fit(basis.columns, known)))
    found["labels"] = int(np.count_nonzero(known >= 0))
    found["fit_median_s"], found["fit_most_s"] = float(np.median(spent)), max(spent)
    return found


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernel")
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=384)
    parser.add_argument("--labels", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    parts = {
        "usual": usual(min(TYPICAL_ITEMS, options.items)),
        "large": large(options.items, options.columns, options.labels),
    }
    found = {
        "cores": len(os.sched_getaffinity(0)),
        **{
            part: {name: round(value, 3) for name, value in figures.items()}
            for part, figures in parts.items()
        },
    }
    print(json.dumps(found, indent=1))
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
