"""Every error askless raises on purpose.

::

    AsklessError                  catch this to catch them all
      InvalidInput                a value that cannot mean anything (also a ValueError)
        TooLarge                  sound, but beyond what this computation can do
        UnknownPart               no planner (or other part) of that name
      Contradiction               two answers that cannot both be true
      LawBroken                   a part does not do what its seam promises

A message says what must hold, what was got, and what to do about it.
Anything else that escapes from askless is a bug.
"""

from __future__ import annotations

from collections.abc import Iterable


class AsklessError(Exception):
    """Base of every error raised on purpose."""


class InvalidInput(AsklessError, ValueError):
    """A value was refused at the door; nothing has changed."""


class TooLarge(InvalidInput):
    """The input is sound but beyond the stated limit of an exact computation."""


class UnknownPart(InvalidInput):
    """No registered part has that name."""

    def __init__(self, family: str, name: str, known: Iterable[str]) -> None:
        choices = ", ".join(sorted(known))
        super().__init__(f"There is no {family} named {name!r}; choose one of: {choices}.")


class Contradiction(AsklessError):
    """An answer cannot be true together with earlier ones.

    Parameters
    ----------
    message
        What clashes, in words.
    answers
        Numbers of the answers that cannot all be true. The refused answer has
        the number it would have been given.
    """

    def __init__(self, message: str, answers: Iterable[int]) -> None:
        super().__init__(message)
        self.answers = tuple(sorted(set(answers)))


class LawBroken(AsklessError):
    """A part does not do what its seam promises; raised by `askless.checks`."""
