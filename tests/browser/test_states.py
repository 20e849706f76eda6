"""Every state of the page: axe finds nothing in it, in light and in dark, and it fits every window.

Each is kept as pictures, ``build/screens/STATE-telephone-dark.png`` and so on, to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.labels import Pool, go
from tests.browser.opening import WINDOW
from tests.browser.person import Person, Seen

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

pytestmark = pytest.mark.browser

WINDOWS: Final = {"telephone": (390, 844), "wide": (1920, 1080), "computer": WINDOW}
VIEWS: Final = {  # and what is there once it has loaded
    "progress": ".curve canvas", "answers": ".history > li", "gallery": ".card",
    "review": ".card", "finish": ".figures .stat", "settings": "#definition",
}  # fmt: skip
DIALOGS: Final = {"zoom": "i", "definition": "d", "help": "?"}
_AXE: Final = """async () => {
  const found = await axe.run({resultTypes: ["violations"]});
  const where = (one) => one.nodes.slice(0, 3).map((node) => node.target);
  return found.violations.map((one) => `${one.id} at ${where(one)}`);
}"""
_STILL: Final = """() => {  // pictures far below are not loaded until somebody gets there
  const inSight = (one) => one.getBoundingClientRect().top < innerHeight;
  return document.fonts.status === "loaded"
    && [...document.images].every((image) => image.complete || !inSight(image))
    && !document.querySelector(".ask.loading:not([hidden])");
}"""


_SIZES: Final = """async () => {
  const {shape} = await import("/static/js/asking/places.js");
  const found = [];
  for (const [width, height] of [[1250, 520], [1570, 640], [360, 480]]) {
    for (let n = 1; n <= 24; n += 1) {
      const {columns, rows, width: tile} = shape(n, width, height);
      found.push(columns * (tile + 12) - 12 <= width && rows * (tile + 12) - 12 <= height
        && columns * rows >= n && tile >= 60);
    }
  }
  return found;
}"""


class Inspector:
    """Looks at a page in every light and every window, and remembers what was wrong."""

    def __init__(self, page: Page, shoot: Callable[[Page, str], None]) -> None:
        self.page = page
        self.shoot = shoot
        self.found: list[str] = []
        self._axe = pytest.importorskip("axe_playwright_python.base").AXE_SCRIPT

    def look(self, state: str) -> None:
        """Look at the page as it is now, and leave it so."""
        self.page.wait_for_function(_STILL)
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(self._axe)
        for scheme in ("dark", "light"):
            self.page.emulate_media(color_scheme=scheme)
            self.found += [f"{state}, {scheme}: {one}" for one in self.page.evaluate(_AXE)]
            for name, (width, height) in WINDOWS.items():
                self.page.set_viewport_size({"width": width, "height": height})
                if self.page.evaluate("() => document.documentElement.scrollWidth > innerWidth"):
                    self.found.append(f"{state}, {width}: wider than the window")
                self.shoot(self.page, f"{state}-{name}-{scheme}")


def test_axe_finds_nothing_in_any_state_and_every_state_fits_every_window(
    sure: Pool, begin: Callable[..., Person], context: BrowserContext,
    shoot: Callable[[Page, str], None],
) -> None:  # fmt: skip
    person = begin(sure, "--definition", "Worn on the feet.", confirm=False)
    page = person.page
    eye = Inspector(page, shoot)
    page.wait_for_selector("dialog[open]")
    eye.look("first-minute")
    person.confirm_definition()
    person.question()
    eye.look("first-question")
    person.answer_until_group(3)
    eye.look("group")
    for name, opener in DIALOGS.items():
        page.keyboard.press(opener)
        page.wait_for_selector("dialog[open]")
        eye.look(name)
        _close(page)
    page.locator("#tool-unsure").click()
    page.wait_for_selector(".picking")
    eye.look("picking")
    page.locator(".tile").first.click()
    page.wait_for_selector("dialog[open]")
    eye.look("unsure")
    _close(page)
    page.locator(".tile").first.click()
    eye.look("marked")
    page.keyboard.press("Escape")
    _define(page, "Worn on the feet, indoors or out.")  # so that there is something to review
    for view, content in VIEWS.items():
        go(page, view)
        page.wait_for_selector(content)
        eye.look(view)
    _look_back(page, eye)
    go(page, "label")

    # without a server, until nothing is left to ask; then with one that refuses
    page.route("**/api/ahead", _few_in_advance)
    person.answer(person.question())
    person.wait_for_room(3)
    as_ada = person.server.args
    person.server.kill()
    person.answer(person.question())
    page.wait_for_selector('#saved[data-state="lost"]')
    eye.look("offline")
    while (seen := person.look()) is not None:
        person.answer(seen)
    page.wait_for_selector(".chip:has-text('No further question')")
    eye.look("offline-waiting")
    page.unroute("**/api/ahead")
    person.server.args = [*as_ada, "--annotator", "somebody else"]
    person.server.start()
    page.wait_for_selector("#refused")
    person.wait_until_saved()
    go(page, "answers")
    page.wait_for_selector(".refused-list")
    eye.look("not-taken")
    go(page, "label")

    other = Person(context.new_page(), person.truth)
    other.page.goto(person.page.url)
    while _is_settled(other, held := other.question()):
        other.answer(held)  # an audit: nobody would wait for that
    elsewhere = page.locator("h1:has-text('elsewhere')")
    while not elsewhere.is_visible():  # the page goes on by itself when something comes back
        if (seen := person.look()) is not None:
            person.answer(seen)
            person.wait_until_saved()  # what was planned ahead may be what the other window holds
        assert page.locator("main .screen a[href='#finish']").count() == 0
    eye.look("elsewhere")
    other.label_everything()
    eye.page.bring_to_front()
    page.wait_for_selector("main .screen a[href='#finish']")
    eye.look("done")
    assert eye.found == []
    assert all(page.evaluate(_SIZES))  # up to 24 tiles fit without scrolling


def _look_back(page: Page, eye: Inspector) -> None:
    """States of the gallery and of the review."""
    go(page, "gallery")
    page.wait_for_selector(".card")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("a")
    eye.look("gallery-chosen")
    for name, opener in {"gallery-zoom": "i", "gallery-help": "?"}.items():
        page.keyboard.press(opener)
        page.wait_for_selector("dialog[open]")
        eye.look(name)
        _close(page)
    go(page, "review")
    page.wait_for_selector(".card")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("t")
    page.wait_for_selector('.card:not([data-changed=""])')
    eye.look("review-turned")
    page.keyboard.press("t")
    page.wait_for_selector('.card:not([data-changed=""])', state="detached")
    page.keyboard.press("g")
    eye.look("review-one")
    page.keyboard.press("g")


def _few_in_advance(route: Route) -> None:
    """With all that a page is given in advance, it may be full before nothing is left to ask."""
    reply = route.fetch()
    ahead = reply.json()
    route.fulfill(response=reply, json={**ahead, "spare": ahead["spare"][:2]})


def _define(page: Page, text: str) -> None:
    page.evaluate(
        """text => fetch("/api/definition", {method: "POST", body: JSON.stringify({text}),
                                             headers: {"Content-Type": "application/json"}})""",
        text,
    )


def _is_settled(person: Person, seen: Seen) -> bool:
    label = "n => fetch(`/api/items/${n}`).then(r => r.json()).then(one => one.label)"
    return person.page.evaluate(label, seen.items[0]) is not None


def _close(page: Page) -> None:
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
