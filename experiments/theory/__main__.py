"""Compute and draw the figures of docs/theory.md: ``python -m experiments.theory``.

``nested.png``       questions per bit against the error, for equal errors, computed exactly
``code_length.png``  questions against the prequential code length, for the runs without a cap in
                     experiments/scratch/results.jsonl

The computed curves are in ``results.json``. Takes some seconds. Needs matplotlib (the
``experiments`` extra).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure

from askless.core.entropy import binary_entropy_bits
from experiments.theory.equal_errors import (
    best_group,
    bound_per_item,
    greedy_search,
    linear_search,
    nested_search,
    questions_per_item,
)

FOLDER: Final = Path(__file__).parent
RESULTS: Final = FOLDER / "results.json"
RUNS: Final = FOLDER.parent / "scratch" / "results.jsonl"
CUT_OFF: Final = (3 - 5**0.5) / 2  # above this error single items are best (Ungar 1960)
ERRORS: Final = np.union1d(np.exp(np.linspace(np.log(0.005), np.log(0.5), 93)).round(6), [CUT_OFF])
CAP: Final = 8
NO_CAP: Final = 400  # larger than the best group at the smallest error
DPI: Final = 100


def compute() -> dict[str, list[float]]:
    """Return every curve, as questions per bit of entropy, by name."""
    entropy = binary_entropy_bits(ERRORS)
    curves = {
        "one by one": np.ones(len(ERRORS)),
        "linear, max_n 8": [questions_per_item(e, CAP, linear_search) for e in ERRORS],
        "nested, max_n 8": [questions_per_item(e, CAP, nested_search) for e in ERRORS],
        "bound, max_n 8": [bound_per_item(e, CAP) for e in ERRORS],
        "linear, no cap": [questions_per_item(e, NO_CAP, linear_search) for e in ERRORS],
        "nested, no cap": [questions_per_item(e, NO_CAP, nested_search) for e in ERRORS],
        "nested, no cap, greedy splits": [
            questions_per_item(e, NO_CAP, greedy_search) for e in ERRORS
        ],
    }
    found = {
        name: np.round(np.asarray(cost) / entropy, 5).tolist() for name, cost in curves.items()
    }
    groups = [best_group(e, NO_CAP, nested_search) for e in ERRORS]
    return {"error": ERRORS.tolist(), **found, "best group, no cap": groups}


def read_runs() -> list[dict[str, Any]]:
    """Return the runs to the last label without a cap, in random rounds."""
    runs = [json.loads(line) for line in RUNS.read_text().splitlines()]
    return [
        run
        for run in runs
        if (run["objective"], run["max_n"], run["order"]) == ("questions", "none", "random-rounds")
        and run["settled"] == run["items"]
    ]


def draw_nested(results: dict[str, list[float]]) -> Figure:
    """Draw questions per bit against the error, with a cap and without."""
    figure = Figure(figsize=(10, 4), layout="constrained")
    axes = figure.subplots(1, 2)
    error = results["error"]
    styles = {
        "one by one": ("#999999", "-"),
        "linear": ("#d55e00", "-"),
        "nested": ("#0072b2", "-"),
        "bound": ("black", ":"),
    }
    for axis, cap in zip(axes, ("max_n 8", "no cap"), strict=True):
        for name, (colour, line) in styles.items():
            curve = results.get(name, results.get(f"{name}, {cap}"))
            if curve is not None:
                axis.plot(error, curve, color=colour, linestyle=line, label=name)
        axis.axvline(CUT_OFF, color="grey", linewidth=0.6, linestyle="--")
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_title("at most 8 items a question" if cap == "max_n 8" else "no cap")
        axis.set_xlabel("probability e that a guess is wrong")
        axis.set_xticks([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.382], minor=False)
        axis.set_xticklabels(["0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.382"], fontsize=8)
        axis.set_ylim(0.98, 4.0)
        axis.set_yticks([1, 1.25, 1.5, 2, 3, 4], ["1", "1.25", "1.5", "2", "3", "4"])
        axis.minorticks_off()
    axes[0].set_ylabel("questions / entropy")
    axes[0].legend()
    return figure


def draw_code_length(runs: list[dict[str, Any]]) -> Figure:
    """Draw questions against the prequential code length of the labels."""
    figure = Figure(figsize=(5.2, 4.4), layout="constrained")
    axis = figure.subplots()
    bits, questions = ([run[key] for run in runs] for key in ("prequential_bits", "questions"))
    axis.plot(bits, questions, ".", color="#0072b2", markersize=6, alpha=0.6)
    ends = [50.0, 6000.0]
    axis.plot(ends, ends, color="black", linewidth=0.7)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("prequential code length of the labels, bits")
    axis.set_ylabel("questions asked")
    axis.set_title(f"{len(runs)} runs on {len({run['pool'] for run in runs})} pools", fontsize=10)
    return figure


def main(folder: Path = FOLDER) -> None:
    """Compute the curves and draw both figures into `folder`."""
    results = compute()
    (folder / RESULTS.name).write_text(json.dumps(results, indent=1) + "\n")
    # Without the version of the drawing program the same results give the same bytes.
    plain = {"Software": None}
    runs = read_runs()
    draw_nested(results).savefig(folder / "nested.png", dpi=DPI, metadata=plain)
    draw_code_length(runs).savefig(folder / "code_length.png", dpi=DPI, metadata=plain)
    ratio = [run["questions"] / run["prequential_bits"] for run in runs]
    print(f"{len(runs)} runs: questions / code length {np.mean(ratio):.3f} in the mean,")
    print(f"from {min(ratio):.3f} to {max(ratio):.3f}")


if __name__ == "__main__":
    main()
