"""Reading rows so that nothing damaged is believed.

Every row must have the number and the checksum that follow from the row before, and at the end
there must be no less than was acknowledged. What stands before the damage is given first.
Tested in tests/faults/test_store_damage.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from askless.core.event import Event
from askless.errors import AsklessError, StoreError
from askless.stores._codec import FIRST, Fields, decoded, link
from askless.stores._file import ERRORS, damaged, is_damage
from askless.stores._head import Mark

Rows = Callable[[int, int], Sequence[Sequence[Any]]]
"""Called with a number and a limit: the rows from there on, each with its checksum last."""

_CHUNK = 2000
_TYPES = frozenset((int, int, str, str, float, key, str, bytes) for key in (str, type(None)))
"""Of a row that a store has written; SQLite keeps a value of any type in any column."""


def checked(place: object, rows: Rows, number: int, mark: Mark | None) -> Iterator[Event]:
    """The events from `number` on.

    Parameters
    ----------
    place
        The file or the address, for messages.
    rows
        Where they come from.
    number
        The first to give.
    mark
        How far a writer got, looked up before any row was; None if that is not known.
    """
    before = FIRST
    # The row before the first one gives the checksum to start from.
    start, most = max(number - 1, 0), _CHUNK
    position = start
    acknowledged = -1 if mark is None else mark.count
    while True:
        try:
            found = rows(position, most)
        except AsklessError:
            raise
        except ERRORS as error:
            if not is_damage(error):
                raise StoreError(f"{place} cannot be read: {error}.") from error
            if most == 1:
                raise damaged(place, f"event {position} cannot be read", position) from error
            most = 1  # Give whatever stands before the damage.
            continue
        for row in found:
            fields, checksum = cast("Fields", row[:-1]), row[-1]
            anchor = position < number
            sound = tuple(map(type, row)) in _TYPES and (anchor or link(before, fields) == checksum)
            if fields[0] != position or not sound:
                raise damaged(place, f"event {position} is not as it was written", position)
            before = checksum
            position += 1
            if position == acknowledged and mark is not None and checksum != mark.link:
                raise damaged(place, f"event {position - 1} is not the one that was kept", 0)
            if not anchor:
                yield decoded(fields)
        if not found:
            break
    if mark is not None and position < mark.count:
        missing = f"{mark.count - position} acknowledged events, from number {position} on,"
        raise damaged(place, f"{missing} are missing", position)
