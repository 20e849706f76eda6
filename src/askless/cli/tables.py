"""Figures of a run as people read them.

Tested in tests/cli/test_simulate.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table


def figures(report: Mapping[str, Any]) -> RenderableType:
    """A run's report (`askless.lab.report`) as a few small tables.

    Parameters
    ----------
    report
        The figures, and what made the run: planner, its options, max_n, seed.
    """
    parts = (_made_by(report), _paid(report), _marks(report), _curve(report))
    return Group(*[part for table in parts for part in (table, "")][:-1])


def _made_by(report: Mapping[str, Any]) -> Table:
    chosen = report["chosen"]
    planner = report["planner"] + (f", which chose {chosen}" if chosen != report["planner"] else "")
    most = "any number of" if report["max_n"] is None else f"at most {report['max_n']:,}"
    kinds = [f"{count:,} {kind}" for kind, count in report["answers"].items() if count]
    changes = report["probs_changes"]
    a, b, c = report["pace"].values()
    corrected = f"{changes:,} times" if report["recalibrate"] else "no"
    table = _words()
    table.add_row("planner", f"{planner}; {most} items a question; seed {report['seed']}")
    table.add_row(
        "labels right", f"{report['labels_right']:,} of {report['items']:,}{_aside(report)}"
    )
    table.add_row("answers", ", ".join(kinds))
    if report["predictor"] != "fixed":
        table.add_row("predictor", _predictor(report))
    else:
        table.add_row("recalibrated", corrected)
    table.add_row("pace", f"{a:g} s a question, {b:g} s an item, {c:g} s to point at one")
    table.add_row("planning", _planning(report))
    return table


def _aside(report: Mapping[str, Any]) -> str:
    """What was not asked, if anything."""
    parts = []
    if report["duplicates"]:
        parts.append(f"{report['duplicates']:,} of them exact duplicates, asked once")
    if report["unreadable"]:
        parts.append(f"{report['unreadable']:,} more could not be read")
    return f" ({'; '.join(parts)})" if parts else ""


def _predictor(report: Mapping[str, Any]) -> str:
    of = f" on {', '.join(report['features'])}" if report["features"] else ""
    words = f"{report['predictor']}{of}; {report['refits']:,} refits"
    median, most = (1e3 * report["refit_s"][key] for key in ("median", "max"))
    error = report["calibration_error"]
    words = f"{words} of {median:,.0f} ms (at most {most:,.0f})"
    return words if error is None else f"{words}; calibration error {error:.1%}"


def _paid(report: Mapping[str, Any]) -> Table:
    """What it took, beside what it would have taken without a planner."""
    grid = report["marked_grid"]
    table = Table.grid(padding=(0, 3))
    table.add_column()
    for _ in range(4):
        table.add_column(justify="right")
    table.add_row("", *[f"[dim]{head}" for head in ("questions", "items shown", "seconds", "")])
    single = report["one_by_one"]["seconds"]
    rows = [
        ("[bold]this run[/]", report),
        ("one by one", report["one_by_one"]),
        (f"grid of {grid['max_n']}, wrong ones marked", grid),
    ]
    for name, paid in rows:
        table.add_row(
            name,
            f"{paid['questions']:,}",
            f"{paid['items_shown']:,}",
            f"{paid['seconds']:,.0f}",
            _share(paid["seconds"], single),
        )
    floor = report["floor_seconds"]
    table.add_row("each item seen once", "", "", f"{floor:,.0f}", _share(floor, single))
    return table


def _marks(report: Mapping[str, Any]) -> Table:
    """What bounds the questions."""
    table = Table.grid(padding=(0, 2))
    if report["channel"] == "pointed":
        table.add_row("[dim]no bound: a pointed answer tells more than a bit")
        return table
    table.add_column()
    for _ in range(2):
        table.add_column(justify="right")
    table.add_row("", "[dim]bits", "[dim]questions / bits")
    for key, name in (
        ("bound_questions", "fewest questions to expect by the probs and the cap"),
        ("entropy_bits", "entropy of the labels by the probs"),
        ("bits", "code length of the true labels"),
        ("bits_calibrated", "  after calibration in hindsight"),
        ("prequential_bits", "code length of the labels as each was predicted"),
    ):
        bits = report[key]
        if bits is None:
            continue
        ratio = f"{report['questions'] / bits:.3f}" if bits else ""
        table.add_row(name, f"{bits:,.0f}", ratio)
    return table


def _curve(report: Mapping[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_row("[dim]labels settled", "[dim]by question")
    for labels, number in report["questions_at"].items():
        table.add_row(f"{int(labels):,}", f"{number:,}")
    return table


def _words() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()
    return table


def _share(seconds: float, of: float) -> str:
    return f"{seconds / of:.0%}" if of else ""


def _planning(report: Mapping[str, Any]) -> str:
    seconds, questions = report["planning_s"], report["questions"]
    each = 1e6 * seconds / max(questions, 1)
    mean = f"{each:.0f} microseconds" if each < 1000 else f"{each / 1000:.1f} milliseconds"
    return f"{seconds:,.2f} seconds, {mean} a question"
