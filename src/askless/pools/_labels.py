"""Which values of a column mean which label, and numbers that are probabilities.

Tested in tests/pools/test_table.py.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.core.guess import MOST_CLASSES
from askless.errors import InvalidInput

_YES: Final = frozenset(("1", "1.0", "true", "yes", "y", "t", "positive", "pos", "accept"))
_NO: Final = frozenset(("0", "0.0", "false", "no", "n", "f", "negative", "neg", "reject"))
_NOTHING: Final = frozenset(("", "nan", "none", "null", "na", "n/a", "<na>", "-1", "-1.0", "?"))
_SHOWN: Final = 8
_LONGEST: Final = 40
"""The most characters of a value that a message shows."""
OTHERS: Final = "*"
"""Says: every value that does not mean the other label."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Which values of a label column mean what; those that mean neither are no label.

    Parameters
    ----------
    true, false
        The value, or values, that mean True, and False; `OTHERS` for all the others. None where
        nothing was said: then, of two values, one means what the other does not.
    there
        Whether each of these must be among the values.
    classes
        The values that are classes, in the order of their numbers, or `OTHERS` alone for every
        value, in their order; None for two labels, by `true` and `false`.
    """

    true: str | Sequence[str] | None = None
    false: str | Sequence[str] | None = None
    there: bool = True
    classes: Sequence[str] | None = None


NOTHING_SAID: Final = Meaning()


@dataclass(frozen=True, slots=True)
class Labels:
    """What a source says about labels.

    Parameters
    ----------
    known
        1, 0, or -1 for nothing; None if it says nothing at all. With classes, their numbers.
    names
        What it calls True and False, where it has names for them; or the classes, by number.
    """

    known: NDArray[np.int8] | None = None
    names: tuple[str | None, ...] = (None, None)


def known_from(values: Sequence[Any], meaning: Meaning, where: str) -> Labels:
    """Labels out of a column; a blank is none.

    Parameters
    ----------
    values
        One a row.
    meaning
        What they mean; need not be said of such words as 1 and 0 or yes and no.
    where
        What the values are, for messages.

    Raises
    ------
    InvalidInput
        Nobody can tell what one of the values means.
    """
    cells = [_words(value) for value in values]
    kinds = sorted({word for cell in cells for word in cell})
    named = [word for word in kinds if word.lower() not in _NOTHING]
    if meaning.classes is not None:
        classes = _classes(meaning.classes, named, where)
        numbers = {word: number for number, word in enumerate(classes)}
        return Labels(np.array([_code(cell, numbers) for cell in cells], np.int8), classes)
    if not meaning.true and not meaning.false:
        if any(word.lower() not in _YES | _NO for word in named):
            raise _unclear(where, named, meaning)
        codes = {word: int(word.lower() in _YES) for word in named}
        return Labels(np.array([_code(cell, codes) for cell in cells], np.int8))
    sides = [_several(said) or None for said in (meaning.true, meaning.false)]
    if meaning.there:
        _check_there([word for side in sides for word in side or ()], kinds, where)
    stated = [[word for word in side or () if word != OTHERS] for side in sides]
    for one, other in ((0, 1), (1, 0)):
        rest = [word for word in named if word not in (sides[other] or ())]
        if sides[one] is None and len(rest) > 1:
            raise _unclear(where, named, meaning)
        if OTHERS in (sides[one] or (OTHERS,)):
            sides[one] = rest
    if both := sorted(set(sides[0] or ()) & set(sides[1] or ())):
        raise InvalidInput(f"A value means one label; got {both[0]!r} for both.")
    codes = dict.fromkeys(sides[0] or (), 1) | dict.fromkeys(sides[1] or (), 0)
    true, false = (side[0] if side and len(side) == 1 else None for side in sides)
    first = dict.fromkeys(stated[0], 1) | dict.fromkeys(stated[1], 0)
    return Labels(np.array([_code(cell, first, codes) for cell in cells], np.int8), (true, false))


def _words(value: Any) -> tuple[str, ...]:
    """The values in a cell: one, or several where it is a list."""
    if isinstance(value, list | tuple):
        return tuple(map(plain, value)) or ("",)
    return (plain(value),)


def _code(cell: Sequence[str], *codes: Mapping[str, int]) -> int:
    """What a cell means by the first codes that know one of its values; -1 if they say both."""
    for known in codes:
        said = {known[word] for word in cell if word in known}
        if said:
            return said.pop() if len(said) == 1 else -1
    return -1


def _classes(said: Sequence[str], named: Sequence[str], where: str) -> tuple[str, ...]:
    """The names of the classes, by number."""
    if list(said) == [OTHERS]:
        classes = tuple(sorted(named, key=_in_order))
    else:
        classes = tuple(said)
        _check_there(classes, named, where)
    if not 2 <= len(classes) <= MOST_CLASSES or len(set(classes)) != len(classes):
        raise InvalidInput(
            f"There are 2 to {MOST_CLASSES} classes, each named once; got {len(classes)} among the "
            f"{where}: {_listed(classes)}."
        )
    return classes


def _in_order(word: str) -> tuple[bool, float, str]:
    """Numbers by their size, and then words."""
    try:
        return False, float(word), word
    except ValueError:
        return True, 0.0, word


def _check_there(wanted: Sequence[str], kinds: Sequence[str], where: str) -> None:
    for word in wanted:
        if word != OTHERS and word not in kinds:
            raise InvalidInput(
                f"A value that means a label must be among the {where}; got {word!r}, and they are "
                f"{_listed(kinds)}."
            )


def _unclear(where: str, named: Sequence[str], meaning: Meaning) -> InvalidInput:
    return InvalidInput(
        f"Say which of the {where} mean the positive label and which the negative one, as in "
        f"{_example(named, meaning)} (each may be repeated; --false '{OTHERS}' is all the others); "
        f"a value that is named in neither is no label. Got {_listed(named)}."
    )


def _example(named: Sequence[str], meaning: Meaning) -> str:
    """Options with what was said, or else with values that usually mean the labels."""
    true, false = _several(meaning.true), _several(meaning.false)
    free = [word for word in named if len(word) <= _LONGEST and word not in [*true, *false]]
    if not true:
        likely = sorted(free, key=lambda word: (word.lower() not in _YES, word.lower() in _NO))
        true = [*likely, "VALUE"][:1]
    rest = [word for word in free if word not in true]
    false = false or [min(rest, key=lambda word: word.lower() not in _NO, default=OTHERS)]
    options = [["--true", value] for value in true] + [["--false", value] for value in false]
    return shlex.join(word for option in options for word in option)


def _several(said: str | Sequence[str] | None) -> list[str]:
    """The values that were named."""
    return [said] if isinstance(said, str) else list(map(str, said or ()))


def probs_from(values: Sequence[Any], where: str) -> NDArray[np.float64]:
    """Probabilities out of a column; a blank means one half."""
    numbers = np.empty(len(values))
    for row, value in enumerate(values):
        word = plain(value)
        try:
            numbers[row] = float(word) if word else 0.5
        except ValueError:
            numbers[row] = np.nan
        if not 0 <= numbers[row] <= 1:
            raise InvalidInput(
                f"Probabilities are numbers from 0 to 1; got {word!r} in row {row + 1} of {where}."
            )
    return numbers


def plain(value: Any) -> str:
    """A value as a person would write it: no blanks around it, whole numbers without a point."""
    if value is None:
        return ""
    if isinstance(value, float | np.floating):
        if np.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() else str(value)
    return str(value).strip()


def _listed(words: Sequence[str]) -> str:
    shown = ", ".join(repr(word[:_LONGEST]) for word in words[:_SHOWN])
    return f"{shown}, ..." if len(words) > _SHOWN else shown or "none"
