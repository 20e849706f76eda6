"""The runs on file, one line each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).parent / "results.jsonl"
SAID: Final = Path(__file__).parent / "said.jsonl"
"""Later runs: nothing is fitted to them."""


def read_results(path: Path = RESULTS) -> list[dict[str, Any]]:
    """Every run; none if there is no file."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
