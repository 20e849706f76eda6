"""A simulated person labels a pool through the page, and every exported label is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askless.pools.demo import PICTURES
from tests.browser.labels import NAMES, SURE, Pool, exported, places, wrong_labels
from tests.browser.person import Person, Seen, keys, plain_keys, pointing
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser


def test_person_with_a_keyboard_labels_the_pool(
    pool: Pool, serve: Callable[..., Server], context: BrowserContext,
    shoot: Callable[[Page, str], None],
) -> None:  # fmt: skip
    folder, truth = pool
    page = context.new_page()
    page.goto(serve("label", folder, *NAMES).link)
    page.wait_for_selector("dialog[open]")
    shoot(page, "first-minute")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("Worn on the feet.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    person = Person(page, truth.__getitem__)
    seen = person.look()
    assert seen is not None
    shoot(page, "first-question")
    assert len(seen.names) == 1
    assert page.locator(".chips", has_text="The model is still learning").is_visible()
    assert page.locator(".chips", has_text="test split").is_visible()

    # a slip, noticed and undone: the same question comes back
    person.answer_by_keys(_opposite(person, seen), plain=True)
    person.look()
    page.keyboard.press("z")
    page.wait_for_function(
        "one => document.querySelector('.tile')?.title === one", arg=seen.names[0]
    )

    # one that cannot be told
    seen = person.look()
    assert seen is not None
    unsure = seen.names[0]
    if len(seen.names) > 1:
        page.keyboard.press(seen.letters[0])
    page.keyboard.press("u")
    page.keyboard.type("too blurred")
    shoot(page, "unsure")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "one => ![...document.querySelectorAll('.tile')].some(t => t.title === one)", arg=unsure
    )

    person.label_everything(keys)
    shoot(page, "everything-settled")
    rows = exported(page)
    assert rows[unsure]["label"] == ""
    assert rows[unsure]["note"] == "too blurred"
    assert wrong_labels(rows, truth, but={unsure}) == []


def test_person_with_a_pointer_labels_the_pool(
    sure: Pool, serve: Callable[..., Server], context: BrowserContext
) -> None:
    table, truth = sure
    page = context.new_page()
    page.goto(serve("label", table, *SURE, *NAMES).link)
    person = Person(page, truth.__getitem__)
    person.confirm_definition()
    for _ in range(25):
        seen = person.look()
        assert seen is not None
        pointing(person, seen)
    page.reload()
    person.label_everything(pointing)
    assert wrong_labels(exported(page), truth) == []


def test_plain_yes_and_no_are_enough_and_remaining_tiles_keep_their_places(
    sure: Pool, serve: Callable[..., Server], context: BrowserContext
) -> None:
    table, truth = sure
    page = context.new_page()
    page.goto(serve("label", table, *SURE, *NAMES).link)
    person = Person(page, truth.__getitem__)
    person.confirm_definition()
    kept = 0
    while (seen := person.look()) is not None:
        before = places(page)
        refuted = len(seen.names) > 2 and bool(person.wrong(seen))
        plain_keys(person, seen)
        after = person.look()
        if refuted and after is not None and set(after.names) <= set(seen.names):
            now = places(page)
            assert now == {name: before[name] for name in now}
            kept += 1
    assert kept >= 1
    assert wrong_labels(exported(page), truth) == []
    assert person.answered < len(truth)


@pytest.mark.long
def test_person_labels_the_whole_demo(
    serve: Callable[..., Server], context: BrowserContext
) -> None:
    with np.load(PICTURES) as stored:
        footwear = stored["footwear"]
    page = context.new_page()
    page.goto(serve("demo").link)
    person = Person(page, lambda name: bool(footwear[int("".join(filter(str.isdigit, name)))]))
    person.confirm_definition()
    person.label_everything(keys)
    rows = exported(page)
    assert len(rows) == len(footwear)
    wrong = [name for name, row in rows.items() if row["label"] != str(person.truth(name)).lower()]
    assert wrong == []
    assert person.answered < len(footwear) / 2


def _opposite(person: Person, seen: Seen) -> Seen:
    """The same tiles with the other label guessed, so that the person errs."""
    wrong = bool(person.wrong(seen))
    truth = person.truth(seen.names[0])
    return Seen(
        seen.shown, truth if wrong else not truth, "", seen.names[:1], seen.letters, seen.items
    )
