"""What a guess says of an item's label: which classes it leaves.

The classes of a pool are numbered from 0; where there are two, True is class 1 and False class 0.
A guess is

    c                    the class c; a bool where there are two classes
    ~c                   any class but c, as a negative number
    frozenset({c, d})    one of these classes

The core works with sets of classes as bit masks, bit c for class c. Cost: O(1), or the size of a
set. Used by the rest of `askless.core` and by `askless.planners`; tested in
tests/core/test_guess.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from askless.doors import each, flag, index, shown
from askless.errors import InvalidInput

Guess = int | frozenset[int]

_BOOL: Final = frozenset({bool})

MOST_CLASSES: Final = 100
"""Labels are signed bytes, and nobody tells more classes than this apart in one question."""


def mask_of(guess: Guess, classes: int) -> int:
    """The classes that a guess leaves, as a bit mask, in a pool of so many `classes`."""
    if isinstance(guess, frozenset):
        return _mask_of_set(guess)
    return 1 << guess if guess >= 0 else (1 << classes) - 1 ^ 1 << ~guess


def is_right(guess: Guess, label: int) -> bool:
    """Whether an item of class `label` is as guessed."""
    if isinstance(guess, frozenset):
        return label in guess
    return label == guess if guess >= 0 else label != ~guess


def opposite(guess: Guess, classes: int) -> Guess:
    """The guess that is right where this one is wrong; a bool for a bool."""
    if isinstance(guess, bool):
        return not guess
    if isinstance(guess, frozenset):
        return _as_guess(frozenset(range(classes)) - guess)
    return ~guess


def classes_in(mask: int) -> frozenset[int]:
    """The classes of a bit mask."""
    return frozenset(c for c in range(mask.bit_length()) if mask >> c & 1)


def largest_class(guess: Guess) -> int:
    """The largest class number that a guess mentions."""
    if isinstance(guess, frozenset):
        return max(guess)
    return guess if guess >= 0 else ~guess


def require_classes(guesses: tuple[Guess, ...], classes: int) -> None:
    """Refuse guesses that a pool of so many classes cannot have, or that say nothing about it."""
    if _BOOL.issuperset(map(type, guesses)):
        return
    for guess in set(guesses):
        mask = mask_of(guess, classes)
        if largest_class(guess) >= classes or mask == (1 << classes) - 1:
            raise InvalidInput(
                f"The classes of this pool are 0 to {classes - 1}, and a guess leaves out one at "
                f"least; got {guess!r:.80}."
            )


def as_guesses(guesses: Iterable[object]) -> tuple[Guess, ...]:
    """Guesses as plain values; numpy's numbers and booleans are welcome."""
    return tuple([as_guess(guess) for guess in each("Guessed labels", guesses)])


def as_guess(guess: object) -> Guess:
    """One guess as a plain value, or `InvalidInput`."""
    if isinstance(guess, set | frozenset):
        return _as_guess(frozenset(as_class(c) for c in guess))
    if isinstance(guess, bool) or type(guess).__name__ == "bool":
        return flag("A guessed label", guess)
    number = index(guess)
    if number is not None:
        if not -MOST_CLASSES <= number < MOST_CLASSES:
            raise InvalidInput(
                f"Classes are numbered from 0 to {MOST_CLASSES - 1}, and ~c means any class but c; "
                f"got {number}."
            )
        return number
    raise InvalidInput(
        "A guessed label is True or False, a class number, ~c for any class but c, or a set of "
        f"class numbers; got {shown(guess)}."
    )


def as_class(label: object) -> int:
    """A class number as a plain int."""
    number = index(label)
    if number is None or not 0 <= number < MOST_CLASSES:
        raise InvalidInput(
            f"A class is a whole number from 0 to {MOST_CLASSES - 1}; got {shown(label)}."
        )
    return number


def _as_guess(classes: frozenset[int]) -> Guess:
    if not classes:
        raise InvalidInput("A guess leaves at least one class; got an empty set.")
    return classes if len(classes) > 1 else next(iter(classes))


@lru_cache(maxsize=4096)
def _mask_of_set(classes: frozenset[int]) -> int:
    return sum(1 << c for c in classes)
