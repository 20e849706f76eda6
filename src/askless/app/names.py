"""The question as a sentence.

The guess is always named by its own label, never as "not" the other one. A name may be given as
``one|many`` ("a shoe|shoes"); a name without a bar serves for both.
Tested in tests/app/test_names.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from askless.errors import InvalidInput

_LONGEST: Final = 1000


@dataclass(frozen=True, slots=True)
class Names:
    """What the two labels are called.

    Parameters
    ----------
    positive
        Of an item whose label is True.
    negative
        Of one whose label is False; None for "something other than" the positive.
    """

    positive: str = "positive"
    negative: str | None = None

    def __post_init__(self) -> None:
        for name in (self.positive, self.negative):
            if name is not None and not name.strip("| \t\n"):
                raise InvalidInput(
                    "A label is called by a name, or by two as in 'a shoe|shoes'; "
                    f"got {name!r:.80}."
                )
            if name is not None and len(name) > _LONGEST:
                raise InvalidInput(
                    f"The name of a label has at most {_LONGEST:,} characters; got {len(name):,}."
                )
        if self.negative is not None and _alike(self.positive) & _alike(self.negative):
            raise InvalidInput(
                "The two labels need different names, or no question could be understood; got "
                f"{self.positive!r:.80} and {self.negative!r:.80}."
            )

    def one(self, label: bool) -> str:
        """What one item of this label is called."""
        return _parts(self._named(label))[0]

    def many(self, label: bool) -> str:
        """What several items of this label are called."""
        return _parts(self._named(label))[-1]

    def sentence(self, label: bool, size: int) -> tuple[str, str, str]:
        """The question whether `size` items have this label, in three: the name is the second."""
        if size == 1:
            return "Is this ", self.one(label), "?"
        return f"Are {'both' if size == 2 else 'all'} of these ", self.many(label), "?"

    def _named(self, label: bool) -> str:
        if label:
            return self.positive
        if self.negative is not None:
            return self.negative
        return "|".join(f"something other than {part}" for part in _parts(self.positive))


def _alike(name: str) -> set[str]:
    """The same for names that look the same to a person."""
    return {" ".join(normalize("NFKC", part).casefold().split()) for part in _parts(name)}


def _parts(name: str) -> list[str]:
    return [part.strip() for part in name.split("|") if part.strip()]
