"""Re-asks: what is frozen, what is drawn, what counts, and what a replay says."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from askless.certificates.self_agreement import consistency_of
from askless.core.draw import draw
from askless.core.event import NEWEST_FORMAT, Event
from askless.core.events import Asked
from askless.core.probability import Probs
from askless.core.question import Question
from askless.core.updated import Updated
from askless.errors import Damaged, InvalidInput, Refused
from askless.history.consistency import Consistency, Sample, share_of_alpha
from askless.history.history import History
from askless.planners import make_planner
from askless.session.session import Session
from tests.session.making import HandClock, ask
from tests.stores.memory_store import MemoryStore

SEED = "0123456789abcdef" * 2


class Asking:
    """A session in which ann has labelled items, of which she would change some.

    Parameters
    ----------
    n, labelled
        Items, and how many of them ann has labelled, in groups of ten.
    wrong
        Items that she gave the other label than she would.
    """

    def __init__(self, n: int = 60, labelled: int = 60, wrong: Collection[int] = ()) -> None:
        self.n, self.keys = n, 0
        self.truth = np.arange(n) % 2 == 0
        self.wrong = set(wrong)
        self.store = MemoryStore()
        self.open()
        for first in range(0, labelled, 10):
            self.label(range(first, first + 10))

    def open(self) -> None:
        planner = make_planner("lookahead", max_n=4, seed=0)
        probs = Probs(np.full(self.n, 0.6))
        self.session = Session(self.store, {"n": self.n}, planner, probs, HandClock())

    def label(self, items: Collection[int], annotator: str = "ann") -> int:
        guess = [bool(self.truth[item]) ^ (item in self.wrong) for item in items]
        self.keys += 1
        answer = Question(tuple(items), tuple(guess)).yes()
        return self.session.tell(None, answer, f"key {self.keys}", annotator).number

    def want(self, count: int, every: int = 1) -> None:
        self.session.reask.want("ann", count, every, SEED)

    def reask(self, tab: str = "") -> Asked:
        asked = ask(self.session, "ann", tab)
        assert asked.is_reask
        return asked

    def tell(self, asked: Asked, same: bool | None = None) -> int:
        self.keys += 1
        (item,), (guess,) = asked.question.items, asked.question.guess
        same = bool(self.truth[item]) is guess if same is None else same
        said = asked.question.yes() if same else asked.question.no()
        return self.session.tell(asked.id, said, f"key {self.keys}").number

    def look(self) -> Consistency:
        found = self.session.reask.consistency("ann")
        assert found is not None
        return found

    def sample(self) -> Sample:
        found = self.session.history.reasks.of("ann")
        assert found is not None
        return found

    def replayed(self) -> Consistency | None:
        return consistency_of(History.of(self.n, self.store.read()), "ann")


def test_a_reask_shows_one_label_that_the_person_gave_as_it_was_given() -> None:
    asking = Asking(wrong=[7])
    asking.want(60)
    shown = set()
    for position in range(60):
        asked = asking.reask()
        (item,), (guess,) = asked.question.items, asked.question.guess
        assert guess is (bool(asking.truth[item]) ^ (item == 7))
        assert asked.check == position
        assert asked.planted == ()
        shown.add(item)
        asking.tell(asked)
    assert shown == set(range(60))
    assert asking.session.ask("ann") is None
    assert asking.look().same == 59
    assert asking.look().at_most == 1  # everything was asked: item 7, and nothing else


def test_what_is_drawn_is_what_the_seed_draws_from_all_that_is_left() -> None:
    asking = Asking()
    asking.want(3)
    left = list(range(60))
    for position in range(3):
        asked = asking.reask()
        assert asked.question.items == tuple(draw(SEED, position, np.array(left), 1).tolist())
        left.remove(asked.question.items[0])
        asking.tell(asked)


def test_reasks_teach_nothing_and_are_no_audits_in_the_count_of_audits() -> None:
    asking = Asking()
    before = asking.session.state.labels()
    asking.want(5)
    for _ in range(5):
        asking.tell(asking.reask(), same=False)
    assert np.array_equal(asking.session.state.labels(), before)
    assert asking.session.history.audits.agreement.trials == 0
    assert asking.session.history.audits.errors() == (0, 0)
    assert asking.look().same == 0
    assert asking.look().at_most >= 5


def test_only_labels_said_outright_by_that_person_are_asked_again() -> None:
    asking = Asking(n=64, labelled=30)
    asking.label(range(30, 40), "bob")
    asking.session.tell(None, Question((50, 51), (True, True)).no(), "no", "ann")
    asking.session.tell(None, Question((50,), (True,)).yes(), "yes", "ann")  # 51 is deduced
    assert asking.session.state.label(51) is False
    asking.want(40)
    assert asking.look().labels == 31
    assert asking.sample()._members.nonzero()[0].tolist() == [*range(30), 50]


def test_reasks_come_one_in_so_many_questions_and_in_a_row_when_nothing_else_is_left() -> None:
    asking = Asking(n=100, labelled=60)
    asking.want(20, every=4)
    kinds = []
    while (asked := asking.session.ask("ann")) is not None:
        kinds.append(asked.is_reask)
        if asked.is_reask:
            asking.tell(asked)
        else:
            asking.session.tell(asked.id, asked.question.yes(), f"plain {asked.id}")
    assert sum(kinds) == 20
    until = len(kinds) - kinds[::-1].index(False)
    between = np.diff(np.flatnonzero(kinds[:until]))
    assert set(between.tolist()) == {4}
    assert len(kinds) > until  # the rest came in a row


def test_a_reask_is_the_windows_question_until_it_is_answered_and_no_other_windows() -> None:
    asking = Asking()
    asking.want(3)
    first = asking.reask("a")
    assert asking.reask("a") == first
    second = asking.reask("b")
    assert second.check == 1
    asking.tell(second)
    assert asking.look().pending == 1
    asking.tell(first)
    assert (asking.look().pending, asking.look().asked) == (0, 2)


def test_what_comes_after_a_reask_is_not_planned_ahead_while_one_is_due() -> None:
    asking = Asking(n=100)
    plain = ask(asking.session, "ann")
    assert asking.session.queue.plan_ahead(plain.id)
    asking.want(2)
    assert asking.session.queue.plan_ahead(plain.id) == {}
    asking.session.tell(plain.id, plain.question.yes(), "plain")
    assert asking.reask().check == 0


def test_undoing_a_reask_asks_it_again_and_what_is_said_then_counts() -> None:
    asking = Asking()
    asking.want(1)
    asked = asking.reask()
    asking.tell(asked, same=False)
    assert asking.look().same == 0
    again = asking.session.undo("ann")
    assert again is not None
    assert again.is_reask
    assert again.question == asked.question
    assert (asking.look().asked, asking.look().pending) == (0, 1)
    asking.tell(again, same=True)
    assert (asking.look().asked, asking.look().same, asking.look().pending) == (1, 1, 0)
    assert len(asking.sample().draws) == 1
    assert asking.replayed() == asking.look()


def test_a_retracted_reask_waits_and_only_those_before_it_count() -> None:
    asking = Asking(n=400, labelled=400)
    asking.want(40)
    numbers = [asking.tell(asking.reask()) for _ in range(40)]
    bound = asking.look().at_most
    asking.session.retract(numbers[0], "ann")
    assert asking.look().at_most == 361  # 39 of 400 were asked again and stand
    again = asking.reask()
    assert again.check == 0
    asking.tell(again)
    assert asking.look().at_most == bound


def test_a_correction_is_a_change_whether_the_label_was_asked_again_or_not() -> None:
    asking = Asking(n=400, labelled=400)
    asking.want(60)
    for _ in range(30):
        asked = asking.reask()
        asking.tell(asked)
    clean = asking.look()
    (item,) = asked.question.items
    asking.session.correct(item, not asking.truth[item], "ann")
    after = asking.look()
    assert (after.changed, after.same) == (1, 30)
    assert after.at_most > clean.at_most - 1  # a label that had passed was changed after all
    undrawn = next(i for i in range(400) if asking.sample()._inside[i])
    asking.session.correct(undrawn, not asking.truth[undrawn], "ann")
    assert asking.look().changed == 2
    assert asking.look().at_most == after.at_most - 1  # found, and no longer to be changed
    next_one = asking.reask()
    assert asking.sample().draws[-1].left == 400 - 30 - 1
    asking.tell(next_one)
    assert asking.replayed() == asking.look()


def test_correcting_what_was_denied_takes_it_off_what_is_left() -> None:
    asking = Asking(wrong=[7])
    asking.want(60)
    for _ in range(60):
        asking.tell(asking.reask())
    asking.session.correct(7, bool(asking.truth[7]), "ann")
    assert (asking.look().changed, asking.look().at_most) == (1, 0)


def test_an_item_that_cannot_be_told_is_a_change() -> None:
    asking = Asking()
    asking.want(2)
    asked = asking.reask()
    asking.session.unsure(asked.question.items[0], annotator="ann")
    assert (asking.look().changed, asking.look().pending) == (1, 0)
    assert asking.reask().check == 1


@pytest.mark.parametrize("gone", [(), (4,)])
def test_labels_that_mean_something_else_or_are_of_other_items_are_frozen_anew(
    gone: tuple[int, ...],
) -> None:
    asking = Asking()
    asking.session.define("a cat")
    asking.want(2)
    asking.tell(asking.reask())
    asking.session.define("a cat")
    assert asking.session.reask.consistency("ann") is not None
    if gone:
        asking.session._log.commit(asking.session._log.event(Updated(gone=gone)))
    else:
        asking.session.define("a cat or a lynx")
    assert asking.session.reask.consistency("ann") is None
    asking.want(1)
    assert asking.look().labels == 60 - len(gone)
    assert asking.sample().alpha == pytest.approx(share_of_alpha(1))
    assert share_of_alpha(0) + share_of_alpha(1) < 0.05


def test_labels_that_came_later_are_said_to_be_left_out_until_they_are_many() -> None:
    asking = Asking(n=120)
    asking.want(1)
    asking.tell(asking.reask())
    asking.label(range(60, 80))
    assert (asking.look().labels, asking.look().later) == (60, 20)
    assert any("20 labels that you gave later" in one for one in asking.look().says())
    asking.want(1)
    assert asking.look().labels == 60
    asking.label(range(80, 100))
    asking.want(1)
    assert (asking.look().labels, asking.look().later, asking.look().asked) == (100, 0, 0)


def test_too_few_labels_are_not_asked_again() -> None:
    asking = Asking(n=9, labelled=0)
    with pytest.raises(Refused, match="10 labels"):
        asking.want(5)


@pytest.mark.parametrize(("count", "every"), [(-1, 1), (1, 0), (1.5, 1), (True, 1)])
def test_numbers_that_make_no_sense_are_refused(count: Any, every: Any) -> None:
    with pytest.raises(Refused, match="whole number"):
        Asking().session.reask.want("ann", count, every)


def test_what_is_said_names_what_cannot_be_seen() -> None:
    asking = Asking(n=400, labelled=400)
    asking.want(60)
    assert asking.look().says() == []
    for _ in range(60):
        asking.tell(asking.reask())
    says = asking.look().says()
    assert says[0] == "You agreed with yourself in 60 of 60 labels that were asked again."
    assert says[1].startswith("You would change at most ")
    assert asking.look().share == asking.look().at_most / 400 < 0.07
    assert "mistake that you would make again cannot be seen" in says[-1]
    rounded = Consistency("ann", 1000, 0, 20, 20, 0, 141, 0).says()[1]
    assert rounded.startswith("You would change at most 14.1 % of the 1,000 labels")  # not 14


def test_a_restart_says_the_same() -> None:
    asking = Asking(wrong=[3, 8])
    asking.want(20)
    for _ in range(12):
        asking.tell(asking.reask())
    waiting = asking.reask()
    before = asking.look()
    asking.open()
    assert asking.look() == before == asking.replayed()
    again = asking.session.ask("ann")
    assert again is not None
    assert again.question == waiting.question
    assert again.check == 12


def _other_item(said: dict[str, Any]) -> None:
    said["items"] = [(said["items"][0] + 1) % 60]


def _other_guess(said: dict[str, Any]) -> None:
    said["guess"] = [not said["guess"][0]]


def _later_draw(said: dict[str, Any]) -> None:
    said["check"] = 5


def _other_sample(said: dict[str, Any]) -> None:
    said["claim"] = 2


def _planted(said: dict[str, Any]) -> None:
    said["planted"] = said["items"]


@pytest.mark.parametrize(
    "change", [_other_item, _other_guess, _later_draw, _other_sample, _planted]
)
def test_a_reask_that_the_seed_does_not_draw_is_damage(
    change: Callable[[dict[str, Any]], None],
) -> None:
    asking = Asking()
    asking.want(1)
    asking.reask()
    events = list(asking.store.read())
    assert events[-1].kind == "asked"
    assert events[-1].format == NEWEST_FORMAT
    said = dict(events[-1].payload)
    change(said)
    with pytest.raises(Damaged, match=f"Event {events[-1].number}"):
        History.of(60, [*events[:-1], replace(events[-1], payload=said)])


@pytest.mark.parametrize("said", [{"seed": "xyz"}, {"alpha": 0.5}, {"alpha": 0}, {"expected": -1}])
def test_a_freeze_that_no_session_wrote_is_damage(said: Mapping[str, Any]) -> None:
    asking = Asking()
    asking.want(1)
    events = list(asking.store.read())
    at = next(i for i, event in enumerate(events) if event.kind == "reasking")
    changed = Event("reasking", "ann", {**events[at].payload, **said}, number=events[at].number)
    with pytest.raises(Damaged):
        History.of(60, [*events[:at], changed])


def test_an_ordinary_question_names_no_draw() -> None:
    with pytest.raises(InvalidInput, match="names its claim"):
        Asked(Question((1,), (True,)), claim=3, check=0)


def test_the_truth_is_never_rejected_more_often_than_promised() -> None:
    """The bound after every answer, over many seeds, against how many would be changed."""
    rng = np.random.default_rng(0)
    runs, false = 60, 0
    for _ in range(runs):
        wrong = set(rng.choice(100, 6, replace=False).tolist())
        asking = Asking(n=100, labelled=100, wrong=wrong)
        asking.session.reask.want("ann", 30, 1, rng.bytes(16).hex())
        bad = False
        for _ in range(30):
            asking.tell(asking.reask())
            bad |= asking.look().at_most < len(wrong)
        false += bad
    assert false / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
