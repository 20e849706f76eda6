"""What there is to see of an item, as texts.

Used by `askless.app.service` to tell how much room an item takes, and by `askless.web` to show it.
Tested in tests/web/test_browsing.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from askless.errors import InvalidInput
from askless.seams import Pool


def texts_of(pool: Pool) -> Callable[[int], str] | None:
    """How to get all that is read of an item of a pool; None where the items are pictures."""

    def read(index: int) -> str:
        facts = [f"{name}: {value}" for name, value in facts_of(pool, index)]
        text = [] if facts and pool.kind == "rows" else [text_of(pool, index)]
        return "\n".join([*text, *facts])

    return None if pool.kind == "images" else read


def facts_of(pool: Pool, index: int) -> Sequence[tuple[str, str]]:
    """What is shown beside an item's text, or of a row; nothing if it is there no longer."""
    try:
        return pool.facts(index)
    except InvalidInput:
        return ()


def text_of(pool: Pool, index: int) -> str:
    """An item's text, or why it cannot be shown any more."""
    try:
        return pool.text(index)
    except InvalidInput as gone:
        return str(gone)  # what there is to see of it now
