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

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PlainValidator,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
)

from askless.calibration import GivenOnly, choose_calibrator
from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.probability import Probs
from askless.core.question import GRID
from askless.errors import InvalidInput, UnknownPart
from askless.planners import make_planner, planner_options
from askless.planners.schedule import (
    DEFAULT_SCHEDULE,
    choose_schedule,
    present_name,
    schedule_names,
)
from askless.seams import Channel, Objective, Planner, Schedule
from askless.session.history import History
from askless.session.options import SessionOptions

DEFAULT_PLANNER: Final = "auto"

_Count = Annotated[StrictInt, Field(ge=0)]
_OF_PLANNERS: Final = {"max_n", "seed", "objective", "same_guess", "answers", "seconds"}
"""Options of planners that a method has fields for."""


def _usual_max_n(known: Mapping[str, Any]) -> int | None:
    if known.get("objective") == "seconds":
        return None
    return GRID if known.get("channel") == "pointed" else 8


class Method(BaseModel):
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
        One audit after so many questions, per annotator; 0 for none.
    lease_s
        Seconds until a question that was not answered returns to the pool.
    seed
        Fixes what is drawn at random.

    Raises
    ------
    InvalidInput
        There is no such field, or it cannot have that value. Options of parts are checked when
        the part is made.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    planner: StrictStr = DEFAULT_PLANNER
    planner_options: dict[str, JsonValue] = Field(default_factory=dict)
    objective: Objective | None = None
    channel: Channel = "yes-no"
    max_n: Annotated[StrictInt, Field(ge=1)] | None = Field(default_factory=_usual_max_n)
    same_guess: StrictBool | None = None
    seconds: Annotated[tuple[float, float, float], PlainValidator(AnnotationCost.of)] = DEFAULT_COST
    recalibrate: StrictBool = True
    predictor: StrictStr | None = None
    predictor_options: dict[str, JsonValue] = Field(default_factory=dict)
    features: dict[str, dict[str, JsonValue]] | None = None
    schedule: Annotated[StrictStr, AfterValidator(present_name)] = Field(
        default_factory=lambda known: DEFAULT_SCHEDULE[known.get("objective") or "questions"]
    )
    sample: Annotated[float, Field(ge=0, le=1)] = Field(
        default_factory=lambda known: 0.01 if known.get("objective") == "labels" else 1.0
    )
    test_sample: _Count = 0
    audit_every: _Count = 0
    lease_s: Annotated[float, Field(gt=0)] = 600.0
    seed: _Count = 0

    if not TYPE_CHECKING:  # a type checker makes its own of the fields

        def __init__(self, **values: Any) -> None:
            try:
                super().__init__(**values)
            except ValidationError as error:
                raise InvalidInput(_sentence(error)) from None
            if self.schedule not in schedule_names():
                raise UnknownPart("schedule", self.schedule, schedule_names())

    def plain(self) -> dict[str, Any]:
        """All of it in JSON values."""
        return {**self.model_dump(mode="json", exclude={"seconds"}), "seconds": list(self.seconds)}

    def replace(self, **changes: Any) -> Self:
        """The same but for these fields."""
        return type(self)(**{**self.plain(), **changes})

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
        offered = {"answers": self.channel, "seconds": self.seconds}
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
            order=self.schedule,
            seed=self.seed,
        )

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
            values: dict[str, Any] = history.method
            return Method(**values)
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


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    name = ".".join(map(str, first["loc"][:2])) or "a method"
    if first["type"] == "extra_forbidden":
        return f"A method has the fields {', '.join(Method.model_fields)}; got {name}."
    if first["type"] == "value_error":
        return str(first["ctx"]["error"])
    must = first["msg"].removeprefix("Input should be ").removeprefix("a valid ")
    return f"{name} must be {must}; got {first['input']!r:.80}."
