"""Planning for more than two classes with the planners for two: one binary fact an item at a time.

Also known as nested dichotomies (Frank and Kramer 2004). Every open item has a current guess c,
the likeliest class that is still possible for it, and the fact "its label is c" is true with
chance P(c | possible classes). The planner sees these facts as labels of two classes: True, the
item is a c; False, it is not. An item found not to be a c comes back with its next guess. By the
chain rule the facts of an item are worth exactly the entropy of its class, whatever their order,
and they stay independent: so a planner that is near its bound with two classes is near it with K.

While an open clause holds an item it keeps its current guess, even if other probabilities would
have another. Items are asked together that have the same current guess and the same likelier side
(`Probs.kinds`), so that a question names one class: are all of these c, or is none of these c?

Where the annotator points, nobody is asked "is none of these c?": a guess counts as an even bet
at least. Where classes can be typed, an item whose current guess is less likely than `type_below`
is left out of groups and asked alone, which class is it?, once nothing else that comes as soon is
left.

Cost: O(items with an excluded class or an open clause) a question, and a sort by the planner
whenever a current guess changes. Not for two classes, whose planners see the state itself.
Tested in tests/planners/test_binary_reduction.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

import numpy as np
from numpy.typing import NDArray

from askless.core.class_probs import ClassProbs
from askless.core.clause import Clause
from askless.core.guess import Guess, classes_in, mask_of, opposite
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.doors import of_kind
from askless.errors import InvalidInput
from askless.seams import Planner, Priority

_TINY: Final = 1e-300


class BinaryReduction:
    """A planner for more than two classes, out of one for two.

    Parameters
    ----------
    planner
        Any planner.
    none_of_these
        Whether "is none of these c?" may be asked; it is worth it where answers are yes and no.
    type_below
        The chance of the current guess below which an item's class is typed; 0 for no typing.
    """

    def __init__(
        self, planner: Planner, *, none_of_these: bool = True, type_below: float = 0.0
    ) -> None:
        self._planner, self._none_of_these, self._type_below = planner, none_of_these, type_below
        self._given: ClassProbs | None = None
        self._facts: dict[int, tuple[Guess, int]] = {}
        self._probs: Probs | None = None

    def plan(
        self,
        probs: ClassProbs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        """What the planner asks about the current guesses; None when no open item is free."""
        view, facts = self._reduce(probs, state)
        low = self._to_type(state, leased)
        question = self._planner.plan(facts, view, leased | set(low), priority)
        wanted = low if priority is None else [item for item in low if priority[item]]
        if wanted and (
            question is None or (priority is not None and not priority[list(question.items)].any())
        ):
            return Question((wanted[0],), (view.current_guess(wanted[0]),))
        if question is None:
            return None if not low else Question((low[0],), (view.current_guess(low[0]),))
        pairs = zip(question.items, question.guess, strict=True)
        return Question(question.items, tuple([view.guess_of(item, g == 1) for item, g in pairs]))

    def is_typed(self, question: Question) -> bool:
        """Whether a question just planned asks which class its only item is."""
        return len(question) == 1 and self.chance_of(question.items[0]) < self._type_below

    def chance_of(self, item: int) -> float:
        """The chance of an item's current guess, when last planned with."""
        return float(self._chances[item])

    def _reduce(self, probs: ClassProbs, state: State) -> tuple[CurrentGuesses, Probs]:
        """The state and the probabilities that the planner sees."""
        of_kind("What is planned with", probs, ClassProbs, "ClassProbs")
        if probs.values.shape != (state.n, state.classes):
            raise InvalidInput(
                f"A planner needs the chances of {state.classes} classes for {state.n} items; "
                f"got shape {probs.values.shape}."
            )
        if probs is not self._given:
            self._given, self._facts = probs, {}
            self._likeliest = np.argmax(probs.values, axis=1)
            self._probs = None
        view = CurrentGuesses(state, probs.values, self._likeliest)
        if self._probs is None or view.facts != self._facts:
            self._facts = view.facts
            self._chances, kinds = view.chances_and_kinds()
            shown = self._chances if self._none_of_these else np.maximum(self._chances, 0.5)
            self._probs = Probs(shown, kinds=kinds)
        return view, self._probs

    def _to_type(self, state: State, leased: AbstractSet[int]) -> list[int]:
        """The free items whose class is to be typed, the likeliest first."""
        if self._type_below <= 0.0:
            return []
        items = state.open_items()
        items = items[self._chances[items] < self._type_below]
        order = items[np.argsort(-self._chances[items], kind="stable")].tolist()
        return [item for item in order if item not in leased and item not in state.held]


class CurrentGuesses(State):
    """A state of more than two classes as one of two: is each item's current guess right?

    Parameters
    ----------
    state
        What is known; shown as it is, but for the guesses of its clauses.
    values
        P(class) for every item, shape (n, classes).
    likeliest
        The likeliest class of every item.

    Attributes
    ----------
    facts
        For items with an excluded class or an open clause: the current guess, and the possible
        classes as a bit mask.
    """

    __slots__ = ("_likeliest", "_of", "_values", "facts")

    def __init__(
        self, state: State, values: NDArray[np.float64], likeliest: NDArray[np.intp]
    ) -> None:
        super().__init__(state._books(), state.n_with, state.n_unsure, state.next_number)
        self.key, self.parent_key = state.key, state.parent_key
        self._of, self._values, self._likeliest = state, values, likeliest
        ledger = state._books()
        every = (1 << state.classes) - 1
        self.facts: dict[int, tuple[Guess, int]] = {}
        for item in ledger.possible.keys() | ledger.holding.keys():
            left = ledger.possible.get(item, every)
            held = state.fixed_guess(item)
            if held is None:
                self.facts[item] = self._likeliest_of(item, left), left
            else:
                self.facts[item] = ~held if isinstance(held, int) and held < 0 else held, left

    def current_guess(self, item: int) -> Guess:
        """The class that is guessed, or excluded, when the item is asked about."""
        fact = self.facts.get(item)
        return int(self._likeliest[item]) if fact is None else fact[0]

    def guess_of(self, item: int, right: bool) -> Guess:
        """The current guess, or its opposite."""
        guess = self.current_guess(item)
        return guess if right else opposite(guess, self.classes)

    def chances_and_kinds(self) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """The chance of every item's current guess given its possible classes; and its class."""
        at = np.arange(self.n)
        chances, kinds = self._values[at, self._likeliest], self._likeliest.copy()
        for item, (guess, left) in self.facts.items():
            row = self._values[item]
            possible = float(row[list(classes_in(left))].sum())
            guessed = classes_in(mask_of(guess, self.classes) & left)
            even = len(guessed) / left.bit_count()
            right = float(row[list(guessed)].sum())
            chances[item] = right / possible if possible > _TINY else even
            # Sets of classes, which only people ask about, share a kind of their own.
            kinds[item] = self.classes if isinstance(guess, frozenset) else guess
        return np.clip(chances, 0.0, 1.0), kinds

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The refuted guesses, as True or False for the current guess of each item."""
        if self._clauses is None:
            self._clauses = tuple([self._reduced(clause) for clause in self._of.clauses])
        return self._clauses

    def clauses_of(self, item: int) -> tuple[Clause, ...]:
        """The refuted guesses that hold the item."""
        return tuple([self._reduced(clause) for clause in self._of.clauses_of(item)])

    def clauses_tied_to(self, items: Iterable[int]) -> list[Clause]:
        """The refuted guesses that a chain of shared items ties to one of these."""
        return [self._reduced(clause) for clause in self._of.clauses_tied_to(items)]

    def fixed_guess(self, item: int) -> Guess | None:
        """What an open clause holds for the item: whether its current guess is right."""
        held = self._of.fixed_guess(item)
        return None if held is None else self._is_current(item, held)

    def _reduced(self, clause: Clause) -> Clause:
        guess = tuple([self._is_current(item, held) for item, held in clause.pairs])
        return Clause(clause.items, guess, clause.answer)

    def _is_current(self, item: int, held: Guess) -> bool:
        """Whether a clause guesses what is guessed currently.

        A guess that is neither that nor its opposite counts as the opposite: the oldest clause of
        the item has another then, and planners ask about one item at a time where clauses disagree.
        """
        current, left = self.facts[item]
        if held == current:
            return True
        return mask_of(held, self.classes) & left == mask_of(current, self.classes) & left

    def _likeliest_of(self, item: int, left: int) -> int:
        row = self._values[item]
        return max(sorted(classes_in(left)), key=lambda c: row[c])
