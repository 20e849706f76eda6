"""Nothing is lost or doubled by a lost network, a killed server, a closed window or a reload."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.labels import NAMES, SURE, Pool, exported, wrong_labels
from tests.browser.person import Person, keys
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser


def test_answers_given_without_a_network_are_kept_and_sent_once(
    sure: Pool, serve: Callable[..., Server], context: BrowserContext,
    shoot: Callable[[Page, str], None],
) -> None:  # fmt: skip
    table, truth = sure
    server = serve("label", table, *SURE, *NAMES)
    page = context.new_page()
    page.goto(server.link)
    person = Person(page, truth.__getitem__)
    person.confirm_definition()
    _answer(person, 3)
    _saved(page)
    before = _answers(page)

    context.set_offline(True)
    given = _answer(person, 3)
    page.wait_for_selector('#saved[data-state="lost"]')
    said = page.locator("#saved").inner_text()
    assert f"{given} answers" in said
    assert "unsaved" in said
    shoot(page, "offline")

    context.set_offline(False)
    _saved(page)
    assert _answers(page) == before + given
    person.label_everything(keys)
    assert wrong_labels(exported(page), truth) == []


def test_answers_given_while_the_server_is_dead_are_sent_when_it_is_back(
    sure: Pool, serve: Callable[..., Server], context: BrowserContext
) -> None:
    table, truth = sure
    server = serve("label", table, *SURE, *NAMES)
    page = context.new_page()
    page.goto(server.link)
    person = Person(page, truth.__getitem__)
    person.confirm_definition()
    _answer(person, 4)
    _saved(page)
    before = _answers(page)

    server.kill()
    given = _answer(person, 2)
    page.wait_for_selector('#saved[data-state="lost"]')
    server.start()
    _saved(page)
    assert _answers(page) == before + given
    page.reload()
    person.label_everything(keys)
    assert wrong_labels(exported(page), truth) == []


def test_answers_of_a_closed_window_are_sent_by_the_next_one(
    sure: Pool, serve: Callable[..., Server], context: BrowserContext
) -> None:
    table, truth = sure
    server = serve("label", table, *SURE, *NAMES)
    page = context.new_page()
    page.goto(server.link)
    person = Person(page, truth.__getitem__)
    person.confirm_definition()
    _answer(person, 2)
    _saved(page)
    before = _answers(page)
    context.set_offline(True)
    given = _answer(person, 1)
    page.wait_for_selector('#saved[data-state="lost"]')
    page.close()
    context.set_offline(False)

    other = context.new_page()
    other.goto(server.link.partition("?")[0])
    Person(other, truth.__getitem__).look()
    _saved(other)
    assert _answers(other) == before + given


def test_reload_shows_the_same_question(
    sure: Pool, serve: Callable[..., Server], context: BrowserContext
) -> None:
    table, truth = sure
    page = context.new_page()
    page.goto(serve("label", table, *SURE, *NAMES).link)
    person = Person(page, truth.__getitem__)
    person.confirm_definition()
    _answer(person, 5)
    seen = person.look()
    _saved(page)
    page.reload()
    again = person.look()
    assert seen is not None
    assert again is not None
    assert again.names == seen.names


def test_two_windows_never_show_the_same_item_and_finish_together(
    sure: Pool, serve: Callable[..., Server], context: BrowserContext
) -> None:
    table, truth = sure
    server = serve("label", table, *SURE, *NAMES)
    page = context.new_page()
    page.goto(server.link)
    Person(page, truth.__getitem__).confirm_definition()
    with context.expect_page() as opened:  # such a window copies what the first one remembers
        page.evaluate("() => { window.open('/'); }")
    people = [Person(one, truth.__getitem__) for one in (page, opened.value)]
    first, second = people
    settled: set[str] = set()
    for _ in range(len(truth)):
        for person in people:
            _saved(person.page)
        one, two = first.look(), second.look()
        if one is None or two is None:
            break
        assert not set(one.names) & set(two.names) - settled  # an audit may ask what is known
        keys(first, one)
        keys(second, two)
        settled |= {*one.names, *two.names}
    second.page.close()  # whatever it was asked last comes to the first one
    first.page.reload()
    first.label_everything(keys)
    assert first.page.locator("h1", has_text="Everything is settled").is_visible()
    assert wrong_labels(exported(first.page), truth) == []


def _answer(person: Person, most: int) -> int:
    """Answer what the page has to show without waiting for the server; how many that was."""
    for given in range(most):
        person.page.wait_for_timeout(400)  # looking at the tiles, while the next ones are fetched
        if person.page.locator(".ask.waiting").count():
            return given
        seen = person.look()
        assert seen is not None
        keys(person, seen)
    return most


def _saved(page: Page) -> None:
    page.wait_for_function(
        "() => document.getElementById('saved-text').textContent === 'Saved'"
        " && !Object.keys(localStorage).some(name => name.startsWith('askless.outbox'))"
    )


def _answers(page: Page) -> int:
    return int(
        page.evaluate(
            "() => fetch('/api/progress').then(r => r.json())"
            ".then(p => Object.values(p.answers).reduce((a, b) => a + b, 0) + p.audits.asked)"
        )
    )
