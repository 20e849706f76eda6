"""Kills a process that works on a session, again and again, and looks at what is left.

    python -m tests.faults.kill_session 10000

A child takes the session up, asks, prepares, tells, undoes, corrects, sets items aside,
exports and writes checkpoints, and says through a pipe which answers were acknowledged. It is
forked from a parent that has loaded everything, and killed at a random moment, or by its own
hand between a commit and its acknowledgement. Then every acknowledged answer must be there exactly
once, the state must be that of a replay, every label must follow from its answers, an exported
file must be whole, and so must the newest checkpoint.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import alembic.runtime.environment  # noqa: F401  (so that no child spends its life loading it)
import numpy as np

from askless import folder as folders
from askless.core.probability import Probs
from askless.core.state import replay
from askless.exports import export
from askless.exports.row import rows_of
from askless.seams import Checkpoint
from askless.session.session import Manners
from askless.trainer.checkpoint import newest_checkpoint, remove_older, write_checkpoint
from tests.faults.kill import Lost

ITEMS = 300
VALUES = Probs(np.random.default_rng(0).beta(0.2, 0.2, ITEMS))
TRUTH = np.random.default_rng(1).random(ITEMS) < VALUES.values
SESSION_KILLS = 25
"""So many kills, then a new session: making one is a moment to die in too."""


def kill(times: int, where: Path, seed: int) -> int:
    """Kill so many children; the number of acknowledged answers."""
    rng = Random(seed)
    total = 0
    for first in range(0, times, SESSION_KILLS):
        folder = where / f"{first}"
        acknowledged: list[str] = []
        for k in range(min(SESSION_KILLS, times - first)):
            acknowledged += _run_and_kill(folder, rng)
            _look(folder, acknowledged, thoroughly=k % 5 == 4)
        total += len(acknowledged)
        shutil.rmtree(folder, ignore_errors=True)
    return total


def _run_and_kill(folder: Path, rng: Random) -> list[str]:
    longest_s = 0.5 if not folders.exists(folder) or rng.random() < 0.15 else 0.15
    life_s = rng.uniform(0, longest_s)
    suicide = rng.randrange(8) if rng.random() < 0.3 else None
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        try:
            _work(folder, theirs, suicide, Random(rng.random()))
        finally:
            os._exit(1)
    os.close(theirs)
    if rng.random() < 0.7:
        # Let it open the session first, however busy the machine is; the others die in that.
        select.select([ours], [], [], 30.0)
    time.sleep(life_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with open(ours, "rb") as pipe:
        return [said for said in pipe.read().decode().split() if said != "ready"]


def _work(folder: Path, pipe: int, suicide: int | None, rng: Random) -> None:
    manners = Manners(draw=5, audit_every=7)
    with folders.start(folder, VALUES, "nested", {"max_n": 8}, manners=manners) as working:
        session = working.session
        os.write(pipe, b"ready\n")
        made = newest_checkpoint(_training(folder), ITEMS).last_number
        done = 0
        while True:
            chance = rng.random()
            if chance < 0.03:
                export(rows_of(session.labels()), folder / "labels.jsonl")
            elif chance < 0.06:
                made += 1
                write_checkpoint(_training(folder), Checkpoint(made, VALUES, made))
                remove_older(_training(folder), made)
            elif chance < 0.12:
                session.unsure(rng.randrange(ITEMS), "dim", "ann")
            elif chance < 0.2 or session.state.done:
                session.undo("ann")
                continue
            asked = session.ask("ann")
            if asked is None:
                continue
            session.prepare(asked.id)
            question = asked.question
            right = bool(np.all(TRUTH[list(question.items)] == np.array(question.guess)))
            key = f"{asked.id}"
            if chance > 0.9:
                key, item = f"c{session.record.last}", rng.randrange(ITEMS)
                if session.state.is_unsure(item) or session.state.label(item) == TRUTH[item]:
                    continue
                session.correct(item, bool(TRUTH[item]), "ann", key)
            else:
                session.tell(asked.id, question.yes() if right else question.no(), key)
            done += 1
            if done == suicide:
                os.kill(os.getpid(), signal.SIGKILL)
            os.write(pipe, f"{key}\n".encode())


def _training(folder: Path) -> Path:
    (folder / folders.TRAINING).mkdir(exist_ok=True)
    return folder / folders.TRAINING


def _look(folder: Path, acknowledged: list[str], thoroughly: bool) -> None:
    """Raise `Lost` if anything is not as it must be."""
    if not folders.exists(folder):
        if acknowledged:
            raise Lost("answers were acknowledged and there is no session")
        return
    # Whatever the kill left behind must not keep anybody out.
    with folders.start(folder, VALUES) as working:
        record = working.session.record
    missing = [key for key in acknowledged if key not in record.by_key]
    numbers = [record.by_key[key] for key in acknowledged if key in record.by_key]
    if missing or len(set(numbers)) != len(acknowledged):
        raise Lost(f"of {len(acknowledged)} acknowledged answers {missing} are missing")
    standing = {k: g.answer for k, g in record.given.items() if k not in record.retracted}
    if record.state != replay(ITEMS, standing, record.unsure_by):
        raise Lost("the state is not that of a replay")
    if thoroughly:
        found = folders.verify(folder)
        if not found.sound:
            raise Lost(" ".join(found.findings))
    exported = folder / "labels.jsonl"
    if exported.exists():
        lines = exported.read_text(encoding="utf-8").splitlines()
        if len([json.loads(line) for line in lines]) != ITEMS:
            raise Lost(f"an exported file has {len(lines)} lines for {ITEMS} items")
    checkpoint = newest_checkpoint(_training(folder), ITEMS)
    if checkpoint.complaints:
        raise Lost(" ".join(checkpoint.complaints))


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("times", type=int)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    # In memory if there is room for it there: a kill leaves what was written, synced or not.
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as where:
        try:
            answers = kill(asked.times, Path(where), asked.seed)
        except Lost as error:
            print(f"LOST: {error}")  # noqa: T201
            return 1
    print(f"{asked.times} kills, {answers} acknowledged answers, none lost")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
