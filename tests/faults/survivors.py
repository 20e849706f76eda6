"""What must hold of a session on disk whatever was done to its process: shared by every fault.

Every acknowledged deed is there exactly once, the state is that of a replay, every label follows
from its answers, an exported file is whole and speaks of answers that are there, and
so is the newest checkpoint. Needs nothing but what askless itself needs.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection
from pathlib import Path

from askless import folder as folders
from askless.core.state import replay
from askless.core.verify import unproved_items
from askless.session.record import Record
from askless.trainer.checkpoint import newest_checkpoint


class Lost(Exception):
    """Something acknowledged is not as it should be."""


def check_record(record: Record, acknowledged: Collection[str], answered: Collection[str]) -> None:
    """Raise `Lost` unless the record holds what it must and nothing else.

    Parameters
    ----------
    record
        Of the session as it was found.
    acknowledged
        Keys of all that was acknowledged.
    answered
        Keys of every answer that was ever sent, acknowledged or not.
    """
    missing = [key for key in acknowledged if key not in record.by_key]
    if missing:
        raise Lost(f"of {len(acknowledged)} acknowledged deeds {missing} are missing")
    sent = [record.by_key[key] for key in answered if key in record.by_key]
    if sorted(sent) != sorted(record.answers):
        raise Lost(f"{len(record.answers)} answers are there, of {len(sent)} that were sent")
    standing = {
        number: given.answer
        for number, given in record.given.items()
        if number not in record.retracted | record.disputed
    }
    if record.state != replay(record.state.n, standing, record.unsure_by):
        raise Lost("the state is not that of a replay")
    if unproved := unproved_items(record.state):
        raise Lost(f"the labels of {unproved} do not follow from the answers")


def check_files(folder: Path, record: Record) -> None:
    """Raise `Lost` if a file in the folder of a session is not whole, or says too much.

    Parameters
    ----------
    folder
        Of the session; exports are looked for in it as ``labels.csv`` and ``labels.jsonl``.
    record
        Of the session.
    """
    n = record.state.n
    for rows in _exports(folder):
        if len(rows) != n:
            raise Lost(f"an exported file has {len(rows)} rows for {n} items")
        known = {number for row in rows for number in row}
        if not known <= set(record.given):
            raise Lost("an exported file speaks of answers that are not there")
    if not (folder / folders.TRAINING).is_dir():
        return
    found = newest_checkpoint(folder / folders.TRAINING, n)
    if found.complaints:
        raise Lost(" ".join(found.complaints))
    if record.checkpoint > found.last_number:
        raise Lost(f"checkpoint {record.checkpoint} was noted, {found.last_number} is the newest")


def _exports(folder: Path) -> list[list[list[int]]]:
    """Of each exported file, the answers that each row names."""
    found: list[list[list[int]]] = []
    if (table := folder / "labels.csv").exists():
        with table.open(encoding="utf-8", newline="") as file:
            found.append([list(map(int, row["answers"].split())) for row in csv.DictReader(file)])
    if (lines := folder / "labels.jsonl").exists():
        text = lines.read_text(encoding="utf-8").splitlines()
        found.append([json.loads(line)["answers"] for line in text])
    return found
