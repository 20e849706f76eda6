"""Figures of a run as people read them.

Tested in tests/cli/test_simulate.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from askless.core.promise import share_text


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
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_row("planner", f"{planner}; {most} items a question; seed {report['seed']}")
    table.add_row(
        "labels right", f"{report['labels_right']:,} of {report['items']:,}{_aside(report)}"
    )
    if "certificate" in report:
        table.add_row(
            "accepted", f"{report['accepted']:,}, of which {report['accepted_wrong']:,} are wrong"
        )
        table.add_row("certificate", _certificate(report["certificate"]))
    table.add_row("annotator", report["annotator"])
    table.add_row("answers", ", ".join(kinds))
    if report["predictor"] != "fixed":
        table.add_row("predictor", _predictor(report))
    else:
        table.add_row("recalibrated", corrected)
    table.add_row("pace", f"{a:g} s a question, {b:g} s an item, {c:g} s to point at one")
    table.add_row("planning", _planning(report))
    return table


def _aside(report: Mapping[str, Any]) -> str:
    """What is wrong and what was not asked, if anything."""
    parts = []
    if report["labels_wrong"]:
        parts.append(f"{report['labels_wrong']:,} wrong")
    if report["duplicates"]:
        parts.append(f"{report['duplicates']:,} exact duplicates, asked once")
    if report["unreadable"]:
        parts.append(f"{report['unreadable']:,} more could not be read")
    return f" ({'; '.join(parts)})" if parts else ""


def _certificate(certificate: Mapping[str, Any]) -> str:
    """What is promised and holds, and what it rests on."""
    checks, sure = certificate["checks"], f"{certificate['confidence']:.0%} sure"
    if certificate["kind"] == "recall" and certificate["recall_at_least"] is not None:
        least = share_text(certificate["recall_at_least"], up=False)
        bound = f"at least {least} of the positives are found"
    elif certificate["left_at_most"] is None:
        return "none: nothing is proved about the accepted labels"
    else:
        bound = f"at most {certificate['left_at_most']:,} accepted labels are wrong"
    asked = f"{checks['asked']:,} checks of {checks['items']:,} items"
    return f"{bound}, {sure}; {asked}, {certificate['claims']:,} claims"


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
    table = _numbers("", "questions", "items shown", "seconds", "")
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
    if report["channel"] == "pointed":
        return _numbers("no bound: a pointed answer tells more than a bit")
    table = _numbers("", "bits", "questions / bits")
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
    table = _numbers("", "labels settled", "by question")
    for labels, number in report["questions_at"].items():
        table.add_row("", f"{int(labels):,}", f"{number:,}")
    return table


def _numbers(*heads: str) -> Table:
    """An empty table: names on the left, numbers in the other columns."""
    table = Table.grid(padding=(0, 2))
    for column in range(len(heads)):
        table.add_column(justify="right" if column else "left")
    table.add_row(*[f"[dim]{head}" for head in heads])
    return table


def _share(seconds: float, of: float) -> str:
    return f"{seconds / of:.0%}" if of else ""


def _planning(report: Mapping[str, Any]) -> str:
    seconds, questions = report["planning_s"], report["questions"]
    each = 1e6 * seconds / max(questions, 1)
    mean = f"{each:.0f} microseconds" if each < 1000 else f"{each / 1000:.1f} milliseconds"
    return f"{seconds:,.2f} seconds, {mean} a question"
