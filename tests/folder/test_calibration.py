"""A session that corrects its probabilities is read, exported and taken up with them corrected."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.assemble import Method, open_session, read_session
from askless.cli import main
from askless.core.probability import Probs
from askless.core.state import State
from askless.errors import InvalidInput
from askless.folder import files as folders
from askless.history.labels import Labelled
from askless.seams import Checkpoint
from askless.trainer.checkpoint import write_checkpoint

N = 200
TRUTH = np.random.default_rng(0).random(N) < 0.9
PROBS = Probs(np.where(TRUTH, 0.45, 0.05))  # true labels are thought false, a little


def work(folder: Path, answers: int) -> tuple[list[Labelled], NDArray[np.float64], State]:
    """Answer so many questions; what the session believed in the end."""
    with open_session(PROBS, Method(max_n=4), folder) as working:
        for _ in range(answers):
            asked = working.session.ask("ann")
            assert asked is not None
            question = asked.question
            right = bool(np.all(TRUTH[list(question.items)] == np.array(question.guess)))
            working.session.tell(
                asked.id, question.yes() if right else question.no(), f"k{asked.id}"
            )
        session = working.session
        session.refresh()
        return list(session.labels()), session.probs.values, session.state


def test_probabilities_are_exported_as_the_session_believed_them_last(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "s", tmp_path / "labels.csv"
    labels, now, state = work(folder, 45)
    assert main(["export", str(folder), str(out)]) == 0
    rows = list(csv.DictReader(out.read_text().splitlines()))
    told = [labelled.probability for labelled in labels]
    assert [float(row["probability"]) for row in rows] == told
    free = sorted(set(range(N)) - {item for clause in state.clauses for item in clause.items})
    assert [told[item] for item in free] == now[free].tolist()
    unlabelled = [item for item, row in enumerate(rows) if row["certain"] == "false"]
    assert len(unlabelled) > 50
    as_given = np.mean((PROBS.values >= 0.5)[unlabelled] == TRUTH[unlabelled])
    corrected = np.mean([(told[item] >= 0.5) == TRUTH[item] for item in unlabelled])
    assert as_given < 0.25 < 0.8 < corrected


def test_a_checkpoint_is_not_corrected_by_the_labels_it_was_fitted_to(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    work(folder, 30)
    (folder / folders.TRAINING).mkdir()
    trained = Probs(np.full(N, 0.3))
    write_checkpoint(folder / folders.TRAINING, Checkpoint(1, trained, 30))
    assert np.array_equal(read_session(folder).probs.values, trained.values)


def test_a_session_keeps_the_correction_it_was_begun_with(tmp_path: Path) -> None:
    work(tmp_path / "s", 1)
    open_session(None, Method(max_n=4, recalibrate=True), tmp_path / "s").close()
    with pytest.raises(InvalidInput, match="begun, with recalibrate True; got recalibrate F"):
        open_session(None, Method(max_n=4, recalibrate=False), tmp_path / "s")
