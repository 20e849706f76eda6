"""The figures, drawn from the results on file and nothing else.

``curves.png``       labels and positives found against questions, mean over the seeds
``reliability.png``  what was predicted against what came, by feature sets
``along.png``        accuracy and calibration error of what is still open against questions, a line
                     a seed; not drawn where no run has noted the error on the way
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure

from experiments.scratch.table import Results, _default

DPI: Final = 100
_STEP: Final = 10
_ACROSS: Final = 4  # panels of reliability beside each other
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
_DASHES: Final = {"none": "-", "64": "--", "8": ":"}


def draw_all(results: Results, folder: Path) -> None:
    """Draw every figure into `folder`."""
    cells = [cell for cell in results.values() if _default(cell)]
    cells = [cell for cell in cells if cell["objective"] == "questions"]
    if not cells:
        return
    figures = {"curves": _curves(cells), "reliability": _reliability(cells)}
    noted = [cell for cell in cells if cell["max_n"] == "none" and _looks(cell)]
    if noted:
        figures["along"] = _along(noted)
    # Without the version of the drawing program the same results give the same bytes.
    for name, figure in figures.items():
        figure.savefig(folder / f"{name}.png", dpi=DPI, metadata={"Software": None})


def _curves(cells: Sequence[dict[str, Any]]) -> Figure:
    figure, rows = _two_a_pool(cells)
    for row, pool, own in rows:
        for colour, sets in zip(_COLOURS, sorted({cell["sets"] for cell in own}), strict=False):
            for cap, dashes in _DASHES.items():
                some = [c for c in own if (c["sets"], c["max_n"]) == (sets, cap)]
                for axis, kind in zip(row, ("curve", "positives_curve"), strict=True):
                    if some:
                        line = _mean_curve([cell[kind] for cell in some])
                        questions = _STEP * np.arange(len(line))
                        style = {"color": colour, "linestyle": dashes, "linewidth": 1.2}
                        axis.plot(questions, line, label=f"{sets}, max_n {cap}", **style)
        row[0].set_ylabel(f"{pool}: labels settled")
        row[1].set_ylabel("positives found")
        _against_questions(row)
        row[0].set_ylim(bottom=0)
        row[1].set_ylim(bottom=0)
    return figure


def _two_a_pool(cells: Sequence[dict[str, Any]]) -> tuple[Figure, list[tuple[Any, str, Any]]]:
    """A figure, and for every pool its two axes, its name and its cells."""
    pools = sorted({cell["pool"] for cell in cells})
    figure = Figure(figsize=(11, 2.4 * len(pools)), layout="constrained")
    axes = figure.subplots(len(pools), 2, squeeze=False)
    own = [[cell for cell in cells if cell["pool"] == pool] for pool in pools]
    return figure, list(zip(axes, pools, own, strict=True))


def _against_questions(row: Any) -> None:
    row[0].legend(fontsize=6)
    for axis in row:
        axis.set_xlabel("questions")
        axis.set_xlim(left=0)


def _mean_curve(curves: Sequence[Sequence[int]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The mean of curves that end at different questions; one that has ended stays at its end."""
    longest = max(len(curve) for curve in curves)
    full = [[0, *curve] + [curve[-1] if curve else 0] * (longest - len(curve)) for curve in curves]
    mean: np.ndarray[Any, np.dtype[np.float64]] = np.mean(full, axis=0)
    return mean


def _reliability(cells: Sequence[dict[str, Any]]) -> Figure:
    pools = sorted({cell["pool"] for cell in cells})
    down = -(-len(pools) // _ACROSS)
    figure = Figure(figsize=(3.4 * _ACROSS, 3.4 * down), layout="constrained")
    axes = figure.subplots(down, _ACROSS, squeeze=False).ravel()
    for axis in axes[len(pools) :]:
        axis.axis("off")
    for axis, pool in zip(axes, pools, strict=False):
        own = [cell for cell in cells if cell["pool"] == pool and cell["max_n"] == "none"]
        axis.plot([0, 1], [0, 1], color="black", linewidth=0.6)
        for colour, sets in zip(_COLOURS, sorted({cell["sets"] for cell in own}), strict=False):
            some = [cell for cell in own if cell["sets"] == sets]
            said = np.concatenate([cell["reliability"]["said"] for cell in some])
            came = np.concatenate([cell["reliability"]["came"] for cell in some])
            count = np.concatenate([cell["reliability"]["count"] for cell in some])
            error = np.mean([cell["calibration_error"] for cell in some])
            size = 2 + 3 * np.log10(count)
            axis.scatter(said, came, s=size**1.5, color=colour, label=f"{sets}: ECE {error:.4f}")
        axis.set_title(pool, fontsize=9)
        axis.set_xlabel("said")
        axis.legend(fontsize=5)
    for axis in axes[::_ACROSS]:
        axis.set_ylabel("came")
    return figure


def _looks(cell: dict[str, Any]) -> list[list[float]]:
    """The looks that note the calibration error; a run of former times has none."""
    return [look for look in cell.get("looks", ()) if len(look) == 5]


def _along(cells: Sequence[dict[str, Any]]) -> Figure:
    figure, rows = _two_a_pool(cells)
    for row, pool, own in rows:
        for colour, sets in zip(_COLOURS, sorted({cell["sets"] for cell in own}), strict=False):
            row[0].plot([], [], color=colour, label=sets)
            for cell in (cell for cell in own if cell["sets"] == sets):
                questions, _, accuracy, _, error = np.array(_looks(cell)).T
                row[0].plot(questions, accuracy, color=colour, linewidth=0.8)
                row[1].plot(questions, error, color=colour, linewidth=0.8)
        row[0].set_ylabel(f"{pool}: accuracy")
        row[1].set_ylabel("ECE")
        _against_questions(row)
        row[1].set_ylim(bottom=0)
    return figure
