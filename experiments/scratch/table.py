"""The tables of the README, written from the results on file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from askless.planners.schedule import DEFAULT_SCHEDULE

Results = dict[str, dict[str, Any]]

MARK: Final = "<!-- tables: written by python -m experiments.scratch --draw -->"
_CAPS: Final = ("none", "64", "8")
_RARE: Final = 0.2
_SHARES: Final = (0.5, 0.8, 0.95, 1.0)
_STEP: Final = 10  # questions between two points of a curve


def write_tables(results: Results, readme: Path) -> None:
    """Put the tables behind their mark in the README; a README without the mark is left alone."""
    if not readme.exists():
        return
    text = readme.read_text(encoding="utf-8")
    if MARK in text:
        head = text.split(MARK)[0]
        readme.write_text(f"{head}{MARK}\n{tables(results)}", encoding="utf-8")


def tables(results: Results) -> str:
    """All tables in Markdown."""
    usual = [cell for cell in results.values() if _default(cell)]
    titles = {
        "All labels, objective `questions`": [
            cell for cell in usual if cell["objective"] == "questions"
        ],
        "The first 2500 labels, objective `labels`": [
            cell for cell in usual if cell["objective"] == "labels"
        ],
    }
    parts = [f"**{title}**\n\n{_by_cap(cells)}" for title, cells in titles.items() if cells]
    parts.append(f"**Rare positives: questions until so many are known**\n\n{_found(usual)}")
    parts += [
        f"**{title}**\n\n{_compared(results, key)}"
        for title, key in {
            "Given probabilities, features, and both": "prior",
            "What to ask while still learning": "order",
            "Refuted guesses taught the kernel, or not": "clauses",
        }.items()
    ]
    parts.append(_codes(results))
    return "\n\n".join(part for part in parts if part and not part.endswith("\n\n")) + "\n"


def _default(cell: dict[str, Any]) -> bool:
    best = cell["order"] == DEFAULT_SCHEDULE[cell["objective"]]
    return best and cell["clauses"] and bool(cell["prior"] == "none")


def _by_cap(cells: Sequence[dict[str, Any]]) -> str:
    """Questions under each cap, in runs to the last label also those for 2500; the rest without."""
    whole = cells[0]["objective"] == "questions"
    head = ["pool", "feature sets", *(f"max_n {cap}" for cap in _CAPS)]
    head += [f"2500 labels: {' / '.join(_CAPS)}"] if whole else []
    head += ["bits asked", "bits one by one", "ECE", "shown", "refit ms", "run s"]
    rows = []
    for pool, sets in _groups(cells, "pool", "sets"):
        own = [cell for cell in cells if (cell["pool"], cell["sets"]) == (pool, sets)]
        open_end = [cell for cell in own if cell["max_n"] == "none"] or own
        rows.append(
            [
                pool,
                sets.replace(",", ", "),
                *(_spread(_paid([c for c in own if c["max_n"] == cap])) for cap in _CAPS),
                *([_on_the_way(own)] if whole else []),
                _mean(cell["prequential_bits"] for cell in open_end),
                _mean(cell["one_by_one_bits"] for cell in open_end),
                f"{np.mean([cell['calibration_error'] for cell in open_end]):.4f}",
                _mean(cell["items_shown"] for cell in open_end),
                _mean(1e3 * cell["refit_s"]["median"] for cell in open_end),
                _mean(cell["run_s"] for cell in open_end),
            ]
        )
    return _markdown(head, rows)


def _on_the_way(cells: Sequence[dict[str, Any]]) -> str:
    """Questions for 2500 labels under each cap; nothing for a pool that has no more."""
    means = [
        _mean(cell["questions_at"].get("2500") for cell in cells if cell["max_n"] == cap)
        for cap in _CAPS
    ]
    return " / ".join(mean or "-" for mean in means) if any(means) else ""


def _found(cells: Sequence[dict[str, Any]]) -> str:
    """By which question a share of the positives was found, where these are few; to the next ten.

    The last column is what finding half of them takes who asks about single items at random.
    """
    few = [
        cell
        for cell in cells
        if cell["objective"] == "questions" and cell["positives"] < _RARE * cell["items"]
    ]
    rows = []
    for pool, sets, cap in _groups(few, "pool", "sets", "max_n"):
        own = [c for c in few if (c["pool"], c["sets"], c["max_n"]) == (pool, sets, cap)]
        rows.append(
            [
                pool,
                sets.replace(",", ", "),
                cap,
                f"{own[0]['positives']} of {own[0]['items']}",
                *(_mean(_question_of(cell, share) for cell in own) for share in _SHARES),
                _spread(_paid(own)),
                f"{own[0]['items'] / 2:.0f}",
            ]
        )
    head = ["pool", "feature sets", "max_n", "positives", *(f"{share:.0%}" for share in _SHARES)]
    return _markdown([*head, "all labels", "half, one by one"], rows) if rows else ""


def _question_of(cell: dict[str, Any], share: float) -> int:
    reached = np.flatnonzero(np.array(cell["positives_curve"]) >= share * cell["positives"])
    return min(int(cell["questions"]), _STEP * (int(reached[0]) + 1) if len(reached) else 10**9)


def _compared(results: Results, key: str) -> str:
    """Cells that differ in `key` alone, side by side."""
    others = [name for name in ("prior", "order", "clauses") if name != key]

    def usual(cell: dict[str, Any]) -> bool:
        best = {"prior": "none", "order": DEFAULT_SCHEDULE[cell["objective"]], "clauses": True}
        return all(cell[name] == best[name] for name in others)

    cells = [cell for cell in results.values() if usual(cell)]
    values = sorted({str(cell[key]) for cell in cells})
    rows = []
    for group in _groups(cells, "pool", "sets", "objective", "max_n"):
        names = ("pool", "sets", "objective", "max_n")
        own = [cell for cell in cells if tuple(cell[name] for name in names) == group]
        if len({str(cell[key]) for cell in own}) > 1:
            found = [_paid([c for c in own if str(c[key]) == value]) for value in values]
            rows.append([*(word.replace(",", ", ") for word in group), *map(_spread, found)])
    head = ["pool", "feature sets", "objective", "max_n", *(f"{key} {value}" for value in values)]
    return _markdown(head, rows) if rows else ""


def _codes(results: Results) -> str:
    """Which code made which runs, the one that made most first; nothing while none is noted."""
    runs = Counter(str(cell["pool"]) for cell in results.values())
    made = Counter((cell.get("code"), str(cell["pool"])) for cell in results.values())
    codes = Counter(cell["code"] for cell in results.values() if "code" in cell)
    lines = []
    for code in (*(code for code, _ in codes.most_common()), None):
        pools = [
            pool
            if made[code, pool] == runs[pool]
            else f"{pool} ({made[code, pool]} of {runs[pool]})"
            for pool in sorted(runs)
            if made[code, pool]
        ]
        if pools:
            lines.append(f"{f'`{code}`' if code else 'not noted'}: {', '.join(pools)}")
    return f"Runs by the code that made them. {'; '.join(lines)}." if codes else ""


def _groups(cells: Iterable[dict[str, Any]], *names: str) -> list[tuple[str, ...]]:
    return sorted({tuple(str(cell[name]) for name in names) for cell in cells})


def _paid(cells: Sequence[dict[str, Any]]) -> list[int]:
    """What the last label took, in what was to be saved; or the 2500th, in questions."""
    found = []
    for cell in cells:
        if cell["objective"] != "labels":
            found.append(int(cell[cell["objective"]]))
        elif "2500" in cell["questions_at"]:
            found.append(int(cell["questions_at"]["2500"]))
    return found


def _spread(values: Sequence[int]) -> str:
    if not values:
        return ""
    deviation = f" ± {np.std(values, ddof=1):.0f}" if len(values) > 1 else ""
    return f"{np.mean(values):.0f}{deviation} ({len(values)})"


def _mean(values: Iterable[float | None]) -> str:
    kept = [value for value in values if value is not None]
    return f"{np.mean(kept):.0f}" if kept else ""


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * 2 + ["--:"] * (len(head) - 2), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
