"""The tables, made from the results and kept in the README."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from askless.core.annotation_cost import DEFAULT_COST
from experiments.pretrained.cells import CAPS, METHODS, cell_name
from experiments.pretrained.results import Results
from experiments.pretrained.verdict import verdict

README: Final = Path(__file__).with_name("README.md")
BEGIN: Final = "<!-- tables: written by python -m experiments.pretrained -->"
END: Final = "<!-- end of tables -->"


def tables(results: Results) -> str:
    """All tables, in Markdown, and whether we ever ask more than the paper's best."""
    parts = [_pools(results)]
    for file in results:
        parts += [f"**{file}**, the paper's columns, at most 8 items a question:"]
        parts += [_as_in_the_paper(results[file])]
        parts += [f"**{file}**, by cap: all labels / the first 2500", _by_cap(results[file])]
    return "\n\n".join([*parts, verdict(results)])


def put_in_readme(results: Results, readme: Path = README) -> None:
    """Replace the tables in the README with those these results give."""
    before, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    text = f"{before}{BEGIN}\n{tables(results)}\n{END}{after}"
    readme.write_text(text, encoding="utf-8")


def _pools(results: Results) -> str:
    heads = ["file", "items", "accuracy", "entropy", "bits", "bits calibrated", "second half: raw"]
    lines = _head([*heads, "recalibrated", "hindsight"], 1)
    for file, found in results.items():
        pool = found["pool"]
        bits = ("entropy_bits", "bits", "bits_calibrated")
        halves = tuple(f"second_half_bits_{kind}" for kind in ("raw", "recalibrated", "hindsight"))
        numbers = [f"{pool[key]:.0f}" for key in (*bits, *halves)]
        lines.append(_line(file, f"{pool['items']}", f"{pool['accuracy']:.4f}", *numbers))
    return "\n".join(lines)


def _as_in_the_paper(found: dict[str, Any]) -> str:
    heads = [
        "method",
        "Q for 2500 labels",
        "questions (max 2500)",
        "labels then",
        "no",
        "Q for all",
    ]
    lines = _head([*heads, "items shown", "seconds"], 1)
    for method in METHODS:
        cell = found["cells"].get(cell_name(method, 8))
        if cell is not None:
            numbers = (
                cell["questions_for_2500_labels"],
                min(cell["questions"], 2500),
                cell["labels_at_2500_questions"],
                cell["no_at_2500_questions"],
                cell["questions"],
                cell["items_shown"],
                round(DEFAULT_COST.total(cell["questions"], cell["items_shown"])),
            )
            lines.append(_line(method, *map(str, numbers)))
    seconds, bound = found["pool"]["seconds"], found["pool"]["bound_questions"]
    caps = ", ".join(f"{least:.0f} ({cap})" for cap, least in bound.items())
    words = (
        f"By the raw probabilities the fewest questions to expect are {caps}. Seconds are for "
        f"{DEFAULT_COST.question_s:g} a question and {DEFAULT_COST.item_s:g} an item: "
        f"{seconds['one by one']:.0f} one by one, {seconds['marked grid']:.0f} for a grid in which "
        f"wrong items are marked, and no less than {seconds['floor']:.0f} for looking at each."
    )
    return "\n".join([*lines, "", words])


def _by_cap(found: dict[str, Any]) -> str:
    lines = _head(["method", *[f"max_n {'none' if m is None else m}" for m in CAPS]], 1)
    for method in METHODS:
        cells = [found["cells"].get(cell_name(method, max_n)) for max_n in CAPS]
        row = [f"{c['questions']} / {c['questions_for_2500_labels']}" if c else "" for c in cells]
        lines.append(_line(method, *row))
    return "\n".join(lines)


def _head(heads: list[str], words: int) -> list[str]:
    return [_line(*heads), "|" + "---|" * words + "--:|" * (len(heads) - words)]


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
