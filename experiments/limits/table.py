"""The tables, made from the results and kept in the README."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from experiments.limits.cells import CAPS, COUNTING, DRAWS, FEW_CAPS, MANY_DRAWS, PACES, VARIANTS
from experiments.limits.pools import POOLS
from experiments.limits.results import Results, ratio, without_luck

README: Final = Path(__file__).with_name("README.md")
BEGIN: Final = "<!-- tables: written by python -m experiments.limits -->"
END: Final = "<!-- end of tables -->"


def tables(results: Results) -> str:
    """All tables, in Markdown."""
    parts = []
    for n, draws in DRAWS.items():
        parts += [
            f"**Questions / bound, {n:,} items, {draws} draws**, one guess a question:",
            _count(results, n),
        ]
    parts += [
        f"**Without a cap, {MANY_DRAWS} draws**, 6,000 items, questions of `auto` / H:",
        _many(results),
        "**Both guesses in one question**, 6,000 items, 5 draws, questions / bound:",
        _mixed(results),
        "**Clusters (pool E)**, 6,000 items: the entropy of the probs, and of the labels together:",
        _clusters(results),
        "**What a person pays**, 6,000 items, a = 1, b = .3, c = 1 s, relative to one by one:",
        _effort(results),
        "**Seconds at other paces**, objective `seconds`, relative to one by one:",
        _paces(results),
        never_above_one_by_one(results),
    ]
    return "\n\n".join(parts)


def never_above_one_by_one(results: Results) -> str:
    """Whether saving seconds ever took longer than asking one by one, in a sentence."""
    ratios = {
        name: ratio(cell["seconds"], [_single_s(name)] * len(cell["seconds"]))[0]
        for name, cell in results["cells"].items()
        if name.startswith("effort") and " seconds " in name
    }
    if not ratios:
        return "Seconds were not measured."
    worst = max(ratios, key=lambda name: ratios[name])
    verdict = "never" if ratios[worst] <= 1.0 else "NOT never"
    return (
        f"With objective `seconds` the mean is {verdict} above one by one; "
        f"the nearest is {ratios[worst]:.4f} ({worst.removeprefix('effort ')})."
    )


def put_in_readme(results: Results, readme: Path = README) -> None:
    """Replace the tables in the README with those these results give."""
    before, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    text = f"{before}{BEGIN}\n{tables(results)}\n{END}{after}"
    readme.write_text(text, encoding="utf-8")


def best_paper(results: Results, pool: str, max_n: int | None) -> dict[str, Any] | None:
    """The variant of the paper's planner that took the fewest questions, if it was measured."""
    names = [f"paper {pool} 6000 {a}/{c} max_n={max_n}" for a, c in VARIANTS]
    found = [results["cells"][name] for name in names if name in results["cells"]]
    return min(found, key=lambda cell: float(np.mean(cell["questions"])), default=None)


def _count(results: Results, n: int) -> str:
    heads = ["pool", "max_n", "bound / H", "bits / H", *COUNTING, "paper's best", "fill / bits"]
    smooth = DRAWS[n] > 3  # a line through three points says nothing of its own error
    lines = _head(heads + [f"{p}, luck removed" for p in COUNTING] * smooth, 2)
    for pool in POOLS:
        marks = results["bounds"][f"{pool} {n}"]
        for max_n in CAPS:
            least = marks[f"max_n={max_n}"]
            cells = [results["cells"].get(f"count {pool} {n} {p} max_n={max_n}") for p in COUNTING]
            paper = best_paper(results, pool, max_n) if n == min(DRAWS) else None
            row = [_of(cell, least) for cell in [*cells, paper]]
            row += [_of_bits(cells[COUNTING.index("fill")], least, marks)]
            if smooth:
                row += [_smooth(cell, least, marks) for cell in cells]
            shares = [
                f"{ratio(some, marks['entropy_bits'])[0]:.3f}" for some in (least, marks["bits"])
            ]
            lines.append(_line(pool, _cap(max_n), *shares, *row))
    return "\n".join(lines)


def _many(results: Results) -> str:
    lines = _head(["pool", "questions", "bits / H", "questions / H", "luck removed"], 1)
    for pool in "ABCD":
        cell = results["cells"].get(f"many {pool} 6000 auto max_n=None")
        if cell is not None:
            least = cell["entropy_bits"]
            row = [f"{np.mean(cell['questions']):.0f}", f"{ratio(cell['bits'], least)[0]:.3f}"]
            lines.append(_line(pool, *row, _of(cell, least), _smooth(cell, least, cell)))
    return "\n".join(lines)


def _mixed(results: Results) -> str:
    lines = _head(["pool", "max_n", *COUNTING], 2)
    for pool in POOLS:
        for max_n in FEW_CAPS:
            least = results["bounds"][f"{pool} 6000"][f"max_n={max_n}"]
            names = [f"mixed {pool} 6000 {planner} max_n={max_n}" for planner in COUNTING]
            row = [_of(results["cells"].get(name), least) for name in names]
            lines.append(_line(pool, _cap(max_n), *row))
    return "\n".join(lines)


def _clusters(results: Results) -> str:
    marks = results["bounds"]["E 6000"]
    lines = _head(["planner", "max_n", "questions", "/ entropy", "/ joint entropy"], 2)
    for max_n in FEW_CAPS:
        for planner in COUNTING:
            cell = results["cells"].get(f"count E 6000 {planner} max_n={max_n}")
            if cell is not None:
                q = cell["questions"]
                shares = [_of(cell, marks[key]) for key in ("entropy_bits", "joint_entropy_bits")]
                lines.append(_line(planner, _cap(max_n), f"{np.mean(q):.0f}", *shares))
    both = [float(np.mean(marks[key])) for key in ("entropy_bits", "joint_entropy_bits")]
    lines.append("")
    lines.append(f"Entropy of the probs {both[0]:.0f} bits, joint entropy {both[1]:.0f} bits.")
    return "\n".join(lines)


def _effort(results: Results) -> str:
    heads = ["pool", "answers", "objective", "chosen", "questions", "items shown", "seconds"]
    lines = _head([*heads, "questions for 2,500 labels"], 4)
    for name, cell in results["cells"].items():
        if not name.startswith("effort") or not name.endswith(" 1,0.3,1"):
            continue
        _, pool, n, answers, objective, _ = name.split()
        shares = [
            f"{np.mean(cell['questions']) / int(n):.3f}",
            f"{np.mean(cell['items_shown']) / int(n):.3f}",
            _of(cell, [_single_s(name)] * len(cell["seconds"]), "seconds"),
            f"{np.mean(cell['questions_for_2500_labels']):.0f}",
        ]
        lines.append(_line(pool, answers, objective, cell["chosen"], *shares))
    return "\n".join(lines)


def _paces(results: Results) -> str:
    lines = _head(["a, b, c", *[f"{p} {a}" for p in "ABCD" for a in ("yes-no", "pointed")]], 1)
    for pace in PACES:
        words = ",".join(f"{second:g}" for second in pace)
        row = []
        for pool in "ABCD":
            for answers in ("yes-no", "pointed"):
                name = f"effort {pool} 6000 {answers} seconds {words}"
                cell = results["cells"].get(name)
                marks = [] if cell is None else [_single_s(name)] * len(cell["seconds"])
                row.append("" if cell is None else f"{ratio(cell['seconds'], marks)[0]:.3f}")
        lines.append(_line(words, *row))
    return "\n".join(lines)


def _single_s(name: str) -> float:
    """Seconds of one by one for the pool and the pace of an ``effort`` cell."""
    _, _, n, _, _, pace = name.split()
    a, b, _ = map(float, pace.split(","))
    return int(n) * (a + b)


def _of(cell: dict[str, Any] | None, marks: list[float], key: str = "questions") -> str:
    if cell is None:
        return ""
    mean, error = ratio(cell[key], marks)
    return f"{mean:.3f} ± {error:.3f}"


def _of_bits(cell: dict[str, Any] | None, least: list[float], marks: dict[str, Any]) -> str:
    """Questions by the bits that the labels drawn are worth; empty where the cap binds."""
    binds = ratio(least, marks["entropy_bits"])[0] > 1.001
    return "" if binds else _of(cell, marks["bits"])


def _smooth(cell: dict[str, Any] | None, least: list[float], marks: dict[str, Any]) -> str:
    if cell is None:
        return ""
    mean, error = without_luck(cell["questions"], least, marks["bits"], marks["entropy_bits"])
    return f"{mean:.3f} ± {error:.3f}"


def _cap(max_n: int | None) -> str:
    return "none" if max_n is None else str(max_n)


def _head(heads: list[str], words: int) -> list[str]:
    return [_line(*heads), "|" + "---|" * words + "--:|" * (len(heads) - words)]


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
