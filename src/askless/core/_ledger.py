"""One set of mutable books behind any number of immutable states.

A state of a million items must be a value (planners look ahead, people undo),
yet copying a million labels for every answer would be absurd. So the newest
state owns the books, and every other state keeps only the list of entries that
lead from a neighbouring state to it. Reading an old state first *re-roots* the
books there, turning the lists on the way around (Baker, "Shallow binding in
Lisp 1.5", 1978). A step along the line of states costs the entries changed,
and states nobody holds any more are garbage like anything else.

One thread at a time: re-rooting moves the books under every state of the family.
Only `askless.core.state` and `askless.core._propagate` use this.
Tested in tests/core/test_state.py.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any, Final

from askless.core.clause import Clause
from askless.core.question import Answer

TRUE: Final = 1
OPEN: Final = 255
UNSURE: Final = 254
"""As signed bytes these are 1, -1 and -2, which is how `State.labels` gives them; False is 0."""

NOBODY: Final = -1
"""Stands where an answer's number is expected and there is none."""

_ABSENT: Final = object()

Entry = tuple[Any, Any, Any]
"""(book, key, what stood there before); books are dicts, arrays and bytearrays."""


class Ledger:
    """What is known, in books that are written in one way only: `write`.

    Attributes
    ----------
    codes
        The label of each item, or OPEN or UNSURE.
    reason
        Number of the answer that settled each item, or NOBODY.
    joint
        For the few items settled by several clauses together: all answers that were needed.
    answers
        Every answer learnt, by number.
    latest
        Number of the latest answer that mentions each item, or NOBODY.
    earlier
        By answer number, for each of its items, the number of the previous answer
        that mentions the item: with `latest`, a linked list per item.
    clauses
        The open clauses, by the number of the answer that made them.
    holding
        Numbers of the open clauses that hold an item; items in none are absent.
    """

    __slots__ = (
        "answers", "clauses", "codes", "earlier", "holding", "joint", "latest", "log", "reason",
    )  # fmt: skip

    def __init__(self, n: int) -> None:
        self.codes = bytearray([OPEN]) * n
        self.reason = array("q", [NOBODY]) * n
        self.latest = array("q", [NOBODY]) * n
        self.joint: dict[int, frozenset[int]] = {}
        self.answers: dict[int, Answer] = {}
        self.earlier: dict[int, tuple[int, ...]] = {}
        self.clauses: dict[int, Clause] = {}
        self.holding: dict[int, tuple[int, ...]] = {}
        self.log: list[Entry] | None = None

    def write(self, book: Any, key: Any, value: Any) -> None:
        """Write `value` at `key`, remembering in the log what stood there."""
        if self.log is not None:
            old = book.get(key, _ABSENT) if type(book) is dict else book[key]
            self.log.append((book, key, old))
        book[key] = value

    def write_number(self, book: array[int], keys: tuple[int, ...], number: int) -> None:
        """Write one number at several places of a row of numbers."""
        if self.log is not None:
            self.log += [(book, key, book[key]) for key in keys]
        for key in keys:
            book[key] = number

    def erase(self, book: dict[Any, Any], key: Any) -> None:
        """Remove `key` from `book`, remembering in the log what stood there."""
        old = book.pop(key, _ABSENT)
        if self.log is not None and old is not _ABSENT:
            self.log.append((book, key, old))

    def support(self, items: Iterable[int]) -> set[int]:
        """Numbers of answers that suffice for the labels of these settled items."""
        numbers: set[int] = set()
        seen = set(items)
        frontier = list(seen)
        while frontier:
            item = frontier.pop()
            if item in self.joint:
                numbers |= self.joint[item]
                continue
            number = self.reason[item]
            answer = self.answers[number]
            numbers.add(number)
            if answer.kind == "no":
                # Deduced: everything else in the refuted guess was found right before.
                fresh = [other for other in answer.question.items if other not in seen]
                seen.update(fresh)
                frontier.extend(fresh)
        return numbers

    @staticmethod
    def turn_back(entries: list[Entry]) -> list[Entry]:
        """Undo `entries`, newest first; the result undoes the undoing."""
        redo: list[Entry] = []
        for book, key, old in reversed(entries):
            if type(book) is not dict:
                redo.append((book, key, book[key]))
                book[key] = old
                continue
            redo.append((book, key, book.get(key, _ABSENT)))
            if old is _ABSENT:
                book.pop(key, None)
            else:
                book[key] = old
        return redo
