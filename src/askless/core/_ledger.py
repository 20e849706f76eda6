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
from askless.core.guess import Guess, mask_of
from askless.core.question import Answer

OPEN: Final = 255
UNSURE: Final = 254
"""As signed bytes these are -1 and -2, which is how `State.labels` gives them; below are labels."""

NOBODY: Final = -1
"""Stands where an answer's number is expected and there is none."""

_ABSENT: Final = object()
_NO_ANSWERS: Final[frozenset[int]] = frozenset()

Entry = tuple[Any, Any, Any]
"""(book, key, what stood there before); books are dicts, arrays and bytearrays."""


class Ledger:
    """What is known, in books that are written in one way only: `write`.

    Attributes
    ----------
    classes
        How many classes there are; labels are 0, 1, ...
    codes
        The label of each item, or OPEN or UNSURE.
    possible
        For the open items of which a class is excluded: the classes that are left, as a bit mask.
        With two classes there is no such item.
    reason
        Number of the answer that settled each item, or NOBODY.
    narrowed
        Numbers of the answers that excluded classes of an item and left several.
    joint
        For the few items of which clauses excluded classes together: all answers that were needed.
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
        "answers", "classes", "clauses", "codes", "earlier", "holding", "joint", "latest", "log",
        "narrowed", "possible", "reason",
    )  # fmt: skip

    def __init__(self, n: int, classes: int = 2) -> None:
        self.classes = classes
        self.codes = bytearray([OPEN]) * n
        self.reason = array("q", [NOBODY]) * n
        self.latest = array("q", [NOBODY]) * n
        self.possible: dict[int, int] = {}
        self.narrowed: dict[int, tuple[int, ...]] = {}
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

    def classes_left(self, item: int) -> int:
        """The classes that an open item may have, as a bit mask."""
        return self.possible.get(item, (1 << self.classes) - 1)

    def literals(self, clause: Clause) -> frozenset[tuple[int, Guess]]:
        """The pairs of a clause, guesses that leave the same classes being the same."""
        if self.classes == 2:
            return clause.literals
        return frozenset(
            [(i, mask_of(g, self.classes) & self.classes_left(i)) for i, g in clause.pairs]
        )

    def support(self, items: Iterable[int]) -> set[int]:
        """Numbers of answers that suffice for what is known of these items."""
        numbers: set[int] = set()
        seen = set(items)
        frontier = list(seen)
        while frontier:
            item = frontier.pop()
            numbers |= self.joint.get(item, _NO_ANSWERS)
            for number in (*self.narrowed.get(item, ()), self.reason[item]):
                if number == NOBODY:
                    continue
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
