"""How long a check takes, from its draw to the bound it gives.

    .venv/bin/python -m benchmarks.certificates --json benchmarks/results/certificates.json

Checks of 24 items in a claim of which one label in a thousand is wrong, 1 % allowed, each with its
look at the bound. The first is the dearest: no number of wrong labels has been rejected yet. The
others: median and the largest. CPU time of one process; `draw` is a draw alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from askless.core.claim import Evidence, Form, Outcome, log_prior
from askless.core.draw import draw

_GROUP = 24
_CHECKS = 30


def measure(n: int, form: Form, strata: int) -> dict[str, float | str]:
    """One row of the table."""
    sizes = [n] if strata == 1 else [n // 2, n - n // 2]
    allowed = n // 100
    priors = [log_prior(size, size / 1000, allowed) for size in sizes]
    there = [np.arange(size) for size in sizes]
    wrong = [item % 1000 == 0 for item in there]
    first = [_first(form, priors, sizes) for _ in range(5)]
    evidence, found = Evidence(0.05, form, priors), [0] * strata
    draws, checks = [], []
    for position in range(_CHECKS):
        at = position % strata
        began = time.process_time()
        drawn = draw("benchmark", position, there[at], _GROUP)
        draws.append(time.process_time() - began)
        seen = int(wrong[at][drawn].sum())
        began = time.process_time()
        outcome: Outcome = seen if form == "pointed" else "no" if seen else "yes"
        evidence.add(len(there[at]), found[at], _GROUP, outcome, at)
        evidence.at_most([len(each) for each in there], found)
        checks.append(time.process_time() - began)
        if form == "pointed" or not seen:
            there[at] = np.setdiff1d(there[at], drawn)
            found[at] += seen
    return {
        "items": n,
        "form": form,
        "strata": strata,
        "first_check_cpu_ms": 1000 * statistics.median(first),
        "check_cpu_ms": 1000 * statistics.median(checks[strata:]),
        "slowest_check_cpu_ms": 1000 * max(checks[strata:]),
        "draw_cpu_ms": 1000 * statistics.median(draws),
    }


def _first(form: Form, priors: list[NDArray[np.float64]], sizes: list[int]) -> float:
    """CPU seconds of the first check with its look."""
    evidence = Evidence(0.05, form, priors)
    began = time.process_time()
    evidence.add(sizes[0], 0, _GROUP, "no" if form == "yes-no" else 1)
    evidence.at_most(sizes, [0] * len(sizes))
    return time.process_time() - began


def main() -> None:
    """Measure, print, and save if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, nargs="+", default=[20_000, 1_000_000])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = []
    forms: tuple[Form, ...] = ("yes-no", "pointed")
    for items in arguments.items:
        for form in forms:
            for strata in (1, 2):
                rows.append(measure(items, form, strata))
                print(
                    "  ".join(
                        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
                        for name, value in rows[-1].items()
                    ),
                    flush=True,
                )
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
