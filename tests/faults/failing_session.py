"""Sessions whose disk fails them, to be run with the shim.

    python -m tests.faults.failing_session opening|deeds|exporting|training FOLDER

Each scenario lets every write, every sync and every making of a name fail in turn, checks
what is said and what is left, and goes on as a caller would: by trying again, or by opening
the session again first if the error says so. It prints how many failures there were.
"""

from __future__ import annotations

import errno
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from askless.assemble import OpenSession
from askless.errors import AsklessError, NotWritten
from askless.exports import export
from askless.exports.contents import numbered_contents
from askless.folder import files as folders
from askless.folder.verifying import verify_session
from askless.predictors.logistic import Logistic
from askless.trainer.checkpoint import newest_checkpoint
from askless.trainer.inline import InlineTrainer
from tests.faults.kinds import ITEMS, TRUTH, Kind, X
from tests.faults.shim import Faults
from tests.faults.survivors import Witness
from tests.faults.worker import done

KIND = Kind.drawn(0)
FOR_GOOD = 10**6


def every_failure() -> Iterator[tuple[str, Callable[[int], None]]]:
    """Ways of failing from the call of some number on; called a name and made to happen."""
    faults = Faults()
    full = errno.ENOSPC
    yield "writes", lambda call: faults.fail_writes(full, call, FOR_GOOD)
    yield "half writes", lambda call: faults.fail_writes(full, call, FOR_GOOD, half=True)
    yield "syncs", lambda call: faults.fail_syncs(errno.EIO, call)
    yield "names", lambda call: faults.fail_names(full, call, FOR_GOOD)


def _begin(place: Path) -> None:
    KIND.start(place).close()


def _said(what: Callable[[], None]) -> str:
    """Do it; what was said if it failed with a sentence, as everything must that fails."""
    try:
        what()
    except AsklessError as error:
        return str(error)
    return ""


def opening(folder: Path) -> int:
    """Nothing is begun, or it is begun whole, and the next try always succeeds."""
    failures = 0
    steps = {"writes": range(0, 100, 3), "half writes": range(1, 100, 3)}  # there are many
    for what, fail in every_failure():
        passed = 0
        for call in steps.get(what, range(100)):
            place = folder / f"{what} {call}"
            fail(call)
            said = _said(partial(_begin, place))
            Faults().heal()
            passed = 0 if said else passed + 1
            failures += bool(said)
            assert "damaged" not in said
            assert not said or said.endswith("."), said
            Witness(KIND, place).look(thoroughly=False, go_on=True)
            shutil.rmtree(place, ignore_errors=True)
            if passed == 2:  # there are not so many calls to fail
                break
    return failures


def deeds(folder: Path) -> int:
    """What is not acknowledged changes nothing, and can be sent again with its key."""
    witness = Witness(KIND, folder / "s", opened=True)
    working = KIND.start(witness.folder)
    rng = Random(3)
    failures = 0
    for what, fail in every_failure():
        for call in range(8):
            for deed in ("tell", "undo", "unsure", "retract", "correct"):
                key = f"{deed}: {what} {call}"
                working, failed = _do_or_fail(working, witness, rng, key, partial(fail, call))
                failures += failed
    working.close()
    witness.look(thoroughly=True, go_on=True)
    return failures


def _do_or_fail(
    working: OpenSession, witness: Witness, rng: Random, key: str, fail: Callable[[], None]
) -> tuple[OpenSession, bool]:
    session, item = working.session, rng.randrange(ITEMS)
    deed: dict[str, Any] = {"deed": key.partition(":")[0], "key": key, "who": "ann", "item": item}
    if deed["deed"] == "tell":
        asked = session.ask("ann")
        if asked is None:
            return working, False
        deed |= {"question": asked.id, "kind": rng.choice(["yes", "no"]), "wrong": []}
    elif deed["deed"] == "retract":
        deed["answer"] = rng.choice(list(session.state.answers) or [-1])
        if deed["answer"] < 0:
            return working, False
    elif deed["deed"] == "correct":
        deed["label"] = bool(TRUTH[item])
        if session.state.is_unsure(item):
            return working, False
    if deed["deed"] in ("tell", "correct"):
        witness.answered.add(key)
    faults, failed, before = Faults(), False, session.state
    fail()
    try:
        done(session, deed)
    except NotWritten as error:
        failed = True
        faults.heal()
        if key not in session.history.keys:
            assert session.state is before
        if error.reopen:
            working.close()
            working = KIND.start(witness.folder)
        done(working.session, deed)
    faults.heal()
    if key in working.session.history.keys:
        witness.acknowledged.add(key)
    return working, failed


def exporting(folder: Path) -> int:
    """The file of before stays, whole, and no rubbish beside it."""
    failures = 0
    path = folder / "labels.csv"
    with KIND.start(folder / "s") as working:
        for what, fail in every_failure():
            for call in range(8):
                export(numbered_contents(working.session.labels(), ITEMS), path)
                before = path.read_bytes()
                asked = working.session.ask("ann")
                assert asked is not None
                working.session.tell(asked.id, asked.question.yes(), f"{asked.id}")
                after = numbered_contents(working.session.labels(), ITEMS)
                fail(call)
                said = _said(partial(export, after, path))
                Faults().heal()
                failures += bool(said)
                assert not said or "cannot be written" in said
                # After the last of the syncs the file is there, if perhaps not for good.
                assert not said or path.read_bytes() == before or what == "syncs"
                assert len(path.read_text().splitlines()) == ITEMS + 1
                assert not list(folder.glob(".*.partial"))
    return failures


def training(folder: Path) -> int:
    """A checkpoint that cannot be kept is a failure of the trainer, and shown; answers go on.

    The shim is to watch the folder of the training alone.
    """
    training = folder / "s" / folders.TRAINING
    failures = 0
    with KIND.start(folder / "s") as working:
        trainer = InlineTrainer(Logistic(), X, folder=training)
        working.session.use(trainer=trainer)
        for _, fail in every_failure():
            for call in range(6):
                fail(call)
                asked = working.session.ask("ann")
                assert asked is not None
                working.session.tell(asked.id, asked.question.yes(), f"{asked.id}")
                status = trainer.status()
                Faults().heal()
                found = newest_checkpoint(training, ITEMS)
                assert not found.complaints
                if status.failures:
                    failures += 1
                    assert re.search("No space left|Input/output", str(status.last_failure))
                else:
                    assert found.checkpoint is not None
                    assert found.checkpoint.answers == len(working.session.history.answers)
    assert verify_session(folder / "s").sound
    return failures


if __name__ == "__main__":
    scenarios = {"opening": opening, "deeds": deeds, "exporting": exporting, "training": training}
    print(scenarios[sys.argv[1]](Path(sys.argv[2])))  # noqa: T201
