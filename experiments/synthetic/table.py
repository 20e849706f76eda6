"""The table of means, made from the results and kept in the README."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from experiments.synthetic.problems import PROBLEMS
from experiments.synthetic.results import Results

README: Final = Path(__file__).with_name("README.md")
BEGIN: Final = "<!-- table: written by python -m experiments.synthetic -->"
END: Final = "<!-- end of table -->"


def table(results: Results) -> str:
    """Mean Q, Q - H and Q / H of every method on every problem, in Markdown."""
    heads = [f"({name}) Q | Q-H | Q/H" for name in PROBLEMS]
    lines = [
        f"| method | {' | '.join(heads)} |",
        "|---|" + "--:|" * 3 * len(PROBLEMS),
        _row("entropy H of the probs", results, "entropy_bits"),
        _row("code length of the labels, bits", results, "code_length_bits"),
        _row("Huffman, expected", results, "huffman_expected_questions"),
    ]
    for method in results["problems"]["a"]["questions"]:
        lines.append(_row(method, results, method))
    return "\n".join(lines)


def means(questions: ArrayLike, entropy: ArrayLike) -> tuple[float, float, float]:
    """Mean Q, Q - H and Q / H over the seeds."""
    q, h = np.asarray(questions, dtype=float), np.asarray(entropy, dtype=float)
    return float(np.mean(q)), float(np.mean(q - h)), float(np.mean(q / h))


def put_in_readme(results: Results, readme: Path = README) -> None:
    """Replace the table in the README with the one these results give."""
    before, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    text = f"{before}{BEGIN}\n{table(results)}\n{END}{after}"
    readme.write_text(text, encoding="utf-8")


def _row(title: str, results: Results, key: str) -> str:
    cells = []
    for problem in results["problems"].values():
        values = problem[key] if key in problem else problem["questions"][key]
        mean, over, ratio = means(values, problem["entropy_bits"])
        if key == "entropy_bits":
            cells += [f"{mean:.2f}", "", ""]
        else:
            cells += [f"{mean:.2f}", f"{over:.2f}", f"{ratio:.2f}"]
    return f"| {title} | {' | '.join(cells)} |"
