"""A state of more items: what was known stays, and nothing is known about the rest.

Cost: a copy of the books, O(n + answers). Used by `askless.history.history` when a source has
grown. Tested in tests/core/test_growing.py.
"""

from __future__ import annotations

from askless.core._ledger import Ledger
from askless.core.state import State
from askless.errors import InvalidInput


def grow(state: State, count: int) -> State:
    """The state with `count` more items, all open, which get the next numbers.

    The given state stays as it is, and shares nothing with one that has more.
    """
    if count < 0:
        raise InvalidInput(f"A pool grows by 0 items or more; got {count}.")
    if count == 0:
        return state
    old, more = state._books(), Ledger(count)
    books = Ledger(0, old.classes)
    books.codes = old.codes + more.codes
    books.reason, books.latest = old.reason + more.reason, old.latest + more.latest
    books.possible, books.narrowed = dict(old.possible), dict(old.narrowed)
    books.joint, books.answers = dict(old.joint), dict(old.answers)
    books.earlier, books.clauses = dict(old.earlier), dict(old.clauses)
    books.holding = dict(old.holding)
    after = State(books, state.n_with, state.n_unsure, state.next_number)
    after._mixed = state._mixed
    return after
