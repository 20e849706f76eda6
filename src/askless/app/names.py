"""The question as a sentence.

The guess is always named by its own label, never as "not" the other one. A name may be given as
``one|many`` ("a shoe|shoes"); a name without a bar serves for both, and one that looks like an
English plural makes "one of the shoes". So it is typed and stored; the page asks for the two
separately and never shows the bar.
Tested in tests/app/test_names.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from askless.errors import InvalidInput

_LONGEST: Final = 1000
_PLURAL: Final = re.compile(
    r"(?!(?:an?|the|some|no|one|my|our)\s).*\b\w{3,}(?<![sui])(?<!ic)(?<!new)s", re.IGNORECASE
)


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
            if name is not None and any("\ud800" <= letter <= "\udfff" for letter in name):
                raise InvalidInput(f"A label's name is whole characters; got {name!a:.80}.")
            if name is not None and len(name) > _LONGEST:
                raise InvalidInput(
                    f"The name of a label has at most {_LONGEST:,} characters; got {len(name):,}."
                )
        if self.negative is not None and _alike(self.positive) & _alike(self.negative):
            raise InvalidInput(
                "The two labels need different names, or no question could be understood; got "
                f"{self.positive!r:.80} and {self.negative!r:.80}."
            )

    @classmethod
    def stored(cls, many: str, one: str | None = None) -> str:
        """A name in the form in which it is stored.

        Parameters
        ----------
        many, one
            What several items are called, and one, if that is not the same; neither has a bar.
        """
        return many if one is None else f"{one}|{many}"

    def one(self, label: bool) -> str:
        """What one item of this label is called: it makes sense after "this is"."""
        before, name = self._one(label)
        return before + name

    def given_one(self, label: bool) -> str | None:
        """What somebody said that one item of this label is called; None if nobody did."""
        parts = _parts((self.positive if label else self.negative) or "")
        return parts[0] if len(parts) > 1 else None

    def many(self, label: bool) -> str:
        """What several items of this label are called."""
        return _parts(self._named(label))[-1]

    def sentence(self, label: bool, size: int) -> tuple[str, str, str]:
        """The question whether `size` items have this label, in three: the name is the second."""
        if size == 1:
            before, name = self._one(label)
            return f"Is this {before}", name, "?"
        return f"Are {'both' if size == 2 else 'all'} of these ", self.many(label), "?"

    def _one(self, label: bool) -> tuple[str, str]:
        """The words before the name of one item, and the name."""
        name, *more = _parts(self._named(label))
        given = label or self.negative is not None
        return "one of the " if given and not more and _PLURAL.fullmatch(name) else "", name

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
