"""Every view does what it offers; axe finds nothing in it, in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import profile, table_of
from tests.browser.labels import NAMES, SURE, Pool, exported, wrong_labels
from tests.browser.person import Person, keys
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

VIEWS = ("label", "progress", "answers", "gallery", "review", "finish", "settings")
DIALOGS = {"zoom": "i", "definition": "d", "help": "?"}


@pytest.fixture(scope="module")
def labelled(
    garments: Pool, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Person, dict[str, bool]]]:
    """A person in the middle of a pool, for all tests here; the last of them finishes it."""
    place = tmp_path_factory.mktemp("views")
    table, truth = table_of(garments, place)
    server = Server("label", table, *SURE, *NAMES, "--definition", "Worn on the feet.", cwd=place)
    try:
        for context in profile(browser):
            page = context.new_page()
            page.goto(server.start())
            person = Person(page, truth.__getitem__)
            person.confirm_definition()
            for _ in range(36):
                seen = person.look()
                assert seen is not None
                keys(person, seen)
            yield person, truth
    finally:
        server.stop()


def test_axe_finds_nothing_in_any_view_in_light_and_dark(
    labelled: tuple[Person, dict[str, bool]], shoot: Callable[[Page, str], None]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found: list[str] = []
    page = labelled[0].page
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        # what is not a colour is the same in the dark
        rules = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
        for view in VIEWS:
            go(page, view)
            page.wait_for_timeout(300)
            shoot(page, f"{view}-{scheme}")
            found += _violations(axe, page, f"{view}, {scheme}", rules)
        go(page, "label")
        labelled[0].look()
        for name, opener in DIALOGS.items():
            page.keyboard.press(opener)
            page.wait_for_selector("dialog[open]")
            page.wait_for_timeout(150)
            shoot(page, f"{name}-{scheme}")
            found += _violations(axe, page, f"{name}, {scheme}", rules)
            page.keyboard.press("Escape")
            page.wait_for_selector("dialog", state="detached")
    assert found == []


def test_pages_fit_a_telephone(
    labelled: tuple[Person, dict[str, bool]], shoot: Callable[[Page, str], None]
) -> None:
    page = labelled[0].page
    page.set_viewport_size({"width": 390, "height": 844})
    for view in VIEWS:
        go(page, view)
        page.wait_for_timeout(300)
        shoot(page, f"{view}-telephone")
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, view


def test_up_to_24_tiles_fit_a_desktop_window_without_scrolling(
    labelled: tuple[Person, dict[str, bool]],
) -> None:
    page = labelled[0].page
    sizes = page.evaluate(
        """async () => {
          const {shape} = await import("/static/js/asking/places.js");
          const found = [];
          for (const [width, height] of [[1250, 520], [1570, 640], [360, 480]]) {
            for (let n = 1; n <= 24; n += 1) {
              const {columns, rows, width: tile} = shape(n, width, height);
              found.push([columns * (tile + 12) - 12 <= width, rows * (tile + 12) - 12 <= height,
                          columns * rows >= n, tile >= 60]);
            }
          }
          return found;
        }"""
    )
    assert all(all(checks) for checks in sizes)


def test_page_without_the_link_says_what_to_do(
    labelled: tuple[Person, dict[str, bool]], context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(labelled[0].page.url.partition("#")[0])
    assert "link" in page.locator("body").inner_text()


def test_every_view_works_and_corrections_leave_every_label_right(
    labelled: tuple[Person, dict[str, bool]],
) -> None:
    person, truth = labelled
    page = person.page
    page.set_viewport_size({"width": 1280, "height": 800})
    _retract_one(page)
    _correct_one_wrongly_and_back(page)
    _change_the_settings(page)
    go(page, "label")
    person.label_everything(keys)
    go(page, "review")
    page.wait_for_selector(".calm, .cards")
    while page.get_by_role("button", name="These are right").count():
        before = page.locator("main [role=status]").inner_text()
        page.get_by_role("button", name="These are right").click()
        page.wait_for_function(
            "b => document.querySelector('main [role=status]')?.textContent !== b", arg=before
        )
    rows = exported(page)
    assert wrong_labels(rows, truth) == []
    assert "footwear" in page.locator("#methods").inner_text()


def test_texts_are_cards_that_can_be_read(
    tmp_path: Path, serve: Callable[..., Server], context: BrowserContext,
    shoot: Callable[[Page, str], None],
) -> None:  # fmt: skip
    kinds = ("Kind and quick, I shall come again", "Cold soup and a wrong bill, never again")
    rows = [
        f'"{kinds[n % 2]}, said guest {n}. {"It rained. " * (n % 9)}",{0.95 - 0.9 * (n % 2)}'
        for n in range(60)
    ]
    table = tmp_path / "reviews.csv"
    table.write_text("\n".join(["text,prob", *rows]) + "\n")
    page = context.new_page()
    server = serve("label", table, "--text", "text", "--prob", "prob", "--positive",
                   "praise", "--negative", "complaints")  # fmt: skip
    page.goto(server.link)
    person = Person(page, lambda name: int(re.sub(r"\D", "", name)) % 2 == 0)
    person.confirm_definition()
    largest = 0
    while (seen := person.look()) is not None:
        if len(seen.names) > largest:
            largest = len(seen.names)
            shoot(page, "texts")
        keys(person, seen)
    assert largest > 1


def go(page: Page, view: str) -> None:
    """Open a view."""
    page.evaluate("view => { location.hash = view; }", view)
    page.wait_for_function("view => document.body.dataset.view === view", arg=view)


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
    page.select_option("#label", "positive")
    turned = page.locator(f'.card[data-item="{item}"][data-label="positive"]')
    turned.get_by_role("button").click()
    page.get_by_role("button", name="This is other clothing").click()
    page.select_option("#label", "negative")
    page.wait_for_selector(f'.card[data-item="{item}"][data-label="negative"]')


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


def _violations(axe: object, page: Page, where: str, rules: dict[str, Any]) -> list[str]:
    found = axe.run(page, options=rules)  # type: ignore[attr-defined]
    return [
        f"{where}: {problem['id']} at {[node['target'] for node in problem['nodes']][:3]}"
        for problem in found.response["violations"]
    ]
