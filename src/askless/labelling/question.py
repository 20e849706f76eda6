"""A question as a function, or a cell, sees it: the items themselves, and what they are called.

It has everything that `askless.core.question.Question` has, so that an annotator written for one
answers the other. Imported by `askless.labelling`; tested in tests/labelling/test_labelling.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askless.app.names import Names
from askless.app.showing import facts_of, text_of
from askless.core.events import Asked
from askless.core.question import Answer, Question
from askless.doors import each
from askless.labelling.caller_table import CallerIds
from askless.seams import Pool

_SHOWN = 300
"""So many characters of a text a cell shows."""


@dataclass(frozen=True, slots=True)
class UnsureAbout:
    """What an annotator says who cannot tell: these items get no label.

    Parameters
    ----------
    ids
        Which, as the caller calls them.
    """

    ids: tuple[Any, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ShownQuestion:
    """Are all of these right?

    Parameters
    ----------
    asked
        What the session asks.
    pool
        The items.
    names
        What the labels are called.
    called
        What the caller calls the items.
    """

    asked: Asked
    pool: Pool
    names: Names
    called: CallerIds

    @property
    def items(self) -> tuple[int, ...]:
        """The items by their number in the pool."""
        return self.asked.question.items

    @property
    def guess(self) -> tuple[bool, ...]:
        """The label that is guessed for each."""
        return tuple([label == 1 for label in self.asked.question.guess])

    @property
    def purpose(self) -> str:
        """Why it is asked: see `askless.core.question.Question`."""
        return self.asked.question.purpose

    @property
    def question(self) -> Question:
        """The question itself, by numbers alone."""
        return self.asked.question

    @property
    def ids(self) -> list[Any]:
        """The items as the caller calls them: labels of the index, places in a list, file names."""
        return [self.called.of(item) for item in self.items]

    @property
    def labels(self) -> list[str]:
        """The label that is guessed for each, by name."""
        return [self.names.many(guess) for guess in self.guess]

    @property
    def label(self) -> str:
        """The label that is guessed for all, by name; of a mixed question that of the first."""
        return self.labels[0]

    @property
    def texts(self) -> list[str]:
        """What there is to read of each item."""
        return [text_of(self.pool, item) for item in self.items]

    @property
    def pictures(self) -> list[NDArray[np.uint8]]:
        """The pictures, each of shape (height, width, 3)."""
        return [self.pool.picture(item) for item in self.items]

    @property
    def sentence(self) -> str:
        """The question in words."""
        if len(set(self.guess)) > 1:
            return f"Are all of these right: {', '.join(self.labels)}?"
        return "".join(self.names.sentence(self.guess[0], len(self.guess)))

    def __len__(self) -> int:
        return len(self.items)

    def yes(self) -> Answer:
        """All are right."""
        return self.question.yes()

    def no(self) -> Answer:
        """At least one is wrong."""
        return self.question.no()

    def pointed(self, wrong: Iterable[int], *, rest_right: bool = False) -> Answer:
        """These items, by number, are wrong and, if `rest_right`, all the others are right."""
        return self.question.pointed(wrong, rest_right=rest_right)

    def wrong(self, ids: Iterable[Any]) -> Answer:
        """These items, as the caller calls them, are wrong, and all the others are right."""
        return self.question.pointed(self.called.items(ids, self.items), rest_right=True)

    def unsure(self, ids: Iterable[Any]) -> UnsureAbout:
        """Nobody can tell what these are."""
        return UnsureAbout(tuple(ids))

    def __repr__(self) -> str:
        return f"<{self.sentence} {', '.join(map(repr, self.ids)):.60}>"

    def _repr_html_(self) -> str:
        rows = zip(self.ids, self.items, self.labels, strict=True)
        shown = "".join(
            f"<tr><td>{_short(str(name))}</td><td>{self._cell(item)}</td>"
            f"<td>{escape(label)}?</td></tr>"
            for name, item, label in rows
        )
        return f"<p><b>{escape(self.sentence)}</b></p><table>{shown}</table>"

    def _cell(self, item: int) -> str:
        if self.pool.kind == "images":
            return _picture(self.pool, item)
        facts = [] if self.pool.kind == "rows" else facts_of(self.pool, item)
        beside = "".join(f"<br><small>{_short(n)}: {_short(v)}</small>" for n, v in facts)
        return _short(text_of(self.pool, item)).replace("\n", "<br>") + beside


def _short(text: str) -> str:
    """The beginning of a text, as markup that is nothing but text."""
    return escape(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def _picture(pool: Pool, item: int) -> str:
    """A small picture inside the page, or why there is none."""
    import base64
    import io

    from PIL import Image

    from askless.errors import InvalidInput

    try:
        pixels = pool.picture(item, 160)
    except InvalidInput as gone:
        return escape(str(gone))
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    content = base64.b64encode(file.getvalue()).decode()
    return f'<img alt="item {item}" src="data:image/png;base64,{content}">'


def several(ids: Any) -> Sequence[Any]:
    """Ids that came alone, or in whatever holds several."""
    if isinstance(ids, str | bytes) or not isinstance(ids, Iterable):
        return [ids]
    return each("Ids", ids)
