"""One JSON file a run, written while it goes, so that whatever is cut short leaves what it had.

::

    {"pool": "mnist", "planner": "lookahead random/entropy", "predictor": "paper", "seed": 0,
     "finished": true, "questions": ..., "labels": ..., "questions_for_2500_labels": ...,
     "refits": ..., "refit_s_median": ..., "refit_s_max": ..., "run_s": ...,
     "curve": [labels after 25, 50, ... questions],
     "along": [{"question": ..., "labels": ..., "accuracy": ..., "ece": ..., "bits": ...}, ...],
     "right": ..., "no": ..., "items_shown": ..., "prequential_bits": ..., "ece": ...}

``along`` is about the items open at that question.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).with_name("results")

Result = dict[str, Any]


def result_path(folder: Path, name: str) -> Path:
    """Where the run of this name is kept."""
    return folder / (re.sub(r"[^a-z0-9]+", "-", name) + ".json")


def read_result(path: Path) -> Result:
    """What a run has found so far; nothing if it has not."""
    if not path.exists():
        return {}
    found: Result = json.loads(path.read_text(encoding="utf-8"))
    return found


def read_results(folder: Path = RESULTS) -> list[Result]:
    """Every run on file."""
    return [read_result(path) for path in sorted(folder.glob("*.json"))]


def write_result(found: Result, path: Path) -> None:
    """Write one run; a run that is cut short here leaves the old file."""
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(found) + "\n", encoding="utf-8")
    fresh.replace(path)
