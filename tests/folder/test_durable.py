"""The folders of a session outlive a power loss: their names are synced before anything is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askless.assemble import open_session
from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.features.cache import FeatureCache
from askless.files import folders as file_folders
from askless.files import make_folder
from askless.predictors.logistic import Logistic
from askless.stores import sqlite
from askless.stores._head import Head
from askless.trainer.background import BackgroundTrainer
from askless.trainer.inline import InlineTrainer


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    found: list[Path] = []
    sync = file_folders.sync

    def note(folder: Path) -> None:
        found.append(folder)
        sync(folder)

    monkeypatch.setattr(file_folders, "sync", note)
    return found


def test_every_folder_that_is_made_is_synced_into_the_one_above_it(
    tmp_path: Path, synced: list[Path]
) -> None:
    make_folder(tmp_path / "a" / "b" / "c")
    assert set(synced) == {tmp_path, tmp_path / "a", tmp_path / "a" / "b"}


def test_a_folder_that_somebody_made_and_did_not_live_to_sync_is_synced(
    tmp_path: Path, synced: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path)
    make_folder(Path("a"))
    assert synced == [tmp_path]


def test_a_session_syncs_its_folder_before_it_keeps_anything(
    tmp_path: Path, synced: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[list[Path]] = []

    def first(path: Path) -> Head:
        begun.append(list(synced))
        return Head(path)

    monkeypatch.setattr(sqlite, "Head", first)
    open_session(Probs(np.full(3, 0.5)), folder=tmp_path / "new" / "s").close()
    assert begun == [[tmp_path / "new", tmp_path]]


def test_trainers_sync_the_folder_of_their_checkpoints(tmp_path: Path, synced: list[Path]) -> None:
    InlineTrainer(Logistic(), np.zeros((3, 1)), folder=tmp_path / "inline" / "training").poll()
    BackgroundTrainer(tmp_path / "background" / "training", 3).close()
    assert {tmp_path / "inline", tmp_path / "background"} <= set(synced)


def test_a_refusing_disk_gets_the_same_sentence_wherever_something_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "deeper"
    why = f"a folder that may be written to and has room; {folder} cannot be written: Not a dir"
    with pytest.raises(InvalidInput, match=f"A session needs {why}.*--session"):
        open_session(Probs(np.full(3, 0.5)), folder=folder)
    with pytest.raises(InvalidInput, match=f"Features need {why}.*Make room, or name another"):
        FeatureCache(["a", "b"], folder)
