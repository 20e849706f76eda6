"""Look at a session on disk without touching it, as far as it is sound.

What it says about what is left is what the app says, since both plan by the same `Method`.
Tested in tests/assemble/test_reading.py and tests/folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askless.assemble.method import Method, method_of
from askless.calibration import GivenOnly
from askless.certificates.standing import Standing, standing_of
from askless.core.event import Event
from askless.core.probability import Probs
from askless.folder.files import items_of, last_checkpoint, probs_of
from askless.folder.items import Items
from askless.folder.reading import read_record
from askless.history.history import History
from askless.session.progress import Progress, progress_of


class CalibrationReplay:
    """Watches the events of a session being read, and has its calibrator stand where it stood.

    A calibrator is fitted now and then, so what it says depends on when that was; seeing the
    same states it says the same, if nobody reopened the session. Only the last fit is made.

    Parameters
    ----------
    folder
        Where the session is.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ready: tuple[Probs, GivenOnly | None] | None = None

    def __call__(self, event: Event, history: History) -> None:
        """The next event, and the history up to it."""
        if event.kind == "updated":
            self._ready = None  # whoever stores such an event reopens the session
        if event.kind == "asked" or self._ready is not None:
            _, calibrator = self.end(history)
            if calibrator is not None:
                calibrator.note(history.state)

    def end(self, history: History) -> tuple[Probs, GivenOnly | None]:
        """What the session began with, and what corrects that; None if nothing does."""
        if self._ready is None:
            first = probs_of(self._folder, history.opening or {}, history.source)
            self._ready = first, method_of(history).make_calibrator(first)
        return self._ready


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """What a folder holds, read without touching it.

    Parameters
    ----------
    folder
        Where it is.
    history
        Everything that has happened, as far as it can be read.
    method
        How questions are chosen.
    probs
        What it would plan with if it were opened now: of the trainer's last checkpoint, or what
        it began with, corrected by the answers.
    about
        What whoever began it wrote down about the pool.
    events
        How many events there are.
    damage
        A sentence about what is not as it was written; empty if all is well.
    """

    folder: Path
    history: History
    method: Method
    probs: Probs
    about: Mapping[str, Any] = field(default_factory=dict)
    events: int = 0
    damage: str = ""

    def items(self) -> Items:
        """What the items are called; read at every call, some microseconds an item."""
        return items_of(self.folder, self.history.opening or {}, self.history.source)

    def progress(self) -> Progress:
        """How far the session is and how long it may still take."""
        planner, options = self.method.make_planner(), self.method.session_options
        return progress_of(self.history, self.probs, planner, options)

    def standing(self) -> Standing | None:
        """How far the session is from what is promised; None if nothing is."""
        return standing_of(self.history)


def read_session(folder: Path) -> SessionSnapshot:
    """What `folder` holds, as far as it is sound; nothing is changed."""
    calibration = CalibrationReplay(folder)
    opening, history, events, damage = read_record(folder, calibration)
    method = method_of(history)
    first, calibrator = calibration.end(history)
    checkpoint = last_checkpoint(folder, len(first))
    probs = first if checkpoint is None else checkpoint.probs
    if calibrator is not None:
        probs = calibrator(probs, history.state)
    return SessionSnapshot(folder, history, method, probs, opening.get("about", {}), events, damage)
