"""Full disks, failing syncs, no file descriptors left, folders that may not be written to.

Seen to fail first: with each event of an append committed by itself, a full disk left half an
append behind; without refusing further appends after a failed sync, the store went on upon a
log that nobody knows the state of; opening with no descriptors left raised a bare OSError;
and reading in a folder that may not be written to was not possible at all.
"""

from __future__ import annotations

import os
import resource
import shutil
from contextlib import closing, suppress
from pathlib import Path

import pytest

from askless.core.event import Event
from askless.errors import NotWritten, RepeatedKey, StoreError
from askless.stores.sqlite import SqliteStore
from tests.faults.apart import (
    forbid_writing,
    give_back,
    give_up_root,
    in_a_process_of_its_own,
    take_all_descriptors,
)
from tests.faults.marks import needs_shim
from tests.faults.shim import run_with_shim


@needs_shim
@pytest.mark.parametrize(("scenario", "least"), [("writes", 10), ("syncs", 4), ("checkpoint", 5)])
def test_append_whose_disk_fails_is_reported_and_loses_nothing(
    quick_folder: Path, scenario: str, least: int
) -> None:
    done = run_with_shim("tests.faults.failing", scenario, str(quick_folder), folder=quick_folder)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= least


def test_file_that_may_grow_no_more_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    in_a_process_of_its_own(_fill_up_to_the_limit, tmp_path)


def test_appending_and_reading_need_no_further_descriptors(tmp_path: Path) -> None:
    in_a_process_of_its_own(_go_on_without_descriptors, tmp_path)


def test_opening_without_descriptors_is_refused_with_a_sentence(tmp_path: Path) -> None:
    in_a_process_of_its_own(_open_without_descriptors, tmp_path)


def test_folder_that_may_not_be_written_to_is_refused_for_writing_and_good_for_reading(
    quick_folder: Path,
) -> None:
    with closing(SqliteStore(quick_folder / "store.db")) as store:
        store.append([Event("opened"), Event("asked")])
    forbid_writing(quick_folder)
    in_a_process_of_its_own(_read_only, quick_folder)


def test_log_in_a_folder_that_may_not_be_written_to_is_not_passed_over(quick_folder: Path) -> None:
    """To read the database without its log would be to leave out acknowledged events."""
    with closing(SqliteStore(quick_folder / "live.db")) as store:
        store.append([Event("opened"), Event("asked")])
        for part in ("", "-wal", "-head"):
            shutil.copy(f"{quick_folder / 'live.db'}{part}", f"{quick_folder / 'store.db'}{part}")
    forbid_writing(quick_folder)
    in_a_process_of_its_own(_read_only_with_a_log, quick_folder)


# --- what is done in a process of its own -------------------------------------------------------


def _fill_up_to_the_limit(folder: Path) -> None:
    store = SqliteStore(folder / "store.db")
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    kept, failure = 0, None
    while failure is None:
        try:
            store.append([Event("answered", payload={"note": "x" * 5000}, key=str(kept))])
            kept += 1
        except NotWritten as error:
            failure = error
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert kept > 5
    if failure.reopen:
        store.close()
        store = SqliteStore(folder / "store.db")
    assert len(list(store.read())) in (kept, kept + 1)
    with pytest.raises(RepeatedKey):
        store.append([Event("answered", key=str(kept - 1))])
    store.append([Event("answered", key="one more")])
    store.verify()
    store.close()


def _go_on_without_descriptors(folder: Path) -> None:
    store = SqliteStore(folder / "store.db")
    taken = take_all_descriptors()
    for number in range(20):
        store.append([Event("answered", payload={"note": "x" * 9000}, key=str(number))])
    assert len(list(store.read())) == 20
    give_back(taken)
    store.close()
    with closing(SqliteStore(folder / "store.db")) as again:
        assert again.verify() == 20


def _open_without_descriptors(folder: Path) -> None:
    with closing(SqliteStore(folder / "store.db")) as store:
        store.append([Event("opened")])
    taken = take_all_descriptors()
    with pytest.raises(StoreError, match=r"cannot be opened for writing.*Too many open files"):
        SqliteStore(folder / "store.db")
    for _ in range(8):
        for write in (True, False):
            with suppress(StoreError):  # and nothing else
                SqliteStore(folder / "store.db", write=write).close()
        os.close(taken.pop())
    give_back(taken)
    with closing(SqliteStore(folder / "store.db")) as store:
        assert store.verify() == 1


def _read_only(folder: Path) -> None:
    give_up_root()
    with pytest.raises(StoreError, match=r"cannot be opened for writing, which needs a folder"):
        SqliteStore(folder / "store.db")
    with pytest.raises(StoreError, match=r"cannot be opened for writing, which needs a folder"):
        SqliteStore(folder / "new.db")
    with closing(SqliteStore(folder / "store.db", write=False)) as store:
        assert store.verify() == 2
        with pytest.raises(StoreError, match="opened for reading only"):
            store.append([Event("opened")])


def _read_only_with_a_log(folder: Path) -> None:
    give_up_root()
    with pytest.raises(StoreError, match="newest events are still in its log"):
        SqliteStore(folder / "store.db", write=False)
