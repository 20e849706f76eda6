"""Check all of a session on disk: events, files, and every label against its answers.

Tested in tests/folder/test_folder.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from askless.core.verify import unproved_items
from askless.errors import AsklessError
from askless.folder.files import TRAINING, exists, items_of, lost, no_session, open_store, probs_of
from askless.folder.reading import read_record
from askless.session.history import History
from askless.trainer.checkpoint import newest_checkpoint


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found.

    Parameters
    ----------
    events, answers, labels
        How many were checked.
    findings
        A sentence for everything that is wrong; none if all is well.
    """

    events: int
    answers: int
    labels: int
    findings: tuple[str, ...] = field(default=())

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def verify(folder: Path) -> Verification:
    """Check all of it: every stored event, and every label against the answers that entail it."""
    if not exists(folder) and not lost(folder):
        raise no_session(folder)
    try:
        opening, history, events, damage = read_record(folder)
    except AsklessError as error:
        return Verification(0, 0, 0, (str(error),))
    findings = [damage] if damage else _pages(folder)
    for source in (probs_of, items_of):
        try:
            source(folder, opening)
        except AsklessError as error:
            findings.append(str(error))
    findings += _checkpoints(folder, history)
    state = history.state
    unproved = unproved_items(state)
    if unproved:
        findings.append(
            f"{len(unproved)} labels do not follow from their answers, the first of them that of "
            f"item {unproved[0]}."
        )
    return Verification(events, len(history.answers), state.n_settled, tuple(findings))


def _checkpoints(folder: Path, history: History) -> list[str]:
    training = folder / TRAINING
    if not training.is_dir():
        return []
    found = newest_checkpoint(training, history.state.n)
    findings = list(found.complaints)
    last = found.checkpoint
    noted = last is not None and last.number == history.checkpoint and history.checksum
    if last is not None and noted and last.checksum != noted:
        findings.append(
            f"The checkpoint {found.path} is not the one that questions were planned with. "
            "Remove it, and one is made from the answers."
        )
    return findings


def _pages(folder: Path) -> list[str]:
    try:
        store = open_store(folder, write=False)
    except AsklessError as error:
        return [str(error)]
    try:
        store.verify()
    except AsklessError as error:
        return [str(error)]
    finally:
        store.close()
    return []
