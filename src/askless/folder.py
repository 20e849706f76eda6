"""A session on disk: one folder with everything that is needed to go on.

    FOLDER/events.sqlite    every event (and SQLite's files beside it)
    FOLDER/probs.npy        the probabilities it was opened with, sealed by a checksum
    FOLDER/training/        checkpoints of the background trainer, if there is one

The events say which planner was chosen, so the folder alone is enough to take up a session.
`start` opens for work, one process at a time; `read` and `verify` change nothing and may be used
while somebody works. Shared by the commands and Python users; tested in tests/test_folder.py.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np

from askless.core.event import FORMAT, Event
from askless.core.probability import Probs
from askless.core.verify import unproved_items
from askless.errors import AsklessError, Damaged, InvalidInput
from askless.features.arrays import open_array, write_array
from askless.features.sealed import check_seal
from askless.planners import make_planner
from askless.seams import Planner, Trainer
from askless.session.record import Record
from askless.session.session import Calibrate, Manners, Session
from askless.stores.sqlite import SqliteStore
from askless.trainer.checkpoint import newest_checkpoint

_EVENTS: Final = "events.sqlite"
_PROBS: Final = "probs.npy"
TRAINING: Final = "training"
"""Where in the folder a `BackgroundTrainer` for the session keeps its checkpoints."""


class SystemClock:
    """The machine's own clock."""

    def wall_s(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def steady_s(self) -> float:
        """Seconds since the machine started, or so."""
        return time.monotonic()


@dataclass(slots=True)
class Working:
    """A session open for work; close it, or use it in a ``with``."""

    session: Session
    store: SqliteStore

    def close(self) -> None:
        """Let others have the folder."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Kept:
    """What a folder holds, read without touching it.

    Parameters
    ----------
    record
        Everything that has happened, as far as it can be read.
    probs
        The newest there are: of the trainer's last checkpoint, or what it was opened with.
    planner
        Name and options of the planner.
    events
        How many events there are.
    damage
        A sentence about what is not as it was written; empty if all is well.
    """

    record: Record
    probs: Probs
    planner: Mapping[str, Any]
    events: int
    damage: str = ""

    def make_planner(self) -> Planner:
        """The planner the session was begun with."""
        options = {name: value for name, value in self.planner.items() if name != "planner"}
        return make_planner(self.planner["planner"], **options)


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found.

    Parameters
    ----------
    events, answers, labels
        How many were checked.
    findings
        A sentence for everything that is wrong; none if all is well.
    """

    events: int
    answers: int
    labels: int
    findings: tuple[str, ...] = field(default=())

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def exists(folder: Path) -> bool:
    """Whether a session was begun in `folder`."""
    return (folder / _EVENTS).exists()


def start(
    folder: Path,
    probs: Probs | None = None,
    planner: str | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    trainer: Trainer | None = None,
    calibrate: Calibrate | None = None,
    manners: Manners | None = None,
) -> Working:
    """Begin the session in `folder`, or take it up where it was.

    Parameters
    ----------
    folder
        Made if it is not there.
    probs
        P(label is True) for every item. A session that has begun keeps its own: None, or the same.
    planner, options
        Which planner, `auto` unless said otherwise. A session that has begun keeps its own: None,
        or the same.
    trainer, calibrate, manners
        For `Session`.

    Raises
    ------
    InvalidInput
        There is no session there and no probabilities to begin one, or they differ.
    StoreInUse
        Somebody else is at work there.
    """
    if not exists(folder):
        if probs is None:
            raise InvalidInput(f"There is no session in {folder}; begin one with a pool.")
        folder.mkdir(parents=True, exist_ok=True)
        write_array(folder / _PROBS, probs.values)
    store = SqliteStore(folder / _EVENTS)
    try:
        opening = next((e.payload for e in store.read() if e.kind == "opened"), None)
        if opening is None:
            opening = _opening(folder, planner or "auto", options or {})
        kept = _probs(folder, opening)
        if probs is not None and not np.array_equal(kept.values, probs.values):
            raise InvalidInput(
                f"The session in {folder} has {len(kept)} items with other probabilities than the "
                f"{len(probs)} given; name another folder, or the pool it was begun with."
            )
        if planner is not None and _chosen(planner, options or {}) != _chosen(
            opening["planner"], opening["options"]
        ):
            raise InvalidInput(
                f"The session in {folder} goes on with the planner it was begun with, "
                f"{opening['planner']!r} with {opening['options']}; got {planner!r} with "
                f"{dict(options or {})}. Ask for the same, or name another folder."
            )
        chosen = make_planner(opening["planner"], **opening["options"])
        session = Session(
            store,
            opening,
            chosen,
            _newest(folder, kept),
            SystemClock(),
            trainer=trainer,
            calibrate=calibrate,
            manners=manners,
        )
    except BaseException:
        store.close()
        raise
    return Working(session, store)


def read(folder: Path) -> Kept:
    """What `folder` holds, as far as it is sound; nothing is changed."""
    if not exists(folder):
        raise InvalidInput(f"There is no session in {folder}; begin one with a pool.")
    store = SqliteStore(folder / _EVENTS, write=False)
    events: list[Event] = []
    damage = ""
    try:
        for event in store.read():
            events.append(event)  # one by one: what stands before the damage is kept
    except Damaged as error:
        damage = str(error)
    finally:
        store.close()
    opening = next((event.payload for event in events if event.kind == "opened"), None)
    if opening is None:
        raise InvalidInput(f"The session in {folder} was never opened; {damage or 'begin anew'}.")
    planner = {"planner": opening["planner"], **opening["options"]}
    record = Record.of(opening["n"], events)
    probs = _newest(folder, _probs(folder, opening))
    return Kept(record, probs, planner, len(events), damage)


def verify(folder: Path) -> Verification:
    """Check all of it: every stored event, and every label against the answers that entail it."""
    findings = []
    if not exists(folder):
        raise InvalidInput(f"There is no session in {folder}; begin one with a pool.")
    try:
        kept = read(folder)
    except AsklessError as error:
        return Verification(0, 0, 0, (str(error),))
    findings += [kept.damage] if kept.damage else _pages(folder)
    state = kept.record.state
    unproved = unproved_items(state)
    if unproved:
        findings.append(
            f"{len(unproved)} labels do not follow from their answers, the first of them that of "
            f"item {unproved[0]}."
        )
    return Verification(kept.events, len(kept.record.given), state.n_settled, tuple(findings))


def _opening(folder: Path, planner: str, options: Mapping[str, Any]) -> dict[str, Any]:
    with (folder / _PROBS).open("rb") as file:
        checksum = check_seal(file)
    return {
        "format": FORMAT,
        "n": len(open_array(folder / _PROBS, check=False)),
        **_chosen(planner, options),
        "probs": checksum,
    }


def _chosen(planner: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """A planner by name, in the values JSON would give back."""
    plain = {key: list(v) if isinstance(v, tuple) else v for key, v in options.items()}
    return {"planner": planner, "options": plain}


def _probs(folder: Path, opening: Mapping[str, Any]) -> Probs:
    """What the session was opened with, found to be just that."""
    path = folder / _PROBS
    try:
        with path.open("rb") as file:
            checksum = check_seal(file)
    except (FileNotFoundError, InvalidInput) as error:
        raise Damaged(
            f"{path} must be as it was when the session began; it is missing or damaged "
            f"({error}). Put back a copy; the answers are safe in {_EVENTS}.",
            sound=0,
        ) from error
    if checksum != opening["probs"]:
        raise Damaged(
            f"{path} is not the file the session was opened with. Put back the right one; "
            f"the answers are safe in {_EVENTS}.",
            sound=0,
        )
    return Probs(np.asarray(open_array(path, check=False)))


def _newest(folder: Path, probs: Probs) -> Probs:
    """The probabilities of the trainer's last good checkpoint, or else those given."""
    training = folder / TRAINING
    if not training.is_dir():
        return probs
    found = newest_checkpoint(training, len(probs)).checkpoint
    return probs if found is None else found.probs


def _pages(folder: Path) -> list[str]:
    store = SqliteStore(folder / _EVENTS, write=False)
    try:
        store.verify()
    except Damaged as error:
        return [str(error)]
    finally:
        store.close()
    return []
