"""Measure, draw and tabulate: ``python -m experiments.pretrained [FILE ...] [options]``.

A FILE is an ``.npz`` with ``probs``, P(label is True), and ``positive``, the truth; without any,
all files in ``$ASKLESS_DATA/predictions`` are taken. Cells already in ``results.json`` are kept,
so a run that was stopped goes on where it was. ``--again TEXT`` measures the cells whose name
contains TEXT again, ``--again ""`` all of them; ``--draw`` measures nothing and makes the figure
and the tables from the results on file. Needs matplotlib (the ``experiments`` extra).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from askless.assemble import load_pool
from experiments.pretrained import figures, table
from experiments.pretrained.cells import CAPS, METHODS, cell_name, measure, measure_pool
from experiments.pretrained.results import RESULTS, Results, read_results, write_results


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.pretrained", description="The paper's fixed predictors."
    )
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path, help="predictions, .npz")
    parser.add_argument("--again", metavar="TEXT", help="measure cells with this in their name")
    parser.add_argument("--draw", action="store_true", help="draw from the results on file")
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="where to keep the results")
    options = parser.parse_args()
    path = RESULTS if options.out is None else options.out / RESULTS.name
    path.parent.mkdir(parents=True, exist_ok=True)
    results = read_results(path)
    if not options.draw:
        _measure(results, options.files or _files(), options.again, path)
    figures.draw_all(results, path.parent)
    if options.out is None:
        table.put_in_readme(results)
    print(f"wrote {path}, the figure, and these tables:\n\n{table.tables(results)}")


def _files() -> list[Path]:
    folder = os.environ.get("ASKLESS_DATA")
    files = sorted(Path(folder, "predictions").glob("*.npz")) if folder else []
    if not files:
        sys.exit(
            "There are no predictions: name .npz files with 'probs' and 'positive', or set "
            "ASKLESS_DATA to a folder that has some in predictions/."
        )
    return files


def _measure(results: Results, files: list[Path], again: str | None, path: Path) -> None:
    began = time.monotonic()
    for file in files:
        pool = load_pool(file)
        found = results.setdefault(file.stem, {"pool": {}, "cells": {}})
        if not found["pool"] or again is not None:
            found["pool"] = measure_pool(pool)
        asked = {cell_name(method, max_n): (method, max_n) for max_n in CAPS for method in METHODS}
        kept = {name: cell for name, cell in found["cells"].items() if name in asked}
        if again is not None:
            kept = {name: cell for name, cell in kept.items() if again not in name}
        for name, (method, max_n) in asked.items():
            if name not in kept:
                print(f"{time.monotonic() - began:6.0f} s  {file.stem}: {name}", flush=True)
                kept[name] = measure(pool, method, max_n)
            found["cells"] = {name: kept[name] for name in asked if name in kept}
            write_results(results, path)


if __name__ == "__main__":
    main()
