"""The options that planners share, and the checks of their values.

A planner is a dataclass derived from the options it has, so that its constructor, its `describe`
and the checks are written once. Imported by planners alone;
tested in tests/planners/test_options.py.
"""

# No postponed annotations: planners inherit the fields, and whoever reads the types of a planner's
# options does not look for names in this file.

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, TypeVar, get_args

from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.errors import InvalidInput
from askless.seams import Channel, Objective, PlannerInfo

S = TypeVar("S", bound=str)


@dataclass(kw_only=True, eq=False)
class PlannerOptions:
    """What every planner has.

    Parameters
    ----------
    max_n
        The most items a question may hold; None for no cap.
    seed
        Fixes what is drawn at random; most planners draw nothing.
    """

    max_n: int | None = 8
    seed: int = 0

    name: ClassVar[str]
    answers_for: ClassVar[Channel] = "yes-no"
    follows_priority: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.max_n = size("max_n", self.max_n)
        self.seed = whole("seed", self.seed, 0)

    def describe(self, n: int) -> PlannerInfo:
        """What it is and does for a pool of `n` items."""
        return PlannerInfo(self.name, self.answers_for, self.follows_priority, asdict(self))


@dataclass(kw_only=True, eq=False)
class GroupOptions(PlannerOptions):
    """What planners have that ask about groups of guesses.

    Parameters
    ----------
    same_guess
        Whether all guesses in a question are the same label.
    """

    same_guess: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.same_guess = flag("same_guess", self.same_guess)


@dataclass(kw_only=True, eq=False)
class CostOptions(GroupOptions):
    """What planners have that can save one cost or another.

    Parameters
    ----------
    objective
        What to save: ``questions``, ``labels`` (the first ones soonest) or ``seconds``.
    seconds
        Seconds a question takes, an item shown, and an item pointed at.
    """

    objective: Objective = "questions"
    seconds: Iterable[float] = DEFAULT_COST

    def __post_init__(self) -> None:
        super().__post_init__()
        self.objective = choice("objective", self.objective, get_args(Objective))
        self.seconds = self._pace = AnnotationCost.of(self.seconds)


def choice(name: str, value: S, allowed: Sequence[str]) -> S:
    """`value`, which must be one of a few words."""
    if value not in allowed:
        raise InvalidInput(f"{name} is one of: {', '.join(allowed)}; got {value!r}.")
    return value


def whole(name: str, value: int, least: int) -> int:
    """`value`, which must be a whole number not below `least`."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or value.__index__() < least:
        raise InvalidInput(f"{name} is a whole number, {least} or more; got {value!r}.")
    return value.__index__()


def size(name: str, value: int | None) -> int | None:
    """`value`, which must be a positive whole number, or None for no limit."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__") or value.__index__() < 1:
        raise InvalidInput(
            f"{name} is a whole number, 1 or more, or None for no limit; got {value!r}."
        )
    return value.__index__()


def number(
    name: str, value: float, least: float, most: float, *, open_below: bool = False
) -> float:
    """`value`, which must be a finite number between `least` and `most`."""
    try:
        real = float(value)
    except (TypeError, ValueError):
        real = math.nan
    if (
        isinstance(value, bool)
        or not math.isfinite(real)
        or not least <= real <= most
        or (open_below and real == least)
    ):
        below = f"above {least:g}" if open_below else f"{least:g} or more"
        above = "" if math.isinf(most) else f" and at most {most:g}"
        raise InvalidInput(f"{name} is a number {below}{above}; got {value!r}.")
    return real


def flag(name: str, value: bool) -> bool:
    """`value`, which must be True or False."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} is True or False; got {value!r}.")
    return value
