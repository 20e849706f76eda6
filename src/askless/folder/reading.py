"""Look at a session on disk without touching it, as far as it is sound.

Tested in tests/folder/test_folder.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askless.core.event import Event
from askless.core.probability import Probs
from askless.core.session_events import Opened
from askless.errors import Damaged, InvalidInput
from askless.folder.files import (
    EVENTS,
    calibrator_of,
    exists,
    gc_paused,
    items_of,
    last_checkpoint,
    no_session,
    probs_of,
    session_options_of,
)
from askless.folder.items import Items
from askless.planners import make_planner
from askless.seams import Planner
from askless.session.history import History
from askless.session.options import SessionOptions
from askless.stores.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class Kept:
    """What a folder holds, read without touching it.

    Parameters
    ----------
    folder
        Where it is.
    history
        Everything that has happened, as far as it can be read.
    probs
        What it would plan with if it were taken up now: of the trainer's last checkpoint, or what
        it was opened with, corrected by the answers if it was told to.
    planner
        Name and options of the planner.
    session_options
        How it was told to behave when it began.
    about
        What whoever began it wrote down about the pool.
    events
        How many events there are.
    damage
        A sentence about what is not as it was written; empty if all is well.
    """

    folder: Path
    history: History
    probs: Probs
    planner: Mapping[str, Any]
    session_options: SessionOptions = field(default_factory=SessionOptions)
    about: Mapping[str, Any] = field(default_factory=dict)
    events: int = 0
    damage: str = ""

    def items(self) -> Items:
        """What the items are called; read anew at every call, some microseconds an item."""
        return items_of(self.folder, self.history.opening or {})

    def make_planner(self) -> Planner:
        """The planner the session was begun with."""
        options = {name: value for name, value in self.planner.items() if name != "planner"}
        return make_planner(self.planner["planner"], **options)


def read(folder: Path) -> Kept:
    """What `folder` holds, as far as it is sound; nothing is changed."""
    opening, history, events, damage = replayed(folder)
    return Kept(
        folder,
        history,
        _probs(folder, opening, history),
        {"planner": opening["planner"], **opening["options"]},
        session_options_of(opening),
        opening.get("about", {}),
        events,
        damage,
    )


def replayed(folder: Path) -> tuple[Mapping[str, Any], History, int, str]:
    """Of the events alone: what ``opened`` says, the history, how many there are, the damage."""
    if not exists(folder):
        raise no_session(folder)
    store = SqliteStore(folder / EVENTS, write=False)
    events: list[Event] = []
    damage = ""
    try:
        with gc_paused(to_stay=False):
            for event in store.read():
                events.append(event)  # one by one: what stands before the damage is kept
    except Damaged as error:
        damage = str(error)
    finally:
        store.close()
    opening = next((event.payload for event in events if event.kind == "opened"), None)
    if opening is None:
        if damage:
            raise InvalidInput(f"The session in {folder} cannot be read. {damage}")
        raise no_session(folder)
    history, understood = History(Opened.from_json(opening).about["n"]), 0
    with gc_paused(to_stay=False):
        try:
            for event in events:
                history.apply(event)
                understood += 1
        except Damaged as error:
            damage = damage or str(error)
    return opening, history, understood, damage


def _probs(folder: Path, opening: Mapping[str, Any], history: History) -> Probs:
    first = probs_of(folder, opening)
    checkpoint = last_checkpoint(folder, len(first))
    calibrator = calibrator_of(opening, first)
    newest = first if checkpoint is None else checkpoint.probs
    return newest if calibrator is None else calibrator(newest, history.state)
