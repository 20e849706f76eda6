"""The JSON file of results, written after every cell so that a run can be taken up again.

::

    {"bounds": {"A 6000": {"entropy_bits": [one per draw], "joint_entropy_bits": [...],
                           "bits": [...], "max_n=8": [...], ...}, ...},
     "cells": {"count A 6000 fill max_n=8": {"questions": [one per draw], "items_shown": [...],
                                             "seconds": [...], "chosen": "fill"}, ...}}
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np

RESULTS: Final = Path(__file__).with_name("results.json")

Results = dict[str, dict[str, dict[str, Any]]]


def read_results(path: Path = RESULTS) -> Results:
    """The results so far; none if there is no file."""
    if not path.exists():
        return {"bounds": {}, "cells": {}}
    results: Results = json.loads(path.read_text(encoding="utf-8"))
    return results


def write_results(results: Results, path: Path = RESULTS) -> None:
    """Write the results, one cell a line; a run that is cut short here leaves the old file."""
    parts = []
    for part, cells in results.items():
        lines = [f"  {json.dumps(name)}: {_compact(cell)}" for name, cell in cells.items()]
        parts.append(f" {json.dumps(part)}: {{\n" + ",\n".join(lines) + "\n }")
    fresh = path.with_suffix(".new")
    fresh.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
    fresh.replace(path)


def ratio(values: list[float], marks: list[float]) -> tuple[float, float]:
    """Mean of values / marks over the draws, and its standard error."""
    ratios = np.array(values, dtype=float) / np.array(marks[: len(values)], dtype=float)
    error = ratios.std(ddof=1) / np.sqrt(len(ratios)) if len(ratios) > 1 else 0.0
    return float(ratios.mean()), float(error)


def without_luck(
    values: list[float], marks: list[float], bits: list[float], entropy_bits: list[float]
) -> tuple[float, float]:
    """Mean of values / marks had the labels drawn been worth their entropy, and its error.

    Labels that turn out worth more bits than expected take more questions. Over the draws that
    is a straight line; its value where bits = entropy is the mean without the luck of the draws
    (a control variate), and what scatters about the line is its error.
    """
    n = len(values)
    ratios = np.array(values, dtype=float) / np.array(marks[:n], dtype=float)
    luck = np.array(bits[:n], dtype=float) / np.array(entropy_bits[:n], dtype=float) - 1.0
    lines = np.stack([np.ones(n), luck], axis=1)
    (at_no_luck, slope), *_ = np.linalg.lstsq(lines, ratios, rcond=None)
    spread = ratios - lines @ np.array([at_no_luck, slope])
    variance = float(spread @ spread) / (n - 2) * np.linalg.inv(lines.T @ lines)[0, 0]
    return float(at_no_luck), float(np.sqrt(variance))


def _compact(cell: dict[str, Any]) -> str:
    return json.dumps(cell, separators=(",", ":"))
