"""The labels to look at again: in what order, what that is worth, and when to stop.

The likeliest to be wrong come first (`askless.app.mistakes`). The list ends where a look costs more
than it saves: a look at one label takes 0.3 s and a wrong label costs so many seconds
(`worth_at`), so at the usual ten seconds where fewer than 1 in 33 is likely to be wrong. Labels
given under an older definition, and those that were denied when asked again, are on it whatever
their chance.

What the model says without a label takes seconds to work out, so a thread does that, anew once
enough labels have changed; until it is done, what was believed when each was asked is taken.
Imported by `askless.app.service` and `askless.cli`; tested in tests/app/test_review.py.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from askless.app.label_table import HOW
from askless.app.mistakes import Evidence, Ranking, rank
from askless.app.neighbours import Columns, open_columns
from askless.assemble.method import WRONG_LABEL_S
from askless.core.annotation_cost import DEFAULT_COST
from askless.errors import InvalidInput
from askless.files import read_bytes
from askless.files.user_cache import cache_folder
from askless.folder.reading import cache_key
from askless.history.history import History
from askless.predictors.held_out import HeldOut, held_out_probs

Why = Literal["model", "overlooked", "deduced", "definition", "denied"]

NEXT: Final = 30
"""How many of the next labels the yield is told of."""
_NOTE_BYTES: Final = 1 << 20
_LOOK_S: Final = 1.5  # at one label, before anybody was timed
_CHANGED: Final = 0.01  # of the labels, before the model is asked again
_BREAK_S: Final = 60.0
_BREAK_MEDIANS: Final = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """What is up for review.

    Parameters
    ----------
    items
        The labels worth a look, the likeliest to be wrong first.
    chances
        The chance that each is wrong.
    why
        Why each is up.
    ranking
        All labels that nobody has looked at again.
    next_items, next_wrong, next_s
        How many labels come next, how many of these are expected to be wrong, and the seconds it
        takes to look at them.
    worth
        The list ends where labels are less likely to be wrong than this.
    ready
        Whether the model has had its say.
    """

    items: NDArray[np.intp]
    chances: NDArray[np.float64]
    why: list[list[Why]]
    ranking: Ranking
    next_items: int
    next_wrong: float
    next_s: float
    worth: float
    ready: bool = True

    def says(self) -> list[str]:
        """What is to be expected, in sentences."""
        ranking, found = self.ranking, []
        if ranking.looked:
            wrong = _many(ranking.found, "was", "were") if ranking.found else "none was"
            found.append(
                f"You have looked at {_many(ranking.looked, 'label')} again; {wrong} wrong."
            )
        if len(self.items):
            found.append(
                f"{_expected(self.next_wrong, self.next_items)}. Looking takes about "
                f"{_minutes(self.next_s)}."
            )
        elif len(ranking.items):
            found.append(
                "Going on is not worth it: of every other label, fewer than 1 in "
                f"{1 / self.worth:.0f} is likely to be wrong."
            )
        if len(ranking.items):
            left = round(ranking.left)
            about = (
                f"About {_many(left, 'wrong label')} may be"
                if left
                else "Probably no wrong label is"
            )
            found.append(
                f"{about} left among the {len(ranking.items):,} that nobody has looked at again "
                f"(likely {ranking.low:,.0f} to {max(1.0, ranking.high):,.0f})."
            )
        return found


class HeldOutReader:
    """What the model says about each label without it, worked out in a thread of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._columns: Columns | None = None
        self._labels: NDArray[np.int8] | None = None
        self._found: HeldOut | None = None

    def read(
        self, columns: Columns | None, evidence: Evidence, patience_s: float = 0.0
    ) -> tuple[HeldOut | None, bool]:
        """The newest there is, and whether it is new enough; what is missing is begun."""
        if columns is None:
            return None, True
        with self._lock:
            if self._thread is None and not self._is_current(columns, evidence.labels):
                self._columns, self._labels = columns, evidence.labels
                self._thread = threading.Thread(
                    target=self._work, args=(columns, evidence), name="askless-review", daemon=True
                )
                self._thread.start()
            thread = self._thread
        if thread is not None:
            thread.join(patience_s)
        with self._lock:
            return self._found, self._thread is None

    def wait(self) -> None:
        """Wait until what was begun is done."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _is_current(self, columns: Columns, labels: NDArray[np.int8]) -> bool:
        if columns != self._columns or self._labels is None or len(labels) != len(self._labels):
            return False
        return bool(np.count_nonzero(labels != self._labels) <= _CHANGED * len(labels))

    def _work(self, columns: Columns, evidence: Evidence) -> None:
        found = None
        try:
            rows = open_columns(columns, len(evidence.labels))
            if rows is not None:
                found = held_out_probs(rows, evidence.labels, evidence.answer)
        finally:
            with self._lock:
                self._found, self._thread = found, None


def up_for_review(
    evidence: Evidence,
    held_out: HeldOut | None,
    reviewed: Collection[int],
    look_s: float,
    worth: float,
    *,
    ready: bool = True,
) -> Review:
    """The labels worth a look, and what that look is worth.

    Parameters
    ----------
    evidence, held_out, reviewed
        As for `askless.app.mistakes.rank`.
    look_s
        Seconds it takes to look at one label.
    worth
        How likely to be wrong a label must be to be worth a look: `worth_at`.
    ready
        Whether `held_out` is the newest.
    """
    ranking = rank(evidence, held_out, reviewed)
    outdated = evidence.outdated[ranking.items]
    denied = np.isin(ranking.items, evidence.denied)
    listed = np.flatnonzero((ranking.chances >= worth) | outdated | denied)
    items, chances = ranking.items[listed], ranking.chances[listed]
    believed = evidence.probs if held_out is None else held_out.probs
    knows = len(believed) > 0 and float(np.ptp(believed)) > 0.0  # else it is no guess
    against = ranking.against[listed] > 0.5
    how = evidence.how[items]
    flags: list[tuple[Why, NDArray[np.bool_]]] = [
        ("denied", denied[listed]),
        ("definition", outdated[listed]),
        ("model", against & knows),
        ("deduced", how == HOW.index("deduced")),
        ("overlooked", (how == HOW.index("group")) & ~against),
    ]
    why: list[list[Why]] = [[word for word, mask in flags if mask[at]] for at in range(len(items))]
    return Review(
        items, chances, why, ranking, min(NEXT, len(items)), float(chances[:NEXT].sum()),
        look_s * min(NEXT, len(items)), worth, ready,
    )  # fmt: skip


def worth_at(price_s: float) -> float:
    """How likely to be wrong a label must be for a look to save more than it costs.

    Both in seconds at the usual pace, so that for people who take longer over everything a wrong
    label costs more too. A price of 0 is one that nobody named: the usual one.
    """
    return min(0.5, DEFAULT_COST.item_s / (price_s or WRONG_LABEL_S))


def cached_columns(folder: Path) -> Columns | None:
    """The newest features that the user's cache has for the pool of a session; None for none."""
    key = cache_key(folder)
    if key is None:
        return None
    found: list[tuple[float, Columns]] = []
    for path in (cache_folder() / key / "features").glob("kernel-*.npy"):
        with suppress(InvalidInput, OSError, ValueError, TypeError, LookupError):
            blocks = json.loads(read_bytes(path.with_suffix(".json"), _NOTE_BYTES))
            found.append((path.stat().st_mtime, Columns(path, int(blocks[0][1]) - 1)))
    return max(found, key=lambda one: one[0])[1] if found else None


def look_seconds(history: History) -> float:
    """How long this session's people look at one item."""
    tally = history.tally
    timed, seconds = tally.looked_s(_BREAK_S, _BREAK_MEDIANS)
    if not timed or not tally.answers or not tally.shown:
        return _LOOK_S
    return seconds / timed * tally.answers / tally.shown


def _expected(wrong: float, count: int) -> str:
    """How many of the labels that come next are wrong, as far as one can tell."""
    if count == 1:
        return f"The next label is wrong with a chance of {100 * wrong:.0f} %"
    if wrong < 0.5:
        return f"Probably none of the next {count:,} labels is wrong"
    are = "is" if round(wrong) == 1 else "are"
    return f"About {round(wrong):,} of the next {count:,} labels {are} wrong"


def _minutes(seconds: float) -> str:
    return _many(max(1, round(seconds / 60)), "minute")


def _many(count: int, one: str, more: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else more or one + 's'}"
