"""The options that planners share, and the checks of their values.

A planner is a dataclass derived from the options it has, so that its constructor, its `describe`
and the checks are written once. Imported by planners, and its
checks by `askless.assemble.method`; tested in tests/planners/test_options.py.
"""

# No postponed annotations: planners inherit the fields, and whoever reads the types of a planner's
# options does not look for names in this file.

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, TypeVar, get_args

from askless import doors
from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.misses import MissRate, SlipCost
from askless.core.probability import Probs
from askless.core.state import State
from askless.doors import of_kind, shown
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
        if self.max_n is not None:
            self.max_n = whole("max_n", self.max_n, 1, ", or None for no limit")
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
    wrong_label_s
        What a wrong label costs, in seconds: only to save seconds.
    misses
        How often this person overlooks a wrong guess, by size of the group, as level and slope of
        `askless.core.misses.MissRate`; None if nothing is known to be overlooked.
    """

    objective: Objective = "questions"
    seconds: Iterable[float] = DEFAULT_COST
    wrong_label_s: float = 0.0
    misses: Iterable[float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.objective = choice("objective", self.objective, get_args(Objective))
        self.seconds = self._pace = AnnotationCost.of(self.seconds)
        self.wrong_label_s = number("wrong_label_s", self.wrong_label_s, 0.0, math.inf)
        self.misses = None if self.misses is None else MissRate.of(self.misses)
        self._slips = None
        if self.objective == "seconds" and self.wrong_label_s and self.misses is not None:
            self._slips = SlipCost(self.wrong_label_s, self.misses)


def check_plan(probs: Probs, state: State) -> None:
    """Refuse to plan with probabilities of another pool than the state's."""
    n = of_kind("A state to plan from", state, State, "a State").n
    if len(of_kind("What is planned with", probs, Probs, "Probs")) != n:
        raise InvalidInput(
            f"A planner needs one probability per item; got {len(probs)} for {n} items."
        )


def choice(name: str, value: S, allowed: Sequence[str]) -> S:
    """`value`, which must be one of a few words."""
    word: object = value
    if not isinstance(word, str) or word not in allowed:
        raise InvalidInput(f"{name} is one of: {', '.join(allowed)}; got {shown(value)}.")
    return value


def whole(name: str, value: int, least: int, more: str = "") -> int:
    """`value`, which must be a whole number not below `least`; `more` says what else it may be."""
    try:
        return doors.whole(name, value, least)
    except InvalidInput:
        raise InvalidInput(
            f"{name} is a whole number, {least} or more{more}; got {shown(value)}."
        ) from None


def number(
    name: str, value: float, least: float, most: float, *, open_below: bool = False
) -> float:
    """`value`, which must be a finite number between `least` and `most`."""
    try:
        real = float(value)
    except (TypeError, ValueError, OverflowError):
        real = math.nan
    if (
        isinstance(value, bool)
        or not math.isfinite(real)
        or not least <= real <= most
        or (open_below and real == least)
    ):
        below = f"above {least:g}" if open_below else f"{least:g} or more"
        above = "" if math.isinf(most) else f" and at most {most:g}"
        raise InvalidInput(f"{name} is a number {below}{above}; got {value!r:.80}.")
    return real


def flag(name: str, value: bool) -> bool:
    """`value`, which must be True or False."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} is True or False; got {value!r:.80}.")
    return value


def refuted_down_to_one(n: int, max_n: int | None) -> int:
    """The sum of min(max_n, k) over k = 1 .. n: every group is refuted down to one settled item."""
    most = n if max_n is None else min(max_n, n)
    return most * (most + 1) // 2 + (n - most) * most
