"""A whole simulated run, put together from names.

    simulation = make_simulation(load_pool("demo"), SimulationOptions(objective="labels", max_n=16))
    run = simulation.run()
    simulation.report(run)["questions"]

A pool that has things to learn from is labelled by a predictor that learns, from a few labels
drawn at random; one that has probabilities alone is labelled with these, corrected on the way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, get_args

from askless.assemble.preparing import DEFAULT_PREDICTOR, Prepared, prepare
from askless.calibration import choose_calibrator
from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.bounds import capped_bound_questions
from askless.errors import InvalidInput, UnknownPart
from askless.lab.known_pool import KnownPool
from askless.lab.learning import LearningRun, simulate_learning
from askless.lab.report import report
from askless.lab.simulate import Run, simulate
from askless.lab.trace import Step
from askless.lab.truthful import TruthfulAnnotator
from askless.lab.yardsticks import USUAL_GRID
from askless.planners import make_planner, planner_options
from askless.planners.schedule import DEFAULT_SCHEDULE, choose_schedule, schedule_names
from askless.seams import Channel, Objective, Planner, PlannerInfo

DEFAULT_PLANNER: Final = "auto"


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
        Whether to correct the probs between questions by what the answers show; a predictor that
        learns sees to that itself.
    predictor
        Who says how likely the labels are, one of `askless.predictors.predictor_names`; None for
        ``kernel`` where there is something to learn from, else ``fixed``.
    features
        The feature sets to learn from, perhaps with options (`askless.features.make_features`);
        None for what is usual for such a pool.
    start
        So many items, drawn at random, are asked first, one by one, before anything is learnt;
        no more than there are, where something learns.
    order
        What to ask while still learning, one of
        `askless.planners.schedule.schedule_names`; None for the best for the objective.
    cache
        A folder for features, to find them again; None to make them anew.
    seed
        Fixes what is drawn at random.
    more
        Further options of the planner, by name.
    """

    planner: str = DEFAULT_PLANNER
    max_n: int | Literal["usual"] | None = "usual"
    answers: Channel = "yes-no"
    objective: Objective | None = None
    same_guess: bool | None = None
    seconds: tuple[float, float, float] = DEFAULT_COST
    recalibrate: bool = True
    predictor: str | None = None
    features: Sequence[str] | Mapping[str, Mapping[str, Any]] | None = None
    start: int = 1
    order: str | None = None
    cache: Path | None = None
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
    calibration
        How the probs are calibrated and what is asked first, as options of
        `askless.planners.schedule.choose_schedule`; None to take them as they are.
    prepared
        What learns on the way, and from what; None if nothing does.
    preparing_s
        Seconds that took to make ready.
    planner_options
        What the planner was made with, for whoever must make it again.
    about
        What makes the run, in plain JSON values: the planner, its options and all the rest.
    """

    pool: KnownPool
    planner: Planner
    pace: AnnotationCost
    pointing: bool
    calibration: Mapping[str, Any] | None
    prepared: Prepared | None
    preparing_s: float
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
        if self.prepared is not None:
            return self.learn(watch).run
        probs, words = self.pool.probs, self.calibration
        recalibrate = words is not None and words.get("recalibrate", True)
        return simulate(
            self.planner,
            probs,
            self.pool.labels,
            annotator=self.annotator,
            calibrator=None if words is None else choose_calibrator(probs, recalibrate=recalibrate),
            schedule=None if words is None else choose_schedule(probs, **words),
            watch=watch,
        )

    def learn(self, watch: Callable[[Step], None] | None = None) -> LearningRun:
        """The same with all that is known about the learning; only where something learns."""
        if self.prepared is None:
            raise InvalidInput("Nothing learns in this simulation; its probabilities are fixed.")
        return simulate_learning(
            self.planner,
            self.prepared.make(),
            self.prepared.x,
            self.pool.labels,
            annotator=self.annotator,
            start=self.about["start"],
            schedule=self.about["order"],
            seed=self.about["seed"],
            watch=watch,
        )

    def report(self, run: Run | LearningRun) -> dict[str, Any]:
        """What the run took, in plain JSON values: see `askless.lab.report`, and `about`.

        Parameters
        ----------
        run
            From `run` or `learn`, or of a session.
        """
        learnt = run if isinstance(run, LearningRun) else None
        bare = run.run if isinstance(run, LearningRun) else run
        figures = report(
            bare, self.pool, self.planner.max_n, pace=self.pace, pointing=self.pointing
        )
        return {**figures, **self._copies(bare), **self._learning(learnt), **self.about}

    def _copies(self, run: Run) -> dict[str, int]:
        """Items and right labels with exact duplicates, which get the label of their item."""
        things = self.pool.things
        copies = {} if things is None else things.copies
        right = run.labels == self.pool.labels
        own = sum(map(len, copies.values()))
        return {
            "items": len(self.pool) + own,
            "labels_right": run.labels_right
            + sum(len(rest) for item, rest in copies.items() if right[item]),
            "duplicates": own,
            "unreadable": 0 if things is None else len(things.unreadable),
        }

    def _learning(self, learnt: LearningRun | None) -> dict[str, Any]:
        none: dict[str, Any] = {**dict.fromkeys(_LEARNING), "refits": 0}
        return {
            **(none if learnt is None else learnt.figures()),
            "preparing_s": self.preparing_s,
        }


def make_simulation(
    pool: KnownPool,
    options: SimulationOptions | None = None,
    *,
    progress: Callable[[float], None] | None = None,
) -> Simulation:
    """Everything needed to label `pool`, features included; nothing is asked yet.

    Parameters
    ----------
    pool
        From `load_pool`, or made of arrays.
    options
        How to label it.
    progress
        Told the share of the features that is ready.

    Raises
    ------
    UnknownPart
        No planner, predictor or feature set has that name.
    InvalidInput
        A part has no such option, or the option cannot have that value.
    """
    options = options or SimulationOptions()
    if options.answers not in get_args(Channel):
        raise InvalidInput(
            f"answers is one of: {', '.join(get_args(Channel))}; got {options.answers!r}."
        )
    if options.start < 0:
        raise InvalidInput(f"A run starts with 0 labels or more; got start={options.start}.")
    pace = AnnotationCost.of(options.seconds)
    given = _planner_options(options)
    planner = make_planner(options.planner, **given)
    info = planner.describe(len(pool))
    effective = dict(info.options)
    order = _order(options)  # refused before features are made, which may take minutes
    began = time.perf_counter()
    asked = order if info.follows_priority else "planner-order"
    prepared = _prepared(pool, options, asked, progress)
    preparing_s = time.perf_counter() - began
    about = {
        "planner": options.planner,
        "chosen": info.name,
        "max_n": planner.max_n,
        "channel": options.answers,
        "objective": effective.pop("objective", None),
        "same_guess": effective.pop("same_guess", None),
        "pace": pace._asdict(),
        "recalibrate": options.recalibrate and prepared is None,
        "predictor": "fixed" if prepared is None else prepared.predictor,
        "features": [] if prepared is None else list(prepared.features),
        "feature_options": _feature_options(options, prepared),
        "start": 0 if prepared is None else options.start,
        "order": None if prepared is None else order,
        "seed": options.seed,
        "options": {name: effective[name] for name in effective if name not in _TOLD_ABOVE},
    }
    pointing = options.answers == "pointed"
    calibration: dict[str, Any] | None = None
    if prepared is not None:
        calibration = {"recalibrate": False, "order": order, "seed": options.seed}
    elif options.recalibrate:
        calibration = {"sample": _sample(info), "seed": options.seed}
    return Simulation(
        pool, planner, pace, pointing, calibration, prepared, preparing_s, given, about
    )


_LEARNING: Final = (
    "prequential_bits",
    "one_by_one_bits",
    "refits",
    "refit_s",
    "calibration_error",
    "reliability",
)
_TOLD_ABOVE: Final = ("max_n", "seed", "answers", "seconds")


def _sample(info: PlannerInfo) -> float:
    """The share of the pool to be asked in random rounds, to recalibrate the probs on.

    All of it costs nothing when every label is wanted; a little must do when the easy ones are
    wanted first. None for a planner that asks in an order of its own.
    """
    if not info.follows_priority:
        return 0.0
    return 0.01 if info.options.get("objective") == "labels" else 1.0


def _order(options: SimulationOptions) -> str:
    if options.order is None:
        return DEFAULT_SCHEDULE[options.objective or "questions"]
    if options.order not in schedule_names():
        raise UnknownPart("schedule", options.order, schedule_names())
    return options.order


def _prepared(
    pool: KnownPool,
    options: SimulationOptions,
    order: str,
    progress: Callable[[float], None] | None,
) -> Prepared | None:
    """What learns, if anything does."""
    if pool.things is None:
        if options.predictor not in (None, "fixed") or options.features is not None:
            raise InvalidInput(
                "A pool of probabilities alone has nothing to learn from; leave predictor and "
                "features out, or name a pool with pictures, texts or rows."
            )
        return None
    if options.predictor == "fixed" and pool.told:
        return None
    if options.start > len(pool):
        raise InvalidInput(
            f"A run starts with no more labels than there are items to ask about, {len(pool)}; "
            f"got start={options.start}. Ask for fewer."
        )
    return prepare(
        pool.things,
        features=options.features,
        predictor=options.predictor or DEFAULT_PREDICTOR,
        order=order,
        cache=options.cache,
        progress=progress,
    )


def _feature_options(options: SimulationOptions, prepared: Prepared | None) -> dict[str, Any]:
    """The options of the feature sets that were learnt from, as set.option; plain values."""
    given = options.features if isinstance(options.features, Mapping) else {}
    return {
        f"{name}.{option}": str(value) if isinstance(value, Path) else value
        for name in (() if prepared is None else prepared.features)
        for option, value in given.get(name, {}).items()
    }


def _planner_options(options: SimulationOptions) -> dict[str, Any]:
    """For the planner: what was asked for and, of the rest, what it wants to know."""
    accepted = planner_options(options.planner)
    wishes = {"objective": options.objective, "same_guess": options.same_guess}
    asked = {name: value for name, value in wishes.items() if value is not None} | {**options.more}
    if strange := sorted(set(asked) - set(accepted)):
        raise InvalidInput(
            f"The planner {options.planner!r} has the options "
            f"{', '.join(sorted(accepted))}; got {', '.join(strange)}."
        )
    usual = {
        "max_n": _usual_max_n(options) if options.max_n == "usual" else options.max_n,
        "seed": options.seed,
    }
    offered = {"answers": options.answers, "seconds": options.seconds}
    return usual | asked | {name: offered[name] for name in offered if name in accepted}


def _usual_max_n(options: SimulationOptions) -> int | None:
    if options.objective == "seconds":
        return None
    return USUAL_GRID if options.answers == "pointed" else 8
