"""The tables of the README."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from experiments.mistakes.measure import SHARES
from experiments.mistakes.results import Row

README: Final = Path(__file__).parent / "README.md"
_MARK: Final = "<!-- tables: written by python -m experiments.mistakes --draw -->"
_SHOWN: Final = (0.01, 0.02, 0.05, 0.1, 0.2)
MARKS: Final = {
    ("mnist", "persistent:0.03"): {0.02: 0.65, 0.05: 0.99},
    ("fashion_mnist", "persistent:0.03"): {0.02: 0.5, 0.05: 0.85},
    ("fashion_mnist", "slips:0.15"): {0.1: 0.45},
}
"""The share of wrong labels that is to be found in the first so many of the list."""


def write_tables(runs: list[Row], coverage: list[Row]) -> None:
    """Put the tables at the end of the README, after its mark."""
    text = README.read_text(encoding="utf-8").split(_MARK)[0]
    README.write_text(text + _MARK + tables(runs, coverage), encoding="utf-8")


def tables(runs: list[Row], coverage: list[Row]) -> str:
    """All tables in Markdown."""
    parts = (_found(runs), _person(runs), _estimate(runs), _coverage(coverage))
    return "\n\n" + "\n\n".join(parts) + "\n"


def by_pool(runs: list[Row], price_s: float) -> dict[tuple[str, str], list[Row]]:
    """The runs with this price, by pool and habits."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: (run["habits"], run["pool"], run["seed"])):
        if run["price_s"] == price_s:
            found[run["pool"], run["habits"]].append(run)
    return found


def share_found(runs: list[Row], share: float, order: str = "ranking") -> float:
    """The mean share of the wrong labels that the first `share` of the list holds."""
    return float(np.mean([run["found"][order][SHARES.index(share)] for run in runs]))


def _found(runs: list[Row]) -> str:
    lines = [
        "**Share of the wrong labels in the first so many of the list** (mark in brackets)",
        "",
        "| pool | errs | runs | wrong | " + " | ".join(f"{share:.0%}" for share in _SHOWN) + " |",
        "| --- | --- | --: | --: |" + " --: |" * len(_SHOWN),
    ]
    for (pool, habits), some in by_pool(runs, 0.0).items():
        cells = []
        for share in _SHOWN:
            mark = MARKS.get((pool, habits), {}).get(share)
            said = f"{share_found(some, share):.3f}"
            cells.append(said if mark is None else f"**{said}** ({mark})")
        wrong = np.mean([run["wrong"] for run in some])
        lines.append(f"| {pool} | {habits} | {len(some)} | {wrong:.0f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def person(runs: list[Row]) -> list[tuple[str, str, float, float, float]]:
    """Pool and habits; wrong labels before and after, and by how much longer it took."""
    before, after = by_pool(runs, 0.0), by_pool(runs, 10.0)
    rows = []
    for key in after:
        was_s = sum(run["seconds"] for run in before[key])
        is_s = sum(run["seconds"] + run["to_the_end"]["seconds"] for run in after[key])
        was = float(np.mean([run["wrong"] for run in before[key]]))
        now = float(np.mean([run["to_the_end"]["left"] for run in after[key]]))
        rows.append((*key, was, now, is_s / was_s - 1.0))
    return rows


def _person(runs: list[Row]) -> str:
    lines = [
        (
            "**Somebody who slips: one size for all and no review, and sizes that follow misses "
            "with review to its stated end**"
        ),
        "",
        "| pool | errs | wrong before | wrong after | share | more time |",
        "| --- | --- | --: | --: | --: | --: |",
    ]
    for pool, habits, was, now, longer in person(runs):
        lines.append(
            f"| {pool} | {habits} | {was:.1f} | {now:.1f} | {now / was:.2f} | {longer:+.1%} |"
        )
    return "\n".join(lines)


def held(run: Row) -> tuple[int, int]:
    """In how many steps of a review the interval of wrong labels left held, and of how many."""
    steps = [step for step in run["review"] if step["left"]]
    return sum(step["low"] <= step["left"] <= step["high"] for step in steps), len(steps)


def _estimate(runs: list[Row]) -> str:
    lines = [
        (
            "**Wrong labels left, as the review says before anything was looked at, and how often "
            "its interval held along a review**"
        ),
        "",
        "| run | wrong | expected | interval | held |",
        "| --- | --: | --: | --: | --: |",
    ]
    for run in sorted(runs, key=lambda run: str(run["name"])):
        said, (times, steps) = run["expected"], held(run)
        lines.append(
            f"| {run['name']} | {run['wrong']} | {said['expected']:.0f} | "
            f"{said['low']:.0f} to {said['high']:.0f} | {times} of {steps} |"
        )
    return "\n".join(lines)


def _coverage(rows: list[Row]) -> str:
    lines = [
        (
            "**Asking again: how often the bound was ever below the number of labels that the "
            "person would change** (5 % is promised)"
        ),
        "",
        (
            "| labels | asked again | would change | would get wrong again | through "
            "| runs | false | at most, mean |"
        ),
        "| --: | --: | --: | --: | --- | --: | --: | --: |",
    ]
    for row in rows:
        lines.append(
            f"| {row['labels']} | {row['reasks']} | {row['slips']} | {row['persistent']} | "
            f"{row['through']} | {row['runs']} | {row['false'] / row['runs']:.1%} "
            f"| {row['at_most']} |"
        )
    return "\n".join(lines)


def worst_coverage(rows: list[Row]) -> float:
    """The largest share of false runs of any case."""
    shares: list[Any] = [row["false"] / row["runs"] for row in rows]
    return float(max(shares))
