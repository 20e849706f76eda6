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


VERDICT = """async ([figures, open]) =>
  (await import("/static/js/views/progress.js")).verdict(figures, open)"""
OUTSIDE = """selector => [...document.querySelectorAll(selector)].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight
    || one.scrollWidth > one.clientWidth && one.clientWidth;
}).map((one) => one.textContent)"""


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
    while page.locator("#review-right").count():
        page.evaluate("() => document.querySelector('.card').classList.add('looked-at')")
        page.locator("#review-right:enabled").click()
        page.wait_for_selector(".looked-at", state="detached")
    rows = exported(page)
    assert wrong_labels(rows, sure[1]) == []
    page.wait_for_function("document.querySelector('#methods')?.innerText.includes('footwear')")


def test_finish_tells_how_many_guesses_there_are_and_writes_them_into_their_own_column(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    page = begin(sure).page
    go(page, "finish")
    assert "guess" not in next(iter(exported(page).values()))
    page.check("#guesses")
    page.fill("#guess-above", "40")
    page.wait_for_selector("#guesses-told:has-text('from 50 to less than 100')")
    page.fill("#guess-above", "51")
    page.wait_for_selector("#guesses-told:has-text('guess above 51 %, in a column of its own')")
    told = page.locator("#guesses-told").inner_text()
    page.uncheck("#probability")
    rows = exported(page).values()
    guesses = [row["guess"] for row in rows if row["guess"]]
    assert told.startswith(f"{len(guesses)} rows have a guess")
    assert {row["label"] + row["probability"] for row in rows if row["certain"] == "false"} == {""}


def test_tabs_and_help_and_the_line_below_are_never_cut(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(sure)
    page = person.page
    person.question()
    page.wait_for_selector(".left .settled")
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OUTSIDE, ".tabs a, .left, .left .settled") == []
        assert page.locator(".left .settled").is_visible()
        page.keyboard.press("?")
        page.wait_for_selector("dialog[open] .help")
        assert page.evaluate(OUTSIDE, "dialog button") == []
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")


def test_progress_says_of_the_model_only_what_its_figures_bear_out(
    three: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(three)
    person.label_everything()
    go(person.page, "progress")
    person.page.wait_for_selector(".stat:has-text('nothing is open')")
    assert "grow" not in person.page.locator("main").inner_text()

    def verdict(right: float, commoner: float, *, learning: bool = False, n_open: int = 9) -> str:
        figures = {
            "labels_predicted": 200, "accuracy": right, "commoner_share": commoner,
            "learning": learning,
        }  # fmt: skip
        return str(person.page.evaluate(VERDICT, [figures, n_open]))

    assert "well" in verdict(0.97, 0.6)
    assert "better than the commoner label" in verdict(0.7, 0.5)
    assert "as often as the commoner label" in verdict(1.0, 1.0)
    assert "hard for it" in verdict(0.5, 0.6)
    assert "still learning" in verdict(0.5, 0.5, learning=True)
    assert "still learning" not in verdict(1.0, 1.0, learning=True, n_open=0)


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
    page.select_option("#certain", "no")
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
    page.select_option("#certain", "yes")
    page.select_option("#label", "negative")
    page.wait_for_selector('.cards .card[data-label="negative"]')
    page.wait_for_function("() => !document.querySelector('.card:not([data-label=negative])')")
    card = page.locator(".cards .card").first
    item = card.get_attribute("data-item")
    card.get_by_role("button", name="Look closer").click()
    page.locator("dialog").get_by_role("button", name="This is footwear").click()
    page.wait_for_selector(f'.card[data-item="{item}"]', state="detached")
    page.keyboard.press("z")  # the notice that offers it goes away by itself
    page.wait_for_selector(f'.card[data-item="{item}"][data-label="negative"]')
    page.select_option("#certain", "")


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
    page.locator('.card[data-label="none"] .card-button').click()
    page.get_by_role("button", name="Ask again").click()
    page.wait_for_selector("main [role=status]:has-text('0 items')")


def _fill(page: Page, values: dict[str, str]) -> None:
    for field, value in values.items():
        page.fill(field, value)


def _change_the_settings(page: Page) -> None:
    go(page, "settings")
    meaning = page.locator("form", has=page.locator("#definition"))
    names = {one: page.input_value(one) for one in ("#positive", "#positive-one")}
    _fill(page, dict.fromkeys(names, ""))
    meaning.get_by_role("button").click()
    page.wait_for_selector(".notice[data-kind=bad]:has-text('needs a name')")
    _fill(page, names | {"#definition": "Worn on the feet, outdoors or in."})
    meaning.get_by_role("button").click()
    page.wait_for_selector(".notice:has-text('Saved')")
    assert page.locator(".notice[data-kind=bad]").count() == 0
    page.fill("#most", "6")
    page.locator("form", has=page.locator("#most")).get_by_role("button").click()
    page.wait_for_function(
        "() => fetch('/api/session').then(r => r.json()).then(s => s.max_n === 6)"
    )
