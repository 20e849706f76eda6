"""The figure, drawn from the results on file and nothing else.

``coverage.png``   how often a certificate is false, adversary by adversary, and naive tests beside
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure

FOLDER: Final = Path(__file__).parent
DPI: Final = 80
_OURS: Final = "#0072b2"
_NAIVE: Final = "#d55e00"


def draw_all(coverage: dict[str, Any], folder: Path = FOLDER) -> None:
    """Draw every figure into `folder`."""
    # Without the version of the drawing program the same results give the same bytes.
    _coverage(coverage).savefig(folder / "coverage.png", dpi=DPI, metadata={"Software": None})


def _coverage(found: dict[str, Any]) -> Figure:
    figure = Figure(figsize=(12, 5.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    alpha = 100 * found["alpha"]
    parts = (
        (left, "askless, against adversaries", found["adversaries"], "rejected_share", _OURS),
        (right, "other tests, and the same done properly", found["naive"], "share", _NAIVE),
    )
    for axis, title, rows, key, colour in parts:
        names = list(rows)[::-1]
        shares = [100 * rows[name][key] for name in names]
        errors = [300 * rows[name]["standard_error"] for name in names]
        colours = [colour if share > alpha or axis is left else _OURS for share in shares]
        axis.barh(names, shares, color=colours, xerr=errors, error_kw={"linewidth": 1})
        axis.axvline(alpha, color="black", linewidth=1, linestyle=":")
        for place, share in enumerate(shares):
            where = min(share + errors[place], 31.5) if axis is right else share + errors[place]
            axis.annotate(
                f"{share:.1f}", (where, place), (4, 0), textcoords="offset points",
                va="center", fontsize=8,
            )  # fmt: skip
        axis.tick_params(labelsize=8)
        axis.set_title(title, fontsize=10)
    left.set_xlim(0, 10)
    left.set_xlabel("% of runs that ever rejected the truth; lines: 3 s.e.")
    right.set_xlim(0, 35)
    right.set_xlabel("% of runs false; dotted: 5 %")
    return figure
