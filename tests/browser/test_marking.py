"""Several tiles are marked at once; none of them, or all but some, is one key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.labels import Pool, answers_stored
from tests.browser.person import Person, Seen

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

GUESS_THE_OPPOSITE = """async () => {
  const {flow, session} = (await import("/static/js/app.js")).app;
  const sentence = {...flow.question.sentence, name: session.negative.many};
  const question = {...flow.question, guess: false, sentence};
  flow.accept({question, done: false}, "same");
}"""


@pytest.fixture
def group(sure: Pool, begin: Callable[..., Person]) -> tuple[Person, Seen]:
    """Somebody who is asked about four tiles or more."""
    person = begin(sure)
    return person, person.answer_until_group(4)


def _marked(page: Page) -> list[int]:
    """The places of the tiles that are marked."""
    found: list[int] = page.evaluate(
        """() => [...document.querySelectorAll(".grid .tile")]
          .flatMap((tile, place) => tile.getAttribute("aria-pressed") === "true" ? [place] : [])"""
    )
    return found


def test_shift_marks_a_range_by_click_and_by_letter(group: tuple[Person, Seen]) -> None:
    person, seen = group
    tiles = person.page.locator(".grid .tile")
    tiles.nth(0).click()
    tiles.nth(2).click(modifiers=["Shift"])
    assert _marked(person.page) == [0, 1, 2]
    person.page.keyboard.press("Escape")
    person.page.keyboard.press(seen.letters[3])
    person.page.keyboard.press(f"Shift+{seen.letters[1]}")
    assert _marked(person.page) == [1, 2, 3]
    person.page.keyboard.press(seen.letters[3])  # unmarked, and so is a range from there
    person.page.keyboard.press(f"Shift+{seen.letters[2]}")
    assert _marked(person.page) == [1]


def test_drawing_over_tiles_marks_them_and_once_more_unmarks_them(
    group: tuple[Person, Seen],
) -> None:
    person, _ = group
    page = person.page
    for marked in ([0, 1, 2], []):
        boxes = [page.locator(".grid .tile").nth(place).bounding_box() for place in range(3)]
        for place, box in enumerate(boxes):
            assert box is not None
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            if place == 0:
                page.mouse.down()
        page.mouse.up()
        assert _marked(page) == marked
    page.locator(".grid .tile").nth(1).click()  # a click is a click again
    assert _marked(page) == [1]


def test_marks_are_inverted_by_key_and_by_button(group: tuple[Person, Seen]) -> None:
    person, seen = group
    page = person.page
    page.locator(".grid .tile").nth(0).click()
    page.keyboard.press("Shift+i")
    assert _marked(page) == list(range(1, len(seen.names)))
    page.locator("#invert").click()
    assert _marked(page) == [0]


@pytest.mark.parametrize("way", ["key", "button"])
def test_none_of_them_settles_the_whole_question(group: tuple[Person, Seen], way: str) -> None:
    person, seen = group
    page = person.page
    before = answers_stored(page)
    if way == "key":
        page.keyboard.press("Shift+n")
    else:
        page.wait_for_timeout(150)  # sooner it would be taken for a double click
        page.locator("#answer-none").click()
    page.wait_for_function(
        "b => document.querySelector('.grid').dataset.shown !== b", arg=seen.shown
    )
    person.wait_until_saved()
    assert answers_stored(page) == before + 1
    latest = page.evaluate("() => fetch('/api/answers').then((reply) => reply.json())")[0]
    assert latest["kind"] == "pointed"
    assert sorted(latest["wrong"]) == sorted(seen.items)


def test_a_single_tile_is_not_marked_and_none_of_it_is_no(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(sure)
    page = person.page
    assert len(person.question().names) == 1
    page.keyboard.press("Shift+i")
    assert page.locator("#answer-none").is_hidden()
    assert page.locator("#answer-yes").is_visible()


def test_marks_are_dropped_when_the_guess_changes(
    three: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(three)
    person.point_at(person.question(), 0)
    seen = person.question()
    assert (seen.guess, seen.marked) == (True, (0,))
    person.page.evaluate(GUESS_THE_OPPOSITE)  # the mark would now say that it is footwear
    after = person.question()
    assert (after.guess, after.marked) == (False, ())
    assert after.names == seen.names
