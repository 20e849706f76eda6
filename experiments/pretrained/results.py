"""The JSON file of results, written after every cell so that a run can be taken up again.

::

    {"svhn": {"pool": {"items": 6000, "accuracy": ..., "bits": ..., ...},
              "cells": {"auto questions, recalibrated max_n=8":
                            {"questions": ..., "questions_for_2500_labels": ...,
                             "labels_at_2500_questions": ..., "no_at_2500_questions": ...,
                             "items_shown": ..., "chosen": ...,
                             "curve": [questions for 100, 200, ... labels]}, ...}}, ...}
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).with_name("results.json")

Results = dict[str, dict[str, Any]]


def read_results(path: Path = RESULTS) -> Results:
    """The results so far; none if there is no file."""
    if not path.exists():
        return {}
    results: Results = json.loads(path.read_text(encoding="utf-8"))
    return results


def write_results(results: Results, path: Path = RESULTS) -> None:
    """Write the results, one cell a line; a run that is cut short here leaves the old file."""
    files = []
    for name, found in results.items():
        lines = [f"   {json.dumps(cell)}: {_compact(at)}" for cell, at in found["cells"].items()]
        cells = "{\n" + ",\n".join(lines) + "\n  }"
        pool = _compact(found["pool"])
        files.append(f' {json.dumps(name)}: {{\n  "pool": {pool},\n  "cells": {cells}\n }}')
    fresh = path.with_suffix(".new")
    fresh.write_text("{\n" + ",\n".join(files) + "\n}\n", encoding="utf-8")
    fresh.replace(path)


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
