"""What must hold of a session on disk whatever was done to its process: shared by every fault.

Every acknowledged deed is there exactly once, the state is that of a replay, every label follows
from its answers, an exported file is whole and speaks of answers that are there, and
so is the newest checkpoint. Needs nothing but what askless itself needs.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askless.core.state import replay
from askless.core.verify import unproved_items
from askless.folder import files as folders
from askless.folder.verifying import verify_session
from askless.history.history import History
from askless.trainer.checkpoint import newest_checkpoint
from tests.faults.kinds import Kind


class Lost(Exception):
    """Something acknowledged is not as it should be."""


@dataclass(slots=True)
class Witness:
    """What workers said (`tests.faults.worker`), and what must therefore be there.

    Parameters
    ----------
    kind
        What kind of session they work on.
    folder
        Where it is.
    """

    kind: Kind
    folder: Path
    opened: bool = False
    acknowledged: set[str] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)
    exported: set[str] = field(default_factory=set)
    pending: dict[str, Any] | None = None
    """What was begun and not acknowledged."""

    def hear(self, said: bytes) -> None:
        """Take in what was said, whole lines of it."""
        for line in map(json.loads, said.splitlines()):
            match line:
                case {"opened": True}:
                    self.opened = True
                case {"exported": str(name)}:
                    self.exported.add(name)
                case {"acknowledged": str(key)}:
                    self.acknowledged.add(key)
                    if self.pending is not None and self.pending["key"] == key:
                        self.pending = None
                case {"deed": str(deed), "key": str(key)}:
                    self.pending = line
                    if deed in ("tell", "correct"):
                        self.answered.add(key)

    def look(self, *, thoroughly: bool, go_on: bool = False) -> None:
        """Raise `Lost` if anything is not as it must be.

        Parameters
        ----------
        thoroughly
            Whether to do what ``askless verify`` does too.
        go_on
            Whether to see that one more question can be asked and answered.
        """
        if not folders.exists(self.folder):
            if self.opened:
                raise Lost("a session was opened and is not there")
            return
        # Whatever is left behind must not keep anybody out.
        with self.kind.start(self.folder) as working:
            check_history(working.session.history, self)
            check_files(self.folder, working.session.history, self)
            asked = working.session.ask("ann", "after the fault") if go_on else None
            if asked is not None:
                working.session.tell(asked.id, asked.question.yes(), "after the fault")
        if thoroughly and (findings := verify_session(self.folder).findings):
            raise Lost(" ".join(findings))


def check_history(history: History, witness: Witness) -> None:
    """Raise `Lost` unless the history holds what it must and nothing else."""
    missing = [key for key in witness.acknowledged if key not in history.keys]
    if missing:
        raise Lost(f"of {len(witness.acknowledged)} acknowledged deeds {missing} are missing")
    keys = [key for key in witness.answered if key in history.keys]
    # To correct what is right takes no answer.
    sent = {history.keys.event_of(key) for key in keys if history.keys.changed_something(key)}
    there = {*history.answers, *history.audits.answers}
    if sent != there:
        raise Lost(f"{len(there)} answers are there, of {len(sent)} that were sent")
    standing = {
        number: given.answer
        for number, given in history.answers.items()
        if history.stands(number) and number not in history.disputed
    }
    if history.state != replay(history.state.n, standing, history.unsure):
        raise Lost("the state is not that of a replay")
    if unproved := unproved_items(history.state):
        raise Lost(f"the labels of {unproved} do not follow from the answers")


def check_files(folder: Path, history: History, witness: Witness) -> None:
    """Raise `Lost` if a file in the folder is not whole, or says too much."""
    n = history.state.n
    missing = [name for name in witness.exported if not (folder / name).exists()]
    if missing:
        raise Lost(f"{missing} were exported and are not there")
    for rows in _exports(folder):
        if len(rows) != n:
            raise Lost(f"an exported file has {len(rows)} rows for {n} items")
        known = {number for row in rows for number in row}
        if not known <= set(history.answers):
            raise Lost("an exported file speaks of answers that are not there")
    found = newest_checkpoint(folder / folders.TRAINING, n)
    if found.complaints:
        raise Lost(" ".join(found.complaints))
    if history.checkpoint > found.last_number:
        raise Lost(f"checkpoint {history.checkpoint} was noted, {found.last_number} is the newest")


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
