"""The planner for people who do not want to choose one.

| answers | objective | max_n | planner |
|---|---|---|---|
| pointed | any | any | ``grid`` |
| yes-no | questions | a number | ``fill`` |
| yes-no | questions | None | ``nested`` |
| yes-no | labels, seconds | any | ``nested`` |

``grid`` needs somebody who points. With yes and no alone ``fill`` takes the fewest questions under
a cap. It shows items more than once and begins with the least certain ones, so it is no
choice where looking costs or the first labels are in a hurry; there ``nested`` is the best
there is for sorted items. Without a cap the two take about as many, and ``nested`` asks its
thousands of sure items once.

All work is done by the planner chosen, `Auto.chosen` says which. Tested in
tests/planners/test_auto.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Literal, get_args

from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.planners import _options, make_planner, planner_options
from askless.planners.grid import Objective, Seconds

Channel = Literal["yes-no", "pointed"]


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
        seconds: Seconds = (1.0, 0.3, 1.0),
        seed: int = 0,
    ) -> None:
        self.max_n = _options.size("max_n", max_n)
        self.answers = _options.choice("answers", answers, get_args(Channel))
        self.objective = _options.choice("objective", objective, get_args(Objective))
        self.same_guess = _options.flag("same_guess", same_guess)
        self.seconds = seconds
        self.seed = seed
        self.chosen = _chosen(self.max_n, self.answers, self.objective)
        accepted = planner_options(self.chosen)
        options = {name: getattr(self, name) for name in accepted if hasattr(self, name)}
        self._planner = make_planner(self.chosen, **options)

    def plan(
        self, probs: Probs, state: State, leased: AbstractSet[int] = frozenset()
    ) -> Question | None:
        """What the chosen planner asks."""
        return self._planner.plan(probs, state, leased)

    def worst_case_questions(self, n: int) -> int:
        """That of the chosen planner."""
        return self._planner.worst_case_questions(n)


def _chosen(max_n: int | None, answers: Channel, objective: Objective) -> str:
    if answers == "pointed":
        return "grid"
    return "fill" if objective == "questions" and max_n is not None else "nested"
