"""Other users of the machine can neither read a session nor lock its owner out."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from askless.errors import StoreInUse
from askless.predictors.logistic import Logistic
from askless.stores.sqlite import SqliteStore
from askless.trainer.inline import InlineTrainer
from tests.faults.hostile import make_session, run

NOBODY = 65534


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that everybody may enter, as a home folder often is."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    before = os.umask(0o000)
    yield folder
    os.umask(before)
    shutil.rmtree(folder)


def work(folder: Path) -> Path:
    """A session with everything in it that a session can have."""
    session = make_session(folder)
    trainer = InlineTrainer(Logistic(), np.zeros((6, 1)), folder=session / "training")
    trainer.submit(np.array([0, 1, 1, -1, -1, -1], np.int8), (), 0)
    assert run("status", session, folder / "out.csv") == ""
    return session


def modes(folder: Path) -> dict[str, int]:
    return {
        str(path.relative_to(folder)): stat.S_IMODE(path.lstat().st_mode)
        for path in [folder, *folder.rglob("*")]
    }


def expected(folder: Path) -> dict[str, int]:
    return {name: 0o700 if (folder / name).is_dir() else 0o600 for name in modes(folder)}


def test_everything_in_a_session_is_its_owners_alone(open_to_all: Path) -> None:
    session = work(open_to_all)
    with_store = SqliteStore(session / "events.sqlite")  # with the files SQLite keeps meanwhile
    try:
        found = modes(session)
    finally:
        with_store.close()
    names = {"events.sqlite-wal", "events.sqlite-shm", "events.sqlite-head"}
    names |= {"training/checkpoint-00000001.npz", "app.json", "items.jsonl", "probs.npy"}
    assert names <= set(found)
    assert found == {name: 0o700 if mode & 0o100 else 0o600 for name, mode in found.items()}
    assert found["."] == found["training"] == 0o700


def test_a_session_made_by_an_earlier_version_is_narrowed_when_it_is_opened(
    open_to_all: Path,
) -> None:
    session = work(open_to_all)
    for path in [session, *session.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert run("label", session, open_to_all / "out.csv") == ""
    assert modes(session) == expected(session)


def as_nobody(deed: Callable[[], object]) -> bool:
    """Whether somebody else could do this."""
    child = os.fork()
    if not child:
        os.setgroups([])
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
        try:
            deed()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as somebody else")
def test_somebody_else_can_read_nothing_and_lock_nothing(open_to_all: Path) -> None:
    session = work(open_to_all)
    assert as_nobody(lambda: os.listdir(open_to_all))
    assert not as_nobody(lambda: os.listdir(session))
    for name in modes(session):
        path = session / name
        assert not as_nobody(lambda path=path: os.open(path, os.O_RDONLY))  # type: ignore[misc]

    def lock_the_owner_out() -> None:
        fcntl.flock(os.open(session / "events.sqlite-head", os.O_RDONLY), fcntl.LOCK_EX)

    assert not as_nobody(lock_the_owner_out)


def test_the_lock_is_taken_by_whoever_may_read_it(tmp_path: Path) -> None:
    # Why the mode matters: a lock needs no more than a descriptor for reading.
    SqliteStore(tmp_path / "s.db").close()
    reader = os.open(tmp_path / "s.db-head", os.O_RDONLY)
    fcntl.flock(reader, fcntl.LOCK_EX)
    with pytest.raises(StoreInUse):
        SqliteStore(tmp_path / "s.db")
    os.close(reader)
