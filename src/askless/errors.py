"""Every error askless raises on purpose.

::

    AsklessError                  catch this to catch them all
      InvalidInput                a value that cannot mean anything (also a ValueError)
        TooLarge                  sound, but beyond what this computation can do
        UnknownPart               no planner (or other part) of that name
        NotInstalled              sound, but an optional package is needed for it
        RepeatedKey               an idempotency key that a store has seen before
        UnsafeFile                a link, or no plain file, where a session keeps a file
      Contradiction               two answers that cannot both be true
      Refused                     a session will not do this; nothing has changed
      StoreError                  a store cannot do what it was asked; a sentence says why
        StoreInUse                another process writes to it
        NotWritten                an append failed: it was not acknowledged
        Damaged                   what is kept is not what was written
      LawBroken                   a part does not do what its seam promises

A message says what must hold, what was got, and what to do about it.
Anything else that escapes from askless is a bug.
"""

from __future__ import annotations

from collections.abc import Iterable

_SHOWN = 12
"""The most answers that a message names."""


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


class NotInstalled(InvalidInput):
    """The input is sound, but what was asked for needs a package that is not there."""


class RepeatedKey(InvalidInput):
    """A store keeps one event of each idempotency key; this one it has already.

    Parameters
    ----------
    key
        The key that came again.
    number
        Number of the event that came with it the first time.
    """

    def __init__(self, key: str, number: int) -> None:
        super().__init__(
            f"A store keeps one event of each idempotency key; {key!r} is that of event {number}."
        )
        self.key = key
        self.number = number


class UnsafeFile(InvalidInput):
    """A name that a session owns is a link, or no plain file; it was not followed."""


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
        self.answers = tuple(sorted(set(answers)))
        shown = ", ".join(map(str, self.answers[:_SHOWN]))
        more = ", ..." if len(self.answers) > _SHOWN else ""
        super().__init__(f"{message} These answers clash: {shown}{more}.")


class Refused(AsklessError):
    """A session was asked for something it must not do, such as a forged answer."""


class StoreError(AsklessError):
    """A store cannot do what it was asked."""


class StoreInUse(StoreError):
    """Another process, or another part of this one, has the store open for writing."""


class NotWritten(StoreError):
    """An append failed and nothing of it was acknowledged; what was before it is safe.

    Parameters
    ----------
    message
        What went wrong, in words, and what to do.
    reopen
        False if the store can go on: nothing of the append was kept, and the same may be
        tried again. True if it must be opened again first, because the failure left it open
        whether the append was kept; the idempotency keys will tell.
    """

    def __init__(self, message: str, *, reopen: bool) -> None:
        super().__init__(message)
        self.reopen = reopen


class Damaged(StoreError):
    """What is kept is not what was written. What precedes the damage can still be read.

    Parameters
    ----------
    message
        What is damaged, in words, and what to do.
    sound
        How many events, from the first, are known to be as they were written.
    """

    def __init__(self, message: str, sound: int) -> None:
        super().__init__(message)
        self.sound = sound


class LawBroken(AsklessError):
    """A part does not do what its seam promises; raised by `askless.checks`."""
