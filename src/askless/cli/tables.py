"""Figures of a run as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table


def figures(report: Mapping[str, Any]) -> RenderableType:
    """A run's report (`askless.lab.report`) as two small tables.

    Parameters
    ----------
    report
        The figures, and what made the run: planner, its options, max_n, seed.
    """
    return Group(_totals(report), "", _curve(report))


def _totals(report: Mapping[str, Any]) -> Table:
    items, questions = report["items"], report["questions"]
    planning_s = report["planning_s"]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_column()
    most = "any number of" if report["max_n"] is None else f"at most {report['max_n']:,}"
    rows = [
        ("planner", report["planner"], f"{most} items a question, seed {report['seed']}"),
        ("items", f"{items:,}", ""),
        ("questions", f"[bold]{questions:,}[/]", f"{questions / items:.3f} a label"),
        *[(f"  {kind}", f"{count:,}", "") for kind, count in report["answers"].items() if count],
        ("labels right", f"{report['labels_right']:,}", f"of {items:,}"),
        (
            "items shown",
            f"{report['items_shown']:,}",
            f"{report['items_shown'] / items:.2f} a label",
        ),
        (
            "bound",
            f"{report['bound_questions']:,.0f}",
            "questions: the fewest to expect by the probs",
        ),
        ("entropy", f"{report['entropy_bits']:,.0f}", "bits the labels are worth by the probs"),
        ("code length", f"{report['bits']:,.0f}", "bits the true labels turned out to be worth"),
        ("planning", f"{planning_s:,.2f}", f"seconds, {_each(planning_s, questions)} a question"),
    ]
    for row in rows:
        table.add_row(*row)
    return table


def _curve(report: Mapping[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_row("[dim]labels settled", "[dim]by question")
    for labels, number in report["questions_at"].items():
        table.add_row(f"{int(labels):,}", f"{number:,}")
    return table


def _each(seconds: float, questions: int) -> str:
    microseconds = 1e6 * seconds / max(questions, 1)
    if microseconds < 1000:
        return f"{microseconds:.0f} microseconds"
    return f"{microseconds / 1000:.1f} milliseconds"
