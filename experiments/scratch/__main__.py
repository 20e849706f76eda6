"""Learning while asking: ``python -m experiments.scratch [FILE ...] [--seeds 5] [--caps ...]``.

Every file (`experiments.scratch.pools` says which kinds) is labelled from one random label with
the default predictor and planner, one setting for all, under each cap and objective,
once a seed. Without files those in ``$ASKLESS_DATA`` are taken. Runs already in
``results.json`` are kept, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np

from askless.lab.learning import EXPLORE, simulate_learning
from askless.planners import make_planner
from askless.predictors import make_predictor
from experiments.scratch.pools import ScratchPool, load

RESULTS: Final = Path(__file__).with_name("results.json")
_DATA: Final = (
    "first6000/mnist.npz",
    "first6000/fashion_mnist.npz",
    "tables/sms_spam.csv",
    "tables/htru2.npz",
)


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.scratch")
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--caps", default="none,64,8", help="the most items in a question")
    parser.add_argument("--objectives", default="questions,labels")
    parser.add_argument("--out", metavar="FILE", type=Path, default=RESULTS)
    options = parser.parse_args()
    results: dict[str, Any] = {}
    if options.out.exists():
        results = json.loads(options.out.read_text(encoding="utf-8"))
    for file in options.files or _files():
        pool: ScratchPool | None = None
        for objective in options.objectives.split(","):
            for cap in options.caps.split(","):
                for seed in range(options.seeds):
                    name = f"{file.stem} {objective} max_n={cap} seed={seed}"
                    if name in results:
                        continue
                    pool = pool or load(file)
                    results[name] = measure(pool, objective, cap, seed)
                    print(name, json.dumps({**results[name], "curve": "..."}), flush=True)
                    _write(results, options.out)


def measure(pool: ScratchPool, objective: str, cap: str, seed: int) -> dict[str, Any]:
    """One run in figures: to the last label for questions, to the 2500th for labels."""
    began = time.perf_counter()
    most = None if cap == "none" else int(cap)
    done = simulate_learning(
        make_planner("auto", max_n=most, objective=objective),
        make_predictor("kernel", blocks=pool.blocks),
        pool.columns,
        pool.labels,
        explore=EXPLORE[objective],
        seed=seed,
        max_questions=None if objective == "questions" else 1000,
    )
    settled = np.array([step.settled for step in done.run.trace.steps])
    reached = {str(m): int(np.searchsorted(settled, m)) + 1 for m in (500, 1000, 2500, 5000)}
    return {
        "questions": done.run.questions,
        "settled": int(settled[-1]),
        "right": done.run.labels_right,
        "questions_at": {m: q for m, q in reached.items() if q <= done.run.questions},
        "prequential_bits": round(done.prequential_bits, 1),
        "ece": round(done.ece, 4),
        "items_shown": done.run.items_shown,
        "refits": len(done.fit_s),
        "refit_ms_median": round(1e3 * float(np.median(done.fit_s)), 1),
        "refit_ms_max": round(1e3 * float(np.max(done.fit_s)), 1),
        "run_s": round(time.perf_counter() - began, 1),
        "curve": [int(s) for s in settled[9::10]],
        "positives_curve": [int(s) for s in done.found[9::10]],
    }


def _files() -> list[Path]:
    folder = os.environ.get("ASKLESS_DATA")
    files = [Path(folder, name) for name in _DATA if Path(folder, name).exists()] if folder else []
    if not files:
        sys.exit("There are no pools: name files, or set ASKLESS_DATA to a folder that has some.")
    return files


def _write(results: dict[str, Any], path: Path) -> None:
    lines = [f" {json.dumps(name)}: {json.dumps(cell)}" for name, cell in results.items()]
    fresh = path.with_suffix(".new")
    fresh.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    fresh.replace(path)


if __name__ == "__main__":
    main()
