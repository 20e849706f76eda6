"""A simulated person labels a pool through the page, and every exported label is right."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askless.pools.demo import PICTURES
from tests.browser.conftest import table_of
from tests.browser.labels import Pool, answers_stored, exported, places, wrong_labels
from tests.browser.opening import sit_down
from tests.browser.person import By, Person, Seen
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser

LEARNING = re.compile(r"Looking at your pictures: \d+ %|The model is still learning")
SLIP, DOUBT, RELOAD, DEATH, NO_NETWORK, SECOND_WINDOW = 4, 9, 36, 50, 65, 80


@pytest.mark.parametrize("by", ["keys", pytest.param("pointer", marks=pytest.mark.long)])
def test_person_labels_the_whole_demo_whatever_happens(
    by: By, serve: Callable[..., Server], context: BrowserContext,
    shoot: Callable[[Page, str], None],
) -> None:  # fmt: skip
    with np.load(PICTURES) as stored:
        truth = {str(number): bool(label) for number, label in enumerate(stored["footwear"])}
    person = sit_down(context, serve("demo"), truth.__getitem__, by)
    first = person.question()
    assert len(first.names) == 1
    assert person.page.locator(".chips", has_text=LEARNING).is_visible()
    assert person.page.locator(".chips", has_text="test split").is_visible()
    unsure: list[str] = []

    def meanwhile(seen: Seen) -> Seen:
        if len(seen.names) >= 12:
            shoot(person.page, f"large-question-{by}")
        if person.answered == SLIP:
            person.slip(seen)
            person.look()
            person.undo()
            _shows(person.page, seen.names[0])
        elif person.answered == DOUBT and not unsure:
            unsure.append(seen.names[0])
            person.cannot_tell(seen, 0, "too blurred")
        elif person.answered == RELOAD:
            person.wait_until_saved()
            shown = person.question().names
            person.page.reload()
            assert person.question().names == shown
        elif person.answered == DEATH:
            _without(person, person.server.kill, person.server.start)
        elif person.answered == NO_NETWORK:
            network = context.set_offline
            _without(person, lambda: network(True), lambda: network(False))
        elif person.answered == SECOND_WINDOW:
            _in_a_second_window(person, context)
        return person.question()

    person.label_everything(meanwhile)
    shoot(person.page, f"everything-settled-{by}")
    rows = exported(person.page)
    assert len(rows) == len(truth)
    assert person.answered > SECOND_WINDOW
    assert [(rows[name]["label"], rows[name]["how"]) for name in unsure] == [("", "unsure")]
    assert wrong_labels(rows, truth, but=unsure) == []
    assert person.answered < len(truth) / 2


def test_plain_yes_and_no_are_enough(
    garments: Pool, tmp_path: Path, begin: Callable[..., Person]
) -> None:
    # labels that no model can learn, so that guesses go wrong here and there to the end
    folder, truth = garments
    at_random = np.random.default_rng(1).permutation(list(truth.values())).tolist()
    unlearnable = dict(zip(truth, at_random, strict=True))
    table, right = table_of((folder, unlearnable), tmp_path, share_right=0.9)
    person = begin((table, right), by="plain keys")
    person.label_everything()
    assert wrong_labels(exported(person.page), right) == []
    assert person.answered < len(right)


def test_tiles_that_remain_after_a_plain_no_keep_their_places(
    three: Pool, begin: Callable[..., Person]
) -> None:
    right = three[1]
    person = begin(three, by="plain keys")
    seen = person.question()
    assert set(seen.names) == set(right)
    before = places(person.page)
    person.wait_until_prepared()
    person.answer(seen)
    after = person.question()
    assert set(after.names) < set(right)
    assert places(person.page) == {name: before[name] for name in after.names}
    person.label_everything()
    assert wrong_labels(exported(person.page), right) == []


def test_undo_takes_back_what_this_window_answered_and_says_when_there_is_nothing(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(sure)
    person.question()
    person.undo()
    person.page.wait_for_selector(".notice:has-text('no answer to take back')")
    seen = person.question()
    person.answer(seen)
    person.wait_until_saved()
    person.undo()
    _shows(person.page, seen.names[0])
    assert answers_stored(person.page) == 0


def _without(person: Person, goes: Callable[[], object], returns: Callable[[], object]) -> None:
    """Answer three questions while something that is needed is away."""
    person.wait_for_room(4)
    before = answers_stored(person.page)
    goes()
    for _ in range(3):
        person.answer(person.question())
    person.page.wait_for_selector('#saved[data-state="lost"]')
    returns()
    person.wait_until_saved()
    assert answers_stored(person.page) == before + 3


def _in_a_second_window(person: Person, context: BrowserContext) -> None:
    """Answer some questions there and some here, then close it."""
    other = Person(context.new_page(), person.truth, person.by)
    other.page.goto(person.page.url)
    for _ in range(3):
        for somebody in (person, other):
            somebody.wait_until_saved()  # from then on the page shows what the server has put
            somebody.answer(somebody.question())
    other.wait_until_saved()
    other.page.close()
    person.page.bring_to_front()


def _shows(page: Page, name: str) -> None:
    page.wait_for_function(
        "one => [...document.querySelectorAll('.tile')].some(t => t.title === one)", arg=name
    )
