"""The gallery chooses many and changes them in one step; the review stays put until one goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.labels import Pool, go
from tests.browser.person import Person

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser


@pytest.fixture
def begun(sure: Pool, begin: Callable[..., Person]) -> Person:
    """A dozen answers, and a definition that came after them: all of them are up for review."""
    person = begin(sure)
    for _ in range(12):
        person.answer(person.question())
    person.wait_until_saved()
    person.page.evaluate(
        "() => fetch('/api/definition', {method: 'POST', body: '{\"text\": \"Any shoe.\"}',"
        " headers: {'Content-Type': 'application/json'}})"
    )
    return person


def test_cards_are_chosen_by_click_range_frame_and_page_and_change_in_one_step(
    begun: Person,
) -> None:
    page = begun.page
    go(page, "gallery")
    page.select_option("#certain", "yes")
    page.wait_for_function("() => !document.querySelector('.card[data-label=none]')")
    cards = page.locator(".card-button")
    cards.nth(0).click()
    cards.nth(3).click(modifiers=["Shift"])
    assert _chosen(page) == [0, 1, 2, 3]
    cards.nth(1).click()
    assert _chosen(page) == [0, 2, 3]
    page.keyboard.press("Escape")
    _draw_a_frame(page, 1, 2)
    assert _chosen(page) == [1, 2]
    page.keyboard.press("a")
    assert len(_chosen(page)) == cards.count()
    before = _labels(page)
    assert {"positive", "negative"} <= set(before.values())
    page.get_by_role("button", name="These are footwear").click()
    page.wait_for_function("() => !document.querySelector('.card[data-label=negative]')")
    assert set(_labels(page)) == set(before)
    page.keyboard.press("z")  # the notice that offers it goes away by itself
    page.wait_for_selector('.card[data-label="negative"]')
    assert _labels(page) == before


def test_no_card_moves_when_one_is_chosen_on_a_telephone(begun: Person) -> None:
    page = begun.page
    page.set_viewport_size({"width": 390, "height": 844})
    go(page, "gallery")
    first = page.locator(".card-button").first
    first.wait_for()
    before = first.bounding_box()
    first.click()
    assert _chosen(page) == [0]
    assert first.bounding_box() == before
    page.keyboard.press("a")
    assert first.bounding_box() == before


def test_the_gallery_works_by_keys_alone(begun: Person) -> None:
    page = begun.page
    go(page, "gallery")
    page.wait_for_selector(".card")
    page.keyboard.press("ArrowDown")  # into the cards
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("Shift+ArrowRight")
    assert _chosen(page) == [1, 2]
    page.keyboard.press("u")
    page.wait_for_function("() => document.querySelectorAll('.card[data-label=none]').length >= 2")
    page.wait_for_selector(".card-how:text('no label')")
    assert page.evaluate("() => document.activeElement.className") == "card-button"
    page.keyboard.press("z")
    page.wait_for_selector(".card-how:text('no label')", state="detached")
    page.keyboard.press("i")
    page.wait_for_selector("dialog[open].zoom")
    page.keyboard.press("i")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] .help")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("() => document.activeElement.id") == "q"


def test_the_gallery_undoes_a_step_after_another_view_and_says_when_there_is_none(
    begun: Person,
) -> None:
    page = begun.page
    go(page, "gallery")
    page.wait_for_selector(".card")
    page.locator(".card-button").first.click()
    page.keyboard.press("u")
    page.wait_for_selector(".card-how:text('no label')")
    go(page, "progress")
    go(page, "gallery")
    page.wait_for_selector(".card-how:text('no label')")
    page.keyboard.press("z")
    page.wait_for_selector(".card-how:text('no label')", state="detached")
    page.keyboard.press("z")
    page.wait_for_selector(".notice:has-text('Nothing was changed here')")


def test_a_picture_is_enlarged_moved_and_lit_without_leaving_the_frame(begun: Person) -> None:
    page = begun.page
    go(page, "gallery")
    page.locator(".card-closer").first.click()
    frame, pan = page.locator(".zoom-frame"), page.locator(".pan")
    assert frame.get_attribute("data-scale") == "1.00"
    at_first = pan.evaluate("pan => pan.style.transform")
    frame.hover()
    page.mouse.wheel(0, -400)
    page.wait_for_function("() => document.querySelector('.zoom-frame').dataset.scale > 2")
    box = frame.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 3000, box["y"] + 3000, steps=3)
    page.mouse.up()
    edges = pan.evaluate(
        """pan => [pan, pan.parentElement].map((one) => one.getBoundingClientRect())
          .map((one) => [one.left, one.top])"""
    )
    assert edges[0] == pytest.approx(edges[1], abs=1)  # its corner, and no further
    page.get_by_label("Brightness").fill("200")
    assert "brightness(200%)" in pan.evaluate("pan => pan.style.filter")
    page.get_by_label("Brightness").press("ArrowRight")  # lights it, and goes to no other item
    assert page.locator(".zoom-name").inner_text().endswith("(1 of 60)")
    page.get_by_role("button", name="Reset").click()
    assert pan.evaluate("pan => pan.style.transform") == at_first
    page.keyboard.press("ArrowRight")
    assert page.locator(".zoom-name").inner_text().endswith("(2 of 60)")


def test_a_turned_label_stays_in_its_place_until_one_goes_on(begun: Person) -> None:
    page = begun.page
    go(page, "review")
    page.wait_for_selector(".card")
    before = _labels(page)
    items = list(before)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("t")
    page.wait_for_selector(f'.card[data-item="{items[1]}"]:not([data-changed=""])')
    assert list(_labels(page)) == items
    assert _labels(page)[items[1]] != before[items[1]]
    page.keyboard.press("t")  # and back
    page.wait_for_selector('.card:not([data-changed=""])', state="detached")
    assert _labels(page) == before
    page.keyboard.press("u")
    page.wait_for_selector(f'.card[data-item="{items[1]}"][data-changed="unsure"]')
    page.keyboard.press("z")
    page.wait_for_selector(f'.card[data-item="{items[1]}"][data-changed=""]')
    page.keyboard.press("t")
    page.wait_for_selector(f'.card[data-item="{items[1]}"]:not([data-changed=""])')
    page.keyboard.press("y")
    page.wait_for_function(
        "item => !document.querySelector(`.card[data-item='${item}']`)", arg=items[1]
    )


def test_a_list_that_the_model_has_had_no_say_in_comes_late_says_so_and_stays(
    begun: Person,
) -> None:
    page = begun.page
    asked: list[Route] = []

    def not_ready(route: Route) -> None:
        asked.append(route)
        reply = route.fetch()
        route.fulfill(response=reply, json={**reply.json(), "ready": False})

    page.route("**/api/review", not_ready)
    go(page, "review")
    page.wait_for_selector("main:has-text('Looking through your labels')")
    assert page.locator(".card").count() == 0
    page.wait_for_selector(".card")
    assert "The model has not gone through these labels yet" in page.locator("main").inner_text()
    items, times = list(_labels(page)), len(asked)
    page.wait_for_timeout(1500)  # longer than until the server was asked again
    assert (list(_labels(page)), len(asked)) == (items, times)
    page.unroute("**/api/review")
    page.keyboard.press("y")
    page.wait_for_selector("main:has-text('has not gone through')", state="detached")


def test_only_what_was_on_the_screen_is_said_to_be_right(begun: Person) -> None:
    page = begun.page
    page.set_viewport_size({"width": 390, "height": 844})
    told: list[Any] = []
    page.on("request", lambda request: told.append(request) if "reviewed" in request.url else None)
    go(page, "review")
    page.wait_for_selector("#review-right:enabled")
    items = list(_labels(page))
    assert len(items) > 6
    whole = page.evaluate(_WHOLE)
    assert 0 < len(whole) < len(items)
    page.keyboard.press("y")
    page.wait_for_function(
        "item => !document.querySelector(`.card[data-item='${item}']`)", arg=items[0]
    )
    (request,) = told
    assert [str(item) for item in request.post_data_json["items"]] == whole
    assert next(iter(_labels(page))) == items[len(whole)]


def test_the_review_shows_one_at_a_time_too(begun: Person) -> None:
    page = begun.page
    go(page, "review")
    page.wait_for_selector(".card")
    first, second, *_ = _labels(page)
    page.keyboard.press("g")
    assert list(_labels(page)) == [first]
    page.keyboard.press("ArrowRight")
    assert list(_labels(page)) == [second]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("i")
    page.wait_for_selector("dialog[open].zoom")
    page.keyboard.press("Escape")
    page.wait_for_selector("#review-right:enabled")
    page.keyboard.press("y")
    page.wait_for_function(
        "item => !document.querySelector(`.card[data-item='${item}']`)", arg=first
    )
    assert list(_labels(page)) == [second]
    page.keyboard.press("g")
    assert first in _labels(page)  # the grid stays put until one goes on


_WHOLE = """() => {
  const top = document.querySelector(".head").getBoundingClientRect().bottom;
  const bottom = document.querySelector(".sticky").getBoundingClientRect().top;
  return [...document.querySelectorAll(".card")].filter((card) => {
    const box = card.getBoundingClientRect();
    return box.top >= top - 1 && box.bottom <= bottom + 1;
  }).map((card) => card.dataset.item);
}"""


def _labels(page: Page) -> dict[str, str]:
    """The cards in order, with their labels."""
    found: dict[str, str] = page.evaluate(
        "() => [...document.querySelectorAll('.card')]"
        ".map((card) => [card.dataset.item, card.dataset.label])"
    )
    return dict(found)


def _chosen(page: Page) -> list[int]:
    found: list[bool] = page.evaluate(
        "() => [...document.querySelectorAll('.card-button')]"
        ".map((one) => one.getAttribute('aria-pressed') === 'true')"
    )
    return [place for place, chosen in enumerate(found) if chosen]


def _draw_a_frame(page: Page, first: int, last: int) -> None:
    boxes = [page.locator(".card-button").nth(place).bounding_box() for place in (first, last)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    page.mouse.move(boxes[0]["x"] + 20, boxes[0]["y"] + 20)
    page.mouse.down()
    page.mouse.move(boxes[1]["x"] + 20, boxes[1]["y"] + 40, steps=4)
    page.mouse.up()


def test_the_review_asks_again_and_says_what_it_cannot_see(
    sure: Pool, begin: Callable[..., Person], shoot: Callable[[Page, str], None]
) -> None:
    person = begin(sure)
    page = person.page
    for _ in range(12):
        person.answer(person.question())
    person.wait_until_saved()
    go(page, "review")
    page.get_by_text("A mistake that you would make again cannot be seen").wait_for()
    page.get_by_role("button", name="Ask me again about").click()
    page.wait_for_function("() => document.body.dataset.view === 'label'")
    for _ in range(9):  # no faster than the server: a page that is ahead of it has other questions
        person.answer(person.question())
        person.wait_until_saved()
    go(page, "review")
    again = page.locator("#review-again")
    again.get_by_text("You agreed with yourself in").wait_for()
    again.get_by_text("still to be asked again").wait_for()
    again.scroll_into_view_if_needed()
    shoot(page, "review-again")
