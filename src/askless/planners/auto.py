"""The planner for people who do not want to choose one.

| answers | objective | max_n | planner |
|---|---|---|---|
| pointed | any | any | ``grid`` |
| yes-no | questions | a number | ``fill`` |
| yes-no | questions, of a tiny pool | a number | ``nested`` |
| yes-no | questions | None | ``nested`` |
| yes-no | labels, seconds | any | ``nested`` |
| yes-no | seconds, where a question takes next to nothing | any | ``one-by-one`` |

``grid`` needs somebody who points. With yes and no alone ``fill`` takes the fewest questions under
a cap. It shows items more than once and begins with the least certain ones, so it is no
choice where looking costs or the first labels are in a hurry; there ``nested`` is the best
there is for sorted items. Where a question and a half could hold the whole pool the cap does not
bind, prices mean little, and ``nested``, which looks ahead to the last item, takes fewer.
Without a cap ``fill`` saves up to one per cent while the probs stay as they are and is now better,
now worse than ``nested`` while they are learnt (experiments/limits, experiments/scratch); but its
questions about large pools take long, and ``nested`` asks its thousands of sure items once.

Every item is looked at, so no way of asking saves more than a of the a + b seconds that an item
takes alone. The errors of the probs can cost more than that, so with yes and no alone a group has
to pay for itself by a margin: ``nested`` is told that a question takes 5 % of a + b less than it
does, and is not chosen at all if nothing is left. Otherwise this changes next to nothing.

All work is done by that planner; `Auto.describe` names it. Tested in tests/planners/test_auto.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, replace
from typing import Final, get_args

from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.planners import make_planner, planner_options
from askless.planners.options import CostOptions, choice
from askless.seams import Channel, Objective, Planner, PlannerInfo, Priority

_MARGIN: Final = 0.05


@dataclass(kw_only=True, eq=False)
class Auto(CostOptions):
    """Whichever planner is best for the cap, the objective and the kind of answers.

    Further options in `CostOptions`.

    Parameters
    ----------
    answers
        ``yes-no``, or ``pointed`` if the annotator can point at wrong items.
    """

    name = "auto"
    answers: Channel = "yes-no"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.answers = choice("answers", self.answers, get_args(Channel))
        best = _best_planner(self.answers, self.objective, self.max_n, self._pace)
        self._planner = self._make(best)
        self._for_tiny = self._make("nested") if best == "fill" else self._planner

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        """What the best planner asks."""
        return self._for(state.n).plan(probs, state, leased, priority)

    def worst_case_questions(self, n: int) -> int:
        """That of the best planner."""
        return self._for(n).worst_case_questions(n)

    def describe(self, n: int) -> PlannerInfo:
        """The best planner for a pool of `n` items, with the options of this one."""
        return replace(self._for(n).describe(n), answers=self.answers, options=asdict(self))

    def _for(self, n: int) -> Planner:
        tiny = self.max_n is not None and 2 * n < 3 * self.max_n
        return self._for_tiny if tiny else self._planner

    def _make(self, name: str) -> Planner:
        accepted = planner_options(name)
        options = {option: value for option, value in asdict(self).items() if option in accepted}
        if name == "nested":
            timed = self.objective == "seconds"  # else any will do
            options["seconds"] = _wary(self._pace) if timed else DEFAULT_COST
        return make_planner(name, **options)


def _best_planner(
    answers: Channel, objective: Objective, max_n: int | None, seconds: AnnotationCost
) -> str:
    if answers == "pointed":
        return "grid"
    if objective == "seconds" and _wary(seconds).question_s <= 0.0:
        return "one-by-one"
    return "fill" if objective == "questions" and max_n is not None else "nested"


def _wary(seconds: AnnotationCost) -> AnnotationCost:
    """The seconds with a question made cheaper, so that a group has to pay by a margin."""
    a, b, c = seconds
    return AnnotationCost(a - _MARGIN * (a + b), b, c)
