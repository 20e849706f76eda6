"""How long each planner takes to choose a question.

    python -m benchmarks.planners [--items 1000 6000 ...] [--questions 1000] [--json FILE]

For every registered planner with its default options and groups of at most eight, on a
made-up pool whose probs are right (93 % of the guesses are, most of them surely): median and
99th percentile milliseconds for a question, the milliseconds for the first one after new
probs, and the median as a multiple of `lookahead`'s. A truthful annotator answers.
Only planning is timed. Times are for this machine; compare them within one run only.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Iterator, Sequence
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
YARDSTICK = "lookahead"
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
    print("planner         items  questions  median ms   p99 ms  new probs ms  x lookahead")
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
    """One row for each size and planner, the yardstick first."""
    names = sorted(planner_names(), key=lambda name: (name != YARDSTICK, name))
    for n in sizes:
        values, truth = made_up_pool(n, seed)
        yardstick: float | None = None
        for name in names:
            row: dict[str, Any] = {"planner": name, "n": n}
            try:
                row |= _timed(make_planner(name, max_n=MAX_N), values, truth, questions, seconds)
            except TooLarge as limit:
                yield row | {"refused": str(limit)}
                continue
            if name == YARDSTICK:
                yardstick = row["median_ms"]
            yield row | {"times_lookahead": yardstick and row["median_ms"] / yardstick}


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
        state = learn(state, question.yes() if right else question.no())
        if not state.done:
            took, question = _plan(planner, probs, state)
            taken.append(took)
        else:
            question = None
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
        f"  {row['new_probs_ms']:>12.2f}  " + ("" if multiple is None else f"{multiple:11.3f}")
    )


if __name__ == "__main__":
    main()
