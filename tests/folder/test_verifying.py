"""Claims in a folder: what status and verify say about checks, and about forged ones."""

from __future__ import annotations

import dataclasses
import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from askless.assemble import open_session
from askless.certificates.policy import CheckUntilEnough, Freeze
from askless.cli import main
from askless.core.promise import Promise
from askless.core.question import Question
from askless.folder import files as folders
from askless.folder.verifying import verify_session
from askless.history.projections import SOURCE
from askless.stores.sqlite import SqliteStore
from tests.folder.test_folder import truth, work


def check(folder: Path, count: int) -> None:
    """Claim what is open, and answer some checks truthfully."""
    with open_session(folder=folder) as working:
        session = working.session
        guesses = np.array(truth())
        session.freeze(Promise("count", 2), Freeze(guesses, (1.0,), seed="5" * 32))
        session.use(policy=CheckUntilEnough(Promise("count", 2), 3))
        for _ in range(count):
            asked = session.ask("ann")
            assert asked is not None
            assert asked.question.purpose == "check"
            session.tell(asked.id, asked.question.yes(), f"k{asked.id}")


def test_status_and_verify_say_what_the_checks_prove(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "s")
    work(tmp_path / "s", 2)
    main(["status", folder, "--json"])
    assert json.loads(capsys.readouterr().out)["standing"] is None
    check(tmp_path / "s", 2)
    assert main(["status", folder]) == 0
    said = next(line for line in capsys.readouterr().out.splitlines() if "Not enough yet" in line)
    assert "labels that are the model's are wrong" in said
    main(["status", folder, "--json"])
    standing = json.loads(capsys.readouterr().out)["standing"]
    assert standing["says"] == said
    assert standing["checks"] == {"asked": 2, "yes": 2, "no": 0, "pointed": 0, "items": 6}
    assert main(["verify", folder]) == 0
    shown = capsys.readouterr().out
    assert "2 checks drawn again: all sound." in shown
    assert said in shown
    main(["verify", folder, "--json"])
    assert json.loads(capsys.readouterr().out)["standing"] == said


@pytest.mark.parametrize(
    ("kind", "field", "forged", "says"),
    [
        ("asked", "items", [0, 1, 2], "Draw 1 is not what the seed of its claim draws"),
        ("claimed", "seed", "6" * 32, "Draw 0 is not what the seed of its claim draws"),
        ("claimed", "guesses", "AAAAAA==", "guesses of a claim are not the ones that were frozen"),
    ],
)
def test_verify_finds_a_draw_a_seed_or_guesses_that_somebody_has_forged(
    kind: str, field: str, forged: object, says: str, tmp_path: Path
) -> None:
    """Written by somebody who keeps the store's own checksums right."""
    folder = tmp_path / "s"
    work(folder, 2)
    check(folder, 2)
    with closing(folders.open_store(folder, write=False)) as store:
        events = list(store.read())
    at = max(event.number for event in events if event.kind == kind)
    payload = {**events[at].payload, field: forged}
    if field == "items":
        payload["guess"] = [truth()[item] for item in (0, 1, 2)]
    events[at] = dataclasses.replace(events[at], payload=payload)
    for path in folder.glob("events.sqlite*"):
        path.unlink()
    with closing(SqliteStore(folder / "events.sqlite")) as store:
        store.append(events)
    found = verify_session(folder)
    assert not found.sound
    assert says in " ".join(found.findings)


def test_verify_counts_the_answers_that_status_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work(tmp_path / "s", 5)
    with open_session(folder=tmp_path / "s") as working:
        working.session.undo("ann")
        item = int(np.flatnonzero(working.session.state.labels() == -1)[0])
        given = Question((item,), (truth()[item],)).yes()
        working.session.tell(None, given, "given", SOURCE)  # which is nobody's answer
    main(["status", str(tmp_path / "s"), "--json"])
    counted = json.loads(capsys.readouterr().out)["answers"]
    assert sum(counted.values()) == verify_session(tmp_path / "s").answers == 4


@pytest.mark.parametrize("left", [0, 100, 240])
def test_a_damaged_file_is_called_by_its_path(left: int, tmp_path: Path) -> None:
    work(tmp_path / "s", 1)
    path = tmp_path / "s" / "probs.npy"
    path.write_bytes(path.read_bytes()[:left])
    (finding,) = verify_session(tmp_path / "s").findings
    assert finding.count(str(path)) == 2
    assert not {"3", "4", "5"} & set(finding.replace(str(path), "").split())
