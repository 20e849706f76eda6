"""The tables of README.md, from results.jsonl. Tested in tests/experiments/test_classes.py."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

MARK = "<!-- tables: written by python -m experiments.classes -->"


def tables(rows: Sequence[dict[str, Any]]) -> str:
    """Markdown of both tables; means over the seeds of a cell."""
    lines = [
        "| calibrated: top guess right | items | max_n | questions | bits | bound | ratio |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for group in _groups(rows, "calibrated"):
        q, bits, bound = (_mean(group, key) for key in ("questions", "bits", "bound_questions"))
        ratio = _mean([{"r": r["questions"] / max(r["bits"], _cap(r))} for r in group], "r")
        lines.append(
            f"| {_mean(group, 'top_right'):.3f} | {group[0]['n']:,} | {group[0]['max_n'] or 'none'}"
            f" | {q:,.0f} | {bits:,.0f} | {bound:,.0f} | {ratio:.3f} |"
        )
    lines += [
        "",
        "| from scratch | answers | max_n | seeds | questions | bits | ratio | typed | shown | s |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for pool in ("mnist", "fashion_mnist"):
        for group in _groups(rows, pool):
            bare = group[0]["channel"] == "yes-no"
            per_bit = f"{_mean(group, 'questions_per_bit'):.3f}" if bare else ""
            first = group[0]
            lines.append(
                f"| {pool} | {first['channel']} | {first['max_n'] or 'none'} | {len(group)} | "
                f"{_mean(group, 'questions'):,.0f} | {_mean(group, 'code_length_bits'):,.0f} | "
                f"{per_bit} | {_mean(group, 'typed'):,.0f} | {_mean(group, 'items_shown'):,.0f} | "
                f"{_mean(group, 'seconds'):,.0f} |"
            )
    return "\n".join(lines) + "\n"


def write_tables(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Put the tables behind the mark in a file."""
    before = path.read_text().split(MARK)[0] if path.exists() else ""
    path.write_text(f"{before}{MARK}\n{tables(rows)}")


def _groups(rows: Sequence[dict[str, Any]], pool: str) -> list[list[dict[str, Any]]]:
    """Rows of a pool that differ in their seed alone."""
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["pool"] == pool:
            found[row.get("scale"), row.get("channel"), row["max_n"]].append(row)
    order = sorted(found, key=lambda key: (key[0] or 0, key[1] or "", -(key[2] or 10**9)))
    return [found[key] for key in order]


def _cap(row: dict[str, Any]) -> float:
    """The bound that the cap gives, where it binds; else nothing."""
    bound, entropy = float(row["bound_questions"]), float(row["entropy_bits"])
    return bound if bound > entropy + 0.5 else 0.0


def _mean(rows: Sequence[dict[str, Any]], key: str) -> float:
    return sum(float(row[key]) for row in rows) / len(rows)
