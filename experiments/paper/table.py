"""The tables, made from the results and kept in the README."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from experiments.paper.results import Result
from experiments.paper.runs import AUTO, BEST, VARIANTS

README: Final = Path(__file__).with_name("README.md")
BEGIN: Final = "<!-- tables: written by python -m experiments.paper -->"
END: Final = "<!-- end of tables -->"

PAPER: Final = {
    "mnist": {
        "lookahead random/entropy": (740, 5234, 1559),
        "lookahead random/log-size": (704, 4971, 1683),
        "lookahead uncertainty/entropy": (1198, 5716, 611),
        "lookahead uncertainty/log-size": (699, 4978, 1683),
    },
    "fashion_mnist": {
        "lookahead random/entropy": (818, 5039, 1452),
        "lookahead random/log-size": (626, 4733, 1719),
        "lookahead uncertainty/entropy": (1668, 5006, 248),
        "lookahead uncertainty/log-size": (630, 4755, 1718),
    },
}
"""Tables 4 and 5: questions for 2500 labels, labels at 2500 questions, incorrect guesses then."""

_PREDICTORS: Final = ("paper", "network", "kernel")
_WITHOUT: Final = " without wrong guesses"


def tables(results: list[Result]) -> str:
    """All tables, in Markdown."""
    pools = list(dict.fromkeys(found["pool"] for found in results))
    parts = []
    for pool in sorted(pools, key=lambda name: name not in PAPER or list(PAPER).index(name)):
        own = [found for found in results if found["pool"] == pool]
        parts += [
            f"**{pool}**, the paper's columns, beside what the paper prints:",
            _paper(own, pool),
        ]
        parts += [f"**{pool}**, planner by predictor:", _grid(own)]
        parts += [f"**{pool}**, what the loss of wrong guesses is worth:", _ablation(own)]
    return "\n\n".join(parts)


def put_in_readme(results: list[Result], readme: Path = README) -> None:
    """Replace the tables in the README with those these results give."""
    before, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    text = f"{before}{BEGIN}\n{tables(results)}\n{END}{after}"
    readme.write_text(text, encoding="utf-8")


def _paper(results: list[Result], pool: str) -> str:
    heads = ["planner", "predictor", "seeds", "Q for 2500 labels", "paper", "ratio", "questions"]
    lines = _head([*heads, "labels then", "paper", "no", "paper"], 2)
    for predictor in ("paper", "script"):
        for planner in VARIANTS:
            runs = _of(results, planner, predictor)
            if not runs:
                continue
            asked, labels, wrong = PAPER.get(pool, {}).get(planner, (None, None, None))
            reached = _values(runs, "questions_for_2500_labels")
            ratio = f"{np.mean(reached) / asked:.2f}" if reached and asked else ""
            row = [str(len(runs)), _mean(reached), _mean([asked]), ratio]
            row += [_mean(_values(runs, "questions")), _mean(_values(runs, "labels"))]
            row += [_mean([labels]), _mean(_values(runs, "no")), _mean([wrong])]
            lines.append(_line(planner, predictor, *row))
    return "\n".join(lines)


def _grid(results: list[Result]) -> str:
    names = {
        "questions_for_2500_labels": "Q for 2500 labels",
        "questions": "questions",
        "labels": "labels then",
        "items_shown": "items shown",
        "prequential_bits": "code length, bits",
    }
    lines = _head(
        ["planner", "predictor", "seeds", *names.values(), "calibration error", "refit, s"], 2
    )
    for planner in (BEST, *AUTO):
        for predictor in _PREDICTORS:
            if runs := _of(results, planner, predictor):
                row = [_mean(_values(runs, key)) for key in names]
                row += [f"{np.mean(_values(runs, 'ece')):.4f}"]
                row += [f"{np.mean(_values(runs, 'refit_s_median')):.2f}"]
                lines.append(_line(planner, predictor, str(len(runs)), *row))
    return "\n".join(lines)


def _ablation(results: list[Result]) -> str:
    heads = ["planner", "predictor", "seeds", "Q for 2500 labels", "questions", "labels then"]
    lines = _head(heads, 2)
    for planner in (BEST, *AUTO):
        for predictor in ("paper", "network"):
            if not _of(results, planner, predictor + _WITHOUT):
                continue
            for name in (predictor, predictor + _WITHOUT):
                runs = _of(results, planner, name)
                keys = ("questions_for_2500_labels", "questions", "labels")
                row = [_mean(_values(runs, key)) for key in keys]
                lines.append(_line(planner, name, str(len(runs)), *row))
    return "\n".join(lines)


def _of(results: list[Result], planner: str, predictor: str) -> list[Result]:
    """The finished runs of both, one a seed."""
    found = [each for each in results if each["planner"] == planner and each["finished"]]
    return [each for each in found if each["predictor"] == predictor]


def _values(runs: list[Result], key: str) -> list[float]:
    return [each[key] for each in runs if each[key] is not None]


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return ""
    spread = f" ± {np.std(known, ddof=1):.0f}" if len(known) > 1 else ""
    return f"{np.mean(known):.0f}{spread}"


def _head(names: list[str], left: int = 1) -> list[str]:
    return [_line(*names), "|" + "---|" * left + "--:|" * (len(names) - left)]


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"
