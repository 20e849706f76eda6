"""Check all of a session on disk: events, files, and every label against its answers.

Reading the events draws every check again from the seed of its claim, and refuses one that is not
what the seed draws (`askless.history.claims`, `askless.history.consistency`).

A certificate that somebody shows is computed again from the same events.

Tested in tests/folder/test_folder.py, test_verifying.py and test_certificates.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from askless.certificates.self_agreement import consistencies
from askless.certificates.standing import standing_of
from askless.core.verify import unproved_items
from askless.errors import AsklessError
from askless.folder.certificates import CertificateWatch, differences, read_certificate
from askless.folder.files import TRAINING, exists, items_of, lost, no_session, open_store, probs_of
from askless.folder.reading import read_record
from askless.history.history import History
from askless.trainer.checkpoint import newest_checkpoint


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found.

    Parameters
    ----------
    events, answers, labels
        How many were checked; of the answers, those of people that stand, as `status` counts them.
    findings
        A sentence for everything that is wrong; none if all is well.
    checks
        How many draws of the claim in force were drawn again from its seed.
    standing
        What they prove, computed from the events alone, as a sentence; empty without a claim.
    reasks
        How many labels were drawn again from the seed of their re-asks.
    consistency
        What the re-asks prove, in sentences; none without any.
    certificate
        What the checks prove, with every number it rests on, computed from the events alone; None
        for nothing.
    """

    events: int
    answers: int
    labels: int
    findings: tuple[str, ...] = ()
    checks: int = 0
    standing: str = ""
    reasks: int = 0
    consistency: tuple[str, ...] = ()
    certificate: Mapping[str, Any] | None = None

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def verify_session(folder: Path, certificate: Path | None = None) -> Verification:
    """Check all of it: every stored event, and every label against the answers that entail it.

    Parameters
    ----------
    folder
        Where the session is.
    certificate
        A file of a certificate that is to be this session's, now or at an earlier moment.
    """
    if not exists(folder) and not lost(folder):
        raise no_session(folder)
    shown = None if certificate is None else read_certificate(certificate)
    watch = CertificateWatch(folder, None if shown is None else shown["events"])
    try:
        opening, history, events, damage = read_record(folder, watch)
    except AsklessError as error:
        return Verification(0, 0, 0, (str(error),))
    findings = [damage] if damage else _pages(folder)
    for source in (probs_of, items_of):
        try:
            source(folder, opening, history.source)
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
    if shown is not None:
        findings += differences(shown, watch.then)
    claim, standing, certified = history.claims.current, None, None
    try:
        standing, certified = standing_of(history), watch.end(history)
    except AsklessError as error:  # the method promises something that is no promise, say
        if str(error) not in findings:  # a certificate reads the items too
            findings.append(str(error))
    return Verification(
        events,
        history.tally.answers,
        state.n_settled,
        tuple(findings),
        0 if claim is None else len(claim.draws),
        "" if standing is None else str(standing),
        sum(len(one.draws) for one in history.reasks.samples()),
        tuple(sentence for one in consistencies(history) for sentence in one.says()),
        None if findings else certified,
    )


def _checkpoints(folder: Path, history: History) -> list[str]:
    training = folder / TRAINING
    if not training.is_dir():
        return []
    for n in reversed(history.source.sizes):  # a kill may leave one of before the source grew
        found = newest_checkpoint(training, n)
        if found.checkpoint is not None:
            break
    findings, last, noted = list(found.complaints), found.checkpoint, history.checksum
    if last and noted and last.number == history.checkpoint and last.checksum != noted:
        findings.append(
            f"The checkpoint {found.path} is not the one that questions were planned with. "
            "Remove it, and one is made from the answers."
        )
    return findings


def _pages(folder: Path) -> list[str]:
    try:
        with closing(open_store(folder, write=False)) as store:
            store.check_pages()  # its events have been read
    except AsklessError as error:
        return [str(error)]
    return []
