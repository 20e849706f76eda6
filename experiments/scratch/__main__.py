"""Learning while asking: ``python -m experiments.scratch [POOL ...] [options]``.

Every pool (`experiments.scratch.pools` says which kinds) is labelled from one random label with
the default predictor and planner, one setting for all, under each cap and objective, once
a seed. Without pools all files in ``$ASKLESS_DATA`` that can be learnt from are taken or, where
that is not set, the public sets, fetched when first needed (`experiments.originals`). Runs
already on file are kept, so a run that was stopped goes on where it was. ``--add FILE`` takes up
results made elsewhere; ``--draw`` draws figures and tables and measures nothing.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

from askless.planners.schedule import DEFAULT_SCHEDULE
from experiments.originals import NAMES, pool_file
from experiments.scratch.cells import Cell, measure
from experiments.scratch.pools import USUAL, load, set_names
from experiments.scratch.results import RESULTS, add_result, read_results, write_results


def main() -> None:
    """Do what the command line says."""
    options = _parser().parse_args()
    if options.add:
        results = read_results(options.out)
        for file in options.add:
            results |= read_results(file)
        write_results(results, options.out)
    elif not options.draw:
        _measure(options)
    if options.draw or options.add:
        from experiments.scratch.figures import draw_all  # needs matplotlib, measuring does not
        from experiments.scratch.table import write_tables

        results = read_results(options.out)
        draw_all(results, options.out.parent)
        write_tables(results, options.out.parent / "README.md")


def _measure(options: argparse.Namespace) -> None:
    began = time.monotonic()
    done = read_results(options.out)
    cells = [cell for cell in _cells(options) if cell.name not in done]
    pools = dict.fromkeys((cell.path, cell.sets) for cell in cells)
    with ProcessPoolExecutor(options.jobs) as work:
        ready = [work.submit(_warm, path, sets) for path, sets in pools]
        for made in as_completed(ready):
            made.result()
        runs = {work.submit(measure, cell): cell for cell in cells}
        left = None if options.minutes is None else 60 * options.minutes - time.monotonic() + began
        try:
            for future in as_completed(runs, timeout=left):
                _keep(runs[future], future, options.out)
        except TimeoutError:
            _stop(work, runs)
            sys.exit("The minutes are over; the same command goes on from here.")


def _warm(path: Path, sets: str) -> None:
    """Have features and kernels on disk before the runs, which would all make them at once."""
    load(path, sets)


def _keep(cell: Cell, future: Future[dict[str, Any]], out: Path) -> None:
    found = future.result()
    add_result(cell.name, found, out)
    shown = ("questions", "questions_at", "prequential_bits", "calibration_error", "run_s")
    print(cell.name, {name: found[name] for name in shown}, flush=True)


def _stop(work: Executor, runs: dict[Future[dict[str, Any]], Cell]) -> None:
    for future in runs:
        future.cancel()
    for process in getattr(work, "_processes", {}).values():
        process.kill()


def _cells(options: argparse.Namespace) -> list[Cell]:
    paths, choices = options.pools or _pools(), options.sets or [USUAL]
    names = {(path, sets): set_names(path, sets) for path in paths for sets in choices}
    found = []
    for objective, cap, sets, prior, schedule, path, seed in itertools.product(
        options.objectives.split(","),
        options.caps.split(","),
        choices,
        options.prior.split(","),
        options.schedules.split(","),
        paths,
        range(options.seeds),
    ):
        name = DEFAULT_SCHEDULE[objective] if schedule == "best" else schedule
        known = names[path, sets]
        found.append(Cell(path, known, prior, cap, objective, name, seed))
    return found


def _pools() -> list[Path]:
    """Whatever in the data folder has labels and something to learn from, or the public sets."""
    folder = os.environ.get("ASKLESS_DATA")
    if not folder:
        return [pool_file(name) for name in NAMES]
    found = []
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                if {"images", "x"} & set(file.files):
                    found.append(path)
        elif path.suffix == ".csv":
            found.append(path)
    if not found:
        sys.exit(
            f"ASKLESS_DATA must name a folder with pools; {folder} has none. Name files, or leave "
            "it unset to have the public sets fetched."
        )
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments.scratch")
    parser.add_argument("pools", metavar="POOL", nargs="*", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--caps", default="none,64,8", help="the most items in a question")
    parser.add_argument("--objectives", default="questions,labels")
    parser.add_argument("--sets", action="append", help="feature sets with commas between; repeat")
    parser.add_argument("--prior", default="none", help="none, with, alone")
    parser.add_argument("--schedules", default="best")
    parser.add_argument("--jobs", type=int, default=1, help="how many runs at a time")
    parser.add_argument("--minutes", type=float, help="stop after so many")
    parser.add_argument("--out", metavar="FILE", type=Path, default=RESULTS)
    parser.add_argument("--add", metavar="FILE", nargs="*", type=Path)
    parser.add_argument("--draw", action="store_true")
    return parser


if __name__ == "__main__":
    main()
