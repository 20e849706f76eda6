"""File names, texts, label names and definitions are shown, never run."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.labels import Pool, go
from tests.browser.opening import sit_down
from tests.browser.person import Person
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

pytestmark = pytest.mark.browser

ATTACKS = (
    "<script>window.hacked=1</script>",
    "<img src=x onerror='window.hacked=1'>",
    '"><svg onload=window.hacked=1>',
    "{{constructor.constructor('window.hacked=1')()}}",
    "javascript:window.hacked=1//",
    "</textarea><iframe srcdoc=x>",
    "&lt;b&gt; \u202egnp.exe",
)
VIEWS = {  # and what is there once it has loaded
    "answers": ".history > li", "gallery": ".card", "review": ".calm, .card",
    "finish": ".figures .stat", "settings": "#definition", "progress": ".figures .stat",
    "label": ".tile",
}  # fmt: skip


def test_texts_and_definition_are_shown_as_they_are(
    tmp_path: Path, serve: Callable[..., Server], context: BrowserContext
) -> None:
    table = tmp_path / "texts.csv"
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["text"])
        writer.writerows([[f"{attack} {number}"] for number in range(6) for attack in ATTACKS])
    server = serve("label", table, "--text", "text", "--positive", ATTACKS[1], "--definition",
                   ATTACKS[0])  # fmt: skip
    person = sit_down(context, server, lambda name: int(name) % 2 == 0, confirm=False)
    _walk(person)
    assert person.page.locator("strong", has_text=ATTACKS[1]).count() > 0


def test_file_names_are_shown_as_they_are(
    tmp_path: Path, garments: Pool, serve: Callable[..., Server], context: BrowserContext
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    names = [attack.replace("/", "\u2215") for attack in ATTACKS]
    files = sorted(garments[0].iterdir())
    for number, name in enumerate(names * 3):
        shutil.copy(files[number], folder / f"{number} {name}.png")
    server = serve("label", folder, "--positive", "shoes")
    _walk(sit_down(context, server, lambda name: int(name.split()[0]) % 2 == 0, confirm=False))


def _walk(person: Person) -> None:
    """Answer some questions, visit every view, open every dialog."""
    page = person.page
    asked_away: list[str] = []
    page.on("request", lambda request: asked_away.append(request.url))
    person.confirm_definition()
    for _ in range(6):
        if (seen := person.look()) is None:
            break
        person.answer(seen)
    for opener in ("i", "d", "?"):
        person.look()
        page.keyboard.press(opener)
        page.wait_for_selector("dialog[open]")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    for view, content in VIEWS.items():
        go(page, view)
        page.wait_for_selector(content)
        assert page.evaluate("window.hacked") is None
        assert page.locator("main :is(script, iframe, svg)").count() == 0
    origin = page.url.partition("#")[0]
    assert [url for url in asked_away if not url.startswith(origin)] == []
