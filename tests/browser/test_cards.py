"""Texts are cards that can be read whole, from their own side; notices lie over no answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.labels import go
from tests.browser.opening import WINDOW, profile, sit_down, take_four_seconds
from tests.browser.person import Person
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

ENGLISH: Final = ("Kind and quick, I shall come again", "Cold soup and a wrong bill, never again")
HEBREW: Final = ("אדיבים ומהירים, אחזור שוב", "מרק קר וחשבון שגוי, לא עוד")
TELEPHONE: Final = (390, 844)
WIDE: Final = (1920, 1080)
_LINES: Final = """() => [...document.querySelectorAll(".grid .words")].map((words) => {
  const range = document.createRange();
  range.selectNodeContents(words);
  const line = range.getBoundingClientRect();
  const box = words.getBoundingClientRect();
  return {text: words.textContent, left: line.left - box.left, right: box.right - line.right};
})"""
_BUTTONS: Final = ".answers button:not([hidden]), .tools button, #saved"
_NOTICES: Final = """async (stay) => {
  const {notice} = await import("/static/js/notices.js");
  for (const one of ["First", "Second", "Third"]) {
    notice(`${one}: ${"an answer was not taken, and here is why. ".repeat(3)}`, {stay});
  }
}"""
_DEFINE: Final = """() => fetch('/api/definition', {method: 'POST', body: '{"text": "Kind."}',
  headers: {'Content-Type': 'application/json'}})"""
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

    def start(
        kinds: tuple[str, str], rain: str, number: int = 60, *, confirm: bool = True
    ) -> Person:
        rows = [
            f'"{kinds[n % 2]} ({n}). {rain * (n % 9)}",{0.95 - 0.9 * (n % 2)}'
            for n in range(number)
        ]
        table = tmp_path / "reviews.csv"
        table.write_text("\n".join(["text,prob", *rows]) + "\n", encoding="utf-8")
        server = serve("label", table, "--text", "text", "--prob", "prob", "--positive",
                       "praise", "--negative", "complaints")  # fmt: skip
        take_four_seconds(context)
        return sit_down(
            context, server, lambda name: int(re.sub(r"\D", "", name)) % 2 == 0, confirm=confirm
        )

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


@pytest.mark.parametrize(("kinds", "near", "far"), [(ENGLISH, "left", "right"),
                                                    (HEBREW, "right", "left")],
                         ids=["from the left", "from the right"])  # fmt: skip
def test_text_begins_at_the_side_from_which_it_is_read(
    kinds: tuple[str, str], near: str, far: str, texts: Callable[..., Person],
    shoot: Callable[[Page, str], None],
) -> None:  # fmt: skip
    person = texts(kinds, "", number=30)
    person.answer_until_group(2)
    shoot(person.page, f"texts-from-the-{near}")
    lines = person.page.evaluate(_LINES)
    assert len(lines) > 1
    for line in lines:
        assert line[near] < 1 < line[far], line


@pytest.mark.parametrize("window", [TELEPHONE, WINDOW, WIDE],
                         ids=["telephone", "computer", "wide"])  # fmt: skip
def test_notices_lie_over_nothing_of_a_question_and_go_with_it(
    window: tuple[int, int], texts: Callable[..., Person], shoot: Callable[[Page, str], None]
) -> None:
    person = texts(ENGLISH, "", number=12)
    page = person.page
    _resize(page, window)
    seen = person.question()
    person.undo()
    page.wait_for_selector(".notice:has-text('no answer to take back')")
    assert page.locator(".notice .quiet:not(.close)").count() == 0  # nor older ones elsewhere
    shoot(page, f"nothing-to-undo-{window[0]}")
    for stay in (False, True):
        page.evaluate(_NOTICES, stay)
        assert page.locator(".notice").count() == (4 if stay else 1)
        shoot(page, f"{'standing' if stay else 'notice'}-{window[0]}")
        assert (
            page.evaluate(_COVERED, [".notices, .standing", f"{_BUTTONS}, .sentence, .tile"]) == 0
        )
    person.by = "pointer"
    person.answer(seen)
    assert page.locator(".notices .notice").count() == 0
    assert page.locator(".standing .notice").count() == 3


def test_keys_are_for_the_question_again_after_another_view(texts: Callable[..., Person]) -> None:
    person = texts((ENGLISH[0] * 300, ENGLISH[1] * 300), "", number=2)
    page = person.page
    person.question()
    page.wait_for_selector(".tile.goes-on .end button")
    for view in ("Progress", "Label"):
        page.get_by_role("link", name=view, exact=True).click()
    page.wait_for_selector(".tile.goes-on .end button")
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelector('.tile').scrollTop > 0")
    page.get_by_role("link", name="Settings").focus()
    page.keyboard.press("End")
    page.wait_for_selector("#answer-yes:not(:disabled)")


def test_the_start_says_which_name_is_missing(texts: Callable[..., Person]) -> None:
    person = texts(ENGLISH, "", number=12, confirm=False)
    page = person.page
    many, one = page.locator("#positive"), page.locator("#positive-one")
    assert many.input_value() == "praise"
    for field in (many, one):
        field.fill("")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("dialog .bad:has-text('They are')")
    assert many.get_attribute("aria-invalid") == "true"
    assert many.evaluate("field => field === document.activeElement")
    page.keyboard.type("praise")
    person.confirm_definition()
    assert len(person.question().names) > 0


def test_fingers_alone_are_told_of_no_keys(
    texts: Callable[..., Person], browser: Browser, shoot: Callable[[Page, str], None]
) -> None:
    person = texts((ENGLISH[0] * 300, ENGLISH[1] * 300), "", number=2)
    width, height = TELEPHONE
    told = (person.page, "or press Space"), (None, "scroll to it")
    with profile(
        browser, has_touch=True, is_mobile=True, viewport={"width": width, "height": height}
    ) as context:
        for given, words in told:
            page = given or sit_down(context, person.server, bool, confirm=False).page
            page.wait_for_selector(".tile.goes-on .end button")
            shoot(page, f"keys-{'yes' if given else 'no'}")
            assert words in page.locator(".chips").inner_text()
            assert page.locator("kbd").first.is_visible() is (given is not None)


def test_the_review_of_a_long_text_begins_with_its_label_and_says_how_it_is_read(
    texts: Callable[..., Person], shoot: Callable[[Page, str], None]
) -> None:
    person = texts((ENGLISH[0] * 300, ENGLISH[1] * 300), "", number=2)
    page = person.page
    while (seen := person.look()) is not None:
        person.answer(seen)
    person.wait_until_saved()
    page.evaluate(_DEFINE)  # so that every label is up for review
    go(page, "review")
    page.wait_for_selector(".card-more")
    for window in (TELEPHONE, WINDOW, WIDE):
        _resize(page, window)
        shoot(page, f"review-long-{window[0]}")
        label, words = (page.locator(f".card {one}").first.bounding_box()
                        for one in (".card-label", ".words"))  # fmt: skip
        assert label is not None
        assert words is not None
        assert label["y"] + label["height"] <= words["y"]
    assert "read by looking closer" in page.locator(".actions").inner_text()
    right = page.locator("#review-right")
    assert right.is_disabled()
    colour = "one => getComputedStyle(one).backgroundColor"
    disabled = right.evaluate(colour)
    for place in range(2):
        page.locator(".card-closer").nth(place).click()
        page.keyboard.press("Escape")
    page.wait_for_selector("#review-right:enabled")
    assert right.evaluate(colour) != disabled
    assert "read by looking closer" not in page.locator(".actions").inner_text()


def _resize(page: Page, window: tuple[int, int]) -> None:
    width, height = window
    page.set_viewport_size({"width": width, "height": height})
