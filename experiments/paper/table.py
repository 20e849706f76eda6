"""The tables, made from the results and kept in the README."""

from __future__ import annotations

from pathlib import Path
from typing import Final

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
    heads = ["planner", "Q for 2500 labels", "paper", "ratio", "questions", "labels then", "paper"]
    lines = _head([*heads, "no", "paper", "refit, s", "run, s"])
    for planner in VARIANTS:
        printed = PAPER.get(pool, {}).get(planner)
        for found in _of(results, planner, "paper"):
            reached = found["questions_for_2500_labels"]
            asked, labels, wrong = printed or (None, None, None)
            ratio = f"{reached / asked:.2f}" if reached and asked else ""
            row = [_number(reached), _number(asked), ratio, str(found["questions"])]
            row += [str(found["labels"]), _number(labels), _number(found.get("no")), _number(wrong)]
            row += [f"{found['refit_s_median']:.3f}", f"{found['run_s']:.0f}"]
            lines.append(_line(planner + _unfinished(found), *row))
    return "\n".join(lines)


def _grid(results: list[Result]) -> str:
    heads = ["planner", "predictor", "Q for 2500 labels", "questions", "labels then", "items shown"]
    lines = _head([*heads, "code length, bits", "calibration error", "refit, s"], 2)
    for planner in (BEST, *AUTO):
        for predictor in _PREDICTORS:
            for found in _of(results, planner, predictor):
                row = [_number(found["questions_for_2500_labels"]), str(found["questions"])]
                row += [str(found["labels"]), _number(found.get("items_shown"))]
                row += [_number(found.get("prequential_bits")), f"{found.get('ece', '')}"]
                row += [f"{found['refit_s_median']:.3f}"]
                lines.append(_line(planner, predictor + _unfinished(found), *row))
    return "\n".join(lines)


def _ablation(results: list[Result]) -> str:
    lines = _head(["planner", "predictor", "Q for 2500 labels", "questions", "labels then"], 2)
    for planner in (BEST, *AUTO):
        for predictor in ("paper", "network"):
            for found in _of(results, planner, predictor + _WITHOUT):
                for each in (*_of(results, planner, predictor), found):
                    row = [_number(each["questions_for_2500_labels"]), str(each["questions"])]
                    name = each["predictor"] + _unfinished(each)
                    lines.append(_line(planner, name, *row, str(each["labels"])))
    return "\n".join(lines)


def _of(results: list[Result], planner: str, predictor: str) -> list[Result]:
    found = [each for each in results if each["planner"] == planner]
    return [each for each in found if each["predictor"] == predictor]


def _unfinished(found: Result) -> str:
    return "" if found["finished"] else " (cut short)"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"


def _head(names: list[str], left: int = 1) -> list[str]:
    return [_line(*names), "|" + "---|" * left + "--:|" * (len(names) - left)]


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"
