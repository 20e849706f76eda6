"""Kills a process that works on a session, again and again, and looks at what is left.

    python -m tests.faults.kill_session 10000

A child takes the session up, asks, prepares, tells, undoes, sets items aside and exports,
and says through a pipe which answers were acknowledged. It is killed at a random moment,
or by its own hand between a commit and its acknowledgement. Then every acknowledged answer must
be there exactly once, the state must be that of a replay, every label must follow from its
answers, and an exported file must be whole.
"""

from __future__ import annotations

import argparse
import json
import os
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
from tests.faults.kill import Lost

ITEMS = 400
SESSION_KILLS = 25


def kill(times: int, where: Path, seed: int) -> int:
    """Kill so many children; the number of acknowledged answers."""
    rng = Random(seed)
    total = 0
    for first in range(0, times, SESSION_KILLS):
        folder = where / f"{first}"
        acknowledged: list[str] = []
        for _ in range(min(SESSION_KILLS, times - first)):
            acknowledged += _run_and_kill(folder, rng)
            _look(folder, acknowledged)
        total += len(acknowledged)
    return total


def _run_and_kill(folder: Path, rng: Random) -> list[str]:
    life_s = rng.uniform(0, 0.6 if not folders.exists(folder) else 0.5)
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
    time.sleep(life_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with open(ours, "rb") as pipe:
        return pipe.read().decode().split()


def _work(folder: Path, pipe: int, suicide: int | None, rng: Random) -> None:
    values = np.random.default_rng(0).beta(0.2, 0.2, ITEMS)
    truth = np.random.default_rng(1).random(ITEMS) < values
    with folders.start(folder, Probs(values), "lookahead", {"max_n": 8}) as working:
        session = working.session
        done = 0
        while True:
            asked = session.ask("ann")
            if asked is None or rng.random() < 0.05:
                export(rows_of(session.labels()), folder / "labels.jsonl")
            if asked is None or rng.random() < 0.1:
                session.undo("ann")
                continue
            if rng.random() < 0.05:
                session.unsure(rng.randrange(ITEMS), "dim", "ann")
                continue
            session.prepare(asked.id)
            question = asked.question
            right = bool(np.all(truth[list(question.items)] == np.array(question.guess)))
            key = f"{asked.id}"
            session.tell(asked.id, question.yes() if right else question.no(), key)
            done += 1
            if done == suicide:
                os.kill(os.getpid(), signal.SIGKILL)
            os.write(pipe, f"{key}\n".encode())


def _look(folder: Path, acknowledged: list[str]) -> None:
    """Raise `Lost` if anything is not as it must be."""
    if not folders.exists(folder):
        if acknowledged:
            raise Lost("answers were acknowledged and there is no session")
        return
    with folders.start(folder, Probs(np.random.default_rng(0).beta(0.2, 0.2, ITEMS))):
        pass  # whatever the kill left behind must not keep anybody out
    kept = folders.read(folder)
    if kept.damage:
        raise Lost(kept.damage)
    record = kept.record
    missing = [key for key in acknowledged if key not in record.by_key]
    numbers = [record.by_key[key] for key in acknowledged if key in record.by_key]
    if missing or len(set(numbers)) != len(acknowledged):
        raise Lost(f"of {len(acknowledged)} acknowledged answers {missing} are missing")
    standing = {k: g.answer for k, g in record.given.items() if k not in record.retracted}
    if record.state != replay(ITEMS, standing, record.unsure_by):
        raise Lost("the state is not that of a replay")
    found = folders.verify(folder)
    if not found.sound:
        raise Lost(" ".join(found.findings))
    exported = folder / "labels.jsonl"
    if exported.exists():
        lines = exported.read_text(encoding="utf-8").splitlines()
        if len([json.loads(line) for line in lines]) != ITEMS:
            raise Lost(f"an exported file has {len(lines)} lines for {ITEMS} items")


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("times", type=int)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as where:
        try:
            answers = kill(asked.times, Path(where), asked.seed)
        except Lost as error:
            print(f"LOST: {error}")  # noqa: T201
            return 1
    print(f"{asked.times} kills, {answers} acknowledged answers, none lost")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
