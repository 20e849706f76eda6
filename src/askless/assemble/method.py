"""The whole way of labelling, as one value: what to ask, who predicts, what is sampled and audited.

    Method(objective="labels", max_n=16)

A `Method` is frozen and plain: `Method.plain` gives JSON values, and `Method(**values)` reads them
back and refuses what makes no sense. It is stored when a session begins, and again whenever it
changes (event ``planned``), so whoever opens the session plans, samples and estimates alike.
`method_of` reads it, also from sessions that are older than this.

Stands in `askless.assemble`, above the folder, the planners and the predictors it names.
Tested in tests/assemble/test_method.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self, get_args

from askless.calibration import GivenOnly, choose_calibrator
from askless.certificates.enough import PromisePolicy
from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.misses import MissRate
from askless.core.probability import Probs
from askless.core.promise import Promise
from askless.core.question import GRID
from askless.errors import InvalidInput, UnknownPart
from askless.history.history import History
from askless.planners import make_planner, planner_options
from askless.planners.options import choice, flag, number, whole
from askless.planners.schedule import (
    DEFAULT_SCHEDULE,
    choose_schedule,
    present_name,
    schedule_names,
)
from askless.seams import Channel, Objective, Planner, Schedule
from askless.session.options import SessionOptions

DEFAULT_PLANNER: Final = "auto"
AUDIT_EVERY: Final = 20
"""Questions to an audit, where it is to be seen how well people look."""
WRONG_LABEL_S: Final = 10.0
"""What a wrong label costs in the app where nobody says otherwise: see docs/decisions."""

_BY_OBJECTIVE: Final[Any] = object()
"""Stands for a value that follows from what is to be saved, and how answers are given."""
_OF_PLANNERS: Final = {
    "max_n",
    "seed",
    "objective",
    "same_guess",
    "answers",
    "seconds",
    "wrong_label_s",
    "misses",
}
"""Options of planners that a method has fields for."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """How a pool is labelled.

    Parameters
    ----------
    planner
        One of `askless.planners.planner_names`.
    planner_options
        Its further options, by name.
    objective
        What to save: ``questions``, ``labels`` (the first ones soonest) or ``seconds``. None for
        what the planner does by default.
    channel
        ``yes-no``, or ``pointed`` for an annotator who points at the wrong items.
    max_n
        The most items a question may show; None for no cap. By default none when seconds are to
        be saved, since the planner then weighs the sizes itself, and otherwise 8 for yes and no
        answers and 24 for pointed ones.
    same_guess
        Whether all guesses in a question are the same label. None for the planner's default.
    seconds
        What a question, an item shown and an item pointed at take the annotator.
    wrong_label_s
        What a wrong label costs, in seconds, where seconds are to be saved.
    misses
        How often the annotator overlooks a wrong guess, by size of the group: level and slope of
        `askless.core.misses.MissRate`. None if nothing is known to be overlooked.
    recalibrate
        Whether to correct the probabilities that come with the pool by what the answers show.
    predictor
        Who predicts the labels, one of `askless.predictors.predictor_names`; None for ``kernel``
        where there is something to learn from, else ``fixed``.
    predictor_options
        Its options, by name.
    features
        The feature sets to learn from, each with its options (`askless.features.make_features`);
        None for what is usual for such a pool.
    schedule
        What to ask while still learning, one of `askless.planners.schedule.schedule_names`; by
        default the best for the objective.
    sample
        The share of the pool that is asked in random order, so that recalibration is fair; by
        default the best for the objective.
    test_sample
        How many items, drawn at random, are asked first, one by one.
    audit_every
        One audit after this many questions, per annotator; 0 for none.
    lease_s
        Seconds until a question that was not answered returns to the pool.
    seed
        Fixes what is drawn at random.
    promise
        What is to hold of all labels before it is enough, as `askless.core.promise.Promise`, as
        text such as ``1%`` or ``recall:95%``, or in plain values; None to label everything.

    Raises
    ------
    InvalidInput
        A field cannot have that value. Options of parts are checked when the part is made.
    """

    planner: str = DEFAULT_PLANNER
    planner_options: Mapping[str, Any] = field(default_factory=dict)
    objective: Objective | None = None
    channel: Channel = "yes-no"
    max_n: int | None = _BY_OBJECTIVE
    same_guess: bool | None = None
    seconds: tuple[float, float, float] = DEFAULT_COST
    wrong_label_s: float = 0.0
    misses: MissRate | None = None
    recalibrate: bool = True
    predictor: str | None = None
    predictor_options: Mapping[str, Any] = field(default_factory=dict)
    features: Mapping[str, Mapping[str, Any]] | None = None
    schedule: str = _BY_OBJECTIVE
    sample: float = _BY_OBJECTIVE
    test_sample: int = 0
    audit_every: int = 0
    lease_s: float = 600.0
    seed: int = 0
    promise: Promise | None = None

    def __post_init__(self) -> None:
        if self.objective is not None:
            choice("objective", self.objective, get_args(Objective))
        choice("channel", self.channel, get_args(Channel))
        flag("recalibrate", self.recalibrate)
        if self.same_guess is not None:
            flag("same_guess", self.same_guess)
        _text("planner", self.planner)
        if self.predictor is not None:
            _text("predictor", self.predictor)
        sets = {} if self.features is None else _mapping("features", self.features)
        for name, options in sets.items():
            _mapping(f"features.{name}", options)
        capped = None if self.objective == "seconds" else 8
        usual: dict[str, Any] = {
            "max_n": GRID if capped and self.channel == "pointed" else capped,
            "schedule": DEFAULT_SCHEDULE[self.objective or "questions"],
            "sample": 0.01 if self.objective == "labels" else 1.0,
        }
        said = {name: usual[name] if v is _BY_OBJECTIVE else v for name, v in vars(self).items()}
        found = {
            "planner_options": _mapping("planner_options", self.planner_options),
            "predictor_options": _mapping("predictor_options", self.predictor_options),
            "seconds": AnnotationCost.of(self.seconds),
            "schedule": present_name(_text("schedule", said["schedule"])),
            "sample": number("sample", said["sample"], 0.0, 1.0),
            "wrong_label_s": number("wrong_label_s", self.wrong_label_s, 0.0, math.inf),
            "misses": None if self.misses is None else MissRate.of(self.misses),
            "lease_s": number("lease_s", self.lease_s, 0.0, math.inf, open_below=True),
            "promise": None if self.promise is None else Promise.of(self.promise),
        }
        if said["max_n"] is not None:
            said["max_n"] = whole("max_n", said["max_n"], 1, ", or None for no limit")
        for name, value in (said | found).items():
            object.__setattr__(self, name, value)
        if self.wrong_label_s and self.objective != "seconds":
            raise InvalidInput(
                "A price of a wrong label is weighed against seconds, so it needs the objective "
                f"'seconds'; got {self.objective!r}."
            )
        if self.schedule not in schedule_names():
            raise UnknownPart("schedule", self.schedule, schedule_names())
        _ = self.session_options  # refuses what a session refuses

    def plain(self) -> dict[str, Any]:
        """All of it in JSON values; without a promise as before there were any."""
        misses = None if self.misses is None else list(self.misses)
        values = {**vars(self), "seconds": list(self.seconds), "misses": misses}
        del values["promise"]
        return values if self.promise is None else {**values, "promise": self.promise.plain()}

    def replace(self, **changes: Any) -> Self:
        """The same but for these fields."""
        return replace(self, **changes)

    def all_planner_options(self) -> dict[str, Any]:
        """What the planner is made with.

        Raises
        ------
        InvalidInput
            Something was asked for that the planner has no option for.
        """
        accepted = planner_options(self.planner)
        named = {"objective": self.objective, "same_guess": self.same_guess}
        asked: dict[str, Any] = {k: v for k, v in named.items() if v is not None}
        asked |= self.planner_options
        if unknown := sorted(set(asked) - set(accepted)):
            raise InvalidInput(
                f"The planner {self.planner!r} has the options {', '.join(sorted(accepted))}; "
                f"got {', '.join(unknown)}."
            )
        offered = {
            "answers": self.channel,
            "seconds": self.seconds,
            "wrong_label_s": self.wrong_label_s,
            "misses": self.misses,
        }
        known = {name: value for name, value in offered.items() if name in accepted}
        return {"max_n": self.max_n, "seed": self.seed, **known, **asked}

    def make_planner(self) -> Planner:
        """A fresh planner."""
        return make_planner(self.planner, **self.all_planner_options())

    def make_calibrator(self, given: Probs) -> GivenOnly | None:
        """What corrects the probabilities before each question; None if nothing does.

        Parameters
        ----------
        given
            What the session begins with.
        """
        return choose_calibrator(given, recalibrate=self.recalibrate)

    def make_schedule(self, given: Probs) -> Schedule | None:
        """What says which items to ask about first; None if the planner chooses among all."""
        return choose_schedule(
            given,
            recalibrate=self.recalibrate,
            sample=self.sample,
            schedule=self.schedule,
            seed=self.seed,
        )

    def make_policy(self, draw_seed: int | None = None) -> PromisePolicy | None:
        """What decides when to learn, settle, freeze and check; None where nothing is promised.

        Parameters
        ----------
        draw_seed
            Fixes the draws of checks, in the lab alone; None for the operating system's entropy.
        """
        if self.promise is None:
            return None
        options = {**planner_options(self.planner), **self.all_planner_options()}
        return PromisePolicy(
            self.promise,
            form=self.channel,
            max_n=self.max_n,
            same_guess=options.get("same_guess", False),
            objective=options.get("objective", "questions"),
            pace=AnnotationCost(*self.seconds),
            seed=self.seed,
            draw_seed=draw_seed,
        )

    @property
    def learning_schedule(self) -> str:
        """The schedule a predictor is told of: with a promise most labels come at random."""
        return self.schedule if self.promise is None else "random-rounds"

    @property
    def session_options(self) -> SessionOptions:
        """What a session has to know of it."""
        return SessionOptions(self.lease_s, self.audit_every, self.test_sample, self.seed)


def method_of(history: History) -> Method:
    """How the session with this history goes on.

    Raises
    ------
    InvalidInput
        It was written by a later askless, or by something else.
    """
    try:
        if history.method is not None:
            return Method(**history.method)
        return _method_before_there_were_any(history.opening or {})
    except (InvalidInput, KeyError, TypeError, AttributeError, ValueError) as error:
        raise InvalidInput(
            "How this session chooses its questions must be written in its events in a way this "
            f"askless understands; got: {error} Use the askless that wrote it, or a newer one."
        ) from None


def differences(begun: Method, wanted: Method) -> dict[str, tuple[Any, Any]]:
    """Where two methods differ: by field or option, what it is in each.

    A default is the same whether it was spelt out or not.
    """
    sides = []
    for method in (begun, wanted):
        plain = method.plain()
        usual = planner_options(method.planner) if begun.planner == wanted.planner else {}
        further = {k: v for k, v in usual.items() if k not in _OF_PLANNERS}
        options = further | plain.pop("planner_options")
        plain.pop("lease_s")
        plain.pop("misses")  # follows from the answers
        if plain["objective"] is None:
            plain["objective"] = usual.get("objective")
        if plain["same_guess"] is None:
            plain["same_guess"] = usual.get("same_guess")
        sides.append(plain | ({} if not usual else options))
    first, second = sides
    return {
        name: (first.get(name), second.get(name))
        for name in {**first, **second}
        if first.get(name) != second.get(name)
    }


def _method_before_there_were_any(opening: Mapping[str, Any]) -> Method:
    """Of a session that says with which planner, options, manners and correction it was opened."""
    options, planner = dict(opening["options"]), opening["planner"]
    sampling, words = opening.get("manners", {}), opening.get("correction")
    correction = {"recalibrate": False, "order": "planner-order"} if words is None else words
    simulated = opening.get("about", {}).get("simulated", {})
    default = planner_options(planner)
    fields = {
        "channel": options.pop("answers", simulated.get("channel", "yes-no")),
        "max_n": options.pop("max_n", default.get("max_n")),
        "objective": options.pop("objective", None),
        "same_guess": options.pop("same_guess", None),
        "seconds": options.pop("seconds", DEFAULT_COST),
        "recalibrate": correction.get("recalibrate", True),
        "schedule": correction.get("order", DEFAULT_SCHEDULE["seconds"]),
        "sample": correction.get("sample", 1.0),
        "predictor": simulated.get("predictor"),
        "test_sample": sampling.get("draw", 0),
        "audit_every": sampling.get("audit_every", 0),
        "lease_s": sampling.get("lease_s", 600.0),
        "seed": sampling.get("seed", correction.get("seed", 0)),
    }
    if options.get("seed") == fields["seed"]:
        del options["seed"]
    return Method(planner=planner, planner_options=options, **fields)


def _text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is text; got {value!r:.80}.")
    return value


def _mapping(name: str, value: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{name} is a mapping from names to values; got {value!r:.80}.")
    return dict(value)
