"""How long it takes to find items like one, exactly, and groups of near-duplicates.

    .venv/bin/python -m benchmarks.neighbours --json benchmarks/results/neighbours.json

Columns are random, in half precision, as many as the model of such a pool has, with a near copy of
every hundredth row; the file is in the page cache. Wall time and CPU of this process; recall is the
share of these copies that are found.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np

from askless.app.neighbours import Columns, Neighbours
from askless.files.arrays import write_array


def measure(n: int, folder: Path) -> dict[str, float]:
    """One row of the table."""
    width = 255 if n > 50_000 else 600
    rng = np.random.default_rng(0)
    rows = np.empty((n, width), np.float16)
    for at in range(0, n, 10_000):
        rows[at : at + 10_000] = rng.standard_normal((min(10_000, n - at), width))
    copied = np.arange(0, n - 1, 100)
    rows[copied + 1] = rows[copied] + rng.standard_normal((len(copied), width)) * 0.2
    path = folder / f"{n}.npy"
    write_array(path, rows)
    del rows
    alike = Neighbours(n)
    alike.use(Columns(path, width))
    taken = []
    for item in (5, 6, 7):  # the first measures the lengths too
        began = time.perf_counter(), time.process_time()
        alike.likeness(item)
        taken.append((time.perf_counter() - began[0], time.process_time() - began[1]))
    began = time.perf_counter(), time.process_time()
    alike.groups()
    alike.wait()
    wall, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
    groups = alike.groups()
    assert groups is not None
    found = (groups[copied] == groups[copied + 1]) & (groups[copied] >= 0)
    first, again = taken[0], min(taken[1:])
    return {
        "items": n,
        "columns": width,
        "like_first_ms": 1000 * first[0],
        "like_first_cpu_ms": 1000 * first[1],
        "like_ms": 1000 * again[0],
        "like_cpu_ms": 1000 * again[1],
        "near_s": wall,
        "near_cpu_s": cpu,
        "near_recall": float(found.mean()),
    }


def main() -> None:
    """Measure, print, and save if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, nargs="+", default=[2_000, 100_000, 1_000_000])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as made:
        for items in arguments.items:
            rows.append(measure(items, Path(made)))
            print("  ".join(f"{name} {value:,.3g}" for name, value in rows[-1].items()), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
