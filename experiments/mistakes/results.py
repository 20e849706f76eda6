"""The runs on file, one line each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

Row = dict[str, Any]
RESULTS: Final = Path(__file__).parent / "results.jsonl"
COVERAGE: Final = Path(__file__).parent / "coverage.jsonl"


def read_results(path: Path = RESULTS) -> list[Row]:
    """Every run; none if there is no file."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
