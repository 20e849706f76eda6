"""Whatever a predictor does to its process, the last good probabilities stay and it recovers.

More of what it may do, and a session that goes on meanwhile: test_session_predictors.py.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
from pathlib import Path

import pytest

from askless.files.arrays import write_array
from askless.seams import Checkpoint
from askless.trainer.background import BackgroundTrainer
from tests.faults.trainers import X, fit, is_running, labels, trainer, wait_for


def survive(trainer: BackgroundTrainer, tmp_path: Path) -> str:
    """A good fit, then the fault, then a recovery; the reason that was shown."""
    assert fit(trainer, 10).number == 1
    flag = tmp_path / "flag"
    flag.touch()
    trainer.submit(labels(20), (), 20)
    wait_for(lambda: trainer.status().failures)
    first = trainer.status()
    assert trainer.poll() is None
    assert (first.checkpoint, first.answers) == (1, 10)
    flag.unlink()
    recovered: Checkpoint = wait_for(trainer.poll)
    assert (recovered.number, recovered.answers) == (2, 20)
    last = trainer.status()
    assert last.failures == 0
    assert last.restarts >= 1
    assert first.last_failure is not None
    return first.last_failure


def test_predictor_that_wants_all_memory(tmp_path: Path) -> None:
    with trainer(tmp_path, "wants all memory") as made:
        assert "ran out of memory" in survive(made, tmp_path)


@pytest.mark.parametrize("fault", ["hangs", "hangs with the interpreter", "hangs with a child"])
def test_predictor_that_hangs(fault: str, tmp_path: Path) -> None:
    with trainer(tmp_path, fault, timeout_s=2.0) as made:
        assert "did not finish within 2 s and was ended" in survive(made, tmp_path)
    if fault == "hangs with a child":
        assert not is_running(int((tmp_path / "child").read_text()))


def test_process_that_somebody_stops_is_ended_like_one_that_hangs(tmp_path: Path) -> None:
    with trainer(tmp_path, "hangs", timeout_s=2.0) as made:
        fit(made, 10)
        stopped = int((tmp_path / "pid").read_text())
        os.kill(stopped, signal.SIGSTOP)
        made.submit(labels(20), (), 20)
        assert wait_for(made.poll).answers == 20
        assert "did not finish" in str(made.status().last_failure)
        assert not is_running(stopped)


def test_what_a_predictor_prints_is_no_message_and_does_not_fill_the_disk(tmp_path: Path) -> None:
    (tmp_path / "flag").touch()
    with trainer(tmp_path, "talks") as made:
        assert [fit(made, known).number for known in (5, 10, 15)] == [1, 2, 3]
        assert made.status().failures == 0
        made.submit(labels(20), (), 20)
        wait_for(lambda: made.poll() and made.free)
    # Three fits' worth of two megabytes each would have stayed.
    assert (tmp_path / "trainer" / "trainer.log").stat().st_size <= 2_200_000


def test_newest_data_win(tmp_path: Path) -> None:
    (tmp_path / "flag").touch()
    with trainer(tmp_path, "slow") as made:
        made.submit(labels(1), (), 1)
        wait_for((tmp_path / "fits").exists)
        for known in range(2, 31):
            made.submit(labels(known), (), known)
        wait_for(lambda: (fresh := made.poll()) and fresh.answers == 30)
    assert (tmp_path / "fits").read_text().split() == ["1", "30"]


def test_failing_process_is_left_alone_for_longer_and_longer(tmp_path: Path) -> None:
    (tmp_path / "flag").touch()
    with trainer(tmp_path, "raises", first_pause_s=0.05) as made:
        made.submit(labels(20), (), 20)
        wait_for(lambda: made.status().failures >= 3)
        status = made.status()
    assert status.restarts == status.failures - 1


def test_process_steps_back_behind_those_who_answer(tmp_path: Path) -> None:
    with trainer(tmp_path, "nothing") as made:
        fit(made, 10)
        pid = int((tmp_path / "pid").read_text())
        assert os.getpriority(os.PRIO_PROCESS, pid) == os.getpriority(os.PRIO_PROCESS, 0) + 10
        assert Path(f"/proc/{pid}/oom_score_adj").read_text() == "1000\n"
        assert b"OPENBLAS_NUM_THREADS=1\0" in Path(f"/proc/{pid}/environ").read_bytes()


def test_closing_in_the_middle_of_a_fit_leaves_nothing_running(tmp_path: Path) -> None:
    (tmp_path / "flag").touch()
    with trainer(tmp_path, "hangs") as made:
        made.submit(labels(10), (), 10)
        pid = int(wait_for(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text()))
    assert not is_running(pid)
    assert made.status().state == "closed"


def test_too_many_open_files_are_a_failure_like_any_other(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with trainer(tmp_path, "nothing") as made:
        resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")), hard))
        try:
            made.submit(labels(10), (), 10)
            wait_for(lambda: made.status().failures)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert "Too many open files" in str(made.status().last_failure)
        assert wait_for(made.poll).answers == 10


def test_folder_that_vanishes_is_a_failure_like_any_other(tmp_path: Path) -> None:
    with trainer(tmp_path, "nothing") as made:
        fit(made, 10)
        shutil.rmtree(tmp_path / "trainer")
        made.submit(labels(20), (), 20)
        wait_for(lambda: made.status().failures)
        assert "No such file or directory" in str(made.status().last_failure)
        (tmp_path / "trainer").mkdir()
        assert wait_for(made.poll).answers == 20


def test_damaged_features_are_refused_and_used_once_mended(tmp_path: Path) -> None:
    write_array(tmp_path / "x.npy", X)
    sound = (tmp_path / "x.npy").read_bytes()
    broken = bytearray(sound)
    broken[200] ^= 1
    (tmp_path / "x.npy").write_bytes(broken)
    with trainer(tmp_path, "nothing") as made:
        made.submit(labels(10), (), 10)
        wait_for(lambda: made.status().failures)
        assert "matches its checksum" in str(made.status().last_failure)
        (tmp_path / "x.npy").write_bytes(sound)
        assert wait_for(made.poll).answers == 10
