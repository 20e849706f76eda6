"""What the event ``reasking`` says: the labels somebody gave are frozen, to be asked again.

A class beside those in `askless.core.events`, which reads it. It holds what nobody can derive: the
seed of the draws and the prior. Which labels it is about follows from the events before it: those
that the event's annotator gave. What it means for later events is in
`askless.history.consistency`. Tested in tests/core/test_events.py and
tests/history/test_consistency.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from askless.core.content import Chance, Content
from askless.core.event import Kind
from askless.errors import InvalidInput

_SEED: Final = re.compile(r"[0-9a-f]{16,128}")


@dataclass(frozen=True, slots=True)
class Reasking(Content):
    """The labels that somebody gave, frozen.

    Parameters
    ----------
    seed
        Of the draws, in hexadecimal digits, from the operating system's entropy; used for nothing
        else.
    alpha
        The chance, at most, that what is ever said about them is untrue.
    expected
        How many of them the person was expected to change.
    """

    seed: str
    alpha: Chance
    expected: float
    kind: ClassVar[Kind] = "reasking"

    def __post_init__(self) -> None:
        if not _SEED.fullmatch(self.seed):
            raise InvalidInput(f"A seed is 16 to 128 hexadecimal digits; got {self.seed!r:.40}.")
        if not 0 < self.alpha < 1:
            raise InvalidInput(f"The alpha of re-asks is between 0 and 1; got {self.alpha!r:.40}.")
