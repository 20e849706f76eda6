"""The figure, drawn from the results on file and nothing else.

``curves.png``   for every pool: labels against questions; accuracy on the open items; seed 0
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure

from experiments.paper.results import Result
from experiments.paper.runs import AUTO, BEST, CURVE_STEP, VARIANTS

FOLDER: Final = Path(__file__).parent
DPI: Final = 100
_COLOURS: Final = {"paper": "#d55e00", "network": "#0072b2", "kernel": "#009e73"}


def draw_all(results: list[Result], folder: Path = FOLDER) -> None:
    """Draw every figure into `folder`."""
    # Without the version of the drawing program the same results give the same bytes.
    _curves(results).savefig(folder / "curves.png", dpi=DPI, metadata={"Software": None})


def _curves(results: list[Result]) -> Figure:
    pools = list(dict.fromkeys(found["pool"] for found in results))
    figure = Figure(figsize=(11, 4.2 * len(pools)), layout="constrained")
    axes = figure.subplots(len(pools), 2, squeeze=False)
    for (labels, accuracy), pool in zip(axes, pools, strict=True):
        for found in results:
            if found["pool"] != pool or found["predictor"] not in _COLOURS or found["seed"]:
                continue
            style = _style(found)
            name = f"{found['planner']}, {found['predictor']}"
            asked = [CURVE_STEP * at for at in range(len(found["curve"]) + 1)]
            labels.plot(asked, [0, *found["curve"]], label=name, **style)
            along = found["along"]
            accuracy.plot(
                [each["question"] for each in along], [each["accuracy"] for each in along], **style
            )
        labels.plot([0, 2500], [0, 2500], color="black", linestyle=":", label="one by one")
        labels.set_title(f"{pool}: labels settled")
        accuracy.set_title(f"{pool}: accuracy on the items still open")
        for axis in (labels, accuracy):
            axis.set_xlabel("questions")
            axis.set_xlim(0, 2500)
    axes[0][0].legend(fontsize=6)
    return figure


def _style(found: Result) -> dict[str, Any]:
    dashes: dict[str, Any] = dict.fromkeys(VARIANTS, "--") | {BEST: "-."}
    dashes |= dict(zip(AUTO, ("-", (0, (5, 1))), strict=True))
    width = 1.8 if found["planner"] in AUTO else 1.0
    return {
        "color": _COLOURS[found["predictor"]],
        "linestyle": dashes[found["planner"]],
        "linewidth": width,
    }
