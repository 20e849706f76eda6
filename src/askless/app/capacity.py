"""What a window can show in full, and the part of a question that fits it.

Nobody can label what they cannot read, so no question is larger than the window it is put to. The
page measures: how many tiles it has room for and, for texts, how many columns of what height, and
how many characters a line holds. It may have several such layouts, with narrow columns and with
wide ones. The height of a text follows from its length,

    card + line * sum over its paragraphs of ceil(1.08 * characters / characters a line holds)

where the 8 % are what is lost at the ends of lines and wide characters count twice. Texts are put
into the first column that has room, in the layout that takes most of them. The page checks the
result by its real layout, and asks for fewer where the estimate was wrong. A text that is longer
than a column is asked alone.

One capacity for each window, in memory alone. Used by `askless.app.service`; the page's side is
web/static/js/asking/room.js. Tested in tests/app/test_capacity.py.
"""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from askless.core.question import GRID, Question

LONGEST: Final = 4_000
"""Longer texts are asked alone, in any window: questions of several carry no more of one."""
_LOSS: Final = 1.08
_WINDOWS: Final = 256
_TEXTS: Final = 50_000
_SAMPLE: Final = 64
_WIDE: Final = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60"
    "\U0001f300-\U0001faff\U00020000-\U0003fffd]"
)


@dataclass(frozen=True, slots=True)
class Layout:
    """One way in which a window shows texts, in CSS pixels.

    Parameters
    ----------
    number
        How many columns there are beside each other.
    height
        Of a column.
    line
        Height of one line.
    card
        What a card takes beside its lines: its padding, and the gap to the next one.
    characters
        How many characters a line holds.
    """

    number: int
    height: float
    line: float
    card: float
    characters: float


@dataclass(frozen=True, slots=True)
class Capacity:
    """What a window can show in full.

    Parameters
    ----------
    items
        The most tiles.
    layouts
        The ways to show texts, in one of which all must fit; none where the items are pictures.
    """

    items: int
    layouts: tuple[Layout, ...] = ()


class WindowCapacities:
    """What each window can show, as far as it has said so.

    Parameters
    ----------
    text_of
        The text of an item as it is shown; None for pictures.
    n
        Number of items of the pool.
    """

    def __init__(self, text_of: Callable[[int], str] | None, n: int) -> None:
        self._text_of = text_of
        sample = np.random.default_rng(0).choice(n, min(n, _SAMPLE), replace=False)
        self._sample: list[int] = sample.tolist()
        self._windows: OrderedDict[str, Capacity] = OrderedDict()
        self._paragraphs: OrderedDict[int, tuple[int, ...]] = OrderedDict()
        self._planned: dict[Capacity, int] = {}

    def note(self, tab: str, capacity: Capacity) -> None:
        """What this window can show from now on."""
        self._windows[tab] = capacity
        self._windows.move_to_end(tab)
        if len(self._windows) > _WINDOWS:
            self._windows.popitem(last=False)

    def characters(self, item: int) -> int:
        """How long an item's text is, as far as a question shows it; 0 for a picture."""
        return 0 if self._text_of is None else sum(self._lengths(item))

    @property
    def sample(self) -> list[int]:
        """A few items, drawn at random: what is usual in the pool."""
        return list(self._sample)

    def fit(self, question: Question, tab: str) -> Question:
        """The part of a question that this window shows in full (`askless.seams.Fit`).

        The first item, and each further one for which there is still room.
        """
        capacity = self._windows.get(tab)
        if capacity is None or len(question) == 1:
            return question
        kept = self._that_fit(question.items, capacity)
        return question if len(kept) == len(question) else question.about(kept)

    def worth_planning(self, tabs: Iterable[str]) -> int | None:
        """The most items to plan for the largest of these windows; None if none is known.

        For pictures as many as it shows. Texts differ, and where one does not fit another may:
        half as many again as it shows of `GRID` texts drawn at random.
        """
        known = [self._windows[tab] for tab in tabs if tab in self._windows]
        return max(map(self._worth, known), default=None)

    def _worth(self, capacity: Capacity) -> int:
        if self._text_of is None or not capacity.layouts:
            return capacity.items
        if capacity not in self._planned:
            if len(self._planned) > _WINDOWS:
                self._planned.clear()
            turned = [self._sample[at:] + self._sample[:at] for at in range(0, _SAMPLE, 8)]
            counts = [len(self._that_fit(items[:GRID], capacity)) for items in turned]
            self._planned[capacity] = math.ceil(1.5 * float(np.mean(counts)))
        return self._planned[capacity]

    def _that_fit(self, items: Sequence[int], capacity: Capacity) -> Sequence[int]:
        items = items[: capacity.items]
        if self._text_of is None or not capacity.layouts:
            return items
        return max((self._in_layout(items, layout) for layout in capacity.layouts), key=len)

    def _in_layout(self, items: Sequence[int], layout: Layout) -> Sequence[int]:
        left = [layout.height] * layout.number
        kept: list[int] = []
        for item in items:
            height = self._height(item, layout)
            place = next((at for at, room in enumerate(left) if room >= height), None)
            if place is not None:
                left[place] -= height
                kept.append(item)
            elif not kept:
                return [item]
        return kept

    def _height(self, item: int, layout: Layout) -> float:
        lengths = self._lengths(item)
        if sum(lengths) + len(lengths) > LONGEST:
            return math.inf
        lines = sum(max(1, math.ceil(_LOSS * one / layout.characters)) for one in lengths)
        return layout.card + layout.line * lines

    def _lengths(self, item: int) -> tuple[int, ...]:
        """How long each paragraph of a text is, in characters of usual width."""
        known = self._paragraphs.get(item)
        if known is None:
            assert self._text_of is not None
            parts = self._text_of(item)[: LONGEST + 1].split("\n")
            wide = (0 if part.isascii() else len(_WIDE.findall(part)) for part in parts)
            known = tuple(len(part) + more for part, more in zip(parts, wide, strict=True))
            self._paragraphs[item] = known
            if len(self._paragraphs) > _TEXTS:
                self._paragraphs.popitem(last=False)
        return known
