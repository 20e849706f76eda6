"""The paper's from-scratch setting: ``python -m experiments.paper [FILE ...] [options]``.

A FILE is an ``.npz`` with ``images`` and labels (`experiments.paper.runs`); without any, MNIST
and Fashion-MNIST are taken, from ``$ASKLESS_DATA/first6000`` or, where that is not set, from
their publishers (`experiments.originals`). Every run is a process of its own,
``--jobs`` at a time, and keeps what it has found in a file under ``results/``; finished runs are
not repeated. A GPU is used where there is one; without, a network's run takes hours.
``--only TEXT`` takes the runs whose name contains TEXT. ``--draw`` runs nothing and makes figure
and tables from the results on file, as is done after the runs where matplotlib is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from experiments.originals import pool_file
from experiments.paper.results import (
    RESULTS,
    Result,
    read_result,
    read_results,
    result_path,
    write_result,
)
from experiments.paper.runs import MOST_QUESTIONS, RUNS, measure, run_name


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.paper")
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path)
    parser.add_argument(
        "--only", metavar="TEXT", action="append", help="runs with this in the name"
    )
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--minutes", type=float, help="end the runs that are not done by then")
    parser.add_argument("--questions", type=int, default=MOST_QUESTIONS)
    parser.add_argument("--options", default="{}", help="further options of the networks, JSON")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=RESULTS)
    parser.add_argument("--draw", action="store_true", help="draw from the results on file")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if not options.draw:
        files = options.files or [pool_file(name) for name in ("mnist", "fashion_mnist")]
        runs = [
            (file, planner, predictor, seed)
            for seed in range(options.seeds)
            for planner, predictor in RUNS
            for file in files
            if _wanted(run_name(file.stem, planner, predictor, seed), options.only)
        ]
        runs = [run for run in runs if not read_result(_path(options.out, *run)).get("finished")]
        (_run_here if options.one else _run_apart)(runs, options)
    if not options.one and importlib.util.find_spec("matplotlib"):
        from experiments.paper import figures, table

        results = read_results(options.out)
        figures.draw_all(results, options.out.parent)
        if options.out == RESULTS:
            table.put_in_readme(results)
        print(table.tables(results))


def _run_here(runs: list[tuple[Path, str, str, int]], options: argparse.Namespace) -> None:
    for file, planner, predictor, seed in runs:
        about = {"pool": file.stem, "planner": planner, "predictor": predictor, "seed": seed}
        path = _path(options.out, file, planner, predictor, seed)
        measure(
            file,
            planner,
            predictor,
            seed,
            options=json.loads(options.options) if predictor != "kernel" else None,
            most=options.questions,
            note=partial(_keep, about, path),
        )


def _keep(about: Result, path: Path, found: Result) -> None:
    write_result({**about, **found}, path)


def _run_apart(runs: list[tuple[Path, str, str, int]], options: argparse.Namespace) -> None:
    """Each run in a process of its own, with one thread."""
    began, told = time.monotonic(), 0.0
    waiting = [(run_name(run[0].stem, *run[1:]), run) for run in runs]
    working: dict[str, tuple[subprocess.Popen[bytes], Path]] = {}
    while waiting or working:
        late = options.minutes is not None and time.monotonic() - began > 60 * options.minutes
        while waiting and len(working) < options.jobs and not late:
            name, run = waiting.pop(0)
            words = ["--one", "--only", name, "--seeds", str(options.seeds), str(run[0])]
            words += ["--questions", str(options.questions), "--options", options.options]
            command = [sys.executable, "-m", "experiments.paper", *words, "--out", options.out]
            environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            working[name] = subprocess.Popen(command, env=environment), _path(options.out, *run)
        if time.monotonic() - told > 20:
            told = time.monotonic()
            _tell(told - began, working, len(waiting))
        for name, (process, path) in list(working.items()):
            if process.poll() is not None:
                print(f"{time.monotonic() - began:6.0f} s  {_line(name, path)}", flush=True)
                del working[name]
            elif late:
                process.kill()
        if late:
            waiting.clear()
        time.sleep(0.2)


def _tell(seconds: float, working: dict[str, Any], waiting: int) -> None:
    print(f"{seconds:6.0f} s  {len(working)} at work, {waiting} waiting", flush=True)
    for name, (_, path) in working.items():
        print(f"          {_line(name, path)}", flush=True)


def _line(name: str, path: Path) -> str:
    found = read_result(path)
    if not found:
        return f"{name}: nothing yet"
    keys = (
        "finished",
        "questions",
        "labels",
        "questions_for_2500_labels",
        "refit_s_median",
        "run_s",
    )
    return f"{name}: " + ", ".join(f"{key} {found[key]}" for key in keys)


def _wanted(name: str, only: list[str] | None) -> bool:
    return only is None or any(text in name for text in only)


def _path(folder: Path, file: Path, planner: str, predictor: str, seed: int) -> Path:
    return result_path(folder, run_name(file.stem, planner, predictor, seed))


if __name__ == "__main__":
    main()
