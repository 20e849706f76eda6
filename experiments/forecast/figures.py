"""The calibration plot: the range that was forecast against what came."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, get_args

import matplotlib as mpl
import matplotlib.pyplot as plt

from askless.session.estimates import Kind
from experiments.forecast.factors import try_on_others
from experiments.forecast.table import SHOWN

FIGURE: Final = Path(__file__).parent / "forecast.png"
_COLOURS: Final = dict(
    zip(get_args(Kind), ("#0b6b66", "#85898c", "#1f5fd0", "#b3261e"), strict=True)
)


def draw(runs: list[dict[str, Any]]) -> None:
    """One panel a share of the answers, and one line a run, from pools left out of the fit."""
    mpl.use("Agg")
    tried = try_on_others(runs, "answers")
    figure, panels = plt.subplots(1, len(SHOWN), figsize=(15, 3.6), sharex=True, sharey=True)
    for panel, share in zip(panels, SHOWN, strict=True):
        now = [one for one in tried if one.point.share == share]
        for kind, colour in _COLOURS.items():
            of_kind = [one for one in now if one.point.kind == kind]
            came = [one.point.came for one in of_kind]
            lows, highs = [one.low for one in of_kind], [one.high for one in of_kind]
            panel.vlines(came, lows, highs, color=colour, lw=1.2, alpha=0.7, label=kind)
        ends = (5, 2000)
        panel.plot(ends, ends, color="black", lw=0.8)
        panel.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
        held = sum(one.holds for one in now)
        panel.set_title(f"{share:.0%} given: {held} of {len(now)} held", fontsize=10)
        panel.set_xlabel("answers that came")
    panels[0].set_ylabel("answers forecast")
    panels[-1].legend(frameon=False, fontsize=8, loc="lower right")
    figure.tight_layout()
    figure.savefig(FIGURE, dpi=130, metadata={"Software": None})
    plt.close(figure)
