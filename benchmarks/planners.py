"""How long each planner takes for a question, and how much memory.

    python -m benchmarks.planners [--items 1000 6000 ...] [--questions 1000] [--json FILE]

For every registered planner with its default options and groups of at most eight, on a
made-up pool whose probs are right (93 % of the guesses are, most of them surely), through the
public Python API: median and 99th percentile milliseconds of a question, which is
`planner.plan(probs, state)` and `learn(state, answer)` once it is answered; the milliseconds of
the first plan after new probs; the median as a multiple of `lookahead`'s in the same run; and the
peak memory of the process, pool and all. Each planner and size has a process of its own. A
truthful annotator answers. Times are for this machine; compare them within one run only.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn
from askless.errors import TooLarge
from askless.planners import make_planner, planner_names
from askless.seams import Planner

MAX_N = 8
BASELINE = "lookahead"
SIZES = (1_000, 6_000, 100_000, 1_000_000)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print a table, and write it as JSON where asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--items", type=int, nargs="+", default=list(SIZES), metavar="N")
    parser.add_argument("--questions", type=int, default=1000, help="at most, a planner and pool")
    parser.add_argument("--seconds", type=float, default=20.0, help="at most, likewise")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="FILE")
    chosen = parser.parse_args(arguments)

    rows = []
    print(
        "planner         items  questions  median ms   p99 ms  new probs ms  x lookahead  peak MiB"
    )
    for row in measure(chosen.items, chosen.questions, chosen.seconds, chosen.seed):
        rows.append(row)
        print(_line(row), flush=True)
    if chosen.json is not None:
        about = {
            "max_n": MAX_N,
            "seed": chosen.seed,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "machine": platform.machine(),
        }
        chosen.json.write_text(json.dumps({"about": about, "rows": rows}, indent=1) + "\n")


def measure(
    sizes: Sequence[int], questions: int, seconds: float, seed: int
) -> Iterator[dict[str, Any]]:
    """One row for each size and planner, the baseline first."""
    names = sorted(planner_names(), key=lambda name: (name != BASELINE, name))
    for n in sizes:
        baseline: float | None = None
        for name in names:
            row: dict[str, Any] = {"planner": name, "n": n}
            try:
                row |= _apart(name, n, questions, seconds, seed)
            except TooLarge as limit:
                yield row | {"refused": str(limit)}
                continue
            if name == BASELINE:
                baseline = row["median_ms"]
            yield row | {"times_lookahead": baseline and row["median_ms"] / baseline}


def made_up_pool(n: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Probs that are right on average, and labels drawn from them.

    Of the items, 62 % are nearly sure, 28 % fairly, and 10 % hardly better than a coin toss.
    """
    rng = np.random.default_rng(seed)
    kind = rng.choice(3, n, p=[0.62, 0.28, 0.10])
    wrong = np.choose(
        kind, [rng.beta(0.6, 60, n), rng.beta(1.2, 9, n), 0.5 * rng.beta(4, 2.1, n)]
    ).clip(1e-6, 0.5)
    likelier = rng.random(n) < 0.5
    return np.where(likelier, 1 - wrong, wrong), likelier ^ (rng.random(n) < wrong)


def _apart(name: str, n: int, questions: int, seconds: float, seed: int) -> dict[str, Any]:
    """`_row`, in a process of its own, so that its memory is its own too."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(_row, name, n, questions, seconds, seed).result()


def _row(name: str, n: int, questions: int, seconds: float, seed: int) -> dict[str, Any]:
    values, truth = made_up_pool(n, seed)
    row = _timed(make_planner(name, max_n=MAX_N), values, truth, questions, seconds)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB, but bytes on a Mac
    return row | {"peak_mib": _rounded(peak / (2**20 if sys.platform == "darwin" else 2**10))}


def _timed(
    planner: Planner,
    values: NDArray[np.float64],
    truth: NDArray[np.bool_],
    questions: int,
    seconds: float,
) -> dict[str, Any]:
    """Let the planner ask for a while, then hand it new probs a few times."""
    probs, state = Probs(values), State.blank(len(values))
    first_s, question = _plan(planner, probs, state)
    taken: list[float] = []
    until = time.perf_counter() + seconds
    while question is not None and len(taken) < questions and time.perf_counter() < until:
        right = all(truth[i] == g for i, g in zip(question.items, question.guess, strict=True))
        answer = question.yes() if right else question.no()
        began = time.perf_counter()
        state = learn(state, answer)
        question = None if state.done else planner.plan(probs, state)
        if question is not None:
            taken.append(time.perf_counter() - began)
    rng = np.random.default_rng(0)
    renewed = [first_s]
    for _ in range(4 if not state.done else 0):
        shifted = Probs(np.clip(values + rng.normal(0, 0.01, len(values)), 0, 1))
        renewed.append(_plan(planner, shifted, state)[0])
    return {
        "questions": len(taken),
        "median_ms": _rounded(1e3 * np.median(taken)),
        "p99_ms": _rounded(1e3 * np.quantile(taken, 0.99)),
        "new_probs_ms": _rounded(1e3 * np.median(renewed)),
    }


def _plan(planner: Planner, probs: Probs, state: State) -> tuple[float, Question | None]:
    began = time.perf_counter()
    question = planner.plan(probs, state)
    return time.perf_counter() - began, question


def _rounded(value: np.floating[Any] | float) -> float:
    return float(f"{value:.4g}")


def _line(row: dict[str, Any]) -> str:
    start = f"{row['planner']:12s} {row['n']:>8d}"
    if "refused" in row:
        return f"{start}  {row['refused']}"
    multiple = row["times_lookahead"]
    return (
        f"{start}  {row['questions']:>9d}  {row['median_ms']:>9.4f}  {row['p99_ms']:>7.3f}"
        f"  {row['new_probs_ms']:>12.2f}  "
        + (" " * 11 if multiple is None else f"{multiple:11.3f}")
        + f"  {row['peak_mib']:>8.0f}"
    )


if __name__ == "__main__":
    main()
