"""The power goes while a session is at work: what is found afterwards, at every sync.

    python -m tests.faults.power_loss 5 --jobs 16 --results tests/faults/results/power_loss.json

For each kind of session a real process begins it, does everything one can do, closes it and
takes it up again, while `shim.c` writes down what it and its trainer do to their
disk. `disk.py` works out what could be found after a power loss just before and just after every
sync, in the folder of the session and below. In every such folder, everything in
`tests.faults.survivors` must hold, and work must be able to go on.

`without` takes the syncs of files, or of folders, out of what was written down, as if nobody
had asked for them, to see them missed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from askless.errors import AsklessError
from askless.folder import files as folders
from askless.seams import Checkpoint
from askless.stores import _file
from askless.trainer.background import BackgroundTrainer
from askless.trainer.checkpoint import write_checkpoint
from tests.faults.disk import Disk, Operation, read_log, write_image
from tests.faults.kinds import ITEMS, VALUES, Kind
from tests.faults.shim import run_with_shim
from tests.faults.survivors import Lost, Witness
from tests.faults.trainers import FAULTY
from tests.faults.worker import Death, Place, Worker

MODULE = "tests.faults.power_loss"
LIVES = (12, 0, 8)
"""So many deeds before each closing."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Just before an operation; `luck` is the chance of all that is uncertain then."""

    at: int
    luck: float


def kind_of(number: int) -> Kind:
    """What kind of session `number` is; its trainer, if it has one, writes small checkpoints."""
    return Kind.drawn(number, "logistic")


def record(number: int, place: Path, *, how: str = "at work") -> list[Operation]:
    """What a process on session `number` does to its disk, which is in `place`."""
    (place / "disk").mkdir()
    log = place / "log"
    arguments = ("--record", how, str(place / "disk"))
    done = run_with_shim(MODULE, str(number), *arguments, folder=place / "disk", log=log)
    if done.returncode:
        raise Lost(f"the process to be watched failed: {done.stderr}")
    return list(read_log(log))


def work(number: int, how: str, folder: Path) -> None:
    """Be that process."""
    _file.WRITER_SETTINGS["wal_autocheckpoint"] = "16"
    said = os.open(folder / "acknowledged", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    if how != "at work":
        take_up(kind_of(number), folder / "s", said, how)
        return
    for life, deeds in enumerate(LIVES):
        rng = Random(1000 * number + life)
        worker = Worker(folder / "s", kind_of(number), Place(), said, rng, Death(), life)
        worker.work(deeds=deeds)


def take_up(kind: Kind, folder: Path, said: int, by: str) -> None:
    """Note a checkpoint whose writer was killed before its name was durable."""
    training = folder / folders.TRAINING
    with ExitStack() as closing:
        session = kind.work(folder, closing)
        with patch("askless.files.whole.sync"):
            write_checkpoint(training, Checkpoint(1, VALUES, 0))
        if by == "session":
            closing.pop_all().close()
            session = closing.enter_context(kind.start(folder)).session
        else:
            (folder / "flag").write_text("hangs")  # so that it makes none of its own
            options = {"flag": str(folder / "flag")}
            trainer = BackgroundTrainer(training, ITEMS, predictor=FAULTY, options=options)
            session.use(trainer=closing.enter_context(trainer))
        for key in ("first", "second"):
            asked = session.ask("ann")
            assert asked is not None
            os.write(said, json.dumps({"deed": "tell", "key": key}).encode() + b"\n")
            session.tell(asked.id, asked.question.yes(), key)
        assert session.history.checkpoint == 1


def moments(log: Sequence[Operation], images: int = 3) -> Iterator[Moment]:
    """Just before and after every sync, with nothing, everything, and some of what is uncertain."""
    rng = Random(0)
    for at in range(len(log)):
        if log[at].op in "SFD" or (at and log[at - 1].op in "SFD"):
            for luck in (0.0, 1.0, *(rng.choice([0.1, 0.5, 0.9]) for _ in range(images - 2))):
                yield Moment(at, luck)


def without(log: Sequence[Operation], what: str) -> list[Operation]:
    """The log of somebody who syncs no ``files`` beside the database, or no ``folders``."""
    kept: list[Operation] = []
    database = {o.file for o in log if o.op == "C" and "/events.sqlite" in o.name}
    for operation in log:
        synced_file = operation.op == "S" and operation.file not in database
        if not (what == "files" and synced_file) and not (
            what == "folders" and operation.op == "D"
        ):
            kept.append(operation)
    return kept


def losses(
    number: int, log: Sequence[Operation], chosen: Sequence[Moment], place: Path
) -> Iterator[str]:
    """What is wrong after a power loss at each of these moments, a sentence each."""
    disk, rng, done = Disk(), Random(1), 0
    said, seen = b"", set()
    marks = {operation.file for operation in log if operation.content == b"acknowledged"}
    for moment in sorted(chosen, key=lambda moment: moment.at):
        for operation in log[done : moment.at]:
            disk.do(operation)
            if operation.op == "W" and operation.file in marks:
                said += operation.content
        done = moment.at
        image = disk.crash(moment.luck, rng)
        if (same := hash((image, said))) in seen:
            continue
        seen.add(same)
        with tempfile.TemporaryDirectory(dir=place) as name:
            write_image(image, Path(name))
            witness = Witness(kind_of(number), Path(name) / "s")
            witness.hear(said)
            try:
                witness.look(thoroughly=True, go_on=True)
            except (Lost, AsklessError) as error:
                yield f"session {number}, before operation {done} with luck {moment.luck}: {error}"


def _part(job: tuple[int, int], places: dict[int, Path], parts: int) -> list[str]:
    number, part = job
    log = list(read_log(places[number] / "log"))
    chosen = list(moments(log))[part::parts]
    return list(losses(number, log, chosen, places[number]))


def play(sessions: int, jobs: int, place: Path) -> dict[str, Any]:
    """Every moment of so many sessions."""
    began = time.monotonic()
    places = {number: place / f"{number}" for number in range(sessions)}
    syncs = found = 0
    for number, folder in places.items():
        folder.mkdir()
        log = record(number, folder)
        syncs += sum(operation.op in "SFD" for operation in log)
        found += len(list(moments(log)))
    work_on = partial(_part, places=places, parts=8)
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        parts = pool.imap_unordered(work_on, [(n, part) for n in places for part in range(8)])
        lost = [sentence for part in parts for sentence in part]
    return {
        "sessions": sessions,
        "syncs": syncs,
        "power_losses": found,
        "lost": lost,
        "took_s": round(time.monotonic() - began, 1),
        "jobs": jobs,
    }


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sessions", type=int, help="how many; with --record the number of one")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--record", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.record:
        how, folder = asked.record
        work(asked.sessions, how, Path(folder))
        return 0
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        told = play(asked.sessions, asked.jobs, Path(name))
    if asked.results:
        asked.results.parent.mkdir(parents=True, exist_ok=True)
        asked.results.write_text(json.dumps(told, indent=1) + "\n")
    for sentence in told["lost"][:10]:
        print(f"LOST: {sentence}")  # noqa: T201
    print(  # noqa: T201
        f"{told['sessions']} sessions, {told['syncs']} syncs, {told['power_losses']} power losses, "
        f"{len(told['lost']) or 'nothing'} lost"
    )
    return 1 if told["lost"] else 0


if __name__ == "__main__":
    sys.exit(main())
