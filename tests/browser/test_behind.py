"""The whole page behind a real nginx, under a path, and in a frame where that is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.labels import NAMES, SURE_COLUMNS, Pool, answers_stored, exported
from tests.browser.opening import profile
from tests.browser.person import Person
from tests.browser.proxy import Nginx
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

pytestmark = [pytest.mark.browser, pytest.mark.nginx]


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Nginx]:
    with Nginx(tmp_path / "nginx") as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with profile(browser, ignore_https_errors=True) as fresh:
        yield fresh


@pytest.fixture
def start(sure: Pool, nginx: Nginx, tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start the app behind it."""
    started: list[Server] = []

    def start_it(*args: str) -> Server:
        server = Server("label", sure[0], *SURE_COLUMNS, *NAMES, "--behind", nginx.address, *args,
                        cwd=tmp_path)  # fmt: skip
        server.port = nginx.app_port
        started.append(server)
        server.start()
        return server

    yield start_it
    for server in started:
        server.stop()


def _note(heard: list[str], message: ConsoleMessage) -> None:
    heard.append(message.text)


def _frame(nginx: Nginx, link: str) -> str:
    """A page of the other site that shows the app."""
    (nginx.pages / "portal.html").write_text(
        f'<!doctype html><title>portal</title><iframe id="app" src="{link}" '
        'style="width: 1200px; height: 700px"></iframe>'
    )
    return f"{nginx.other_site}/portal.html"


def test_everything_works_under_the_path(
    start: Callable[..., Server],
    nginx: Nginx,
    sure: Pool,
    context: BrowserContext,
    shoot: Callable[[Page, str], None],
) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    server = start()
    page = context.new_page()
    page.goto(server.link)
    assert page.url.startswith(f"{nginx.address}/")
    assert "token" not in page.url
    person = Person(page, sure[1].__getitem__, "keys", server)
    person.confirm_definition()

    person.wait_for_room(3)
    person.answer(person.question())
    person.wait_until_saved()
    before = answers_stored(page)
    context.set_offline(True)
    for _ in range(2):
        person.answer(person.question())
    page.wait_for_selector('#saved[data-state="lost"]')
    context.set_offline(False)
    person.wait_until_saved()
    assert answers_stored(page) == before + 2

    seen = "() => [...document.querySelectorAll('img')].every(i => i.complete && i.naturalWidth)"
    person.question()
    page.wait_for_function(seen)
    with page.expect_event("requestfinished", lambda one: one.url.endswith("/api/ahead")):
        person.answer(person.question())
    page.goto(f"{nginx.address}/#gallery")
    page.wait_for_function(
        "() => [...document.querySelectorAll('main img')].filter(i => i.naturalWidth).length > 5"
    )
    shoot(page, "behind-gallery")
    assert exported(page).keys() == sure[1].keys()

    events = page.evaluate(
        "() => new Promise(resolve => { const s = new EventSource('api/events');"
        " s.addEventListener('progress', e => { s.close(); resolve(e.data); }); })"
    )
    assert '"settled"' in events
    server.stop()  # the stream comes through: the page hears of the end
    page.wait_for_selector("#saved:has-text('askless has ended')")

    outside = [url for url in asked if not url.startswith((nginx.address, "data:", "blob:"))]
    assert outside == []
    (cookie,) = context.cookies()
    assert (cookie["path"], cookie["secure"], cookie["httpOnly"]) == ("/askless/", True, True)
    assert cookie["sameSite"] == "Strict"


def test_another_site_shows_it_in_a_frame_where_that_is_allowed(
    start: Callable[..., Server],
    nginx: Nginx,
    sure: Pool,
    context: BrowserContext,
    shoot: Callable[[Page, str], None],
) -> None:
    server = start("--frame-ancestors", nginx.other_site)
    page = context.new_page()
    page.goto(_frame(nginx, server.link))
    inside = page.frame_locator("#app")
    inside.get_by_role("button", name="Start").first.click()
    inside.locator(".grid .tile").first.wait_for()
    shoot(page, "behind-frame")
    inside.locator("body").press("y")
    inside.locator("#saved:has-text('Saved')").wait_for()
    frame = next(one for one in page.frames if one.url.startswith(nginx.address))
    stored = "async () => (await (await fetch('api/answers')).json()).length"
    frame.wait_for_function(f"async () => await ({stored})() === 1")

    other = context.new_page()  # the cookie of that frame is good in that frame alone
    other.goto(f"{nginx.address}/")
    assert "Open the link" in other.locator("h1").inner_text()


def test_nobody_else_shows_it_in_a_frame(
    start: Callable[..., Server], nginx: Nginx, context: BrowserContext
) -> None:
    for allowed in ([], ["--frame-ancestors", "https://portal.example.net"]):
        server = start(*allowed)
        page = context.new_page()
        refusals: list[str] = []
        page.on("console", partial(_note, refusals))
        page.goto(_frame(nginx, server.link))
        page.wait_for_function("() => window.frames.length === 1")
        while not any("frame-ancestors" in text for text in refusals):
            page.wait_for_timeout(50)
        assert not any(one.url.startswith(nginx.address) for one in page.frames)
        server.stop()
