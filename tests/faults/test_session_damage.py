"""Whatever byte of a session's database is changed: told in sentences, never a traceback.

Seen to fail first: a changed byte in the page with the names of the tables made the driver
raise an error of its own, which went through everything.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import numpy as np
import pytest

from askless import folder as folders
from askless.cli import main
from askless.core.probability import Probs

PAGE = 4096


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("session") / "s"
    with folders.start(folder, Probs(np.linspace(0.02, 0.98, 30))) as working:
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


def test_a_row_without_its_values_is_told_in_a_sentence(session: Path, quick_folder: Path) -> None:
    """Seen to fail first: a missing checksum was found equal to one that cannot be worked out."""
    shutil.copytree(session, quick_folder / "empty")
    path = quick_folder / "empty" / "events.sqlite"
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute("ALTER TABLE event RENAME TO old")
        stranger.execute("CREATE TABLE event AS SELECT * FROM old")
        stranger.execute("UPDATE event SET format = NULL, link = NULL WHERE number = 5")
        stranger.commit()
    found = folders.verify(quick_folder / "empty")
    assert "event 5 is not as it was written" in found.findings[0]


def check_changed(
    session: Path, place_for_it: Path, offset: int, change: int, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = place_for_it / "broken"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(session, folder)
    path = folder / "events.sqlite"
    content = bytearray(path.read_bytes())
    content[offset] ^= change
    path.write_bytes(bytes(content))
    found = main(["verify", str(folder), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert found == (0 if told["sound"] else 1)
    if told["sound"]:  # a byte that means nothing, such as one that no page uses
        assert folders.read(folder).record.state == folders.read(session).record.state
    else:
        assert all(finding.endswith(".") for finding in told["findings"])
    if offset % 3 == 0:
        assert main(["status", str(folder)]) in (0, 2)
        capsys.readouterr()
    assert path.read_bytes() == bytes(content)
