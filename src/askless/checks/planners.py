"""The laws of the `Planner` seam.

The situations are real ones: answers of a truthful annotator to overlapping
groups with guesses of both signs, items set aside, answers retracted, items leased, and
probabilities and priorities replaced between two questions.
Tested in tests/laws/test_planner_laws_can_fail.py.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import partial

import numpy as np

from askless.checks._require import require
from askless.checks._situations import (
    Rng,
    answer_truthfully,
    disturb,
    draw_truth,
    draw_values,
    reached_state,
)
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.state import State, learn, undecided
from askless.errors import LawBroken
from askless.seams import Planner, Priority

MakePlanner = Callable[[], Planner]

_require = partial(require, "planner")


def planner_laws() -> tuple[Callable[[MakePlanner, int], None], ...]:
    """Every law of the `Planner` seam."""
    return (
        ends_with_every_label_right,
        keeps_to_its_worst_case_however_it_is_answered,
        takes_up_from_any_state,
        survives_whatever_happens_between_questions,
        can_ask_ahead,
        asks_nothing_when_nothing_is_free,
        asks_on_where_no_priority_item_can_be_asked,
        asks_about_priority_items_first,
        same_calls_same_questions,
        leaves_its_inputs_untouched,
    )


def ends_with_every_label_right(make: MakePlanner, seed: int) -> None:
    """With a truthful annotator it ends, and every label is right."""
    rng, truth = _pool(seed, 40)
    _play_out(rng, make(), truth, State.blank(len(truth)))


def keeps_to_its_worst_case_however_it_is_answered(make: MakePlanner, seed: int) -> None:
    """Refuted every time, nearly every time or at a toss, it ends within its worst case.

    The answers come from nobody's truth: whatever is not implied may be answered either way.
    """
    rng, truth = _pool(seed, 40)
    n = len(truth)
    probs, priority = _inputs(rng, n)
    often_yes = rng.choice([0.0, 0.05, 0.5, 0.95])
    planner, state = make(), State.blank(n)
    limit = planner.worst_case_questions(n)
    while not state.done:
        question = _legal(planner, probs, state, priority=priority)
        state = learn(state, question.yes() if rng.random() < often_yes else question.no())
        asked = len(state.answers)
        _require(
            asked <= limit,
            f"asked {asked} questions about {n} items although its worst case is {limit}: it "
            "should state a worst case that holds when every guess is refuted",
        )


def takes_up_from_any_state(make: MakePlanner, seed: int) -> None:
    """It goes on from a state it has never seen, with clauses, unsure and retracted items."""
    rng, truth = _pool(seed, 14)
    _play_out(rng, make(), truth, reached_state(rng, truth))


def survives_whatever_happens_between_questions(make: MakePlanner, seed: int) -> None:
    """New probabilities, leases, pointing, retraction and unsure items at any moment."""
    rng, truth = _pool(seed, 14)
    _play_out(rng, make(), truth, reached_state(rng, truth), eventful=True)


def can_ask_ahead(make: MakePlanner, seed: int) -> None:
    """Planning for every pair of answers to come, then for the real one, asks legal questions."""
    rng, truth = _pool(seed, 20)
    probs, priority = _inputs(rng, len(truth))
    planner, state = make(), State.blank(len(truth))
    while not state.done:
        question = _legal(planner, probs, state, priority=priority)
        for ahead in (learn(state, question.yes()), learn(state, question.no())):
            if not ahead.done:
                following = _legal(planner, probs, ahead, priority=priority)
                for further in (learn(ahead, following.yes()), learn(ahead, following.no())):
                    if not further.done:
                        _legal(planner, probs, further, priority=priority)
        state = learn(state, answer_truthfully(rng, question, truth, pointing=False))
    _require_right(state, truth)


def asks_nothing_when_nothing_is_free(make: MakePlanner, seed: int) -> None:
    """None if every open item is leased or there is none, and only then."""
    rng, truth = _pool(seed, 10)
    (probs, priority), state = _inputs(rng, len(truth)), reached_state(rng, truth)
    planner = make()
    leased = frozenset(state.open_items().tolist())
    _require(
        planner.plan(probs, state, leased, priority) is None,
        "asked although every item is leased: it should return None when no open item is free",
    )
    for item in leased:
        question = _legal(planner, probs, state, leased - {item}, priority)
        _require(
            question.items == (item,),
            "did not ask the only free item: it should ask for it alone, even if an open clause "
            "holds it",
        )


def asks_on_where_no_priority_item_can_be_asked(make: MakePlanner, seed: int) -> None:
    """Where priority items are leased, held by open clauses, or both, it asks all the same."""
    rng, truth = _pool(seed, 20)
    n, state, planner = len(truth), reached_state(rng, truth), make()
    held = np.zeros(n, dtype=np.bool_)
    held[[item for clause in state.clauses for item in clause.items]] = True
    for priority in (held, rng.random(n) < 0.5):
        probs, first = Probs(draw_values(rng, n)), set(np.flatnonzero(priority).tolist())
        others = set(np.flatnonzero(held).tolist()) - first
        for leased in (set[int](), first, others, first | others):
            if not leased.issuperset(state.open_items().tolist()):
                _legal(planner, probs, state, leased, priority)


def asks_about_priority_items_first(make: MakePlanner, seed: int) -> None:
    """If it follows priorities, a question shows a priority item or items of an open clause."""
    rng, truth = _pool(seed, 30)
    n, planner = len(truth), make()
    if not planner.describe(n).follows_priority:
        return
    state = reached_state(rng, truth)
    probs, priority = Probs(draw_values(rng, n)), rng.random(n) < 0.4
    while not state.done:
        question = _legal(planner, probs, state, priority=priority)
        items = list(question.items)
        _require(
            bool(priority[items].any())
            or not priority[state.open_items()].any()
            or any(state.clauses_of(item) for item in items),
            f"asked {question} while priority items were free and in no question: it should ask "
            "about priority items first, or describe itself as one that does not",
        )
        state = learn(state, answer_truthfully(rng, question, truth, pointing=False))


def same_calls_same_questions(make: MakePlanner, seed: int) -> None:
    """Two fresh planners given the same sequence ask the same questions."""
    rng, truth = _pool(seed, 20)
    probs, priority = _inputs(rng, len(truth))
    one, other, state = make(), make(), State.blank(len(truth))
    while not state.done:
        if rng.random() < 0.1:
            probs, priority = _inputs(rng, len(truth))
        question = _legal(one, probs, state, priority=priority)
        again = _legal(other, probs, state, priority=priority)
        _require(
            question == again,
            f"asked {question} and then, from the same calls, {again}: it should draw at random "
            "from the seed alone and keep nothing outside the planner",
        )
        state = learn(state, answer_truthfully(rng, question, truth, pointing=False))


def leaves_its_inputs_untouched(make: MakePlanner, seed: int) -> None:
    """Neither the probabilities nor the state nor the leases change by planning."""
    rng, truth = _pool(seed, 10)
    n, state, leased = len(truth), reached_state(rng, truth), {0}
    probs, priority = Probs(draw_values(rng, n)), rng.random(n) < 0.5

    def inputs() -> tuple[object, ...]:
        labels, values = state.labels().tolist(), probs.values.tolist()
        return values, labels, state.clauses, sorted(leased), priority.tolist()

    before = inputs()
    make().plan(probs, state, leased, priority)
    _require(
        inputs() == before,
        "changed its probabilities, state, leases or priority: it should copy what it wants to "
        "change",
    )


# --- what makes a question legal --------------------------------------------------------------


def _legal(
    planner: Planner,
    probs: Probs,
    state: State,
    leased: AbstractSet[int] = frozenset(),
    priority: Priority | None = None,
) -> Question:
    """The planner's question, once it is known to be one that may be asked."""
    question = planner.plan(probs, state, leased, priority)
    if question is None:
        raise LawBroken(
            "The planner asked nothing although an open item is free: it should return None only "
            "when every open item is leased."
        )
    _require(
        question.purpose == "label",
        f"asked for {question.purpose!r}: it should ask for 'label'; audits are the session's",
    )
    _require(
        planner.max_n is None or len(question) <= planner.max_n,
        f"asked {len(question)} items: it should keep to its `max_n` of {planner.max_n}",
    )
    for item, guess in zip(question.items, question.guess, strict=True):
        _require(
            item < state.n and state.is_open(item),
            f"asked item {item}, which is not open: it should ask open items only "
            "(`state.is_open`)",
        )
        _require(
            item not in leased,
            f"asked item {item}, which is leased: it should pass over the items in `leased`",
        )
        fixed = {g for clause in state.clauses_of(item) for i, g in clause.literals if i == item}
        _require(
            len(fixed) != 1 or guess in fixed,
            f"guessed {guess} for item {item} although an open clause holds the other guess: it "
            "should keep the guess of `state.fixed_guess` where there is one",
        )
    _require(
        undecided(state, question),
        f"asked {question}, whose answer is implied already: it should leave an item out where "
        "it would hold a whole open clause (`undecided` tells)",
    )
    return question


def _require_right(state: State, truth: list[bool]) -> None:
    wrong = [i for i in range(state.n) if state.label(i) not in (None, truth[i])]
    _require(
        not wrong,
        f"ended with wrong labels for items {wrong}: it should leave deduction to `learn`, which "
        "draws no wrong conclusion from true answers",
    )
    _require(
        state.done,
        f"left {state.n_open} items open after far more questions than items: it should ask what "
        "shortens an open clause or settles an item, each time",
    )


# --- situations ------------------------------------------------------------------------------


def _pool(seed: int, most: int) -> tuple[Rng, list[bool]]:
    """What is drawn at random, and the right labels of fewer than `most` items."""
    rng = np.random.default_rng(seed)
    return rng, draw_truth(rng, int(rng.integers(1, most)))


def _inputs(rng: Rng, n: int) -> tuple[Probs, Priority | None]:
    """Awkward probabilities; sometimes with a priority, perhaps of items that are settled."""
    priority = rng.random(n) < rng.choice([0.1, 0.5]) if rng.random() < 0.3 else None
    return Probs(draw_values(rng, n)), priority


def _play_out(
    rng: Rng, planner: Planner, truth: list[bool], state: State, *, eventful: bool = False
) -> None:
    n = state.n
    probs, priority = _inputs(rng, n)
    for _ in range(20 * n + 100):
        if state.done:
            break
        leased: AbstractSet[int] = frozenset()
        if eventful:
            if rng.random() < 0.4:
                probs, priority = _inputs(rng, n)
            if rng.random() < 0.3:
                opened = rng.permutation(state.open_items())
                leased = frozenset(opened[: rng.integers(0, len(opened))].tolist())
            if rng.random() < 0.1:
                state = disturb(rng, state)
                continue
        question = _legal(planner, probs, state, leased, priority)
        state = learn(state, answer_truthfully(rng, question, truth, pointing=eventful))
    _require_right(state, truth)
