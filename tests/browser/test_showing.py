"""Columns of a table beside the text, and links that open nothing by themselves."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.labels import go
from tests.browser.opening import sit_down, take_four_seconds
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Request

pytestmark = pytest.mark.browser

MARKUP: Final = "<img src=x onerror=alert(1)>"
SCRIPT: Final = "javascript:alert(1)"


def test_columns_are_shown_beside_the_text_and_addresses_are_links_that_are_not_followed(
    tmp_path: Path, serve: Callable[..., Server], context: BrowserContext,
    shoot: Callable[[Page, str], None],
) -> None:  # fmt: skip
    table = tmp_path / "reviews.csv"
    rows = [
        [f"Review {n}", n, f"https://example.org/{n}?a=<b>", SCRIPT, MARKUP, 0.95 - 0.9 * (n % 2)]
        for n in range(60)
    ]
    with table.open("w", newline="", encoding="utf-8") as file:
        head = ["text", "n", "page", "script", "markup", "prob"]
        csv.writer(file).writerows([head, *rows])
    server = serve("label", table, "--prob", "prob", "--id", "n", "--positive", "praise",
                   *(f"--show={name}" for name in ("page", "script", "markup")))  # fmt: skip
    asked: list[Request] = []
    context.on("request", lambda request: asked.append(request))
    take_four_seconds(context)
    person = sit_down(context, server, lambda name: int(name) % 2 == 0)
    page = person.page
    shown = person.question()
    assert page.locator(".tile .words").inner_text() == f"Review {shown.names[0]}"
    assert page.locator(".tile .beside .fact-value").all_inner_texts() == [SCRIPT, MARKUP]
    seen = person.answer_until_group(2)
    shoot(page, "columns-beside-the-text")
    links = page.locator(".grid a")
    assert links.count() == len(seen.names)
    assert page.locator(".grid button a").count() == 0  # a link in a button is neither
    first = links.first
    assert first.get_attribute("href") == f"https://example.org/{seen.names[0]}?a=%3Cb%3E"
    assert first.get_attribute("target") == "_blank"
    assert first.get_attribute("rel") == "noopener noreferrer"
    assert page.locator(f".grid a[href*='{SCRIPT}'], .grid img").count() == 0
    assert [one.url for one in asked if "example.org" in one.url] == []
    person.answer(seen)
    go(page, "gallery")
    face = page.locator(".card .card-face").first
    face.wait_for()
    values = [f"https://example.org/{rows[0][1]}?a=<b>", SCRIPT, MARKUP]
    assert face.locator(".fact-value").all_inner_texts() == values
    assert page.locator(".card a, .card img").count() == 0
    face.click()
    assert "This is praise" in page.locator(".actions").inner_text()
    page.keyboard.press("i")
    closer = page.locator(".whole-text")
    assert closer.locator(".words").inner_text() == "Review 0"
    assert sorted(closer.locator(".fact-value").all_inner_texts()) == sorted(values)
    assert closer.locator("a").count() == 1
    assert [one.url for one in asked if "example.org" in one.url] == []
    shoot(page, "columns-looked-at-closely")
