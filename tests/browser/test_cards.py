"""Texts are cards that can be read whole, from their own side; notices lie over no answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.labels import go
from tests.browser.opening import WINDOW, sit_down
from tests.browser.person import Person, Seen
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser

ENGLISH: Final = ("Kind and quick, I shall come again", "Cold soup and a wrong bill, never again")
HEBREW: Final = ("אדיבים ומהירים, אחזור שוב", "מרק קר וחשבון שגוי, לא עוד")
TELEPHONE: Final = (390, 844)
LOW: Final = (390, 480)
_LINES: Final = """() => [...document.querySelectorAll(".grid .words")].map((words) => {
  const range = document.createRange();
  range.selectNodeContents(words);
  const line = range.getBoundingClientRect();
  const box = words.getBoundingClientRect();
  return {text: words.textContent, left: line.left - box.left, right: box.right - line.right};
})"""
_CUT: Final = """() => [...document.querySelectorAll(".grid .words")]
  .filter((words) => words.scrollHeight > words.clientHeight + 1)
  .map((words) => Number(words.closest(".tile").dataset.item))"""
_BUTTONS: Final = ".answers button:not([hidden]), .tools button, #saved"
_NOTICES: Final = """async (stay) => {
  const {notice} = await import("/static/js/notices.js");
  for (const one of ["First", "Second", "Third"]) {
    notice(`${one}: ${"an answer was not taken, and here is why. ".repeat(3)}`, {stay});
  }
}"""
_COVERED: Final = """([messages, things]) => {
  const over = (one, other) => one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;
  const boxes = (what) =>
    [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
  const lying = boxes(messages);
  return boxes(things).filter((one) => lying.some((message) => over(one, message))).length;
}"""


@pytest.fixture
def texts(
    tmp_path: Path, serve: Callable[..., Server], context: BrowserContext
) -> Callable[..., Person]:
    """A person in front of reviews, which are in turn praise and complaints."""

    def start(kinds: tuple[str, str], rain: str, number: int = 60) -> Person:
        rows = [
            f'"{kinds[n % 2]} ({n}). {rain * (n % 9)}",{0.95 - 0.9 * (n % 2)}'
            for n in range(number)
        ]
        table = tmp_path / "reviews.csv"
        table.write_text("\n".join(["text,prob", *rows]) + "\n", encoding="utf-8")
        server = serve("label", table, "--text", "text", "--prob", "prob", "--positive",
                       "praise", "--negative", "complaints")  # fmt: skip
        return sit_down(context, server, lambda name: int(re.sub(r"\D", "", name)) % 2 == 0)

    return start


def test_texts_are_cards_that_can_be_read(
    texts: Callable[..., Person], shoot: Callable[[Page, str], None]
) -> None:
    person = texts(ENGLISH, "It rained. ")
    largest = 0
    while (seen := person.look()) is not None:
        if len(seen.names) > largest:
            largest = len(seen.names)
            shoot(person.page, "texts")
        person.answer(seen)
    assert largest > 1
    for view, content in (("gallery", ".card"), ("answers", ".history > li")):
        go(person.page, view)
        person.page.wait_for_selector(content)
        shoot(person.page, f"texts-{view}")


def test_text_too_long_for_its_card_can_be_read_whole_in_look_closer(
    texts: Callable[..., Person],
) -> None:
    person = texts(ENGLISH, "It rained all day, and the waiter told us so. " * 12)
    page = person.page
    cut: list[int] = []
    while not cut:
        seen = _group(person)
        cut = page.evaluate(_CUT)
        if not cut:
            person.answer(seen)
    tile = page.locator(f'.tile[data-item="{cut[0]}"]')
    tile.focus()
    page.keyboard.press("i")
    words = page.locator("dialog[open] .zoom-frame .words")
    assert words.inner_text() == tile.locator(".words").inner_text()
    words.evaluate("words => words.lastChild.parentElement.scrollIntoView({block: 'end'})")
    assert words.evaluate(
        "words => words.getBoundingClientRect().bottom"
        " <= words.closest('.zoom-frame').getBoundingClientRect().bottom + 1"
    )


def test_more_cards_than_fit_say_that_there_are_more(texts: Callable[..., Person]) -> None:
    person = texts(ENGLISH, "")
    seen = _group(person)
    person.wait_until_saved()
    said = person.page.locator(".chip:has-text('scroll to see all')")
    assert said.count() == 0
    _resize(person.page, LOW)
    person.answer(seen)
    _group(person)
    said.wait_for()


@pytest.mark.parametrize(("kinds", "near", "far"), [(ENGLISH, "left", "right"),
                                                    (HEBREW, "right", "left")],
                         ids=["from the left", "from the right"])  # fmt: skip
def test_text_begins_at_the_side_from_which_it_is_read(
    kinds: tuple[str, str], near: str, far: str, texts: Callable[..., Person],
    shoot: Callable[[Page, str], None],
) -> None:  # fmt: skip
    person = texts(kinds, "", number=30)
    _group(person)
    shoot(person.page, f"texts-from-the-{near}")
    lines = person.page.evaluate(_LINES)
    assert len(lines) > 1
    for line in lines:
        assert line[near] < 1 < line[far], line


@pytest.mark.parametrize("window", [TELEPHONE, WINDOW],
                         ids=["telephone", "computer"])  # fmt: skip
def test_notices_lie_over_no_answer_and_those_that_stay_over_nothing(
    window: tuple[int, int], texts: Callable[..., Person], shoot: Callable[[Page, str], None]
) -> None:
    person = texts(ENGLISH, "", number=12)
    page = person.page
    _resize(page, window)
    seen = person.question()
    page.evaluate(_NOTICES, False)
    assert page.locator(".notices .notice").count() == 3
    shoot(page, f"notices-{window[0]}")
    assert page.evaluate(_COVERED, [".notice", _BUTTONS]) == 0
    page.evaluate(_NOTICES, True)
    assert page.locator(".standing .notice").count() == 3
    shoot(page, f"standing-{window[0]}")
    assert page.evaluate(_COVERED, [".standing", f"{_BUTTONS}, .sentence, .tile"]) == 0
    person.by = "pointer"
    person.answer(seen)


def _resize(page: Page, window: tuple[int, int]) -> None:
    width, height = window
    page.set_viewport_size({"width": width, "height": height})


def _group(person: Person) -> Seen:
    """Answer until a question has several cards."""
    while len((seen := person.question()).names) < 2:
        person.answer(seen)
    return seen
