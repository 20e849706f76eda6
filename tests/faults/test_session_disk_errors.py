"""A session whose disk is full, fails to sync, has no descriptors left, or may not be written to.

Seen to fail first: beginning a session on a full disk raised a bare OSError or spoke of damage.
"""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

from askless.assemble import read_session
from askless.cli import main
from askless.errors import AsklessError, InvalidInput, StoreError
from askless.exports import EXPORTERS, export
from askless.exports.contents import numbered_contents
from askless.folder import files as folders
from askless.folder.verifying import verify_session
from askless.session.session import Session
from askless.trainer.background import BackgroundTrainer
from tests.faults.apart import (
    forbid_writing,
    give_back,
    give_up_root,
    in_a_process_of_its_own,
    take_all_descriptors,
)
from tests.faults.kinds import ITEMS, Kind
from tests.faults.marks import needs_shim
from tests.faults.shim import run_with_shim
from tests.faults.trainers import wait_for

KIND = Kind.drawn(0)


@needs_shim
@pytest.mark.parametrize(
    ("scenario", "watched", "least"),
    [
        ("opening", "", 40),
        ("deeds", "", 40),
        ("exporting", "", 8),
        ("training", "s/training", 12),
    ],
)
def test_nothing_is_lost_whatever_call_fails_while(
    quick_folder: Path, scenario: str, watched: str, least: int
) -> None:
    done = run_with_shim(
        "tests.faults.failing_session", scenario, str(quick_folder), folder=quick_folder / watched
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= least


def test_session_goes_on_without_descriptors(quick_folder: Path) -> None:
    in_a_process_of_its_own(go_on_without_descriptors, quick_folder)


def test_opening_without_descriptors_is_refused_with_a_sentence(quick_folder: Path) -> None:
    in_a_process_of_its_own(open_without_descriptors, quick_folder)


def test_session_that_may_not_be_written_to_can_be_read_verified_and_exported(
    quick_folder: Path,
) -> None:
    with KIND.start(quick_folder / "s") as working:
        answer(working.session, 5)
    forbid_writing(quick_folder / "s")
    (quick_folder / "elsewhere").mkdir()
    (quick_folder / "elsewhere").chmod(0o777)
    quick_folder.chmod(0o555)
    in_a_process_of_its_own(use_read_only, quick_folder)
    quick_folder.chmod(0o755)


# --- what is done in a process of its own -------------------------------------------------------


def go_on_without_descriptors(place: Path) -> None:
    folder = place / "s"
    with KIND.start(folder) as working:
        with BackgroundTrainer(folder / folders.TRAINING, ITEMS) as trainer:
            taken = take_all_descriptors()
            working.session.use(trainer=trainer)
            answer(working.session, 20)
            working.session.undo("ann")
            with pytest.raises(InvalidInput, match="Too many open files"):
                export(numbered_contents(working.session.labels(), ITEMS), place / "labels.csv")
            assert "Too many open files" in wait_for(lambda: trainer.status().last_failure)
            give_back(taken)
        assert not list(place.glob(".*.partial"))
        export(numbered_contents(working.session.labels(), ITEMS), place / "labels.csv")
    assert verify_session(folder).sound
    history = read_session(folder).history
    assert len(history.answers) + len(history.audits.answers) == 20


def open_without_descriptors(place: Path) -> None:
    with KIND.start(place / "s") as working:
        answer(working.session, 5)
    taken = take_all_descriptors()
    with pytest.raises(AsklessError, match="Too many open files"):
        KIND.start(place / "s")
    with pytest.raises(AsklessError, match="Too many open files"):
        KIND.start(place / "new")
    for _ in range(8):  # one more each time, and whatever is said is said in a sentence
        with suppress(AsklessError):
            KIND.start(place / "s").close()
        with suppress(AsklessError):
            KIND.start(place / "new").close()
        with suppress(AsklessError):
            read_session(place / "s")
        assert folders.exists(place / "s")
        os.close(taken.pop())
    give_back(taken)
    with KIND.start(place / "s") as working:
        assert len(working.session.history.answers) == 5
    with KIND.start(place / "new") as working:
        answer(working.session, 1)


def use_read_only(place: Path) -> None:
    folder = place / "s"
    # Load what perhaps root alone may read.
    import_module("askless.stores.sqlite")
    EXPORTERS.find_all()
    assert main(["status", str(place / "nothing")]) == 2
    assert main(["export", str(place / "nothing"), "labels.csv"]) == 2
    give_up_root()
    with pytest.raises(StoreError, match="which needs a folder that may be written to"):
        KIND.start(folder)
    with pytest.raises(AsklessError, match="Permission denied"):
        KIND.start(place / "new")
    assert verify_session(folder).sound
    assert len(read_session(folder).history.answers) == 5
    assert main(["status", str(folder)]) == 0
    assert main(["verify", str(folder)]) == 0
    assert main(["export", str(folder), str(place / "elsewhere" / "labels.csv")]) == 0
    assert main(["export", str(folder), str(folder / "labels.csv")]) == 2
    assert len((place / "elsewhere" / "labels.csv").read_text().splitlines()) > ITEMS
    assert {path.name for path in folder.iterdir()} == {
        "events.sqlite", "events.sqlite-head", "items.jsonl", "probs.npy",
    }  # fmt: skip


def answer(session: Session, count: int) -> None:
    for _ in range(count):
        asked = session.ask("ann")
        assert asked is not None
        session.tell(asked.id, asked.question.yes(), f"{asked.id}")
