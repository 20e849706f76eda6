"""Nothing is lost or doubled, or goes unseen, when the server is away, refuses, or has moved on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.labels import Pool, answers_stored
from tests.browser.person import Person

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

pytestmark = pytest.mark.browser

NO_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', {get: () => undefined});"
NOBODY = "async () => (await navigator.locks.query()).held.length === 0"
LISTEN = """() => {
  const text = document.getElementById("saved-text");
  window.said = [];
  new MutationObserver(() => said.push(text.textContent)).observe(text, {childList: true});
}"""
HELD = 20  # as many answers as a page may hold


def test_page_holds_as_many_answers_as_it_says_with_their_pictures_and_sends_them_once(
    sure: Pool, begin: Callable[..., Person], context: BrowserContext
) -> None:
    person = begin(
        sure, "--max-n", "2"
    )  # so that there are questions enough, however good the model
    _answer(person, 3)
    person.wait_for_room(HELD)
    before = answers_stored(person.page)

    context.set_offline(True)
    for _ in range(HELD):
        seen = person.question()
        assert _pictures_seen(person.page)
        person.answer(seen)
    person.page.wait_for_selector(f"#saved:has-text('{HELD} answers kept here, no room for more')")
    person.page.wait_for_selector(".chip:has-text('hold')")
    person.page.keyboard.press("y")  # one more than there is room for
    assert person.page.evaluate("() => JSON.stringify(localStorage).split('ticket').length") > HELD

    context.set_offline(False)
    person.wait_until_saved()
    assert answers_stored(person.page) == before + HELD


def test_page_says_saved_only_once_the_store_has_the_answer(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(sure)
    page = person.page
    person.wait_for_room(2)
    person.wait_until_saved()
    page.evaluate(LISTEN)
    page.route("**/api/tell", lambda route: None)  # it waits
    _answer(person, 2)
    said = page.evaluate("() => window.said")
    assert said[:2] == ["Saving …", "Saving 2 answers …"]
    assert "Saved" not in said
    page.unroute("**/api/tell")  # and now goes on
    person.wait_until_saved()
    assert answers_stored(page) == 2


def test_answers_of_a_closed_window_are_sent_by_the_next_one(
    sure: Pool, begin: Callable[..., Person], context: BrowserContext
) -> None:
    person = begin(sure)
    _answer(person, 2)
    person.wait_for_room(2)
    before = answers_stored(person.page)
    context.set_offline(True)
    _answer(person, 1)
    _lost(person.page)
    person.page.close()
    context.set_offline(False)

    other = Person(context.new_page(), person.truth)
    other.page.goto(person.server.link.partition("?")[0] + "static/icon.svg")
    other.page.wait_for_function(NOBODY)  # the browser is done with closing it
    other.page.goto(person.server.link.partition("?")[0])
    other.question()
    other.wait_until_saved()
    assert answers_stored(other.page) == before + 1


def test_what_a_closed_window_showed_is_asked_in_the_next_one(
    sure: Pool, begin: Callable[..., Person], context: BrowserContext
) -> None:
    person = begin(sure)
    shown = person.question().names
    person.page.close()
    other = Person(context.new_page(), person.truth)
    other.page.goto(person.server.link.partition("?")[0] + "static/icon.svg")
    other.page.wait_for_function(NOBODY)
    other.page.goto(person.server.link.partition("?")[0])
    assert other.question().names == shown


def test_refused_answers_are_kept_in_sight_until_they_are_dismissed_or_taken(
    sure: Pool, begin: Callable[..., Person], shoot: Callable[[Page, str], None]
) -> None:
    person = begin(sure, "--annotator", "ada")
    page = person.page
    _answer(person, 2)
    person.wait_for_room(2)
    before = answers_stored(page)
    person.server.kill()
    _answer(person, 2)
    _lost(page)

    as_ada = person.server.args
    person.server.args = [*as_ada[:-1], "grace"]
    person.server.start()
    page.wait_for_selector("#refused:has-text('2 answers not taken')")
    person.question()  # as grace: work goes on
    assert answers_stored(page) == before
    page.goto(page.url.partition("#")[0] + "#answers")
    rows = page.locator(".refused-list > li")
    rows.nth(1).get_by_role("button", name="Dismiss").click()
    page.reload()
    rows.first.wait_for()
    assert rows.count() == 1
    assert "Is this" in rows.inner_text()
    shoot(page, "not-taken")
    with page.expect_download() as started:
        page.get_by_role("button", name="Download them").click()
    assert '"kind"' in Path(started.value.path()).read_text()

    person.server.stop()
    person.server.args = as_ada
    person.server.start()
    page.goto(person.server.link + "#answers")
    rows.get_by_role("button", name="Send again").click()
    page.wait_for_selector("#refused", state="hidden")
    person.wait_until_saved()
    assert answers_stored(page) == before + 1


def test_page_says_that_askless_has_ended_and_how_to_go_on_and_goes_on_by_itself(
    sure: Pool, begin: Callable[..., Person], shoot: Callable[[Page, str], None]
) -> None:
    person = begin(sure)
    page = person.page
    _answer(person, 2)
    person.wait_for_room(3)
    person.wait_until_saved()
    before = answers_stored(page)

    person.server.stop()  # Ctrl-C, with the page open
    page.wait_for_selector("#saved:has-text('askless has ended')")
    message = page.locator(".notice:has-text('askless has ended. Every answer is saved.')")
    message.wait_for()
    assert "askless label" in message.locator("code").inner_text()
    assert "sure.csv" in message.locator("code").inner_text()
    for width, height in ((390, 844), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        shoot(page, f"ended-{width}")
    _answer(person, 1)
    page.wait_for_selector("#saved:has-text('askless has ended: 1 answer kept here')")
    message.wait_for(state="detached")
    message = page.locator(".notice:has-text('Answers that are not saved yet stay')")
    assert message.count() == 1

    person.server.start()
    person.wait_until_saved()
    message.wait_for(state="detached")
    assert answers_stored(page) == before + 1


def test_page_keeps_the_answers_while_the_session_is_gone_and_says_why(
    sure: Pool, begin: Callable[..., Person], tmp_path: Path
) -> None:
    person = begin(sure)
    page = person.page
    _answer(person, 2)
    person.wait_for_room(3)
    person.wait_until_saved()
    before = answers_stored(page)

    folder = tmp_path / "sure.csv.askless"
    folder.rename(tmp_path / "away")
    _answer(person, 1)
    page.wait_for_selector("#saved:has-text('Not saved: 1 answer kept here')")
    page.wait_for_selector(".notice:has-text('Unsaved answers stay in this browser.')")
    assert "sure.csv.askless" in page.locator(".notice").first.inner_text()

    (tmp_path / "away").rename(folder)
    person.wait_until_saved()
    assert answers_stored(page) == before + 1


def test_undo_whose_reply_was_lost_takes_back_one_answer_when_it_is_pressed_again(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(sure)
    page = person.page
    _answer(person, 2)
    person.wait_until_saved()
    before = answers_stored(page)

    def lose_the_reply(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/api/undo", lose_the_reply)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/undo")):
        person.undo()
    page.wait_for_selector(".notice:has-text('Undo needs the connection')")
    page.unroute("**/api/undo")
    with page.expect_response("**/api/undo"):
        person.undo()
    person.question()
    assert answers_stored(page) == before - 1


def test_unsaved_answers_of_a_forgotten_session_are_still_shown(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(sure)
    person.wait_for_room(2)
    person.server.kill()
    _answer(person, 1)
    _lost(person.page)
    script = Path(sys.executable).with_name("askless")
    folder = Path(f"{sure[0]}.askless")
    command = [str(script), "forget", str(folder), "--answers", "--yes"]
    subprocess.run(command, check=True, capture_output=True)
    person.server.start()
    person.page.wait_for_selector(".notice:has-text('stay in this browser')")
    person.page.goto(person.server.link)
    person.page.wait_for_selector("#refused:has-text('1 answer not taken')")


@pytest.mark.parametrize("locks", [True, False], ids=["locks", "no locks"])
def test_two_windows_never_show_the_same_item(
    locks: bool, sure: Pool, begin: Callable[..., Person], context: BrowserContext
) -> None:
    if not locks:  # over plain http from another machine there are none
        context.add_init_script(NO_LOCKS)
    first = begin(sure)
    with context.expect_page() as opened:  # such a window copies what the first one remembers
        first.page.evaluate("() => { window.open('/'); }")
    second = Person(opened.value, first.truth)
    settled: set[str] = set()
    for _ in range(4):
        one, two = first.question(), second.question()
        assert not set(one.names) & set(two.names) - settled  # an audit may ask what is known
        first.answer(one)
        second.answer(two)
        first.wait_until_saved()
        second.wait_until_saved()
        settled |= {*one.names, *two.names}


def _answer(person: Person, number: int) -> None:
    for _ in range(number):
        person.answer(person.question())


def _lost(page: Page) -> None:
    page.wait_for_selector('#saved[data-state="lost"]')


def _pictures_seen(page: Page) -> bool:
    return bool(
        page.evaluate(
            "() => [...document.querySelectorAll('.tile img')].every(i => i.naturalWidth)"
        )
    )


def test_nobody_who_answers_faster_than_the_server_is_asked_twice_about_an_item(
    pool: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(pool)
    page = person.page
    seen = person.question()
    person.wait_for_room(6)
    looks: list[Route] = []
    told: list[Route] = []
    page.route("**/api/ahead", lambda route: looks.append(route))
    with page.expect_request("**/api/ahead"):  # once the answer is saved
        shown = list(seen.names)
        person.answer(seen)
    page.route("**/api/tell", lambda route: told.append(route))

    def go_on(times: int) -> None:
        for _ in range(times):
            now = person.question()
            shown.extend(now.names)
            person.answer(now)

    go_on(5)
    with page.expect_response("**/api/ahead"):
        looks[0].continue_()
    app = page.evaluate_handle("async () => (await import('/static/js/app.js')).app")
    page.wait_for_function("app => !app.flow.looking", arg=app)  # what it says has been read
    go_on(5)
    assert len(shown) == len(set(shown))
