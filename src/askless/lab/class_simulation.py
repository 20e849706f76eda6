"""Play an annotator who knows every class against a planner for many classes, to the last label.

The predictor learns from the answers as the run goes on, and is fitted again once a share more
labels is settled. Items come in random rounds (`askless.planners.schedule.RandomRounds`). How the
annotator answers:

| answers | |
|---|---|
| yes-no | yes, or no: "are all of these c?", "is none of these c?" |
| pointed | the wrong ones are marked, the rest is vouched for |
| typed | the wrong ones are marked, and their class typed where that is quicker than asking again |

A wrong item whose class is typed takes c + d seconds; one that is only marked takes c, and its
share of another question, a/n + b + (1 - p)(c + d), p being the chance of its next guess. So it is
typed where p is below 1 - (d - b - a/n) / (c + d). An item is asked alone, to be typed, where a
grid is expected to cost more: p below 1 - (d + a (1 - 1/n)) / (c + d) of its current guess.

The truth is used by the annotator and to count; nothing that plans or predicts sees it. Sessions
have two classes, so this loop has a state of its own in place of a session. Used by
`askless.assemble.class_simulation`; tested in tests/lab/test_class_simulation.py.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from askless.core.annotation_cost import AnnotationCost
from askless.core.class_probs import (
    ClassProbs,
    class_bound_questions,
    class_code_length_bits,
    class_entropy_bits,
)
from askless.core.guess import is_right
from askless.core.question import GRID, Answer, Kind, Question
from askless.core.state import State, learn
from askless.errors import InvalidInput
from askless.lab.trace import Step
from askless.planners import make_planner
from askless.planners.binary_reduction import BinaryReduction
from askless.planners.schedule import RandomRounds

ClassChannel = Literal["yes-no", "pointed", "typed"]

_REFIT: Final[dict[str, float]] = {"yes-no": 0.02, "pointed": 0.3, "typed": 0.3}
"""The share of labels that is new when the predictor is fitted again. Grids need many items at
once."""


class ClassPace(NamedTuple):
    """Seconds that answers about classes cost a person.

    Parameters
    ----------
    question_s, item_s, pointed_s
        As in `askless.core.annotation_cost.AnnotationCost`: a, b and c.
    typed_s
        Seconds to type a class: d.
    """

    question_s: float = 1.0
    item_s: float = 0.3
    pointed_s: float = 1.0
    typed_s: float = 1.5

    def seconds(self, answer: Answer) -> float:
        """What this answer took; nobody points at an only item."""
        pointed = len(answer.wrong) if len(answer) > 1 else 0
        two_classes = AnnotationCost(*self[:3])
        return two_classes.total(1, len(answer), pointed) + self.typed_s * len(answer.typed)

    def typed_below(self, grid: int) -> float:
        """The chance of the next guess below which a marked item's class is typed."""
        a, b, c, d = self
        return 1.0 - (d - b - a / grid) / (c + d) if c + d else 0.0

    def alone_below(self, grid: int) -> float:
        """The chance of the current guess below which an item is typed alone."""
        a, _, c, d = self
        return 1.0 - (d + a * (1.0 - 1.0 / grid)) / (c + d) if c + d else 0.0


class ClassPredictor(Protocol):
    """Makes class probabilities out of features and the labels known so far."""

    def fit(self, x: NDArray[Any], labels: NDArray[np.int8]) -> None:
        """Learn from class numbers; negative where unknown."""
        ...

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """P(class) for every row of `x`, shape (n, classes); also before the first `fit`."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class ClassRun:
    """What came of a simulation.

    Parameters
    ----------
    steps
        Every question with its answer.
    labels
        The class of every item, by number.
    labels_right
        How many are right.
    code_length_bits
        The labels' code length under the probabilities they were asked with: each time
        classes of an item are excluded, by the chance of what is left.
    fits
        How many times the predictor was fitted.
    planning_s, fitting_s
        Seconds it took to choose the questions, and to fit and predict.
    """

    steps: tuple[Step, ...]
    labels: NDArray[np.int8]
    labels_right: int
    code_length_bits: float
    fits: int
    planning_s: float
    fitting_s: float


def simulate_classes(
    labels: NDArray[np.int8],
    classes: int,
    predictor: ClassPredictor | NDArray[np.float64],
    x: NDArray[Any] | None = None,
    *,
    max_n: int | None = 8,
    answers: ClassChannel = "yes-no",
    planner: str = "auto",
    same_guess: bool = True,
    pace: ClassPace | None = None,
    seed: int = 0,
    watch: Callable[[Step], None] | None = None,
) -> ClassRun:
    """Label a pool whose classes are known, and see what it takes.

    Parameters
    ----------
    labels
        The right class of every item, by number.
    classes
        How many there are.
    predictor
        Learns from the answers; or P(class) for every item, which then stay as they are.
    x
        What it is fitted on.
    max_n
        The most items a question may show; None for no cap.
    answers
        How the annotator answers.
    planner
        The planner by name (`askless.planners`), on facts of two classes.
    same_guess
        Whether a question names one class.
    pace
        Seconds; only what is typed depends on them.
    seed
        Fixes the random rounds.
    watch
        Called with every question once it is answered.
    """
    if answers not in get_args(ClassChannel):
        raise InvalidInput(
            f"answers is one of: {', '.join(get_args(ClassChannel))}; got {answers!r}."
        )
    pace = pace or ClassPace()
    truth = labels.tolist()
    if not truth or min(truth) < 0 or max(truth) >= classes:
        raise InvalidInput(f"Labels are classes 0 to {classes - 1}, one an item.")
    grid = max_n or GRID
    reduction = BinaryReduction(
        make_planner(planner, **_options(planner, max_n, answers, same_guess, seed)),
        none_of_these=answers == "yes-no",
        type_below=pace.alone_below(grid) if answers == "typed" else 0.0,
    )
    annotator = _Annotator(truth, answers, reduction, pace.typed_below(grid))
    learner = None if isinstance(predictor, np.ndarray) else predictor
    rounds = None if learner is None else RandomRounds(len(truth), seed=seed)
    probs = ClassProbs(_first(predictor, x))
    state = State.blank(len(truth), classes)
    steps: list[Step] = []
    planning_s = fitting_s = bits = 0.0
    fits, fit_at = 0, 1
    while not state.done:
        began = time.perf_counter()
        if learner is not None and x is not None and state.n_settled >= fit_at:
            learner.fit(x, state.labels())
            probs, fits = ClassProbs(learner.predict(x)), fits + 1
            fit_at = max(state.n_settled + 1, int((1.0 + _REFIT[answers]) * state.n_settled))
        fitted = time.perf_counter()
        question = reduction.plan(
            probs, state, priority=None if rounds is None else rounds(None, state)
        )
        assert question is not None  # an item is open, and nobody else has it
        fitting_s, planning_s = (
            fitting_s + fitted - began,
            planning_s + time.perf_counter() - fitted,
        )
        answer = annotator.answer(question, probs, state)
        after = learn(state, answer)
        bits += _bits(probs, state, after, question)
        state = after
        steps.append(Step(len(steps) + 1, answer, state.n_settled, fits))
        if watch is not None:
            watch(steps[-1])
    found = state.labels()
    right = int(np.count_nonzero(found == labels))
    return ClassRun(tuple(steps), found, right, bits, fits, planning_s, fitting_s)


def class_report(
    run: ClassRun,
    pace: ClassPace,
    probs: NDArray[np.float64] | None = None,
    max_n: int | None = None,
) -> dict[str, Any]:
    """Plain JSON values that say what a run took.

    ``typed`` are the items whose class was typed, ``pointed`` those marked. ``typed_alone`` is what
    it takes to type every class, one item a question. With given probabilities, and answers of yes
    and no, ``entropy_bits``, ``bound_questions`` and ``bits`` bound the questions.
    """
    answers = [step.answer for step in run.steps]
    kinds = Counter(answer.kind for answer in answers)
    n = len(run.labels)
    a, b, _, d = pace
    bare = all(answer.kind != "pointed" for answer in answers)
    bounds: dict[str, float | None] = dict.fromkeys(("entropy_bits", "bound_questions", "bits"))
    if probs is not None and bare:
        bounds = {
            "entropy_bits": class_entropy_bits(probs),
            "bound_questions": class_bound_questions(probs, max_n),
            "bits": class_code_length_bits(probs, run.labels),
        }
    return {
        "items": n,
        "labels_right": run.labels_right,
        "labels_wrong": n - run.labels_right,
        "all_right": run.labels_right == n,
        "questions": len(answers),
        "none_of_these": sum(_is_negative(answer.question) for answer in answers),
        "items_shown": sum(map(len, answers)),
        "pointed": sum(len(answer.wrong) for answer in answers),
        "typed": sum(len(answer.typed) for answer in answers),
        "seconds": sum(map(pace.seconds, answers)),
        "typed_alone": {"questions": n, "seconds": n * (a + b + d)},
        "floor_seconds": n * b,
        "answers": {kind: kinds[kind] for kind in get_args(Kind)},
        "code_length_bits": run.code_length_bits,
        "questions_per_bit": len(answers) / max(run.code_length_bits, 1e-9) if bare else None,
        **bounds,
        "fits": run.fits,
        "planning_s": run.planning_s,
        "fitting_s": run.fitting_s,
    }


class _Annotator:
    """Answers every question with the truth, and types classes where that saves time."""

    def __init__(
        self, truth: list[int], answers: ClassChannel, planned: BinaryReduction, below: float
    ) -> None:
        self._truth, self._answers, self._planned, self._below = truth, answers, planned, below

    def answer(self, question: Question, probs: ClassProbs, state: State) -> Answer:
        """The answer to a question that was planned with these probabilities in this state."""
        truth, pairs = self._truth, zip(question.items, question.guess, strict=True)
        wrong = {item: guess for item, guess in pairs if not is_right(guess, truth[item])}
        if self._answers == "typed" and self._planned.is_typed(question):
            return question.typed({question.items[0]: truth[question.items[0]]})
        if not wrong:
            return question.yes()
        if self._answers == "yes-no" or (self._answers == "pointed" and len(question) == 1):
            return question.no()
        typed = {}
        if self._answers == "typed":
            for item, guess in wrong.items():
                left = [c for c in state.possible(item) if not is_right(guess, c)]
                row = probs.values[item, left]
                if len(left) > 1 and row.max() < self._below * row.sum():
                    typed[item] = truth[item]
        if len(question) == 1 and not typed:
            return question.no()
        return question.pointed(wrong, rest_right=True, typed=typed)


def _options(
    planner: str, max_n: int | None, answers: ClassChannel, same_guess: bool, seed: int
) -> dict[str, Any]:
    options: dict[str, Any] = {"max_n": max_n, "seed": seed}
    if planner in ("auto", "fill", "grid", "nested"):
        options["same_guess"] = same_guess
    if planner == "auto":
        options["answers"] = "yes-no" if answers == "yes-no" else "pointed"
    return options


def _first(
    predictor: ClassPredictor | NDArray[np.float64], x: NDArray[Any] | None
) -> NDArray[np.float64]:
    if isinstance(predictor, np.ndarray):
        return predictor
    if x is None:
        raise InvalidInput("A predictor that learns needs features, x; got none.")
    return predictor.predict(x)


def _bits(probs: ClassProbs, before: State, after: State, question: Question) -> float:
    """The code length of what an answer excluded, under the probabilities of now."""
    tied = {i for clause in before.clauses_tied_to(question.items) for i in clause.items}
    bits = 0.0
    for item in tied.union(question.items):
        had, left = before.possible(item), after.possible(item)
        if len(left) < len(had):
            row = probs.values[item]
            chance = row[list(left)].sum() / max(row[list(had)].sum(), 1e-300)
            bits -= float(np.log2(max(chance, 1e-7)))
    return bits


def _is_negative(question: Question) -> bool:
    """Whether it asks if none of its items is of a class."""
    return all(isinstance(guess, int) and guess < 0 for guess in question.guess)
