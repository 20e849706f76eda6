"""Somebody at work on a session, who does everything one can do and is killed in the middle.

Before each deed it is written down with its key, and again when it is acknowledged, so that
whoever finds the body knows what must be there, and the next worker sends again what was
not acknowledged, as a browser would. One shared byte says what is being done at the moment.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

from askless.core.question import Answer, Question
from askless.exports import export
from askless.folder import files as folders
from askless.seams import Checkpoint
from askless.session.session import Session
from askless.trainer.checkpoint import newest_checkpoint, remove_older, write_checkpoint
from tests.exports.making import record_of
from tests.faults.kinds import ITEMS, TRUTH, VALUES, Kind

PLACES: Final = (
    "before opening", "opening", "between deeds", "asking", "preparing", "answering",
    "undoing", "setting aside", "retracting", "correcting", "exporting", "writing a checkpoint",
    "after a commit, before its acknowledgement", "as a file takes its name",
)  # fmt: skip
_DOING: Final = {
    "tell": "answering",
    "undo": "undoing",
    "unsure": "setting aside",
    "retract": "retracting",
    "correct": "correcting",
}


class Place:
    """What a process is doing, seen from another."""

    def __init__(self) -> None:
        self._byte = mmap.mmap(-1, 1)

    @property
    def now(self) -> str:
        """One of `PLACES`."""
        return PLACES[self._byte[0]]

    @now.setter
    def now(self, place: str) -> None:
        self._byte[0] = PLACES.index(place)


@dataclass(slots=True)
class Death:
    """By its own hand: after so many commits, or when so many files have their content."""

    after_commits: int = -1
    after_files: int = -1
    named: bool = False
    """Whether that file has its name too."""


@dataclass(slots=True)
class Worker:
    """Works for ever.

    Parameters
    ----------
    folder
        Where the session is, or will be.
    kind
        What kind of session it is.
    place
        Says what is being done.
    said
        A file that takes one line for every deed, and one for every acknowledgement.
    rng
        Chooses the deeds.
    death
        When to die by its own hand.
    life
        Makes keys that no other worker makes.
    without
        A mechanism to do without: ``commits`` or ``whole files``.
    """

    folder: Path
    kind: Kind
    place: Place
    said: int
    rng: Random
    death: Death
    life: int
    without: str = ""
    made: int = field(default=0, init=False)
    deeds: int = field(default=0, init=False)

    def work(self, pending: dict[str, Any] | None = None, deeds: float = math.inf) -> None:
        """Take the session up, send again what is `pending`, and go on until killed.

        Or until so many deeds are done, and two checkpoints have come if there is a trainer.
        """
        self._prepare_to_die()
        self.place.now = "opening"
        with ExitStack() as closing:
            session = self.kind.work(self.folder, closing)
            self._say({"opened": True})
            self.made = newest_checkpoint(self.folder / folders.TRAINING, ITEMS).last_number
            enough = self.made + 2 if self.kind.predictor else 0
            if pending is not None:
                self._do(session, pending)
            while self.deeds < deeds or session.history.checkpoint < enough:
                self.place.now = "between deeds"
                pace_s = 0.05 if self.deeds >= deeds else 0.01 if self.kind.predictor else 0.002
                time.sleep(self.rng.uniform(0.0, pace_s))
                self._go_on(session, self.rng.random())

    def _go_on(self, session: Session, chance: float) -> None:
        who = self.rng.choice(["ann", "bob"])
        item = self.rng.randrange(ITEMS)
        standing = list(session.state.answers)
        if chance < 0.05:
            self._export(session)
        elif chance < 0.1 and not self.kind.predictor:
            self._checkpoint()
        elif chance < 0.15:
            self._do(session, {"deed": "unsure", "item": item, "who": who})
        elif chance < 0.22 or (session.state.done and chance < 0.6):
            self._do(session, {"deed": "undo", "who": who})
        elif chance < 0.26 and standing:
            self._do(session, {"deed": "retract", "answer": self.rng.choice(standing)})
        elif chance < 0.32 and not session.state.is_unsure(item):
            label = bool(TRUTH[item])
            self._do(session, {"deed": "correct", "item": item, "label": label, "who": who})
        else:
            self._answer(session, who)

    def _answer(self, session: Session, who: str) -> None:
        self.place.now = "asking"
        asked = session.ask(who, self.rng.choice(["", "2"]))
        if asked is None:
            return
        if self.rng.random() < 0.7:
            self.place.now = "preparing"
            session.queue.plan_ahead(asked.id)
        question = asked.question
        wrong = [k for k, g in zip(question.items, question.guess, strict=True) if TRUTH[k] != g]
        if self.rng.random() < 0.02:  # anybody errs
            wrong = [] if wrong else [question.items[0]]
        kind = "pointed" if self.kind.pointing else "no" if wrong else "yes"
        self._do(session, {"deed": "tell", "question": asked.id, "kind": kind, "wrong": wrong})

    def _do(self, session: Session, deed: dict[str, Any]) -> None:
        """Do it, and say so before and after."""
        self.deeds += 1
        key = deed.setdefault("key", f"{self.life}.{self.deeds}")
        self.place.now = _DOING[deed["deed"]]
        self._say(deed)
        if self.without == "commits":
            self._say({"acknowledged": key})
            time.sleep(0.005)  # as long as a slow disk takes
        done(session, deed)
        self.place.now = "after a commit, before its acknowledgement"
        if self.deeds == self.death.after_commits:
            os.kill(os.getpid(), signal.SIGKILL)
        self._say({"acknowledged": key})

    def _export(self, session: Session) -> None:
        self.place.now = "exporting"
        path = self.folder / f"labels.{self.rng.choice(['csv', 'jsonl'])}"
        export(record_of([str(item) for item in range(ITEMS)], list(session.labels())), path)
        session.exported({"path": path.name})
        self._say({"exported": path.name})

    def _checkpoint(self) -> None:
        self.place.now = "writing a checkpoint"
        training = self.folder / folders.TRAINING
        self.made += 1
        write_checkpoint(training, Checkpoint(self.made, VALUES, self.made))
        remove_older(training, self.made)

    def _say(self, what: dict[str, Any]) -> None:
        os.write(self.said, json.dumps(what).encode() + b"\n")

    def _prepare_to_die(self) -> None:
        replace: Callable[..., None] = os.replace

        def replace_or_die(source: Any, target: Any) -> None:
            self.death.after_files -= 1
            if self.death.after_files != 0:
                replace(source, target)
                return
            self.place.now = "as a file takes its name"
            if self.death.named:
                replace(source, target)
            os.kill(os.getpid(), signal.SIGKILL)

        os.replace = replace_or_die  # type: ignore[assignment]
        if self.without == "whole files":
            _write_in_place()


def done(session: Session, deed: dict[str, Any]) -> None:
    """Do what a line says; a second time it changes nothing."""
    key = deed["key"]
    match deed["deed"]:
        case "tell":
            question = session.history.asked[deed["question"]].question
            session.tell(deed["question"], _said(question, deed["kind"], deed["wrong"]), key)
        case "undo":
            session.undo(deed["who"], key=key)
        case "unsure":
            session.unsure(deed["item"], f"dim {key}", deed["who"], key)
        case "retract":
            session.retract(deed["answer"], key=key)
        case "correct":
            session.correct(deed["item"], deed["label"], deed["who"], key)


def _said(question: Question, kind: str, wrong: list[int]) -> Answer:
    if kind == "pointed":
        return question.pointed(wrong, rest_right=True)
    return question.yes() if kind == "yes" else question.no()


def _write_in_place() -> None:
    """What `askless.files` is there to avoid."""

    def write(path: Path, write: Any, **_: Any) -> None:
        with path.open("w+b") as file:
            write(file)

    for module in ("askless.exports", "askless.files.checksummed"):
        patch(f"{module}.write_whole", write).start()
