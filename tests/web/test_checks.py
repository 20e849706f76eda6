"""Checks on the page: they look like any question, and nobody sees one before it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from askless.app.service import LabellingService
from askless.certificates.policy import Freeze
from askless.core.promise import Promise
from askless.history.claims import Claim
from tests.web.services import client_of, is_red, key, likely, post, service_on, tell


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LabellingService]:
    made = service_on(likely(tmp_path / "t.csv", 120), text="text", prob="prob")
    session = made.session
    guesses = np.array([is_red(item) for item in range(120)])
    session.freeze(Promise("count", 5), Freeze(guesses, (1.0,), seed="5" * 32))
    for _ in range(60):  # the test sample and audits come first
        asked = session.ask("ann", "t")
        assert asked is not None
        if asked.question.purpose == "check":
            break
        right = is_red(asked.question.items[0]) == asked.question.guess[0]
        answer = asked.question.yes() if right else asked.question.no()
        session.tell(asked.id, answer, key())
    session.queue.leave("ann")
    yield made
    made.close()


def _claim(service: LabellingService) -> Claim:
    claim = service.session.history.claims.current
    assert claim is not None
    return claim


def _check_after(
    service: LabellingService, client: TestClient, question: dict[str, Any]
) -> dict[str, Any]:
    """The check that comes after this one, with audits between them answered."""
    question = tell(client, question)["question"]
    while service.session.history.asked[question["id"]].check is None:
        question = tell(client, question)["question"]
    return question


def test_a_check_looks_like_any_question_and_is_not_cut_to_what_is_quickly_read(
    service: LabellingService,
) -> None:
    question = post(client_of(service), "/api/ask", tab="t")["question"]
    assert question["purpose"] == "label"
    drawn = _claim(service).draws[0].items.tolist()
    assert [item["item"] for item in question["items"]] == drawn
    assert len(drawn) == 24  # a group of four would do for somebody new


def test_a_small_window_gets_a_check_in_parts(service: LabellingService) -> None:
    client, shown = client_of(service), list[int]()
    capacity = {"items": 10}
    for expected in (10, 10, 4):
        question = post(client, "/api/ask", tab="t", capacity=capacity)["question"]
        assert len(question["items"]) == expected
        shown += [item["item"] for item in question["items"]]
        tell(client, question, kind="yes", capacity=capacity)
    assert shown == _claim(service).draws[0].items.tolist()
    assert _claim(service).look(service.session.state).outcomes[0] == "yes"


def test_a_page_waits_for_the_next_check_and_has_spare_questions_for_a_lost_connection(
    service: LabellingService,
) -> None:
    client = client_of(service)
    question = post(client, "/api/ask", tab="t")["question"]
    ahead = post(client, "/api/ahead", tab="t", question_id=question["id"])
    assert (ahead["yes"], ahead["no"], ahead["wait"]) == (None, None, True)
    assert ahead["spare"]
    following = _check_after(service, client, question)
    assert [item["item"] for item in following["items"]] == _claim(service).draws[1].items.tolist()


def test_without_a_promise_no_page_waits(service: LabellingService) -> None:
    client = client_of(service)
    service.session.define("Something else, which makes the claim void.")
    question = post(client, "/api/ask", tab="t")["question"]
    assert post(client, "/api/ahead", tab="t", question_id=question["id"])["wait"] is False


def test_an_item_of_a_check_that_is_unsure_leaves_and_the_rest_stays(
    service: LabellingService,
) -> None:
    client = client_of(service)
    question = post(client, "/api/ask", tab="t")["question"]
    out = question["items"][1]["item"]
    after = post(client, "/api/unsure", tab="t", item=out, note="", key=key())
    kept = [item["item"] for item in question["items"] if item["item"] != out]
    rest = [item["item"] for item in after["question"]["items"]]
    assert rest == kept[: len(rest)]  # an ordinary question now: cut to what is quickly read
    assert _claim(service).look(service.session.state).outcomes == ("no",)


def test_undo_asks_the_same_check_again(service: LabellingService) -> None:
    client = client_of(service)
    question = post(client, "/api/ask", tab="t")["question"]
    tell(client, question, kind="yes")
    undone = post(client, "/api/undo", tab="t", key=key())
    assert undone["question"]["items"] == question["items"]
    again = _check_after(service, client, undone["question"])
    assert [item["item"] for item in again["items"]] == _claim(service).draws[1].items.tolist()
