"""Simulated annotators who err: one or more habits on top of the truth.

    annotator_from("slips:0.14+persistent:0.03", labels)

Every draw comes from one generator, as many for each question as it shows items. So the same
questions get the same answers under the same seed, and one who never errs answers as
`askless.lab.truthful.TruthfulAnnotator` does, question for question.

May be imported by `askless.assemble` and above. Tested in tests/lab/test_annotators.py.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from askless.core.annotation_cost import DEFAULT_COST, AnnotationCost
from askless.core.question import Answer, Question
from askless.errors import InvalidInput
from askless.lab.habits import HABITS, Habit, Look
from askless.lab.known_pool import as_labels
from askless.lab.truthful import TruthfulAnnotator
from askless.seams import Annotator

TRUTHFUL: Final = "truthful"
_REMEMBERED: Final = 40
"""Questions from which people know how often something is wrong."""


class ErringAnnotator:
    """Answers by the truth as far as its habits let it.

    Parameters
    ----------
    labels
        The right label of every item of the pool.
    habits
        In which ways it errs. What one overlooks is overlooked whatever the others do.
    pointing
        As for `TruthfulAnnotator`.
    pace
        What its answers take, for those who tire.
    seed
        Fixes what is drawn.
    """

    def __init__(
        self,
        labels: ArrayLike,
        habits: Iterable[Habit],
        *,
        pointing: bool = False,
        pace: AnnotationCost = DEFAULT_COST,
        seed: int = 0,
    ) -> None:
        self._habits = tuple(habits)
        self._rng = np.random.default_rng(seed)
        held = as_labels(labels)
        for habit in self._habits:
            held = habit.believe(held, self._rng)
        self._labels: list[bool] = held.tolist()
        self._pointing = pointing
        self._pace = pace
        self._spent_s = 0.0
        self._found: deque[bool] = deque(maxlen=_REMEMBERED)

    def answer(self, question: Question) -> Answer:
        """What it says, having looked once."""
        found = self._look(question)
        answer = self._say(question, found)
        self._found.append(bool(found))
        self._spent_s += self._pace.seconds(answer)
        return answer

    def _look(self, question: Question) -> list[int]:
        """The items whose guess it takes for wrong."""
        prevalence = (1 + sum(self._found)) / (2 + len(self._found))
        look = Look(len(question), question.purpose, self._spent_s / 60.0, prevalence)
        habits = self._habits
        careful = any(habit.is_careful(look) for habit in habits)
        seen = math.prod(1.0 - habit.overlook_chance(look) for habit in habits)
        overlooked = 0.0 if careful else 1.0 - seen
        misclicked = 1.0 - math.prod(1.0 - habit.misclick_chance(look) for habit in habits)
        draws = self._rng.random(len(question)).tolist()
        found = []
        for item, guess, draw in zip(question.items, question.guess, draws, strict=True):
            wrong = self._labels[item] is not guess
            if draw >= overlooked if wrong else draw < misclicked:
                found.append(item)
        return found

    def _say(self, question: Question, found: list[int]) -> Answer:
        for habit in self._habits:
            answer = habit.say(question, found, self._rng)
            if answer is not None:
                return answer
        if not found:
            return question.yes()
        if self._pointing and len(question) > 1:
            return question.pointed(found, rest_right=True)
        return question.no()


def annotator_from(
    text: str,
    labels: ArrayLike,
    *,
    pointing: bool = False,
    pace: AnnotationCost = DEFAULT_COST,
    seed: int = 0,
) -> Annotator:
    """The annotator that a few words describe: see `parse_habits`.

    Parameters
    ----------
    text
        ``truthful``, or habits.
    labels, pointing, pace, seed
        As for `ErringAnnotator`.
    """
    habits = parse_habits(text)
    if not habits:
        return TruthfulAnnotator(labels, pointing=pointing)
    return ErringAnnotator(labels, habits, pointing=pointing, pace=pace, seed=seed)


def parse_habits(text: str) -> tuple[Habit, ...]:
    """The habits that a few words describe; none for ``truthful``.

    ``NAME:VALUE,OPTION=VALUE``, where the value after the colon is that of the first option, and
    ``+`` between several: ``slips:0.14,growth=1+persistent:0.03``.

    Parameters
    ----------
    text
        As it is typed.

    Raises
    ------
    InvalidInput
        It is no such text, or a habit refuses a value.
    """
    if text.strip() == TRUTHFUL:
        return ()
    return tuple(_parse_habit(part.strip()) for part in text.split("+"))


def _parse_habit(text: str) -> Habit:
    name, colon, rest = text.partition(":")
    name = name.strip()
    if name not in HABITS.names():
        raise InvalidInput(
            f"An annotator is '{TRUTHFUL}', or has habits with '+' between them, each one of "
            f"{', '.join(HABITS.names())}; got {name!r:.60}. An example: "
            "slips:0.14+persistent:0.03."
        )
    options: dict[str, str] = {}
    first = next(iter(HABITS.options(name)), None)
    for at, word in enumerate(rest.split(",") if colon else ()):
        option, equals, value = (part.strip() for part in word.rpartition("="))
        if not equals and at == 0 and first is not None:
            option = first
        if not option or not value or option in options:
            raise InvalidInput(
                "A habit is NAME, NAME:VALUE or NAME:VALUE,OPTION=VALUE, each option once, such "
                f"as slips:0.14,growth=1; got {text!r:.60}."
            )
        options[option] = value
    return HABITS.make(
        name, {option: HABITS.check(name, option, value) for option, value in options.items()}
    )
