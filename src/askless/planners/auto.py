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

All work is done by the planner chosen, `Auto.chosen_for` says which. Tested in
tests/planners/test_auto.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final, Literal, get_args

from askless.core.pace import USUAL, Pace
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.planners import _options, make_planner, planner_options
from askless.planners._options import Objective
from askless.seams import Planner

Channel = Literal["yes-no", "pointed"]

_MARGIN: Final = 0.05


class Auto:
    """Whichever planner is best for the cap, the objective and the kind of answers.

    Parameters
    ----------
    max_n
        The most items a question may show; None for no cap.
    answers
        ``yes-no``, or ``pointed`` if the annotator can point at wrong items.
    objective
        What to save: ``questions``, ``labels`` (the first ones soonest) or ``seconds``.
    same_guess
        Whether all guesses in a question are the same label.
    seconds
        Seconds a question takes, an item shown, and an item pointed at.
    seed
        Fixes what is drawn at random.
    """

    def __init__(
        self,
        *,
        max_n: int | None = 8,
        answers: Channel = "yes-no",
        objective: Objective = "questions",
        same_guess: bool = True,
        seconds: Iterable[float] = USUAL,
        seed: int = 0,
    ) -> None:
        self.max_n = _options.size("max_n", max_n)
        self.answers = _options.choice("answers", answers, get_args(Channel))
        self.objective = _options.choice("objective", objective, get_args(Objective))
        self.same_guess = _options.flag("same_guess", same_guess)
        self.seconds = Pace.of(seconds)
        self.seed = seed
        self.chosen = _chosen(self.answers, self.objective, self.max_n, self.seconds)
        self._planner = self._make(self.chosen)
        self._for_tiny = self._make("nested") if self.chosen == "fill" else self._planner
        self.own_order: bool = getattr(self._planner, "own_order", False)

    def plan(
        self, probs: Probs, state: State, leased: AbstractSet[int] = frozenset()
    ) -> Question | None:
        """What the planner chosen asks."""
        return self._for(state.n).plan(probs, state, leased)

    def worst_case_questions(self, n: int) -> int:
        """That of the planner chosen."""
        return self._for(n).worst_case_questions(n)

    def chosen_for(self, n: int) -> str:
        """The name of the planner for a pool of `n` items; `chosen` unless that is tiny."""
        return "nested" if self._for(n) is not self._planner else self.chosen

    def _for(self, n: int) -> Planner:
        tiny = self.max_n is not None and 2 * n < 3 * self.max_n
        return self._for_tiny if tiny else self._planner

    def _make(self, name: str) -> Planner:
        accepted = planner_options(name)
        options = {option: getattr(self, option) for option in accepted if hasattr(self, option)}
        if name == "nested":
            timed = self.objective == "seconds"  # else any will do
            options["seconds"] = _wary(self.seconds) if timed else USUAL
        return make_planner(name, **options)


def _chosen(answers: Channel, objective: Objective, max_n: int | None, seconds: Pace) -> str:
    if answers == "pointed":
        return "grid"
    if objective == "seconds" and _wary(seconds).question_s <= 0.0:
        return "one-by-one"
    return "fill" if objective == "questions" and max_n is not None else "nested"


def _wary(seconds: Pace) -> Pace:
    """The seconds with a question reckoned cheaper, so that a group has to pay by a margin."""
    a, b, c = seconds
    return Pace(a - _MARGIN * (a + b), b, c)
