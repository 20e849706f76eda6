"""Begin a session on disk, or take it up where it was.

Whoever opens the store for writing has the folder; nothing else in it is written before
that, so two processes that begin at once cannot mix their files.
Tested in tests/folder/test_folder.py.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from askless.core.probability import Probs
from askless.errors import InvalidInput
from askless.files import check_below, in_words, make_folder, make_private, sync
from askless.folder.files import (
    EVENTS,
    FOLDERS,
    TRAINING,
    calibration_words,
    calibrator_of,
    chosen,
    exists,
    gc_paused,
    last_checkpoint,
    lost,
    no_session,
    probs_of,
    schedule_of,
    session_options_of,
    write_sources,
)
from askless.planners import make_planner, planner_options
from askless.seams import Pool, Trainer
from askless.session.options import SessionOptions
from askless.session.session import Session
from askless.stores.sqlite import SqliteStore

_MANY: Final = 10_000
"""From so many events on, what they say is worth keeping out of Python's rubbish collection."""


class SystemClock:
    """The machine's own clock."""

    def wall_s(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def steady_s(self) -> float:
        """Seconds since the machine started, or so."""
        return time.monotonic()


@dataclass
class Working(AbstractContextManager["Working"]):
    """A session open for work; close it, or use it in a ``with``."""

    session: Session
    store: SqliteStore

    def close(self) -> None:
        """Let others have the folder."""
        self.store.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def start(
    folder: Path,
    probs: Probs | None = None,
    planner: str | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    pool: Pool | None = None,
    about: Mapping[str, Any] | None = None,
    trainer: Trainer | None = None,
    calibration: Mapping[str, Any] | None = None,
    session_options: SessionOptions | None = None,
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
    pool
        The items, whose names are kept in the folder; only looked at to begin a session.
    about
        Plain values to keep about the pool; only looked at to begin a session.
    session_options
        How to behave; None for as it was told when it began.
    trainer
        Makes better probabilities in the background; None for none.
    calibration
        How probabilities are calibrated and what is asked first: the options of
        `askless.planners.schedule.choose_schedule`, none of them for its defaults. None for not at
        all. A session that has begun keeps its own: None, or the same.

    Raises
    ------
    InvalidInput
        There is no session there and no probabilities to begin one, or they differ; or the folder
        cannot be made or written to.
    StoreInUse
        Somebody else is at work there.
    Damaged
        A session was begun there, and a file of it is gone or not what it was.
    """
    if lost(folder) or (not exists(folder) and probs is None):
        raise no_session(folder)
    if planner is not None:
        make_planner(planner, **(options or {}))  # refused before anything is made
    if probs is not None and pool is not None and len(probs) != len(pool):
        raise InvalidInput(
            f"A pool needs one probability per item; got {len(probs)} for {len(pool)} items."
        )
    make(folder)
    store = SqliteStore(folder / EVENTS)
    try:
        opening = next((e.payload for e in store.read() if e.kind == "opened"), None)
        if opening is None:
            if probs is None:
                raise no_session(folder)
            plan = chosen(planner or "auto", options or {})
            with _writing(folder):
                opening = write_sources(
                    folder,
                    probs,
                    plan,
                    session_options or SessionOptions(),
                    pool,
                    about,
                    calibration,
                )
        kept = probs_of(folder, opening)
        if probs is not None and not np.array_equal(kept.values, probs.values):
            raise InvalidInput(
                f"The session in {folder} has {len(kept)} items with other probabilities than the "
                f"{len(probs)} given; name another folder, or the pool it was begun with."
            )
        if planner is not None:
            _check_planner(folder, opening, chosen(planner, options or {}))
        if calibration is not None:
            before = opening.get("correction")
            check_same(
                folder,
                {} if before is None else calibration_words(before),
                calibration_words(calibration),
            )
        if (folder / TRAINING).is_dir():
            with _writing(folder):
                sync(folder / TRAINING)  # the checkpoint that will be noted must last
        with gc_paused(to_stay=store.count > _MANY):
            session = Session(
                store,
                opening,
                make_planner(opening["planner"], **opening["options"]),
                kept,
                SystemClock(),
                checkpoint=last_checkpoint(folder, len(kept)),
                trainer=trainer,
                calibrator=calibrator_of(opening, kept),
                schedule=schedule_of(opening, kept),
                options=session_options or session_options_of(opening),
            )
    except BaseException:
        store.close()
        raise
    return Working(session, store)


def make(folder: Path) -> None:
    """Make the folder of a session, private to its owner; a sentence says why not."""
    with _writing(folder):
        make_folder(folder)
        for name in FOLDERS:
            check_below(folder / name)
        make_private(folder)


def _writing(folder: Path) -> AbstractContextManager[None]:
    return in_words(folder, "A session needs", " (on the command line with --session)")


def check_same(folder: Path, kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse to go on otherwise than the session was begun.

    Parameters
    ----------
    folder
        Where the session is.
    kept, wanted
        What it was begun with, and what is asked for, in plain values by name.
    """
    other = [name for name in {**kept, **wanted} if kept.get(name) != wanted.get(name)]
    if other:
        begun = ", ".join(f"{name} {_word(kept.get(name))}" for name in other)
        asked = ", ".join(f"{name} {_word(wanted.get(name))}" for name in other)
        raise InvalidInput(
            f"The session in {folder} goes on as it was begun, with {begun}; got {asked}. "
            "Ask for the same, or name another folder."
        )


def _check_planner(folder: Path, opening: Mapping[str, Any], plan: Mapping[str, Any]) -> None:
    kept = chosen(opening["planner"], opening["options"])
    names = [{"planner": each["planner"]} for each in (kept, plan)]
    check_same(folder, *names)  # options of another planner say nothing
    # A default is the same whether it was spelt out or not.
    usual = chosen(plan["planner"], planner_options(plan["planner"]))["options"]
    check_same(folder, usual | kept["options"], usual | plan["options"])


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(_word, value)) or "none"
    if isinstance(value, Mapping):
        return ",".join(f"{name}={_word(each)}" for name, each in value.items()) or "none"
    return "none" if value is None else str(value)
