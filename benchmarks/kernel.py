"""How long the kernel predictor takes on a large pool, and how much memory.

    python -m benchmarks.kernel [--items 1000000] [--columns 384] [--labels 1000] [--json FILE]

Made-up features around some hundred centres; a label is that of its centre. Measured: making
the kernel (once for a pool), a first fit to many labels, a fit to a few more, one to a single
label more, and the probabilities of all items. Times are for this machine.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from askless.predictors.kernel import Kernel
from askless.predictors.kernel_basis import kernel_basis

_CENTRES = 200
_ROWS = 50_000


def pool(items: int, columns: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Features and right labels."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((_CENTRES, columns)).astype(np.float32)
    group = rng.integers(0, _CENTRES, items)
    x = np.empty((items, columns), np.float32)
    for start in range(0, items, _ROWS):
        part = group[start : start + _ROWS]
        noise = rng.standard_normal((len(part), columns), dtype=np.float32)
        x[start : start + _ROWS] = centres[part] + noise
    return x, group % 3 == 0


def measure(items: int, columns: int, labels: int) -> dict[str, float]:
    """Seconds and bytes."""
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
        began = time.perf_counter()
        kernel.fit(basis.columns, known)
        found[name] = time.perf_counter() - began
    began = time.perf_counter()
    probs = kernel.predict(basis.columns)
    found["predict_s"] = time.perf_counter() - began
    found["accuracy"] = float(np.mean((probs > 0.5) == truth))
    found["most_memory_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return found


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernel")
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=384)
    parser.add_argument("--labels", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = {
        name: round(value, 3)
        for name, value in measure(options.items, options.columns, options.labels).items()
    }
    print(json.dumps(found, indent=1))
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
