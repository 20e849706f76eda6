"""Two processes and one store: the second is refused, readers are welcome, the dead let go.

Seen to fail first: without the lock both processes appended, and the second one's first event
met a number that was taken; a forked child held the lock on after its parent was killed; and so
did, for a moment, a process that was just being started.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from askless.core.event import Event
from askless.errors import StoreInUse
from askless.stores.sqlite import SqliteStore

ROOT = Path(__file__).parents[2]
HOLDER = """
import os, sys, time
from askless.core.event import Event
from askless.stores.sqlite import SqliteStore

store = SqliteStore(sys.argv[1])
store.append([Event("opened")])
child = 0
if sys.argv[2] == "fork":
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(theirs, b".")
        time.sleep(600)
    os.read(ours, 1)
print(child, flush=True)
time.sleep(600)
"""
STARTING = """
import os, signal, subprocess, sys
from askless.core.event import Event
from askless.stores.sqlite import SqliteStore

store = SqliteStore(sys.argv[1])
store.append([Event("opened")])
subprocess.Popen(["sleep", "0.5"], pass_fds=[store._head._fd])
os.kill(os.getpid(), signal.SIGKILL)
"""
FORKING = """
import os, sys
from askless.core.event import Event
from askless.errors import StoreError
from askless.stores.sqlite import SqliteStore

store = SqliteStore(sys.argv[1])
if os.fork() == 0:
    try:
        store.append([Event("opened")])
    except StoreError as error:
        print("refused" if "forked" in str(error) else error, flush=True)
    os._exit(0)
os.wait()
store.append([Event("opened")])
assert store.verify() == 1
print("written")
"""


class Holder:
    """A process that has a store open for writing, and perhaps a forked child."""

    def __init__(self, path: Path, how: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(path), how], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.child = int(self.process.stdout.readline())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        if self.child:
            os.kill(self.child, signal.SIGKILL)
        self.kill()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(params=["alone", "fork"])
def holder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Holder]:
    holder = Holder(tmp_path / "store.db", request.param)
    yield holder
    holder.end()


def test_second_writer_is_refused_with_a_sentence_and_let_in_when_the_first_is_dead(
    holder: Holder, tmp_path: Path
) -> None:
    with pytest.raises(StoreInUse, match=f"process {holder.process.pid} has it open"):
        SqliteStore(tmp_path / "store.db")
    holder.kill()
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        store.append([Event("asked")])
        assert store.verify() == 2


def test_lock_that_a_killed_process_left_to_one_it_was_starting_is_waited_for(
    tmp_path: Path,
) -> None:
    died = subprocess.run([sys.executable, "-c", STARTING, str(tmp_path / "store.db")])
    assert died.returncode == -signal.SIGKILL
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        assert store.verify() == 1


def test_reader_works_beside_a_writer_and_leaves_it_alone(holder: Holder, tmp_path: Path) -> None:
    before = Path(f"{tmp_path / 'store.db'}-wal").stat().st_size
    with closing(SqliteStore(tmp_path / "store.db", write=False)) as store:
        assert store.verify() == 1
    assert before > 0
    assert Path(f"{tmp_path / 'store.db'}-wal").stat().st_size == before


def test_second_writer_in_the_same_process_is_refused(tmp_path: Path) -> None:
    with (
        closing(SqliteStore(tmp_path / "store.db")),
        pytest.raises(StoreInUse, match="this process has it open"),
    ):
        SqliteStore(tmp_path / "store.db")


def test_reader_sees_what_is_appended_after_it_was_opened(tmp_path: Path) -> None:
    with (
        closing(SqliteStore(tmp_path / "store.db")) as writer,
        closing(SqliteStore(tmp_path / "store.db", write=False)) as reader,
    ):
        for count in range(1, 6):
            writer.append([Event("asked", payload={"note": "x" * 9000})])
            assert len(list(reader.read())) == count


def test_store_is_of_no_use_to_a_forked_child(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORKING, str(tmp_path / "store.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.stdout == "refused\nwritten\n", done.stderr
