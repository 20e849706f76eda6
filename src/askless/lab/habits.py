"""Ways in which people err, each with its source: what a simulated annotator is made of.

A habit changes one thing about somebody who would otherwise tell the truth: what they believe of
an item, what they overlook, what they mark by mistake, or how they say it. `askless.lab.annotators`
puts several together. The last three are there to fool a program rather than to be like people.

People who look for something rare among much that is right overlook part of it; they do so more
often the rarer it is and the longer they look. What is overlooked is drawn at each look.

Stands in `askless.lab`. Tested in tests/lab/test_habits.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askless.core.question import GRID, Answer, Purpose, Question
from askless.planners.options import number
from askless.registry import Registry


class Look(NamedTuple):
    """One look at a question.

    Parameters
    ----------
    size
        How many items it shows.
    purpose
        What it is asked for. People do not know; those who fool do.
    minutes
        How long the person has been at it.
    prevalence
        In what share of the latest questions the person found something wrong.
    """

    size: int
    purpose: Purpose
    minutes: float
    prevalence: float


class Habit:
    """Somebody who tells the truth. A habit overrides what it changes."""

    def believe(self, labels: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.bool_]:
        """What the person takes for the label of each item; `labels` are the right ones."""
        return labels

    def overlook_chance(self, look: Look) -> float:
        """The chance that an item with a wrong guess is overlooked."""
        return 0.0

    def misclick_chance(self, look: Look) -> float:
        """The chance that an item with a right guess is taken for wrong."""
        return 0.0

    def is_careful(self, look: Look) -> bool:
        """Whether nothing is overlooked this time, whatever the other habits."""
        return False

    def say(self, question: Question, found: list[int], rng: np.random.Generator) -> Answer | None:
        """The answer of somebody who found these guesses wrong; None to say it as usual."""
        return None


@dataclass(frozen=True)
class Slips(Habit):
    """Overlooks each wrong guess in a group with some chance; never one that is shown alone.

    The chance is `rate` in a group of 24 of which every other one has something wrong. Its odds
    grow as (items / 24) ** growth and as the odds of finding something wrong fall, to the power
    of `prevalence`.

    A slip is a failure of execution; a mistake is one of judgement (Reason 1990, Human Error).
    Inspectors who look for faults miss some of them as a rule (Drury and Fox 1975, Human
    Reliability in Quality Control). Rare targets are missed more: 7 % where half of the displays
    hold one, 16 % at a tenth, 30 % at a hundredth (Wolfe, Horowitz and Kenner 2005, Nature 435),
    which is a `prevalence` of some 0.4.

    Parameters
    ----------
    rate
        From 0 to 1.
    growth
        0 for the same chance at any size above one.
    prevalence
        0 for the same chance however rare wrong guesses are.
    """

    rate: float
    growth: float = 0.0
    prevalence: float = 0.0

    def __post_init__(self) -> None:
        _check("slips", self, rate=1.0, growth=10.0, prevalence=10.0)

    def overlook_chance(self, look: Look) -> float:
        """By the size of the group and the share of questions with something wrong."""
        if look.size == 1 or self.rate in (0.0, 1.0):
            return self.rate if look.size > 1 else 0.0
        rare = (1.0 - look.prevalence) / look.prevalence
        growth = self.growth * math.log(look.size / GRID) + self.prevalence * math.log(rare)
        odds = self.rate / (1.0 - self.rate) * math.exp(growth)
        return odds / (1.0 + odds)


@dataclass(frozen=True)
class Tires(Habit):
    """Overlooks more wrong guesses in groups the longer the work goes on.

    The chance is rate * (1 - exp(-t / minutes)) after t minutes of answering: it rises soon and
    levels off. Watchers of a clock missed markedly more after the first half hour, and hardly more
    in the hour after that (Mackworth 1948, Quarterly Journal of Experimental Psychology 1).

    Parameters
    ----------
    rate
        Where it levels off, from 0 to 1.
    minutes
        How soon: two thirds of it are reached after this time.
    """

    rate: float
    minutes: float = 15.0

    def __post_init__(self) -> None:
        _check("tires", self, rate=1.0, minutes=1e6)

    def overlook_chance(self, look: Look) -> float:
        """By the time spent."""
        if look.size == 1:
            return 0.0
        spent = look.minutes / self.minutes if self.minutes else math.inf
        return self.rate * -math.expm1(-spent)


@dataclass(frozen=True)
class Persistent(Habit):
    """Takes a fixed random share of the items for the other label, each time they are shown.

    Not to be seen by asking the same person again. Test sets that were labelled with care have some
    3 % of such labels (Northcutt, Athalye and Mueller 2021, Pervasive Label Errors in Test Sets);
    that an observer has error rates of their own is the model of Dawid and Skene (1979, Applied
    Statistics 28).

    Parameters
    ----------
    rate
        The share, from 0 to 1. As many items as that makes, rounded.
    """

    rate: float

    def __post_init__(self) -> None:
        _check("persistent", self, rate=1.0)

    def believe(self, labels: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.bool_]:
        """The labels with that many of them turned round."""
        held = labels.copy()
        turned = rng.permutation(len(held))[: round(self.rate * len(held))]
        held[turned] = ~held[turned]
        return held


@dataclass(frozen=True)
class Misclicks(Habit):
    """Takes a right guess for wrong with some chance, each time it is shown.

    Pointing at a target misses it in some 4 % of trials by the very convention of such studies
    (MacKenzie 1992, Human-Computer Interaction 7); most of these hit nothing, or are seen at once.

    Parameters
    ----------
    rate
        The chance for each item shown, from 0 to 1.
    """

    rate: float

    def __post_init__(self) -> None:
        _check("misclicks", self, rate=1.0)

    def misclick_chance(self, look: Look) -> float:
        """The same at any time."""
        return self.rate


@dataclass(frozen=True)
class Careless(Habit):
    """Answers some questions without looking: yes or no, by the toss of a coin.

    Some 10 to 12 % of people do so in long questionnaires (Meade and Craig 2012, Psychological
    Methods 17); on crowdsourcing platforms they are the spammers of Raykar and Yu (2012, Journal of
    Machine Learning Research 13).

    Parameters
    ----------
    rate
        The share of such questions, from 0 to 1.
    """

    rate: float

    def __post_init__(self) -> None:
        _check("careless", self, rate=1.0)

    def say(self, question: Question, found: list[int], rng: np.random.Generator) -> Answer | None:
        """A coin for whether to look, another for what to say."""
        looks, says = rng.random(2)
        if looks >= self.rate:
            return None
        return question.yes() if says < 0.5 else question.no()


@dataclass(frozen=True)
class Mixes(Habit):
    """Fools a bound: points where one guess is wrong, and says a bare no where more are.

    Every answer is true. But a bound that counts both kinds of answers to random checks, as they
    come, adds probabilities to more than one. It is what reporting an outcome because of what was
    seen does to trials (Chan and others 2004, Journal of the American Medical Association 291).
    """

    def say(self, question: Question, found: list[int], rng: np.random.Generator) -> Answer | None:
        """By how many are wrong."""
        if len(found) == 1 and len(question) > 1:
            return question.pointed(found, rest_right=True)
        return question.no() if found else None


@dataclass(frozen=True)
class Denies(Habit):
    """Fools an error rate: takes every item of the rarer label for one of the other.

    A pool with 1 % positives is then labelled with 1 % errors, and no positive is found: the case
    of Provost, Fawcett and Kohavi (1998, International Conference on Machine Learning) against
    judging by accuracy alone.
    """

    def believe(self, labels: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.bool_]:
        """The commoner label for every item; negative where both are as common."""
        return np.full(len(labels), bool(2 * np.count_nonzero(labels) > len(labels)))


@dataclass(frozen=True)
class Watched(Habit):
    """Fools audits: looks with care at them, and overlooks things elsewhere by its other habits.

    People who know that they are watched behave otherwise (the Hawthorne effect; McCambridge,
    Witton and Elbourne 2014, Journal of Clinical Epidemiology 67).
    """

    def is_careful(self, look: Look) -> bool:
        """In audits."""
        return look.purpose == "audit"


HABITS: Final = Registry[Habit](
    "habit",
    {
        kind.__name__.lower(): f"{__name__}:{kind.__name__}"
        for kind in (Slips, Tires, Persistent, Misclicks, Careless, Mixes, Denies, Watched)
    },
)


def _check(name: str, habit: Habit, **most: float) -> None:
    """Every option is a number from 0 to this."""
    for option, limit in most.items():
        number(f"{option} of {name}", vars(habit)[option], 0.0, limit)
