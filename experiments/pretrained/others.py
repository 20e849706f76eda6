"""The same cells on other predictors, several seeds: ``python -m experiments.pretrained.others``.

The predictors are those of `experiments.pretrained.shallow` whose data are here (at least
two that come with scikit-learn), and the prediction files named on the command line. A seed
fixes what a predictor learns from and what the planners draw at random. Without curves; results
are kept in ``others.json`` as soon as there are some, and a run that was stopped goes on where it
was. ``--seeds N`` takes seeds 0 to N - 1, ``--jobs N`` so many processes at once, ``--only TEXT``
the predictors with this in their name, ``--results FILE`` keeps the results elsewhere, ``--draw``
only makes the tables.
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
from experiments.pretrained.results import read_results, write_results
from experiments.pretrained.shallow import SHALLOW, predicted, present

RESULTS: Final = Path(__file__).with_name("others.json")
METHODS: Final = (*VARIANTS, "auto questions, recalibrated", "auto labels, recalibrated")
KEPT: Final = ("questions", "questions_for_2500_labels", "items_shown", "chosen")

Task = tuple[str, int]
"""The name of a predictor, or a file, and a seed."""


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.pretrained.others", description="Other predictors."
    )
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path, help="predictions, .npz")
    parser.add_argument("--seeds", metavar="N", type=int, default=3)
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes at once")
    parser.add_argument("--only", metavar="TEXT", default="", help="names with this in them")
    parser.add_argument("--results", metavar="FILE", type=Path, help="where to keep the results")
    parser.add_argument("--draw", action="store_true", help="only make the tables")
    options = parser.parse_args()
    path = options.results or RESULTS
    results = read_results(path)
    if not options.draw:
        names = [name for name in SHALLOW if present(name)]
        names += [str(file) for file in options.files]
        tasks = [
            (name, seed)
            for name in names
            for seed in range(options.seeds)
            if options.only in name and title(name, seed) not in results
        ]
        for done, found in _all(tasks, options.jobs):
            results[title(*done)] = found
            write_results(dict(sorted(results.items())), path)
            print(f"{title(*done)}: done", flush=True)
    results = dict(sorted(results.items()))
    if options.results is None:
        others_table.put_in_readme(results)
    print(others_table.tables(results))


def title(name: str, seed: int) -> str:
    """What the results call a predictor, or a file, with this seed."""
    return f"{Path(name).stem} {seed}"


def measure_one(task: Task) -> dict[str, Any]:
    """Every cell of one predictor and seed."""
    name, seed = task
    pool = _pool(name, seed)
    cells = {
        cell_name(method, max_n): measure(pool, method, max_n, seed)
        for max_n in CAPS
        for method in METHODS
    }
    return {
        "pool": measure_pool(pool, seed),
        "cells": {name: {key: cell[key] for key in KEPT} for name, cell in cells.items()},
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
