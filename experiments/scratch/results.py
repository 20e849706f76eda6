"""The file of results, one run a line, so that files made on several machines can be put together.

Each line is a JSON object with ``name`` (`Cell.name`) and what `measure` gave. A line is written
as soon as its run is over, so a run that was stopped goes on where it was. ``code`` says with which
code it was made (`code_of`); rows of former times have none.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).with_name("results.jsonl")
_ROOMS: Final = ("core", "lab", "planners", "predictors")  # what questions depend on


def code_of(package: Path) -> str:
    """Eight digits that change with the code the questions depend on."""
    digest = hashlib.sha256()
    for path in sorted(path for room in _ROOMS for path in (package / room).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def read_results(path: Path = RESULTS) -> dict[str, dict[str, Any]]:
    """The results by name; of two with one name the later."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [_renamed(json.loads(line)) for line in lines if line.strip()]
    return {cell["name"]: cell for cell in found}


def _renamed(cell: dict[str, Any]) -> dict[str, Any]:
    """A line of former times in the words of today; the README says what they were."""
    if "sequential_bits" in cell:
        cell["one_by_one_bits"] = cell.pop("sequential_bits")
    return {"clauses": True, **cell}


def add_result(name: str, cell: dict[str, Any], path: Path = RESULTS) -> None:
    """Put one more line there."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"name": name, **cell}) + "\n")


def write_results(results: dict[str, dict[str, Any]], path: Path = RESULTS) -> None:
    """The whole file again, sorted by name."""
    lines = [json.dumps(results[name]) + "\n" for name in sorted(results)]
    path.write_text("".join(lines), encoding="utf-8")
