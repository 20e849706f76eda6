"""What an answer costs the person who gives it, in seconds.

    seconds = a + b * items shown + c * items pointed at

A bare yes or no points at nothing. Every item is looked at once at least, so no way of asking
takes less than b a label. Tested in tests/core/test_annotation_cost.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, Self

from askless.core.question import Answer
from askless.errors import InvalidInput

_MOST_S: Final = 1e6
"""A cap, so that the seconds of a whole run are finite too."""


class AnnotationCost(NamedTuple):
    """Seconds that answers cost a person: that person's pace; planners take it as `seconds`.

    Parameters
    ----------
    question_s
        Seconds for a question, whatever it shows: a.
    item_s
        Seconds to look at one item: b.
    pointed_s
        Seconds to point at one wrong item: c.
    """

    question_s: float = 1.0
    item_s: float = 0.3
    pointed_s: float = 1.0

    @classmethod
    def of(cls, seconds: Iterable[float]) -> Self:
        """The cost with these seconds, if a person can be that quick."""
        try:
            given = tuple(map(float, seconds))
        except (TypeError, ValueError, OverflowError):
            given = ()
        if len(given) != 3 or not all(0 <= each <= _MOST_S for each in given):  # NaN fails too
            raise InvalidInput(
                "seconds are three numbers, 0 or more: per question, per item shown, per item "
                f"pointed at, each a million at most; got {seconds!r}."
            )
        return cls(*given)

    def seconds(self, answer: Answer) -> float:
        """What this answer took."""
        return self.total(1, len(answer), len(answer.wrong))

    def total(self, questions: int, shown: int, pointed: int = 0) -> float:
        """What `questions` cost that show `shown` items in all, `pointed` of them pointed at."""
        return questions * self.question_s + shown * self.item_s + pointed * self.pointed_s


DEFAULT_COST: Final = AnnotationCost()
"""The cost that is assumed for a person about whom nothing is known."""
