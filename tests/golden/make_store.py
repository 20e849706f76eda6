"""Makes the store file of today's format, once, when that format is new.

    python -m tests.golden.make_store

The file then stays as it is for good: later versions of askless must open it.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from askless.core.event import FORMAT, Event
from askless.stores._schema import HEAD
from askless.stores.sqlite import SqliteStore

FOLDER = Path(__file__).parent
QUESTION = {"items": [3, 8, 5], "guess": [True, False, True]}
EVENTS: list[list[Any]] = [
    # kind, annotator, payload, at_s, key; one list for each append
    [("opened", "", {"n": 12, "pool": "demo"}, 1700000000.0, None)],
    [("defined", "ann", {"text": "a True label means: shows a cat"}, 1700000000.25, None)],
    [("asked", "ann", {"question": QUESTION, "probs_version": 0, "chance": 0.9}, 1.7e9, None)],
    [
        ("answered", "ann", {"question_id": 2, "answer": {"answer": "no"}}, 1700000003.5, "key 1"),
        ("asked", "ann", {"question": {"items": [3], "guess": [True]}}, 1700000003.5, None),
    ],
    [("unsure", "Zo\u00eb \u5b89", {"item": 5, "note": "blurred \u2026\n\0"}, 1699999999.0, "2")],
    [("taken_back", "ann", {"item": 5}, 1700000009.0, None)],
    [("retracted", "ann", {"answer": 3}, 1700000010.0, "k\u00e9y")],
    [("audited", "bob", {"answer": {"answer": "pointed", "wrong": [8]}}, 1700000011.0, "4")],
    [("checkpoint", "", {"version": 1, "checksum": "ab12"}, 1700000012.0, None)],
    [("exported", "", {"path": "labels.csv", "labels": 0}, 1700000013.0, None)],
]


def main() -> None:
    """Write the store and, beside it, what it holds."""
    path = FOLDER / f"store-{HEAD}-format-{FORMAT}.db"
    if path.exists():
        raise SystemExit(f"{path.name} is there already, and stays as it is.")
    with closing(SqliteStore(path)) as store:
        for append in EVENTS:
            store.append([Event(*fields) for fields in append])
    Path(f"{path}-head").unlink()
    held = [fields for append in EVENTS for fields in append]
    path.with_suffix(".json").write_text(json.dumps(held, indent=1) + "\n")


if __name__ == "__main__":
    main()
