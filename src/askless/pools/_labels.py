"""Which values of a column mean that a label is True, and numbers that are probabilities.

Tested in tests/pools/test_table.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askless.errors import InvalidInput

_YES: Final = frozenset(("1", "1.0", "true", "yes", "y", "t", "positive", "pos"))
_NO: Final = frozenset(("0", "0.0", "false", "no", "n", "f", "negative", "neg"))
_NOTHING: Final = frozenset(("", "nan", "none", "null", "na", "n/a", "<na>", "-1", "-1.0", "?"))
_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class Labels:
    """What a source says about labels.

    Parameters
    ----------
    known
        1, 0, or -1 for nothing; None if it says nothing at all.
    names
        What it calls True and False, where it has names for them.
    """

    known: NDArray[np.int8] | None = None
    names: tuple[str | None, str | None] = (None, None)


def known_from(values: Sequence[Any], positive: str | Sequence[str] | None, where: str) -> Labels:
    """Labels out of a column: the positive values, everything else, and blanks.

    Parameters
    ----------
    values
        One a row.
    positive
        The value, or values, that mean True; may be left out where the words speak for
        themselves, such as 1 and 0 or yes and no.
    where
        What the values are, for messages.
    """
    words = [plain(value) for value in values]
    kinds = sorted(set(words))
    named = [word for word in kinds if word.lower() not in _NOTHING]
    if positive is None:
        strange = [word for word in named if word.lower() not in _YES | _NO]
        if strange:
            raise InvalidInput(
                f"Say which of the {where} is the positive label (positive=..., on the command "
                f"line --true to label, --positive to simulate); got {_listed(named)}."
            )
        codes = {word: int(word.lower() in _YES) for word in named}
        names: tuple[str | None, str | None] = (None, None)
    else:
        wanted = {positive} if isinstance(positive, str) else set(map(str, positive))
        missing = sorted(wanted - set(kinds))
        if missing:
            raise InvalidInput(
                f"The positive label must be among the {where}; got {missing[0]!r}, and they are "
                f"{_listed(kinds)}."
            )
        codes = {word: int(word in wanted) for word in {*named, *wanted}}
        negatives = [word for word in named if word not in wanted]
        names = (
            next(iter(wanted)) if len(wanted) == 1 else None,
            negatives[0] if len(negatives) == 1 else None,
        )
    return Labels(np.array([codes.get(word, -1) for word in words], np.int8), names)


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
    shown = ", ".join(repr(word[:40]) for word in words[:_SHOWN])
    return f"{shown}, ..." if len(words) > _SHOWN else shown or "none"
