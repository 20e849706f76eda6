"""Whatever byte of a session's files is changed: told in sentences, never a traceback.

Seen to fail first: a changed byte in the page with the names of the tables made the driver
raise an error of its own, which went through everything.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random

import numpy as np
import pytest

from askless.assemble import open_session, read_session
from askless.cli import main
from askless.core.probability import Probs
from askless.errors import AsklessError, Damaged
from askless.folder import files as folders
from askless.folder.verifying import verify_session
from askless.seams import Checkpoint
from askless.trainer.checkpoint import write_checkpoint
from tests.faults.kinds import Kind

PAGE = 4096
LOG = "events.sqlite-wal"
MORE = 3


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("session") / "s"
    with open_session(Probs(np.linspace(0.02, 0.98, 90)), folder=folder) as working:
        for _ in range(12):
            asked = working.session.ask("ann")
            assert asked is not None
            working.session.tell(asked.id, asked.question.yes(), f"k{asked.id}")
    return folder


def test_any_changed_byte_is_told_in_sentences(
    session: Path, quick_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = Random(1)
    size = (session / "events.sqlite").stat().st_size
    schema = rng.sample(range(PAGE), 50)
    elsewhere = rng.sample(range(PAGE, size), 40)
    for place in sorted(schema + elsewhere):
        check_changed(session, quick_folder, place, rng.randrange(1, 256), capsys)


@pytest.fixture(scope="module")
def killed(session: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as its process left it when it was killed: the last answers are in the log."""
    folder = tmp_path_factory.mktemp("killed")
    shutil.copytree(session, folder / "live")
    with open_session(folder=folder / "live") as working:
        for _ in range(MORE):
            asked = working.session.ask("ann")
            assert asked is not None
            working.session.tell(asked.id, asked.question.yes(), f"k{asked.id}")
        shutil.copytree(folder / "live", folder / "killed")
    assert (folder / "killed" / LOG).stat().st_size > 0
    return folder / "killed"


@pytest.mark.parametrize("how", ["torn", "flipped"])
def test_last_record_that_is_torn_or_flipped_is_never_passed_over(
    killed: Path, quick_folder: Path, how: str
) -> None:
    """SQLite takes a damaged end of its log for an unfinished write and drops it in silence."""
    answers = len(read_session(session_copy(killed, quick_folder)).history.answers)
    whole = (killed / LOG).read_bytes()
    rng = Random(how)
    for back in [1, *rng.sample(range(2, 4000), 12)]:
        folder = session_copy(killed, quick_folder)
        content = bytearray(whole)
        if how == "torn":
            del content[-back:]
        else:
            content[-back] ^= 1 << rng.randrange(8)
        (folder / LOG).write_bytes(content)
        with pytest.raises(Damaged, match=r"acknowledged events, from number \d+ on, are missing"):
            open_session(folder=folder)
        assert (folder / LOG).read_bytes() == bytes(content)
        kept = read_session(folder)
        assert "are missing" in kept.damage
        assert answers - MORE <= len(kept.history.answers) < answers
        assert not verify_session(folder).sound


def session_copy(session: Path, place: Path) -> Path:
    folder = place / "broken"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(session, folder)
    return folder


@pytest.mark.parametrize("name", ["probs.npy", "items.jsonl", "training/checkpoint-00000002.npz"])
def test_changed_byte_of_a_file_beside_the_events_is_told(quick_folder: Path, name: str) -> None:
    with ExitStack() as stack:
        begun = Kind.drawn(0).work(quick_folder / "s", stack)
        for number in (1, 2):
            training = quick_folder / "s" / folders.TRAINING
            write_checkpoint(training, Checkpoint(number, begun.probs, 0))
    path = quick_folder / "s" / name
    whole = path.read_bytes()
    rng = Random(name)
    for place in rng.sample(range(len(whole)), 15):
        content = bytearray(whole)
        content[place] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
        found = verify_session(quick_folder / "s")
        assert len(found.findings) == 1
        assert path.name in found.findings[0]
    if "checkpoint" in name:  # the one before it is good enough to go on with
        with open_session(folder=quick_folder / "s") as working:
            assert working.session.ask("ann") is not None
    path.write_bytes(whole)
    assert verify_session(quick_folder / "s").sound


def test_a_row_without_its_values_is_told_in_a_sentence(session: Path, quick_folder: Path) -> None:
    """Seen to fail first: a missing checksum was found equal to one that cannot be worked out."""
    shutil.copytree(session, quick_folder / "empty")
    path = quick_folder / "empty" / "events.sqlite"
    with closing(sqlite3.connect(path)) as stranger:
        made = stranger.execute("SELECT sql FROM sqlite_master WHERE name = 'event'").fetchone()[0]
        stranger.execute("PRAGMA writable_schema = ON")
        stranger.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'event'"
        )
        stranger.commit()
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute("PRAGMA writable_schema = ON")
        stranger.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'event'", (made,))
        stranger.execute("UPDATE event SET format = NULL, link = NULL WHERE number = 5")
        stranger.commit()
    found = verify_session(quick_folder / "empty")
    assert "event 5 is not as it was written" in found.findings[0]


def check_changed(
    session: Path, place_for_it: Path, offset: int, change: int, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = session_copy(session, place_for_it)
    path = folder / "events.sqlite"
    content = bytearray(path.read_bytes())
    content[offset] ^= change
    path.write_bytes(bytes(content))
    found = verify_session(folder)
    if found.sound:  # a byte that means nothing, such as one that no page uses
        assert read_session(folder).history.state == read_session(session).history.state
    assert all(finding.endswith(".") for finding in found.findings)
    with suppress(AsklessError):  # and nothing else
        read_session(folder)
    if offset % 8 == 0:  # the commands say no less, and take longer
        assert main(["verify", str(folder), "--json"]) == (0 if found.sound else 1)
        assert json.loads(capsys.readouterr().out)["findings"] == list(found.findings)
        assert main(["status", str(folder)]) in (0, 2)
        capsys.readouterr()
    assert path.read_bytes() == bytes(content)
