"""Whatever a predictor does, the session goes on with the last good probabilities, and says why.

One session, one trainer with a real process, one fault after the other; after each the trainer
recovers and the session plans with fresh probabilities. Faults that take a limit of time or
memory, or kill what the predictor started, are in test_trainer_process.py.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askless.assemble import Method, open_session, read_session
from askless.core.probability import Probs
from askless.files.arrays import write_array
from askless.folder import files as folders
from askless.folder.verifying import verify_session
from askless.session.session import Session
from askless.trainer.background import BackgroundTrainer
from tests.faults.trainers import FAULTY, wait_for

N = 120
X = np.random.default_rng(0).standard_normal((N, 3))
TRUTH = X[:, 0] > 0
FAULTS = [
    ("raises", "KeyError: 'the weights are gone'"),
    ("leaves", "SystemExit: 3"),
    ("is killed", "was killed by SIGKILL"),
    ("crashes", "was killed by SIGSEGV"),
    ("fills the disk", "File too large"),
    ("nan", "got nan for item 3"),
    ("inf", "got inf for item 3"),
    ("above one", "got 1.0001 for item 3"),
    ("below zero", "got -0.0001 for item 3"),
    ("too short", "got shape (119,)"),
    ("too long", "got shape (121,)"),
    ("a matrix", "got shape (120, 2)"),
    ("nothing at all", "got shape ()"),
]


def test_session_goes_on_whatever_its_predictor_does(quick_folder: Path) -> None:
    write_array(quick_folder / "x.npy", X)
    folder, flag = quick_folder / "s", quick_folder / "flag"
    trainer = BackgroundTrainer(
        folder / folders.TRAINING,
        N,
        predictor=FAULTY,
        options={"flag": str(flag)},
        features=quick_folder / "x.npy",
        first_pause_s=0.05,
    )
    start = Probs(np.full(N, 0.5))
    with (
        trainer,
        open_session(start, Method(planner="one-by-one"), folder, trainer=trainer) as working,
    ):
        session = working.session
        answer_until_fresh(session, trainer)
        for fault, reason in FAULTS:
            flag.write_text(fault)
            answer(session)
            wait_for(lambda: [session.refresh()] and trainer.status().failures)
            status, before = trainer.status(), session.probs
            assert reason in str(status.last_failure), fault
            answer(session)
            assert session.probs is before, fault
            assert trainer.status().checkpoint == status.checkpoint, fault
            flag.unlink()
            answer_until_fresh(session, trainer)
            assert session.probs is not before, fault
            assert trainer.status().failures == 0, fault
        answers = len(session.history.answers)
    kept = read_session(folder)
    assert len(kept.history.answers) == answers
    assert kept.history.checkpoint >= len(FAULTS)
    assert verify_session(folder).sound


@pytest.mark.parametrize("fault", ["constant", "certain"])
def test_session_ends_well_with_odd_but_legal_probabilities(fault: str, quick_folder: Path) -> None:
    """All alike, or all exactly 0 or 1, and some of these wrong."""
    write_array(quick_folder / "x.npy", X + np.random.default_rng(1).standard_normal(X.shape))
    (quick_folder / "flag").write_text(fault)
    folder = quick_folder / "s"
    trainer = BackgroundTrainer(
        folder / folders.TRAINING,
        N,
        predictor=FAULTY,
        options={"flag": str(quick_folder / "flag")},
        features=quick_folder / "x.npy",
    )
    with trainer, open_session(Probs(np.full(N, 0.5)), folder=folder, trainer=trainer) as working:
        session = working.session
        answer_until_fresh(session, trainer)
        assert set(session.probs.values.tolist()) == ({0.5} if fault == "constant" else {0.0, 1.0})
        while not session.state.done:
            answer(session)
        assert np.array_equal(session.state.labels() == 1, TRUTH)


def answer(session: Session) -> None:
    """Answer the next question truthfully."""
    asked = session.ask("ann")
    assert asked is not None
    items = list(asked.question.items)
    right = bool(np.all(TRUTH[items] == np.array(asked.question.guess)))
    session.tell(asked.id, asked.question.yes() if right else asked.question.no(), f"{asked.id}")


def answer_until_fresh(session: Session, trainer: BackgroundTrainer) -> None:
    """Go on until there is a new checkpoint, and it is in use."""
    checkpoint = trainer.status().checkpoint
    answer(session)
    wait_for(lambda: trainer.status().checkpoint > checkpoint)
    session.refresh()
