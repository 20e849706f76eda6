"""The same cells on other predictors, several seeds: ``python -m experiments.pretrained.others``.

The predictors are those of `experiments.pretrained.shallow` whose data are here (at least
two that come with scikit-learn), and the prediction files named on the command line. A seed
fixes what a predictor learns from and what the planners draw at random. Without curves; results
are kept in ``others.json`` as soon as there are some, and a run that was stopped goes on where it
was. ``--seeds N`` takes seeds 0 to N - 1, ``--jobs N`` so many processes at once, ``--only TEXT``
the predictors with this in their name, ``--again TEXT`` measures the cells with this in their name
again, ``--results FILE`` keeps the results elsewhere, ``--draw`` only makes the tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Final

from askless.assemble import load_pool
from askless.lab.known_pool import KnownPool
from experiments.pretrained import others_table
from experiments.pretrained.cells import CAPS, VARIANTS, cell_name, measure, measure_pool
from experiments.pretrained.results import Results, read_results, write_results
from experiments.pretrained.shallow import SHALLOW, predicted, present

RESULTS: Final = Path(__file__).with_name("others.json")
METHODS: Final = (*VARIANTS, "auto questions, recalibrated", "auto labels, recalibrated")
KEPT: Final = ("questions", "questions_for_2500_labels", "items_shown", "chosen")

CELLS: Final = {cell_name(method, cap): (method, cap) for cap in CAPS for method in METHODS}

Cells = dict[str, dict[str, Any]]
Task = tuple[str, int, Cells]
"""The name of a predictor, or a file, a seed, and the cells that need not be measured."""


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.pretrained.others", description="Other predictors."
    )
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path, help="predictions, .npz")
    parser.add_argument("--seeds", metavar="N", type=int, default=3)
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes at once")
    parser.add_argument("--only", metavar="TEXT", default="", help="names with this in them")
    parser.add_argument("--again", metavar="TEXT", help="measure cells with this in their name")
    parser.add_argument("--results", metavar="FILE", type=Path, help="where to keep the results")
    parser.add_argument("--draw", action="store_true", help="only make the tables")
    options = parser.parse_args()
    path = options.results or RESULTS
    results = read_results(path)
    if not options.draw:
        names = [name for name in SHALLOW if present(name)]
        names += [str(file) for file in options.files]
        names = [name for name in names if options.only in name]
        tasks = [
            (name, seed, kept)
            for name in names
            for seed in range(options.seeds)
            if len(kept := kept_cells(results, title(name, seed), options.again)) < len(CELLS)
        ]
        for (name, seed, _), found in _all(tasks, options.jobs):
            results[title(name, seed)] = found
            write_results(dict(sorted(results.items())), path)
            print(f"{title(name, seed)}: done", flush=True)
    results = dict(sorted(results.items()))
    if options.results is None:
        others_table.put_in_readme(results)
    print(others_table.tables(results))


def title(name: str, seed: int) -> str:
    """What the results call a predictor, or a file, with this seed."""
    return f"{Path(name).stem} {seed}"


def kept_cells(results: Results, run: str, again: str | None) -> Cells:
    """The cells of a run that are on file and not asked for again."""
    cells: Cells = results[run]["cells"] if run in results else {}
    return {name: cell for name, cell in cells.items() if again is None or again not in name}


def measure_one(task: Task) -> dict[str, Any]:
    """Every cell of one predictor and seed, and its pool."""
    name, seed, cells = task
    pool = _pool(name, seed)
    for cell, (method, max_n) in CELLS.items():
        if cell not in cells:
            found = measure(pool, method, max_n, seed)
            cells[cell] = {key: found[key] for key in KEPT}
    return {
        "pool": measure_pool(pool, seed),
        "cells": {cell: cells[cell] for cell in CELLS},
    }


def _pool(name: str, seed: int) -> KnownPool:
    return predicted(name, seed) if name in SHALLOW else load_pool(Path(name))


def _all(tasks: list[Task], jobs: int) -> Iterator[tuple[Task, dict[str, Any]]]:
    """The tasks with what they found, as they are done."""
    if jobs == 1:
        yield from ((task, measure_one(task)) for task in tasks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        asked = {pool.submit(measure_one, task): task for task in tasks}
        for done in as_completed(asked):
            yield asked[done], done.result()


if __name__ == "__main__":
    main()
