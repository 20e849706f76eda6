"""The tables of the README: how often the range held what came, and how wide it was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import numpy as np

from askless.session.estimates import Kind
from experiments.forecast.factors import Tried, What, fit, points, try_on_others

README: Final = Path(__file__).parent / "README.md"
SHOWN: Final = (0.05, 0.1, 0.25, 0.5, 0.75)
_MARK: Final = "<!-- tables: written by python -m experiments.forecast --draw -->"


class Said(NamedTuple):
    """A range that was said, and what came."""

    low: float
    high: float
    came: float

    @property
    def holds(self) -> bool:
        """Whether what came lies in the range."""
        return self.low <= self.came <= self.high


def write_tables(runs: list[dict[str, Any]], later: list[dict[str, Any]]) -> None:
    """Put the tables at the end of the README, after its mark."""
    text = README.read_text(encoding="utf-8").split(_MARK)[0]
    README.write_text(text + _MARK + tables(runs, later), encoding="utf-8")


def tables(runs: list[dict[str, Any]], later: list[dict[str, Any]]) -> str:
    """All tables in Markdown, of the runs that the factors are fitted to and of later ones."""
    parts = [_said(later), *(_by_share(runs, what) for what in get_args(What))]
    return "\n\n" + "\n\n".join([*parts, _by_pool(runs), _factors(runs)]) + "\n"


def said_at(runs: Sequence[dict[str, Any]], share: float, what: What) -> list[Said]:
    """What was said at this share of the answers, where something was, with what came."""
    found = []
    for run in runs:
        point = next(one for one in run["points"] if one["share"] == share)
        made = point["said"][get_args(What).index(what)]
        if made is not None:
            low, high = made
            found.append(Said(low, high, point[f"{what}_left"]))
    return found


def _said(runs: list[dict[str, Any]]) -> str:
    lines = [
        f"**What was said in the app, in {len(runs)} runs that nothing is fitted to**",
        "",
        "| answers given | with a forecast | answers: held, median width | minutes: held, width |",
        "| --: | --: | --: | --: |",
    ]
    for share in SHOWN:
        now = [said_at(runs, share, what) for what in get_args(What)]
        cells = " | ".join(map(_held, now))
        lines.append(f"| {share:.0%} | {len(now[0])} of {len(runs)} | {cells} |")
    return "\n".join(lines)


def _by_share(runs: list[dict[str, Any]], what: What) -> str:
    tried = try_on_others(runs, what)
    title = "Answers" if what == "answers" else "Minutes"
    lines = [
        f"**{title}: ranges made with the factors of the other pools**",
        "",
        "| answers given | runs with a forecast | held what came | median width | "
        + " | ".join(f"{kind}: held, width" for kind in get_args(Kind))
        + " |",
        "| --: | --: | --: | --: |" + " --: |" * len(get_args(Kind)),
    ]
    for share in SHOWN:
        now = [one for one in tried if one.point.share == share]
        cells = [_held([one for one in now if one.point.kind == kind]) for kind in get_args(Kind)]
        all_of_them = _held(now).split(", ") if now else ["", ""]
        lines.append(
            f"| {share:.0%} | {len(now)} of {len(runs)} | {' | '.join([*all_of_them, *cells])} |"
        )
    return "\n".join(lines)


def _by_pool(runs: list[dict[str, Any]]) -> str:
    tried = [one for one in try_on_others(runs, "answers") if one.point.share in SHOWN]
    lines = [
        "**By pool, at all five shares**",
        "",
        "| pool | items | runs | answers in the app, pointing / yes or no | held, width |",
        "| --- | --: | --: | --: | --: |",
    ]
    for pool in sorted({run["pool"] for run in runs}):
        own = [run for run in runs if run["pool"] == pool]
        took = [
            round(float(np.mean(given))) if given else "-"
            for given in (
                [run["answers"] for run in own if (run["way"], run["max_n"]) == (way, None)]
                for way in ("app points", "app yes-no")
            )
        ]
        held = _held([one for one in tried if one.point.pool == pool])
        lines.append(
            f"| {pool} | {own[0]['items']} | {len(own)} | {took[0]} / {took[1]} | {held} |"
        )
    return "\n".join(lines)


def _factors(runs: list[dict[str, Any]]) -> str:
    lines = [
        "**The factors, fitted to all runs, as they stand in `askless.session.estimates`**",
        "",
        "```",
    ]
    for what in get_args(What):
        for kind, rows in fit(list(points(runs, what))).items():
            lines.append(f"{what} {kind}: {', '.join(map(str, rows))}")
    return "\n".join([*lines, "```"])


def _held(tried: Sequence[Tried] | Sequence[Said]) -> str:
    if not tried:
        return ""
    width = float(np.median([one.high / one.low for one in tried]))
    return f"{np.mean([one.holds for one in tried]):.0%} ({len(tried)}), {width:.2f}"
