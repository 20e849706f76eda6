"""What is asked and what is answered.

A `Question` proposes one label for each of a few items and asks "are all of
these right?". An `Answer` carries its question, so a list of answers is all
that needs to be kept. Both are checked when they are made and trusted after.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from askless.errors import InvalidInput

Purpose = Literal["label", "audit"]
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
        The label proposed for each item, in the same order.
    purpose
        ``label`` to learn something, ``audit`` to check what is already believed.
    """

    items: tuple[int, ...]
    guess: tuple[bool, ...]
    purpose: Purpose = "label"

    def __post_init__(self) -> None:
        items, guess = self.items, self.guess
        if type(items) is not tuple or not _INT.issuperset(map(type, items)):
            object.__setattr__(self, "items", items := _as_items(items))
        if type(guess) is not tuple or not _BOOL.issuperset(map(type, guess)):
            object.__setattr__(self, "guess", guess := _as_labels(guess))
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
        if self.purpose not in _PURPOSES:
            raise InvalidInput(f"A question's purpose is 'label' or 'audit'; got {self.purpose!r}.")

    def __len__(self) -> int:
        return len(self.items)

    def yes(self) -> Answer:
        """All the guessed labels are right."""
        return Answer(self, "yes")

    def no(self) -> Answer:
        """At least one guessed label is wrong."""
        return Answer(self, "no")

    def pointed(self, wrong: Iterable[int], *, rest_right: bool = False) -> Answer:
        """These items' guesses are wrong and, if `rest_right`, all the others are right."""
        return Answer(self, "pointed", tuple(wrong), rest_right)


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
    """

    question: Question
    kind: Kind
    wrong: tuple[int, ...] = ()
    rest_right: bool = False

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise InvalidInput(f"An answer is 'yes', 'no' or 'pointed'; got {self.kind!r}.")
        if self.kind != "pointed":
            if self.wrong or self.rest_right:
                raise InvalidInput(
                    f"Only a pointed answer names wrong items; got a {self.kind!r} that does."
                )
            return
        wrong = _as_items(self.wrong)
        object.__setattr__(self, "wrong", wrong)
        object.__setattr__(self, "rest_right", bool(self.rest_right))
        if not wrong and not self.rest_right:
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


def _as_items(items: Sequence[int] | Iterable[int]) -> tuple[int, ...]:
    """Whole numbers as plain ints; numpy integers are welcome, booleans and floats are not."""
    plain = []
    for item in items:
        if isinstance(item, bool) or not hasattr(item, "__index__"):
            raise InvalidInput(f"Items are whole numbers, indices into the pool; got {item!r}.")
        plain.append(item.__index__())
    return tuple(plain)


def _as_labels(labels: Iterable[object]) -> tuple[bool, ...]:
    """Labels as plain bools; numpy booleans and the integers 0 and 1 are welcome."""
    plain = []
    for label in labels:
        if label not in (False, True):
            raise InvalidInput(f"A guessed label is True or False; got {label!r}.")
        plain.append(bool(label))
    return tuple(plain)


def _quote(items: tuple[int, ...], most: int = 8) -> str:
    """At most `most` items, for a message."""
    text = ", ".join(map(str, items[:most]))
    return f"[{text}, ...]" if len(items) > most else f"[{text}]"
