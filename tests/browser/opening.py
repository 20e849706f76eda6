"""A browser, a profile in it, and a person in front of the page: set up in one place."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from tests.browser.person import By, Person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Route

    from tests.browser.serving import Server

WINDOW: Final = (1280, 800)
PATIENCE_MS: Final = 300_000  # a busy machine is no failure
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
_FLAGS: Final = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's own browser, without a window."""
    from playwright.sync_api import sync_playwright

    path = next(found for name in _NAMES if (found := shutil.which(name)))
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield running
        running.close()


@contextmanager
def profile(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    """A fresh profile; any error of a script in it is an error here."""
    width, height = WINDOW
    chosen = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce", **options}
    context = browser.new_context(**chosen)
    context.set_default_timeout(PATIENCE_MS)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context
    context.close()
    assert errors == []


def take_four_seconds(context: BrowserContext) -> None:
    """Say that every answer took as long, so that groups are worth while on any machine.

    A script reads in no time; the app would learn from that, on a quick machine, that asking costs
    nothing beside reading, and ask about one text at a time.
    """

    def tell(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        route.continue_(post_data=json.dumps({**body, "seconds": 4.0}))

    context.route("**/api/tell", tell)


def sit_down(
    context: BrowserContext,
    server: Server,
    truth: Callable[[str], bool],
    by: By = "keys",
    *,
    confirm: bool = True,
) -> Person:
    """A person who has opened the link and confirmed what the label means."""
    page = context.new_page()
    page.goto(server.link)
    person = Person(page, truth, by, server)
    if confirm:
        person.confirm_definition()
    return person
