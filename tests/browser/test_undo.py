"""Undo brings the question back unmarked, and nothing comes between the key and the question."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.labels import Pool, answers_stored, exported, wrong_labels
from tests.browser.person import Person

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.browser

TELL, UNDO, AHEAD = "**/api/tell", "**/api/undo", "**/api/ahead"


def test_undo_at_the_end_brings_the_question_back_unmarked(
    three: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(three)
    seen = person.question()
    assert set(seen.names) == set(three[1])
    for _ in range(2):
        person.answer(seen)
        person.page.get_by_role("button", name="Undo the last answer").click()
        person.page.wait_for_selector(".ask:not([hidden])")
        seen = person.question()
        assert set(seen.names) == set(three[1])
        assert seen.marked == ()
        assert person.page.evaluate("() => document.activeElement.id") == "sentence"
    person.label_everything()
    assert wrong_labels(exported(person.page), three[1]) == []


def test_no_other_question_can_be_answered_while_an_undo_is_on_its_way(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(sure)
    page = person.page
    first = person.question()
    person.wait_until_prepared()
    told: list[Route] = []
    undone: list[Route] = []
    page.route(TELL, lambda route: told.append(route))
    page.route(UNDO, lambda route: undone.append(route))
    with page.expect_request(TELL):
        person.slip(first)
    with page.expect_request(UNDO):  # it goes out once the answer is saved
        person.undo()
        told[0].continue_()
    page.keyboard.press("n")  # meant for the first question, which is not back yet
    page.wait_for_selector(".ask.waiting")
    undone[0].continue_()
    assert person.question().names == first.names
    person.wait_until_saved()
    assert answers_stored(page) == 0


def test_page_goes_on_after_an_undo_that_failed_before_the_next_question_came(
    sure: Pool, begin: Callable[..., Person]
) -> None:
    person = begin(sure)
    page = person.page
    page.route(AHEAD, lambda route: route.abort())  # so that the page waits for each reply
    page.reload()
    first = person.question()
    told: list[Route] = []
    page.route(TELL, lambda route: told.append(route))
    page.route(UNDO, lambda route: route.abort())
    with page.expect_request(TELL):
        person.answer(first)
    for _ in range(2):  # the second is pressed while the first is on its way
        person.undo()
    told[0].continue_()
    page.wait_for_selector(".notice:has-text('Undo needs the connection')")
    assert person.question().names != first.names
    assert answers_stored(page) == 1
