"""The figure, drawn from the results on file and nothing else.

``curves.png``   labels against questions, for every file and the caps 8 and 64
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.figure import Figure

from experiments.pretrained.cells import CURVE_STEP, ONE_BY_ONE, VARIANTS, cell_name
from experiments.pretrained.results import Results

FOLDER: Final = Path(__file__).parent
DPI: Final = 100
OURS: Final = {
    "auto questions, recalibrated": "#009e73",
    "auto labels, recalibrated": "#0072b2",
}


def draw_all(results: Results, folder: Path = FOLDER) -> None:
    """Draw every figure into `folder`."""
    # Without the version of the drawing program the same results give the same bytes.
    _curves(results).savefig(folder / "curves.png", dpi=DPI, metadata={"Software": None})


def _curves(results: Results) -> Figure:
    figure = Figure(figsize=(10, 4 * len(results)), layout="constrained")
    axes = figure.subplots(len(results), 2, squeeze=False)
    for row, (file, found) in zip(axes, results.items(), strict=True):
        for axis, max_n in zip(row, (8, 64), strict=True):
            for method in (ONE_BY_ONE, *VARIANTS, *OURS):
                cell = found["cells"].get(cell_name(method, max_n))
                if cell is None:
                    continue
                questions = np.array([0, *cell["curve"]])
                labels = np.arange(len(questions)) * CURVE_STEP
                style = {"color": "black", "linestyle": ":"} if method == ONE_BY_ONE else {}
                if method in VARIANTS:
                    dashes = "--" if "random" in method else "-"
                    style = {
                        "color": "#d55e00" if "entropy" in method else "#e69f00",
                        "linestyle": dashes,
                        "linewidth": "1",
                    }
                if method in OURS:
                    style = {"color": OURS[method], "linewidth": "2"}
                axis.plot(questions, labels, label=method, **style)
            axis.set_title(f"{file}, max_n = {max_n}")
            axis.set_xlabel("questions")
            axis.set_ylabel("labels settled")
            axis.set_xlim(left=0)
            axis.set_ylim(bottom=0)
    axes[0][0].legend(fontsize=7)
    return figure
