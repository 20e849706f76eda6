"""Each law of the planners is broken by some planner: a law nobody can break says nothing."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

import pytest

from askless.checks import planner_laws
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State
from askless.errors import AsklessError, LawBroken
from askless.seams import PlannerInfo, Priority


class Honest:
    """Asks the first free open item; the broken ones below differ in one point each."""

    max_n: int | None = 1

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        free = [item for item in state.open_items().tolist() if item not in leased]
        if priority is not None:
            free.sort(key=lambda item: not priority[item])
        for item in free:
            return Question((item,), (self.guess(probs, state, item),))
        return None

    def guess(self, probs: Probs, state: State, item: int) -> bool:
        fixed = state.fixed_guess(item)
        return bool(probs.values[item] >= 0.5) if fixed is None else fixed == 1

    def worst_case_questions(self, n: int) -> int:
        return n

    def describe(self, n: int) -> PlannerInfo:
        return PlannerInfo("honest")


class IgnoresLeases(Honest):
    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        return super().plan(probs, state, priority=priority)


class ForgetsFixedGuesses(Honest):
    def guess(self, probs: Probs, state: State, item: int) -> bool:
        return bool(probs.values[item] >= 0.5)


class GivesUp(Honest):
    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        return None if state.clauses else super().plan(probs, state, leased, priority)


class AsksPriorityItemsAlone(Honest):
    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        others = set() if priority is None else set((~priority).nonzero()[0].tolist())
        return super().plan(probs, state, others | leased)


class IgnoresPriority(Honest):
    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        return super().plan(probs, state, leased)


class AsksSettledItems(Honest):
    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        return Question((0,), (True,)) if 0 not in leased else None


class AsksEverything(Honest):
    max_n: int | None = None

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        items = tuple(i for i in state.open_items().tolist() if i not in leased)
        if not items:
            return None
        return Question(items, tuple(self.guess(probs, state, i) for i in items))


class BoastsOfItsWorstCase(Honest):
    def worst_case_questions(self, n: int) -> int:
        return n - 1


class ExceedsItsCap(AsksEverything):
    max_n = 2


class ChangesItsMind(Honest):
    asked = 0

    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        type(self).asked += 1
        items = [i for i in state.open_items().tolist() if i not in leased]
        if not items:
            return None
        item = items[type(self).asked % len(items)]
        return Question((item,), (self.guess(probs, state, item),))


class WritesOnItsInputs(Honest):
    def plan(
        self,
        probs: Probs,
        state: State,
        leased: AbstractSet[int] = frozenset(),
        priority: Priority | None = None,
    ) -> Question | None:
        assert isinstance(leased, set | frozenset)
        if isinstance(leased, set):
            leased.clear()
        return super().plan(probs, state, leased, priority)


def broken_laws(make: Callable[[], Honest]) -> set[str]:
    broken = set()
    for law in planner_laws():
        for seed in range(60):
            try:
                law(make, seed)
            except AsklessError:
                broken.add(law.__name__)
                break
    return broken


@pytest.mark.parametrize(
    ("make", "law"),
    [
        (IgnoresLeases, "asks_nothing_when_nothing_is_free"),
        (ForgetsFixedGuesses, "takes_up_from_any_state"),
        (GivesUp, "takes_up_from_any_state"),
        (AsksPriorityItemsAlone, "ends_with_every_label_right"),
        (AsksPriorityItemsAlone, "survives_whatever_happens_between_questions"),
        (AsksPriorityItemsAlone, "asks_on_where_no_priority_item_can_be_asked"),
        (IgnoresPriority, "asks_about_priority_items_first"),
        (AsksSettledItems, "ends_with_every_label_right"),
        (AsksEverything, "can_ask_ahead"),
        (AsksEverything, "survives_whatever_happens_between_questions"),
        (BoastsOfItsWorstCase, "keeps_to_its_worst_case_however_it_is_answered"),
        (ExceedsItsCap, "ends_with_every_label_right"),
        (ChangesItsMind, "same_calls_same_questions"),
        (WritesOnItsInputs, "leaves_its_inputs_untouched"),
    ],
)
def test_a_planner_that_misbehaves_breaks_a_law(make: Callable[[], Honest], law: str) -> None:
    assert law in broken_laws(make)


@pytest.mark.parametrize("make", [IgnoresLeases, GivesUp, AsksSettledItems, ExceedsItsCap])
def test_a_broken_law_says_what_the_planner_should_do(make: Callable[[], Honest]) -> None:
    said = set()
    for law in planner_laws():
        for seed in range(60):
            try:
                law(make, seed)
            except LawBroken as broken:
                said.add(str(broken))
    assert said
    assert all(": it should " in sentence and sentence.endswith(".") for sentence in said)


def test_an_honest_planner_breaks_none() -> None:
    assert broken_laws(Honest) == set()
