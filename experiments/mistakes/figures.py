"""The figure: wrong labels found against labels looked at, and the estimate against the truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

from experiments.mistakes.measure import SHARES
from experiments.mistakes.results import Row
from experiments.mistakes.table import by_pool, share_found

FIGURE: Final = Path(__file__).parent / "found.png"
_COLOURS: Final = {"mnist": "#0b6b66", "fashion_mnist": "#1f5fd0", "sms_spam": "#b3261e"}
_LINES: Final = {"ranking": "-", "model alone": "--", "fitted model": ":"}


def draw(runs: list[Row]) -> None:
    """Two panels of what is found, one of the estimate along each review."""
    mpl.use("Agg")
    figure, panels = plt.subplots(1, 3, figsize=(14, 4))
    for panel, habits in zip(panels, ("persistent:0.03", "slips:0.15"), strict=False):
        _found(panel, runs, habits)
    _estimate(panels[2], runs)
    figure.tight_layout()
    figure.savefig(FIGURE, dpi=130, metadata={"Software": None})
    plt.close(figure)


def _found(panel: Any, runs: list[Row], habits: str) -> None:
    shares = [share for share in SHARES if share <= 0.3]
    for (pool, who), some in by_pool(runs, 0.0).items():
        if who == habits:
            for order, line in _LINES.items():
                found = [share_found(some, share, order) for share in shares]
                label = pool if order == "ranking" else None
                panel.plot(
                    [0, *(100 * np.array(shares))], [0, *found], line, color=_COLOURS[pool],
                    label=label, lw=1.2 if order == "ranking" else 0.8,
                )  # fmt: skip
    panel.set(xlabel="looked at, % of the labels", ylabel="wrong labels found", ylim=(0, 1.02))
    panel.set_title(f"{habits} (dashed: the model alone; dotted: the fitted model)", fontsize=9)
    panel.legend(frameon=False, fontsize=8, loc="lower right")


def _estimate(panel: Any, runs: list[Row]) -> None:
    for run in runs:
        steps = [step for step in run["review"] if step["left"]]
        left = [step["left"] for step in steps]
        panel.plot(left, [max(0.5, step["expected"]) for step in steps], ".", ms=4,
                   color=_COLOURS[run["pool"]], alpha=0.7)  # fmt: skip
        panel.vlines(left, [max(0.5, step["low"]) for step in steps],
                     [step["high"] for step in steps], color=_COLOURS[run["pool"]], lw=0.4,
                     alpha=0.5)  # fmt: skip
    panel.plot((1, 400), (1, 400), color="black", lw=0.8)
    panel.set(xscale="log", yscale="log", xlabel="wrong labels left", ylabel="said to be left")
    panel.set_title("the estimate along each review, with its interval", fontsize=9)
