"""What the answers imply.

A `State` is a value: which items are settled and how, which are unsure,
and which guesses stand refuted. `learn` adds an answer and draws every conclusion,
`retract` takes one back, `mark_unsure` gives an item up; each returns another state
and leaves the given one as it was. The state depends on the set of answers (and of unsure
items) and never on their order.

A refuted guess is a `Clause`: at least one of these labels is wrong. An unsure
item has no label, takes its clauses with it (it may have been the wrong
one), and lets nothing be deduced through it.

A pool has two classes, True and False, or up to a hundred, numbered from 0. Of each open item some
are still possible; with two, both.

Conclusions are sound always. They are complete as well: by unit propagation while every item has a
possible class that no open clause guesses for it, and by an exact search over
the connected clauses elsewhere.

States share their books (`askless.core._ledger`), so `learn` costs what changes, not n. A
family of states belongs to one thread at a time. Tested in tests/core/test_state.py and, with more
classes than two, tests/core/test_classes.py.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, KeysView, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from askless.core._ledger import OPEN, UNSURE, Entry, Ledger
from askless.core._propagate import Draft
from askless.core.clause import Clause, neighbourhood
from askless.core.guess import MOST_CLASSES, Guess, classes_in, require_classes
from askless.core.provenance import Provenance, way_settled
from askless.core.question import Answer, Question, as_items
from askless.doors import each, of_kind, whole
from askless.errors import Contradiction, InvalidInput

_keys = itertools.count()


class State:
    """What is known about every item; made by `State.blank`, `learn` and `replay`.

    Attributes
    ----------
    n
        Number of items.
    n_with
        By label: how many items have it; ``n_with[True]`` of them are True. Its length is the
        number of classes.
    n_unsure
        How many are unsure and will have no label.
    next_number
        The number the next answer gets unless told otherwise.
    key
        Unlike that of any other state in this process.
    parent_key
        Key of the state this one was learnt from by a single `learn`, otherwise None. Along
        such steps items only ever leave the open ones, so what a planner worked out for
        the parent can be carried on.
    """

    __slots__ = (
        "_clauses", "_entries", "_ledger", "_mixed", "_toward",
        "key", "n", "n_unsure", "n_with", "next_number", "parent_key",
    )  # fmt: skip

    def __init__(
        self, ledger: Ledger, n_with: tuple[int, ...], n_unsure: int, next_number: int
    ) -> None:
        self.n = len(ledger.codes)
        self.n_with = n_with
        self.n_unsure = n_unsure
        self.next_number = next_number
        self.key = next(_keys)
        self.parent_key: int | None = None
        self._ledger = ledger
        self._mixed = False
        self._clauses: tuple[Clause, ...] | None = None
        self._toward: State | None = None  # the way to the state that has the books
        self._entries: list[Entry] = []  # what to undo to come from there to here

    @classmethod
    def blank(cls, n: int, classes: int = 2) -> State:
        """Nothing known about `n` items, each of one of so many classes."""
        if not 2 <= whole("The number of classes", classes, 2) <= MOST_CLASSES:
            raise InvalidInput(f"There are 2 to {MOST_CLASSES} classes; got {classes}.")
        ledger = Ledger(whole("The number of items of a pool", n, most=2**40), classes)
        return cls(ledger, (0,) * classes, 0, 0)

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return len(self.n_with)

    @property
    def n_settled(self) -> int:
        """How many items have a certain label."""
        return sum(self.n_with)

    @property
    def n_open(self) -> int:
        """How many items have no label yet."""
        return self.n - sum(self.n_with) - self.n_unsure

    @property
    def done(self) -> bool:
        """Whether no item is open."""
        return self.n_open == 0

    def is_open(self, item: int) -> bool:
        """Whether the item's label is still wanted."""
        return self._books().codes[item] == OPEN

    def is_unsure(self, item: int) -> bool:
        """Whether the item is unsure."""
        return self._books().codes[item] == UNSURE

    def label(self, item: int) -> int | None:
        """The item's certain label, a bool if there are two classes; None while open or unsure."""
        code = self._books().codes[item]
        if code >= UNSURE:
            return None
        return code == 1 if len(self.n_with) == 2 else code

    def possible(self, item: int) -> frozenset[int]:
        """The classes that the item may have; of a settled one its label, of an unsure one all."""
        ledger = self._books()
        code = ledger.codes[item]
        return classes_in(1 << code if code < UNSURE else ledger.classes_left(item))

    def labels(self, items: slice = slice(None)) -> NDArray[np.int8]:
        """The labels of all items, or of these: class numbers; -1 where open, -2 where unsure."""
        return np.frombuffer(self._books().codes[items], dtype=np.int8)

    def settled_by(self) -> NDArray[np.int64]:
        """The number of the answer that settled each item; -1 for none, or several together."""
        return np.frombuffer(self._books().reason, dtype=np.int64).copy()

    def open_items(self) -> NDArray[np.intp]:
        """The open items in ascending order."""
        return np.flatnonzero(np.frombuffer(self._books().codes, dtype=np.uint8) == OPEN)

    def unsure_items(self) -> NDArray[np.intp]:
        """The unsure items in ascending order."""
        return np.flatnonzero(np.frombuffer(self._books().codes, dtype=np.uint8) == UNSURE)

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The refuted guesses that still say something, oldest first."""
        if self._clauses is None:
            clauses = self._books().clauses
            self._clauses = tuple([clauses[number] for number in sorted(clauses)])
        return self._clauses

    def clauses_of(self, item: int) -> tuple[Clause, ...]:
        """The open clauses that hold the item, oldest first."""
        ledger = self._books()
        return tuple([ledger.clauses[k] for k in sorted(ledger.holding.get(item, ()))])

    def clauses_tied_to(self, items: Iterable[int]) -> list[Clause]:
        """The open clauses that a chain of shared items ties to one of these, oldest first."""
        ledger = self._books()
        return neighbourhood(items, ledger.holding, ledger.clauses)

    @property
    def held(self) -> KeysView[int]:
        """The items that open clauses hold. A view, out of date once another state is read."""
        return self._books().holding.keys()

    def fixed_guess(self, item: int) -> Guess | None:
        """The guess that an open clause holds for the item, which questions should keep."""
        ledger = self._books()
        holders = ledger.holding.get(item)
        if not holders:
            return None
        clause = ledger.clauses[min(holders)]
        return clause.guess[clause.items.index(item)]

    @property
    def answers(self) -> Mapping[int, Answer]:
        """Every answer learnt, by number. A view: copy it to keep it."""
        return MappingProxyType(self._books().answers)

    def provenance(self, item: int) -> Provenance | None:
        """Why the item's label is certain; None if it has none."""
        ledger = self._books()
        if ledger.codes[item] >= UNSURE:
            return None
        return Provenance(way_settled(ledger, item), tuple(sorted(ledger.support([item]))))

    def __eq__(self, other: object) -> bool:
        """Whether the same answers were learnt and the same conclusions drawn."""
        if not isinstance(other, State):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]  # states are compared by content; use `key` in dicts

    def __repr__(self) -> str:
        return (
            f"<State of {self.n} items: {self.n_settled} settled, {self.n_open} open, "
            f"{self.n_unsure} unsure, {len(self.clauses)} clauses>"
        )

    def _content(self) -> tuple[object, ...]:
        """What states are compared by; a copy, since states of a family share their books."""
        books = self._books()
        clauses = {books.literals(clause) for clause in self.clauses}
        return bytes(books.codes), dict(books.possible), dict(books.answers), clauses, books.classes

    def _books(self) -> Ledger:
        """The ledger as it stands in this state."""
        if self._toward is not None:
            _take_the_books_to(self)
        return self._ledger


def learn(state: State, answer: Answer, number: int | None = None) -> State:
    """The state after one more answer, with everything that follows from it.

    Parameters
    ----------
    state
        Stays as it is.
    answer
        The answer to any question but an audit.
    number
        What provenance and `retract` shall call the answer; unused so far. By default one
        more than the largest yet.

    Raises
    ------
    InvalidInput
        The answer is about items the pool does not have, or answers an audit.
    Contradiction
        The answer cannot be true together with earlier ones, which the error names.
    """
    number = _check(state, answer, number)
    change = _Change(state)
    with change:
        change.draft.add(number, answer)
    child = change.state(max(state.next_number, number + 1))
    child.parent_key = state.key
    return child


def replay(
    n: int,
    answers: Mapping[int, Answer] | Iterable[Answer],
    unsure: Iterable[int] = (),
    classes: int = 2,
) -> State:
    """The state of `n` items after all these answers; numbered 0, 1, ... unless a mapping.

    With a class more than before, labels reached by exclusion are open again; the others stay.
    """
    numbered = (
        answers.items() if isinstance(answers, Mapping) else enumerate(each("Answers", answers))
    )
    state = State.blank(n, classes)
    for item in set(as_items(unsure)):
        _check_item(state, item)
        state._ledger.codes[item] = UNSURE
        state.n_unsure += 1
    draft = Draft(state._ledger, mixed=False)
    for number, answer in sorted(numbered, key=lambda pair: pair[0]):
        draft.add(_check(state, answer, number), answer)
        state.next_number = number + 1
    state.n_with = tuple(draft.gained)
    state._mixed = draft.mixed
    return state


def retract(state: State, number: int) -> State:
    """The state of a replay without answer `number`.

    Costs the answers connected to the retracted one through shared items.
    """
    if number not in state.answers:
        raise InvalidInput(
            f"Only an answer that was learnt can be retracted; there is no answer {number}."
        )
    change = _Change(state)
    with change:
        ledger = change.ledger
        tied = change.draft.forget(ledger.answers[number].question.items)
        change.relearn([other for other in tied if other != number])
        ledger.erase(ledger.answers, number)
    return change.state(state.next_number)


def mark_unsure(state: State, item: int) -> State:
    """The state in which `item` is unsure: it has no label and proves nothing."""
    _check_item(state, item)
    return state if state.is_unsure(item) else _write_code(state, item, UNSURE)


def clear_unsure(state: State, item: int) -> State:
    """The state in which `item` was never marked unsure; undoes `mark_unsure`.

    Raises
    ------
    Contradiction
        Answers since then only agree because the item was unsure.
    """
    _check_item(state, item)
    if not state.is_unsure(item):
        raise InvalidInput(f"Only an unsure item can be taken back; item {item} is not.")
    return _write_code(state, item, OPEN)


def undecided(state: State, question: Question) -> bool:
    """Whether both yes and no are still possible, so that asking says something."""
    if not all(map(state.is_open, question.items)):
        return False
    try:
        learn(state, question.yes())
        learn(state, question.no())
    except Contradiction:
        return False
    return True


def _write_code(state: State, item: int, code: int) -> State:
    """The state in which the item is OPEN or UNSURE to begin with, and all answers are learnt."""
    change = _Change(state)
    with change:
        tied = change.draft.forget([item])
        change.ledger.write(change.ledger.codes, item, code)
        change.relearn(tied)
    return change.state(state.next_number, unsure=1 if code == UNSURE else -1)


class _Change:
    """From one state to another: all of it, or, when something is refused, nothing."""

    def __init__(self, state: State) -> None:
        self._before = state
        self.ledger = state._books()
        self.draft = Draft(self.ledger, mixed=state._mixed)
        self._entries: list[Entry] = []

    def __enter__(self) -> None:
        self.ledger.log = self._entries

    def __exit__(self, failed: object, *_: object) -> None:
        self.ledger.log = None
        if failed is not None:
            self.ledger.turn_back(self._entries)

    def relearn(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self.draft.add(number, self.ledger.answers[number])

    def state(self, next_number: int, unsure: int = 0) -> State:
        before, draft = self._before, self.draft
        n_with = tuple(map(operator.add, before.n_with, draft.gained))
        after = State(self.ledger, n_with, before.n_unsure + unsure, next_number)
        after._mixed = draft.mixed
        before._toward, before._entries = after, self._entries
        return after


def _take_the_books_to(state: State) -> None:
    """Re-root the shared ledger at `state`: turn every step on the way there around."""
    way = [state]
    while (following := way[-1]._toward) is not None:
        way.append(following)
    for after, before in itertools.pairwise(reversed(way)):
        after._entries = Ledger.turn_back(before._entries)
        after._toward = before
        before._toward, before._entries = None, []


def _check(state: State, answer: Answer, number: int | None) -> int:
    of_kind("What is learnt into", state, State, "a State")
    question = of_kind("What is learnt", answer, Answer, "an Answer").question
    if question.purpose == "audit":
        raise InvalidInput(
            "Answers to audits are not learnt from; got one. Compare it with the labels instead."
        )
    if max(question.items) >= state.n:
        raise InvalidInput(f"Items of this pool are 0 to {state.n - 1}; got {max(question.items)}.")
    require_classes((*question.guess, *dict(answer.typed).values()), state.classes)
    if number is not None and whole("The number of an answer", number) in state._books().answers:
        raise InvalidInput(f"An answer needs an unused number, 0 or more; got {number}.")
    return state.next_number if number is None else number


def _check_item(state: State, item: int) -> None:
    if not 0 <= item < state.n:
        raise InvalidInput(f"Items of this pool are 0 to {state.n - 1}; got {item}.")
