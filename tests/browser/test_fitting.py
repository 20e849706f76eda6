"""Nobody is asked about what they cannot see: every item is shown whole, in every window."""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
from PIL import Image

from askless.pools.demo import PICTURES
from tests.browser.opening import profile, sit_down, take_four_seconds
from tests.browser.person import Person, Seen
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

WINDOWS: Final = {"telephone": (390, 844), "computer": (1280, 800), "wide": (1920, 1080)}
KINDS: Final = ("pictures", "short texts", "long texts", "rows")
FIRST: Final = (
    ("pictures", "telephone"), ("short texts", "telephone"), ("short texts", "computer"),
    ("long texts", "computer"), ("rows", "wide"),
)  # fmt: skip
ODD_WINDOWS: Final = ((844, 390), (1024, 600), (320, 568), (2560, 1440), (768, 1024))
NUMBER: Final = 130
END: Final = "The end."
WORDS: Final = ("soup", "waiter", "table", "evening", "street", "window", "of", "and", "with", "a")
_SEEN: Final = """() => {
  const area = document.querySelector(".grid").getBoundingClientRect();
  const tiles = [...document.querySelectorAll(".grid .tile")];
  const long = tiles.length === 1 && tiles[0].dataset.way === "long";
  const inside = (box) => box.top >= Math.max(0, area.top - 1) && box.left >= 0
    && box.bottom <= Math.min(innerHeight, area.bottom + 1) && box.right <= innerWidth;
  const cut = (one) => one.scrollHeight > one.clientHeight + 1
    || one.scrollWidth > one.clientWidth + 1;
  const yes = document.querySelector("#answer-yes");
  return {
    shown: document.querySelector(".grid").dataset.shown,
    enabled: !yes.disabled && !yes.hidden,
    n: tiles.length,
    long,
    outside: tiles.filter((one) => !inside(one.getBoundingClientRect())).length,
    cut: long ? 0 : tiles.filter(cut).length,
    whole: !long || tiles[0].querySelector(".words").textContent.endsWith("The end."),
    atEnd: long && tiles[0].scrollTop + tiles[0].clientHeight >= tiles[0].scrollHeight - 9,
    side: Math.min(...tiles.map((one) => one.getBoundingClientRect().width)),
    top: document.querySelector(".grid").scrollTop + scrollY,
    covered: tiles.filter((tile) => {
      const letter = tile.querySelector(".letter");
      if (!letter) return false;
      const [a, b] = [letter, tile].map((one) => one.getBoundingClientRect());
      const words = tile.querySelector(".words")?.getBoundingClientRect();
      return words ? a.right > words.left : a.width * a.height > 0.1 * b.width * b.height;
    }).length,
  };
}"""

_APP: Final = "async () => (await import('/static/js/app.js')).app"
_SETTLED_IN: Final = f"""() => {{
  const now = ({_SEEN})();
  return now.enabled || now.long ? now : null;
}}"""
_TWO_FRAMES: Final = (  # by then the page has measured its tiles again
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
)
_SHOW_A_COPY: Final = """async () => {
  const {flow} = (await import("/static/js/app.js")).app;
  flow.show({...flow.question}, "same");
}"""


def _praise(name: str) -> bool:
    """The truth: items are in turn praise and not."""
    return int(re.sub(r"\D", "", name)) % 2 == 1


def _source(kind: str, place: Path, number: int = NUMBER) -> list[str | Path]:
    """A table of such items with good probabilities, and what to type to label it."""
    rng = random.Random(kind)

    def some(least: int, most: int) -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(least, most)))

    def row(n: int) -> list[object]:
        start = f"{'Lovely' if n % 2 else 'Dreadful'} {n}:"
        if kind == "pictures":
            return [f"p/{n:04}.png"]
        if kind == "rows":
            return [start, rng.randint(1, 99), some(1, 4), some(2, 25)]
        if n % 40 == 0:  # more than any window shows; the last also more than comes with a question
            words = some(900, 1400) if n < 120 else some(6000, 6000)
            return [f"{start} {words}. {END}"]
        return [f"{start} {some(2, 30) if kind == 'short texts' else some(60, 260)}. {END}"]

    head = {"pictures": ["picture"], "rows": ["verdict", "table", "where", "note"]}
    table = place / "items.csv"
    rows = [[*row(n), n, 0.96 if n % 2 else 0.04] for n in range(1, number + 1)]
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[*head.get(kind, ["text"]), "n", "prob"], *rows])
    if kind == "pictures":
        (place / "p").mkdir()
        with np.load(PICTURES) as stored:
            for n, pixels in enumerate(stored["images"][:number], 1):
                Image.fromarray(pixels).save(place / "p" / f"{n:04}.png")
    shown: Sequence[str] = {"pictures": ["--image", "picture"], "rows": []}.get(
        kind, ["--text", "text", "--id", "n"]
    )
    names = ["--id", "n"] if kind == "rows" else []
    return ["label", table, *shown, *names, "--prob", "prob", "--positive", "praise"]


@pytest.fixture
def sit(tmp_path: Path, serve: Callable[..., Server], browser: Browser) -> Any:
    """Somebody in front of items of a kind, in a window of a size."""
    opened = []

    def start(kind: str, window: tuple[int, int], number: int = NUMBER) -> Person:
        server = serve(*_source(kind, tmp_path, number))
        width, height = window
        one = profile(browser, viewport={"width": width, "height": height})
        context: BrowserContext = one.__enter__()
        take_four_seconds(context)
        opened.append(one)
        return sit_down(context, server, _praise)

    yield start
    for one in opened:
        one.__exit__(None, None, None)


def _check(page: Page, person: Person) -> tuple[Seen, dict[str, Any]]:
    """Nothing is cut or out of sight where a yes can be said; what is on the screen by then."""
    now: dict[str, Any] = {}
    while True:  # another question may come while one looks, or this one be made smaller
        seen = person.question()
        now = page.wait_for_function(_SETTLED_IN).json_value()
        if now["shown"] == seen.shown:
            break
    if now["long"]:
        assert now["enabled"] == now["atEnd"], now
        person.read(seen)
        now = page.evaluate(_SEEN)
        assert now["atEnd"], now
        assert now["whole"], now
    else:
        assert now["top"] == 0, now
    assert now["enabled"], now
    assert (now["outside"], now["cut"], now["covered"]) == (0, 0, 0), now
    return seen, now


@pytest.mark.parametrize(("kind", "window"), [
    pytest.param(kind, window, marks=[] if (kind, window) in FIRST else [pytest.mark.long])
    for kind in KINDS for window in WINDOWS
])  # fmt: skip
def test_a_whole_run_never_asks_about_what_is_cut_or_out_of_sight(
    kind: str, window: str, sit: Callable[..., Person], shoot: Callable[[Page, str], None]
) -> None:
    person = sit(kind, WINDOWS[window])
    page = person.page
    largest = longs = 0
    while person.look() is not None:
        seen, now = _check(page, person)
        if kind == "pictures":
            assert now["side"] >= 100
        if now["n"] > largest:
            largest = now["n"]
            shoot(page, f"fitting-{kind.replace(' ', '-')}-{window}")
        longs += now["long"]
        person.answer(seen)
    if kind.endswith("texts"):
        assert longs > 0
    assert largest >= {"long texts": 1, "rows": 2}.get(kind, 4)


def test_a_question_shrinks_with_its_window_and_the_next_ones_grow_again(
    sit: Callable[..., Person],
) -> None:
    person = sit("short texts", WINDOWS["wide"])
    page = person.page
    seen = person.answer_until_group(4)
    person.point_at(seen, 0)
    _resize(page, (390, 480))
    page.wait_for_function("n => document.querySelectorAll('.grid .tile').length < n", arg=4)
    page.keyboard.press("Escape")
    fewer, _ = _check(page, person)
    assert set(fewer.names) < set(seen.names)
    person.answer(fewer)
    for _ in range(3):
        later, _ = _check(page, person)
        person.answer(later)
    _resize(page, WINDOWS["wide"])
    person.answer_until_group(4)
    _check(page, person)


def test_a_question_that_came_while_another_was_shrunk_is_shrunk_too(
    sit: Callable[..., Person],
) -> None:
    person = sit("short texts", WINDOWS["wide"])
    page = person.page
    seen = person.answer_until_group(4)
    person.wait_for_room(1)  # it has looked ahead
    page.route("**/api/ask", lambda route: None)  # it waits
    with page.expect_request("**/api/ask"):
        _resize(page, (390, 480))
    page.evaluate(_SHOW_A_COPY)
    page.unroute("**/api/ask")  # and now goes on
    fewer, _ = _check(page, person)
    assert set(fewer.names) < set(seen.names)


def test_nothing_is_cut_in_windows_of_any_shape(sit: Callable[..., Person]) -> None:
    person = sit("short texts", WINDOWS["wide"])
    page = person.page
    for window in (*ODD_WINDOWS, *ODD_WINDOWS):
        _resize(page, window)
        for _ in range(5):
            seen, _ = _check(page, person)
            person.answer(seen)


@pytest.mark.parametrize("way", ["keys", "wheel", "button"])
@pytest.mark.parametrize("window", ["telephone", "computer"])
def test_a_long_text_is_answered_only_once_its_end_was_in_view(
    window: str, way: str, sit: Callable[..., Person], shoot: Callable[[Page, str], None]
) -> None:
    person = sit("long texts", WINDOWS[window])
    page = person.page
    while not page.locator(".tile.goes-on").count():
        person.answer(person.question())
        person.question()
    seen = person.question()
    person.wait_until_saved()
    for name in ("yes", "no"):
        button = page.locator(f"#answer-{name}")
        assert button.is_disabled()
        assert "after the end of the text" in button.inner_text()
    page.keyboard.press("y")
    page.wait_for_selector(".chip:has-text('Read the text to its end first')")
    assert person.question() == seen
    region = page.get_by_role("region", name="The text, longer than the window")
    assert region.get_attribute("tabindex") == "0"
    page.evaluate(pytest.importorskip("axe_playwright_python.base").AXE_SCRIPT)
    found = page.evaluate("() => axe.run().then((all) => all.violations.map((one) => one.id))")
    assert found == []
    _shoot_both(page, shoot, f"long-text-{window}")
    if way == "keys":
        for _ in range(60):
            page.keyboard.press("Space")
    elif way == "wheel":
        region.hover()
        page.mouse.wheel(0, 60_000)
    else:  # as somebody whose screen reader has come to it
        page.get_by_role("button", name="I have read it to the end").focus()
    page.wait_for_selector("#answer-yes:not(:disabled)")
    assert page.evaluate(_SEEN)["atEnd"]
    _shoot_both(page, shoot, f"long-text-read-{window}")
    person.answer(seen)


@pytest.mark.parametrize("kind", ["short texts", "pictures"])
def test_without_a_connection_nothing_is_shown_that_does_not_fit(
    kind: str, sit: Callable[..., Person]
) -> None:
    person = sit(kind, WINDOWS["wide"])
    page = person.page
    person.answer_until_group(8 if kind == "pictures" else 4)
    person.wait_for_room(4)
    page.context.set_offline(True)
    person.answer(person.question())  # kept in the page
    page.wait_for_function("app => app.outbox.lost", arg=page.evaluate_handle(_APP))
    for window in ((390, 480), (320, 420)):
        _resize(page, window)
        page.wait_for_timeout(500)  # longer than the page waits for a window to settle
        now = page.evaluate(_SEEN)
        seen = (now["outside"], now["cut"], now["covered"]) == (0, 0, 0)
        assert not now["enabled"] or (seen and (now["n"] == 1 or now["side"] >= 84)), str(now)
        _resize(page, WINDOWS["wide"])
        _check(page, person)
    person.answer(person.question())
    page.context.set_offline(False)
    person.wait_until_saved()


def _shoot_both(page: Page, shoot: Callable[[Page, str], None], name: str) -> None:
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        shoot(page, f"{name}-{scheme}")


def _resize(page: Page, window: tuple[int, int]) -> None:
    width, height = window
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(_TWO_FRAMES)
