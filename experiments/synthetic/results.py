"""What is measured, and the JSON file it is kept in.

::

    {"seeds": 1000,
     "problems": {"a": {"entropy_bits": [one per seed], "code_length_bits": [...],
                        "huffman_expected_questions": [...],
                        "questions": {method: [...]}}, ...},
     "pictures": {"a": {"points": ..., "probs": ..., "labels": ...}, ...},
     "tree": {"entropy_bits": [one per asking node], "cost_questions": [...]}}

``pictures`` are the pools of seed 0, ``tree`` is the Huffman tree of problem (a), seed 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.bounds import code_length_bits
from askless.core.entropy import independent_entropy_bits
from experiments.synthetic.huffman import huffman_tree
from experiments.synthetic.methods import count_questions
from experiments.synthetic.problems import PROBLEMS, make_problem

RESULTS: Final = Path(__file__).with_name("results.json")
DIGITS: Final = 4

Results = dict[str, Any]


def read_results(path: Path = RESULTS) -> Results:
    """The results as they were written."""
    results: Results = json.loads(path.read_text(encoding="utf-8"))
    return results


def write_results(results: Results, path: Path = RESULTS) -> None:
    """Write the results, one list a line, so that a changed method is a changed line."""
    path.write_text(_as_json(results) + "\n", encoding="utf-8")


def measure_pools(seeds: int) -> Results:
    """Everything that depends on the pools alone and not on who asks."""
    results: Results = {"seeds": seeds, "problems": {}, "pictures": {}}
    for name in PROBLEMS:
        entropy, code_length, expected = [], [], []
        for seed in range(seeds):
            pool = make_problem(name, seed)
            entropy.append(independent_entropy_bits(pool.probs))
            code_length.append(code_length_bits(pool.probs, pool.labels))
            expected.append(huffman_tree(pool.probs).expected_questions)
        results["problems"][name] = {
            "entropy_bits": _rounded(entropy),
            "code_length_bits": _rounded(code_length),
            "huffman_expected_questions": _rounded(expected),
            "questions": {},
        }
        first = make_problem(name, 0)
        results["pictures"][name] = {
            "points": [_rounded(point) for point in first.points],
            "probs": _rounded(first.probs),
            "labels": first.labels.tolist(),
        }
    tree = huffman_tree(make_problem("a", 0).probs)
    results["tree"] = {
        "entropy_bits": _rounded(tree.entropy_bits[tree.n_labellings :]),
        "cost_questions": _rounded(tree.cost_questions[tree.n_labellings :]),
    }
    return results


def measure_method(results: Results, method: str) -> None:
    """Let one method label every pool, and add its numbers of questions."""
    for name in PROBLEMS:
        results["problems"][name]["questions"][method] = [
            count_questions(method, make_problem(name, seed), seed)
            for seed in range(results["seeds"])
        ]


def _rounded(values: Iterable[float] | NDArray[np.float64]) -> list[float]:
    return [round(float(value), DIGITS) for value in values]


def _as_json(value: Any, indent: str = "") -> str:
    if not isinstance(value, dict):
        return json.dumps(value, separators=(",", ":"))
    inner = indent + " "
    lines = [f"{inner}{json.dumps(key)}: {_as_json(part, inner)}" for key, part in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
