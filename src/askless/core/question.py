"""What is asked and what is answered.

A `Question` proposes one label for each of a few items and asks "are all of
these right?". An `Answer` carries its question, so a list of answers is all
that needs to be kept. Both are checked when they are made and trusted after.
Which labels there are is the pool's affair: `askless.core.state` refuses a class it does not have.
Tested in tests/core/test_question.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from askless.core.guess import Guess, as_class, as_guesses, is_right
from askless.doors import each, flag, index, of_kind, shown
from askless.errors import InvalidInput

Purpose = Literal["label", "check", "audit"]
Kind = Literal["yes", "no", "pointed"]

_PURPOSES: Final = frozenset(get_args(Purpose))
_KINDS: Final = frozenset(get_args(Kind))
_INT, _BOOL = frozenset({int}), frozenset({bool})

GRID: Final = 24
"""Items in a question in which people point at the wrong ones, unless somebody says otherwise."""


@dataclass(frozen=True, slots=True)
class Question:
    """Are all these guessed labels right?

    Parameters
    ----------
    items
        The items asked about, by their index in the pool. At least one, no repeats.
    guess
        The label proposed for each item, in the same order: True or False; with more classes than
        two a class number, ``~c`` for any class but c, or a set of classes
        (`askless.core.guess`). Asked with ``~c`` for all of them: is none of these a c?
    purpose
        ``label`` to learn something, ``check`` the same about items drawn at random from a claim
        (`askless.core.claim`), ``audit`` to see how well somebody looks at what is known.
    """

    items: tuple[int, ...]
    guess: tuple[Guess, ...]
    purpose: Purpose = "label"

    def __post_init__(self) -> None:
        items, guess = self.items, self.guess
        if type(items) is not tuple or not _INT.issuperset(map(type, items)):
            object.__setattr__(self, "items", items := as_items(items))
        if type(guess) is not tuple or not _BOOL.issuperset(map(type, guess)):
            object.__setattr__(self, "guess", guess := as_guesses(guess))
        if len(items) != len(guess):
            raise InvalidInput(
                "A question needs one guessed label per item; "
                f"got {len(items)} items and {len(guess)} labels."
            )
        if not items:
            raise InvalidInput("A question needs at least one item; got none.")
        if len(set(items)) != len(items):
            raise InvalidInput(
                f"A question may ask about an item once only; got {_quote(items)} with repeats."
            )
        if min(items) < 0:
            raise InvalidInput(
                f"Items are counted from 0; got {min(items)}. Use the item's index in the pool."
            )
        if not _is_one_of(_PURPOSES, self.purpose):
            raise InvalidInput(
                f"A question's purpose is 'label', 'check' or 'audit'; got {shown(self.purpose)}."
            )

    def __len__(self) -> int:
        return len(self.items)

    def about(self, items: Iterable[int]) -> Question:
        """The same question about these of its items alone, at least one of them."""
        guesses = dict(zip(self.items, self.guess, strict=True))
        kept = items if type(items) is tuple else as_items(items)
        if foreign := [item for item in kept if item not in guesses]:
            raise InvalidInput(
                f"A part of a question has items of it, {_quote(self.items)}; got {foreign[0]}."
            )
        return Question(kept, tuple(guesses[item] for item in kept), self.purpose)

    def yes(self) -> Answer:
        """All the guessed labels are right."""
        return Answer(self, "yes")

    def no(self) -> Answer:
        """At least one guessed label is wrong."""
        return Answer(self, "no")

    def pointed(
        self,
        wrong: Iterable[int],
        *,
        rest_right: bool = False,
        typed: Mapping[int, int] | Iterable[tuple[int, int]] = (),
    ) -> Answer:
        """These items' guesses are wrong and, if `rest_right`, all the others are right.

        `typed` has the class of some of them.
        """
        return Answer(self, "pointed", as_items(wrong), rest_right, _as_typed(typed))

    def typed(self, typed: Mapping[int, int]) -> Answer:
        """These items have these classes, and all the other guesses are right."""
        guesses, pairs = dict(zip(self.items, self.guess, strict=True)), _as_typed(typed)
        wrong = [i for i, label in pairs if i in guesses and not is_right(guesses[i], label)]
        return self.pointed(wrong, rest_right=True, typed=pairs)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the annotator said, with the question it was said to.

    Parameters
    ----------
    question
        What was asked.
    kind
        ``yes`` (all right), ``no`` (at least one wrong) or ``pointed`` (these are wrong).
    wrong
        Only for ``pointed``: the items, by index in the pool, whose guess is wrong.
    rest_right
        Only for ``pointed``: whether all the other guesses are right.
    typed
        Only for ``pointed``: items with the class that was typed for them. One whose class is not
        as guessed is in `wrong` too.
    """

    question: Question
    kind: Kind
    wrong: tuple[int, ...] = ()
    rest_right: bool = False
    typed: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        of_kind("What is answered", self.question, Question, "a Question")
        if not _is_one_of(_KINDS, self.kind):
            raise InvalidInput(f"An answer is 'yes', 'no' or 'pointed'; got {shown(self.kind)}.")
        if type(self.typed) is not tuple or self.typed:
            object.__setattr__(self, "typed", _as_typed(self.typed))
        if self.kind != "pointed":
            if self.wrong != () or self.rest_right is not False or self.typed:
                raise InvalidInput(
                    f"Only a pointed answer names wrong items; got a {self.kind!r} that does."
                )
            return
        wrong = as_items(self.wrong)
        object.__setattr__(self, "wrong", wrong)
        object.__setattr__(self, "rest_right", flag("rest_right", self.rest_right))
        if self.typed:
            self._check_typed()
        if not wrong and not self.rest_right and not self.typed:
            raise InvalidInput(
                "A pointed answer must say something; got no wrong item and nothing about "
                "the rest. Answer 'no' if something is wrong but not what."
            )
        foreign = set(wrong).difference(self.question.items)
        if foreign or len(set(wrong)) != len(wrong):
            raise InvalidInput(
                "A pointed answer names items of its question, each once; "
                f"got {_quote(wrong)} for a question about {_quote(self.question.items)}."
            )

    def __len__(self) -> int:
        return len(self.question)

    def _check_typed(self) -> None:
        typed = self.typed
        guesses = dict(zip(self.question.items, self.question.guess, strict=True))
        if not guesses.keys() >= dict(typed).keys() or len(dict(typed)) != len(typed):
            raise InvalidInput(
                "Classes are typed for items of the question, each once; "
                f"got {_quote(tuple(dict(typed)))} for a question about "
                f"{_quote(self.question.items)}."
            )
        for item, label in typed:
            if (item in self.wrong) == is_right(guesses[item], label):
                raise InvalidInput(
                    "An item is wrong where its typed class is not as guessed, and only there; "
                    f"got class {label} for item {item}, guessed {guesses[item]!r:.80}."
                )


def _as_typed(
    typed: Mapping[int, int] | Iterable[tuple[int, int]],
) -> tuple[tuple[int, int], ...]:
    """Pairs of an item and its class, as plain numbers."""
    pairs = typed.items() if isinstance(typed, Mapping) else each("Typed classes", typed)
    plain = []
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InvalidInput(
                f"Typed classes are pairs of an item and a class; got {shown(pair)}."
            )
        (item,) = as_items(pair[:1])
        plain.append((item, as_class(pair[1])))
    return tuple(plain)


def _is_one_of(words: frozenset[str], value: object) -> bool:
    return type(value) is str and value in words


def as_items(items: Sequence[int] | Iterable[int]) -> tuple[int, ...]:
    """Whole numbers as plain ints; numpy integers are welcome, booleans and floats are not."""
    plain = []
    for item in each("Items", items):
        if (number := index(item)) is None:
            raise InvalidInput(
                f"Items are whole numbers, indices into the pool; got {shown(item)}."
            )
        plain.append(number)
    return tuple(plain)


def _quote(items: tuple[int, ...], most: int = 8) -> str:
    """At most `most` items, for a message."""
    text = ", ".join(map(str, items[:most]))
    return f"[{text}, ...]" if len(items) > most else f"[{text}]"
