"""Every view does what it offers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.labels import SURE_COLUMNS, Pool, exported, go, wrong_labels
from tests.browser.person import Person
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

pytestmark = pytest.mark.browser

TYPE = """texts => {
  const field = document.getElementById("q");
  for (const text of texts) {
    field.value = text;
    field.dispatchEvent(new Event("input"));
  }
}"""


def test_every_view_works_and_corrections_leave_every_label_right(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(sure)
    page = person.page
    for _ in range(12):
        person.answer(person.question())
    person.wait_until_saved()
    person.cannot_tell(person.question(), 0, "")
    _retract_one(page)
    _correct_one_wrongly_and_back(page)
    _change_the_settings(page)
    _finish_before_anything_else_is_known(page)
    _ask_again_what_was_mark_unsure(page)
    go(page, "label")
    person.label_everything()
    page.get_by_role("button", name="Undo the last answer").click()
    page.wait_for_selector(".ask:not([hidden])")
    assert person.look() is not None
    person.label_everything()
    go(page, "review")
    page.wait_for_selector(".calm, .cards")
    while page.get_by_role("button", name="These are right").count():
        before = page.locator("main [role=status]").inner_text()
        page.get_by_role("button", name="These are right").click()
        page.wait_for_function(
            "b => document.querySelector('main [role=status]')?.textContent !== b", arg=before
        )
    rows = exported(page)
    assert wrong_labels(rows, sure[1]) == []
    assert "footwear" in page.locator("#methods").inner_text()


def test_page_without_the_link_says_what_to_do(
    sure: Pool, serve: Callable[..., Server], context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(serve("label", sure[0], *SURE_COLUMNS).link.partition("?")[0])
    assert "link" in page.locator("body").inner_text()


def test_search_asks_once_for_what_was_typed_and_an_older_reply_never_replaces_a_newer_one(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    page = begin(sure).page
    go(page, "gallery")
    page.select_option("#label", "open")
    page.wait_for_selector("main [role=status]:has-text('80 items')")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    held: list[Route] = []
    page.route(re.compile(r"[?&]q=000(&|$)"), lambda route: held.append(route))
    with page.expect_request(re.compile("/api/gallery")):
        page.evaluate(TYPE, ["0", "00", "000"])
    page.evaluate(TYPE, ["0001"])
    page.wait_for_selector("main [role=status]:has-text('1 item')")
    held[0].fulfill(response=held[0].fetch())
    page.evaluate("() => fetch('/api/session')")  # by now the page has seen it
    assert page.locator("main [role=status]").inner_text() == "1 item"
    assert len([url for url in asked if "/api/gallery" in url]) == 2


def _retract_one(page: Page) -> None:
    go(page, "answers")
    row = page.locator(".history > li").first
    number = row.get_attribute("data-answer")
    row.get_by_role("button", name="Take back").click()
    page.wait_for_selector(f'.history li.taken-back[data-answer="{number}"]')


def _correct_one_wrongly_and_back(page: Page) -> None:
    go(page, "gallery")
    page.select_option("#label", "negative")
    page.wait_for_selector('.cards .card[data-label="negative"]')
    page.wait_for_function("() => !document.querySelector('.card[data-label=positive]')")
    card = page.locator(".cards .card").first
    item = card.get_attribute("data-item")
    card.get_by_role("button").click()
    page.get_by_role("button", name="This is footwear").click()
    page.wait_for_selector(f'.card[data-item="{item}"]', state="detached")
    page.get_by_role("button", name="Turn back").click()
    page.wait_for_selector(f'.card[data-item="{item}"][data-label="negative"]')


def _finish_before_anything_else_is_known(page: Page) -> None:
    """What the finish screen says must not depend on other requests."""
    others = re.compile("/api/(ask|events|progress)")
    page.route(others, lambda route: route.abort())
    go(page, "finish")
    page.reload()
    page.wait_for_selector(".figures .stat")
    assert page.locator("h1").inner_text() == "Your labels so far"
    page.unroute(others)


def _ask_again_what_was_mark_unsure(page: Page) -> None:
    go(page, "gallery")
    page.select_option("#label", "unsure")
    page.wait_for_selector("main [role=status]:has-text('1 item')")
    page.locator('.card[data-label="none"] button').click()
    page.get_by_role("button", name="Ask me again").click()
    page.wait_for_selector("main [role=status]:has-text('0 items')")


def _change_the_settings(page: Page) -> None:
    go(page, "settings")
    page.fill("#definition", "Worn on the feet, outdoors or in.")
    page.locator("form", has=page.locator("#definition")).get_by_role("button").click()
    page.wait_for_selector(".notice:has-text('Saved')")
    page.fill("#most", "6")
    page.locator("form", has=page.locator("#most")).get_by_role("button").click()
    page.wait_for_function(
        "() => fetch('/api/session').then(r => r.json()).then(s => s.max_n === 6)"
    )
