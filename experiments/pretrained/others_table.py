"""The tables of other predictors, means over their seeds, kept in the README."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from experiments.pretrained.cells import CAPS
from experiments.pretrained.results import Results
from experiments.pretrained.verdict import comparisons, verdict

README: Final = Path(__file__).with_name("README.md")
BEGIN: Final = "<!-- others: written by python -m experiments.pretrained.others -->"
END: Final = "<!-- end of others -->"


def tables(results: Results) -> str:
    """The predictors, our questions beside the paper's best, and whether we ever ask more."""
    names = sorted({title.rsplit(" ", 1)[0] for title in results})
    heads = ["predictor", "seeds", "items", "accuracy", "entropy", "bits", "bits calibrated"]
    heads += ["second half: recalibrated", "hindsight"]
    heads += [f"{what}, max_n {cap or 'none'}" for what in ("all", "first") for cap in CAPS]
    lines = [_line(*heads), "|---|" + "--:|" * (len(heads) - 1)]
    for name in names:
        runs = {title: run for title, run in results.items() if title.rsplit(" ", 1)[0] == name}
        lines.append(_line(name, str(len(runs)), *_figures(runs)))
    return "\n".join(lines) + "\n\n" + verdict(results)


def put_in_readme(results: Results, readme: Path = README) -> None:
    """Replace the tables in the README with those these results give."""
    before, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    text = f"{before}{BEGIN}\n{tables(results)}\n{END}{after}"
    readme.write_text(text, encoding="utf-8")


def _figures(runs: Results) -> list[str]:
    pools = [run["pool"] for run in runs.values()]

    def mean(key: str) -> float:
        return float(np.mean([pool[key] for pool in pools]))

    keys = ["entropy_bits", "bits", "bits_calibrated"]
    keys += ["second_half_bits_recalibrated", "second_half_bits_hindsight"]
    figures = [f"{mean('items'):.0f}", f"{mean('accuracy'):.3f}"]
    figures += [f"{mean(key):.0f}" for key in keys]
    every = list(comparisons(runs))
    for objective in ("questions", "labels"):
        for cap in CAPS:
            cells = [c for c in every if (c.objective, c.max_n) == (objective, cap)]
            ours, papers = (np.mean([getattr(c, who) for c in cells]) for who in ("ours", "papers"))
            figures.append(f"{ours:.0f} ({papers:.0f})")
    return figures


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
