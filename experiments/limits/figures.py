"""The figure, drawn from the results on file and nothing else.

``caps.png``   questions / entropy by the cap, for every pool: the bound, our planners, the paper's
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.figure import Figure

from experiments.limits.cells import CAPS, COUNTING
from experiments.limits.pools import POOLS
from experiments.limits.results import Results, ratio
from experiments.limits.table import best_paper

FOLDER: Final = Path(__file__).parent
DPI: Final = 100
COLOURS: Final = {"nested": "#0072b2", "fill": "#009e73"}


def draw_all(results: Results, folder: Path = FOLDER) -> None:
    """Draw every figure into `folder`."""
    # Without the version of the drawing program the same results give the same bytes.
    _caps(results).savefig(folder / "caps.png", dpi=DPI, metadata={"Software": None})


def _caps(results: Results) -> Figure:
    figure = Figure(figsize=(14, 3.6), layout="constrained")
    axes = figure.subplots(1, len(POOLS))
    places = np.arange(1, len(CAPS))  # with a cap of 1 there is nothing to choose
    words = ["none" if max_n is None else str(max_n) for max_n in CAPS[1:]]
    for axis, (pool, title) in zip(axes, POOLS.items(), strict=True):
        marks = results["bounds"][f"{pool} 6000"]
        entropy = marks["entropy_bits"]
        bound = [ratio(marks[f"max_n={max_n}"], entropy)[0] for max_n in CAPS[1:]]
        axis.plot(places, bound, color="black", linewidth=1, linestyle=":", label="bound")
        for planner in COUNTING:
            found = [
                (place, *ratio(cell["questions"], entropy))
                for place, max_n in zip(places, CAPS[1:], strict=True)
                if (cell := results["cells"].get(f"count {pool} 6000 {planner} max_n={max_n}"))
            ]
            if found:
                at, mean, error = zip(*found, strict=True)
                axis.errorbar(
                    at, mean, error, color=COLOURS[planner], marker="o", markersize=3, label=planner
                )
        paper = [
            (place, ratio(cell["questions"], entropy)[0])
            for place, max_n in zip(places, CAPS[1:], strict=True)
            if (cell := best_paper(results, pool, max_n))
        ]
        if paper:
            at, mean = zip(*paper, strict=True)
            axis.plot(at, mean, "x", color="#d55e00", label="paper's best")
        axis.set_yscale("log")
        axis.set_xticks(places, words)
        axis.set_title(f"({pool}) {title}", fontsize=9)
        axis.set_xlabel("max_n")
        top = axis.get_ylim()[1]
        ticks = [1, 1.25, 1.5, 2, 3, 5, 10, 20] if top > 1.1 else [1, 1.01, 1.02, 1.03, 1.04]
        axis.set_yticks([t for t in ticks if t <= top], [f"{t:g}" for t in ticks if t <= top])
        axis.minorticks_off()
    axes[0].set_ylabel("questions / entropy of the probs")
    axes[0].legend(fontsize=8)
    return figure
