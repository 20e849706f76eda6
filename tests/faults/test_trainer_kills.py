"""A checkpoint that was ever whole stays so, wherever its writer is killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import numpy as np

from askless.trainer.background import BackgroundTrainer
from askless.trainer.checkpoint import newest_checkpoint, remove_older
from tests.faults.trainers import fit, labels, trainer, wait_for

N = 30_000
# Told a number and a delay, it forks a process that writes checkpoints from that number on as
# fast as it can, kills it after the delay, and tells the last number said to be written.
NURSERY = """
import os, signal, sys, time
from pathlib import Path
import numpy as np
from askless.core.probability import Probs
from askless.seams import Checkpoint
from askless.trainer.checkpoint import remove_older, write_checkpoint

def write_for_ever(folder, number, n, out):
    while True:
        probs = Probs(np.full(n, 1 / number))
        write_checkpoint(folder, Checkpoint(number, probs, number))
        os.write(out, b"%d " % number)
        remove_older(folder, number)
        number += 1

for line in sys.stdin:
    said, out = os.pipe()
    writer = os.fork()
    if not writer:
        write_for_ever(Path(sys.argv[1]), int(line.split()[0]), int(sys.argv[2]), out)
    os.close(out)
    first = os.read(said, 1000)
    time.sleep(float(line.split()[1]))
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)
    with os.fdopen(said, "rb") as rest:
        print((first + rest.read()).split()[-1].decode(), flush=True)
"""


KILLS = 80


def test_newest_checkpoint_is_whole_after_a_kill_at_any_moment(tmp_path: Path) -> None:
    rng = random.Random(7)
    number = 1
    command = [sys.executable, "-c", NURSERY, str(tmp_path), str(N)]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        for _ in range(KILLS):
            nursery.stdin.write(f"{number} {rng.uniform(0, 0.015)}\n")
            nursery.stdin.flush()
            said = int(nursery.stdout.readline())
            found = newest_checkpoint(tmp_path, N)
            assert found.complaints == ()
            assert found.checkpoint is not None
            assert found.checkpoint.number in (said, said + 1)
            assert np.all(found.checkpoint.probs.values == 1 / found.checkpoint.number)
            # A writer killed before it tidied up leaves that to the next one.
            remove_older(tmp_path, found.checkpoint.number)
            assert len(list(tmp_path.glob("*.npz"))) <= 3
            number = found.checkpoint.number + 1


def test_partial_file_of_a_killed_writer_is_removed_at_the_next_opening(tmp_path: Path) -> None:
    (tmp_path / ".checkpoint-00000003.npz.77.partial").write_bytes(b"half of it")
    with BackgroundTrainer(tmp_path, N):
        assert list(tmp_path.iterdir()) == []


def test_trainer_takes_up_from_the_newest_good_checkpoint(tmp_path: Path) -> None:
    with trainer(tmp_path, "nothing") as made:
        good = fit(made, 20)
        fit(made, 30)
    newest = tmp_path / "trainer" / "checkpoint-00000002.npz"
    newest.write_bytes(newest.read_bytes()[:-100])
    with trainer(tmp_path, "nothing") as made:
        found = made.poll()
        assert found is not None
        assert found.checksum == good.checksum
        assert np.array_equal(found.probs.values, good.probs.values)
        status = made.status()
        assert (status.checkpoint, status.answers) == (1, 20)
        assert "checkpoint-00000002.npz was passed over" in str(status.last_failure)
        # The number of the damaged one is not used again: somebody may have written it down.
        made.submit(labels(40), (), 40)
        assert wait_for(made.poll).number == 3


def test_killed_process_goes_on_from_the_arrays_of_the_last_checkpoint(tmp_path: Path) -> None:
    with trainer(tmp_path, "nothing") as made:
        first = fit(made, 20)
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
        wait_for(lambda: made.status().failures)
        again = fit(made, 20)
    assert np.allclose(first.probs.values, again.probs.values, atol=1e-6)
    assert again.number == 2
