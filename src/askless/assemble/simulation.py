"""Parts by name, joined: what the command line and a Python user share.

pool = load_pool("demo")
simulation = make_simulation(pool, SimulationOptions(objective="labels", max_n=16))
run = simulation.run()
simulation.report(run)["questions"]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, get_args

from askless.core.bounds import capped_bound_questions
from askless.errors import InvalidInput
from askless.lab.known_pool import KnownPool, read_known_pool
from askless.lab.pace import Pace
from askless.lab.report import report
from askless.lab.simulate import Calibrate, Run, simulate
from askless.lab.trace import Step
from askless.lab.truthful import TruthfulAnnotator
from askless.lab.yardsticks import USUAL_GRID
from askless.planners import make_planner, planner_options
from askless.pools import demo
from askless.predictors.recalibrated import Recalibrated
from askless.seams import Planner

DEFAULT_PLANNER: Final = "auto"

Channel = Literal["yes-no", "pointed"]
Objective = Literal["questions", "labels", "seconds"]


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """How a pool is to be labelled.

    Parameters
    ----------
    planner
        One of `askless.planners.planner_names`.
    max_n
        The most items a question may show; None for no cap. By default (``usual``) none when
        seconds are to be saved, since the planner then weighs the sizes itself, and otherwise 8 for
        yes and no answers and 24 for pointed ones.
    answers
        ``yes-no``, or ``pointed`` for an annotator who points at the wrong items.
    objective
        What to save: ``questions``, ``labels`` (the first ones soonest) or ``seconds``. None
        for what the planner does by itself.
    same_guess
        Whether all guesses in a question are the same label. None for what the planner does by
        itself.
    seconds
        What a question, an item shown and an item pointed at take.
    recalibrate
        Whether to correct the probs between questions by what the answers show.
    seed
        Fixes what the planner draws at random.
    more
        Further options of the planner, by name.
    """

    planner: str = DEFAULT_PLANNER
    max_n: int | Literal["usual"] | None = "usual"
    answers: Channel = "yes-no"
    objective: Objective | None = None
    same_guess: bool | None = None
    seconds: tuple[float, float, float] = (1.0, 0.3, 1.0)
    recalibrate: bool = True
    seed: int = 0
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Simulation:
    """A pool whose labels are known, ready to be labelled; made by `make_simulation`.

    Parameters
    ----------
    pool
        The pool.
    planner
        Chooses the questions.
    pace
        What questions, items and pointing take.
    pointing
        Whether the annotator points at wrong items.
    make_calibrate
        Makes what corrects the probs between questions; None to take them as they are.
    planner_options
        What the planner was made with, for whoever must make it again.
    about
        What makes the run, in plain JSON values: the planner, its options and all the rest.
    """

    pool: KnownPool
    planner: Planner
    pace: Pace
    pointing: bool
    make_calibrate: Callable[[], Calibrate] | None
    planner_options: Mapping[str, Any]
    about: Mapping[str, Any]

    @property
    def bound_questions(self) -> float:
        """No fewer yes/no questions are to be expected, by the probs and the cap."""
        return capped_bound_questions(self.pool.probs.values, self.planner.max_n)

    @property
    def annotator(self) -> TruthfulAnnotator:
        """Who answers."""
        return TruthfulAnnotator(self.pool.labels, pointing=self.pointing)

    def run(self, watch: Callable[[Step], None] | None = None) -> Run:
        """Label the pool from the first question to the last.

        Parameters
        ----------
        watch
            Called with every question once it is answered.
        """
        return simulate(
            self.planner,
            self.pool.probs,
            self.pool.labels,
            annotator=self.annotator,
            calibrate=None if self.make_calibrate is None else self.make_calibrate(),
            watch=watch,
        )

    def report(self, run: Run) -> dict[str, Any]:
        """What the run took, in plain JSON values: see `askless.lab.report`, and `about`."""
        figures = report(run, self.pool, self.planner.max_n, pace=self.pace, pointing=self.pointing)
        return {**figures, **self.about}


def load_pool(where: str | Path) -> KnownPool:
    """A pool whose labels are known.

    Parameters
    ----------
    where
        ``demo`` for the bundled pool, or the path of an ``.npz`` file with ``probs``,
        P(label is True), and ``positive``, the truth.
    """
    return read_known_pool(demo.PATH if where == "demo" else where)


def make_simulation(pool: KnownPool, options: SimulationOptions | None = None) -> Simulation:
    """Everything needed to label `pool`; nothing is asked yet.

    Parameters
    ----------
    pool
        From `load_pool`, or made of arrays.
    options
        How to label it.

    Raises
    ------
    UnknownPart
        No planner has that name.
    InvalidInput
        The planner has no such option, or the option cannot have that value.
    """
    options = options or SimulationOptions()
    if options.answers not in get_args(Channel):
        raise InvalidInput(
            f"answers is one of: {', '.join(get_args(Channel))}; got {options.answers!r}."
        )
    pace = Pace(*options.seconds)
    given = _planner_options(options)
    planner = make_planner(options.planner, **given)
    # What the planner made of an option (a default that depends on another, say) if it tells.
    effective = {
        name: getattr(planner, name, options.more.get(name, default))
        for name, default in planner_options(options.planner).items()
    }
    about = {
        "planner": options.planner,
        "chosen": getattr(planner, "chosen", options.planner),
        "max_n": planner.max_n,
        "channel": options.answers,
        "objective": effective.pop("objective", None),
        "same_guess": effective.pop("same_guess", None),
        "pace": {"question_s": pace.question_s, "item_s": pace.item_s, "pointed_s": pace.pointed_s},
        "recalibrate": options.recalibrate,
        "seed": options.seed,
        "options": {name: effective[name] for name in effective if name not in _TOLD_ABOVE},
    }
    pointing = options.answers == "pointed"
    calibrate = None
    if options.recalibrate:
        sample = _sample(about["chosen"], about["objective"])
        calibrate = partial(Recalibrated, sample=sample, seed=options.seed)
    return Simulation(pool, planner, pace, pointing, calibrate, given, about)


_TOLD_ABOVE: Final = ("max_n", "seed", "answers", "seconds")
_OWN_ORDER: Final = ("lookahead", "one-by-one")
"""Planners that ask in their own order, whatever the probs wish."""


def _sample(planner: str, objective: Objective | None) -> float:
    """The share of the pool to be asked in random rounds, for a fair correction of the probs.

    All of it costs nothing when every label is wanted; a little must do when the easy ones are
    wanted first.
    """
    if planner in _OWN_ORDER:
        return 0.0
    return 0.01 if objective == "labels" else 1.0


def _planner_options(options: SimulationOptions) -> dict[str, Any]:
    """For the planner: what was asked for and, of the rest, what it wants to know."""
    accepted = planner_options(options.planner)
    given: dict[str, Any] = {
        "max_n": _usual_max_n(options) if options.max_n == "usual" else options.max_n,
        "seed": options.seed,
        **options.more,
    }
    asked_for = {"objective": options.objective, "same_guess": options.same_guess}
    given |= {name: value for name, value in asked_for.items() if value is not None}
    offered = {"answers": options.answers, "seconds": options.seconds}
    return given | {name: value for name, value in offered.items() if name in accepted}


def _usual_max_n(options: SimulationOptions) -> int | None:
    if options.objective == "seconds":
        return None
    return USUAL_GRID if options.answers == "pointed" else 8
