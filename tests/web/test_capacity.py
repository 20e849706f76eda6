"""No question is larger than what its window can show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from askless.app.service import LabellingService
from askless.core.question import Question
from tests.web.services import client_of, get, key, likely, post, service_on, tell

SMALL = {"items": 200, "layouts": [
    {"number": 1, "height": 120, "line": 20, "card": 20, "characters": 30},
]}  # fmt: skip
"""Three texts of one line."""
LARGE = {**SMALL, "layouts": [{**SMALL["layouts"][0], "number": 4}]}  # type: ignore[index]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LabellingService]:
    made = service_on(likely(tmp_path / "t.csv", 900), text="text", prob="prob")
    yield made
    made.close()


@pytest.fixture
def client(service: LabellingService) -> TestClient:
    return client_of(service)


def _put(service: LabellingService, n: int, tab: str = "t") -> None:
    """Put a question about `n` items that are what they are said to be."""
    items = tuple(item for item in range(900) if item % 3 == 0)[100 : 100 + n]
    service.session.queue.put(Question(items, (True,) * n), "ann", tab)


def _sizes(questions: list[dict[str, Any] | None]) -> list[int]:
    return [len(question["items"]) for question in questions if question is not None]


@pytest.mark.parametrize(("capacity", "most"), [(SMALL, 3), (LARGE, 12), ({"items": 5}, 5)])
def test_questions_grow_up_to_what_the_window_shows_and_no_further(
    capacity: dict[str, Any], most: int, client: TestClient
) -> None:
    sizes = []
    for _ in range(60):
        question = post(client, "/api/ask", tab="t", capacity=capacity)["question"]
        sizes.append(len(question["items"]))
        tell(client, question, capacity=capacity)
    assert max(sizes) == most


def test_a_window_that_becomes_smaller_keeps_the_part_of_its_question_that_fits(
    service: LabellingService, client: TestClient
) -> None:
    _put(service, 10)
    before = post(client, "/api/ask", tab="t", capacity=LARGE)["question"]
    assert len(before["items"]) == 10
    kept = post(client, "/api/ask", tab="t", capacity=SMALL)["question"]
    assert kept == before  # the window may know better than any estimate
    after = post(client, "/api/ask", tab="t", capacity=SMALL, refit=True)["question"]
    assert after["items"] == before["items"][:3]
    assert after["id"] != before["id"]
    assert post(client, "/api/ask", tab="t", capacity=LARGE)["question"] == after
    assert tell(client, after)["settled"] == 3


def test_what_the_window_let_go_of_is_asked_later(
    service: LabellingService, client: TestClient
) -> None:
    _put(service, 10)
    question = post(client, "/api/ask", tab="t", capacity=SMALL, refit=True)["question"]
    while question is not None:
        question = tell(client, question, capacity=LARGE)["question"]
    assert get(client, "/api/progress")["open"] == 0


def test_questions_prepared_for_later_fit_too(
    service: LabellingService, client: TestClient
) -> None:
    for _ in range(50):
        question = post(client, "/api/ask", tab="t", capacity=LARGE)["question"]
        tell(client, question, capacity=LARGE)
    question = post(client, "/api/ask", tab="t", capacity=LARGE)["question"]
    prepared = {}
    for name, capacity in (("large", LARGE), ("small", SMALL)):
        ahead = post(client, "/api/ahead", tab="t", question_id=question["id"], capacity=capacity)
        further = [ahead["ahead"].get(first, {}).get(then) for first in ("yes", "no")
                   for then in ("yes", "no")]  # fmt: skip
        prepared[name] = _sizes([ahead["yes"], ahead["no"], *further, *ahead["spare"]])
    assert max(prepared["small"]) == 3
    assert max(prepared["large"]) > 3


def test_an_undone_question_comes_back_as_far_as_it_fits(
    service: LabellingService, client: TestClient
) -> None:
    _put(service, 10)
    question = post(client, "/api/ask", tab="t", capacity=LARGE)["question"]
    tell(client, question, capacity=LARGE)
    again = post(client, "/api/undo", tab="t", key=key(), capacity=SMALL)["question"]
    assert again["items"] == question["items"][:3]


def test_each_window_has_its_own_capacity(service: LabellingService, client: TestClient) -> None:
    for _ in range(50):
        question = post(client, "/api/ask", tab="large", capacity=LARGE)["question"]
        tell(client, question, tab="large", capacity=LARGE)
    sizes: dict[str, list[int]] = {"large": [], "small": []}
    for _ in range(6):
        for tab, capacity in (("large", LARGE), ("small", SMALL)):
            question = post(client, "/api/ask", tab=tab, capacity=capacity)["question"]
            sizes[tab].append(len(question["items"]))
            tell(client, question, tab=tab, capacity=capacity)
    assert max(sizes["small"]) <= 3 < max(sizes["large"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"items": 0},
        {"items": 5, "layouts": [{**SMALL["layouts"][0], "characters": 0}]},  # type: ignore[index]
        {"items": 5, "layouts": [{**SMALL["layouts"][0], "height": "high"}]},  # type: ignore[index]
        {"items": 5, "layouts": [SMALL["layouts"][0]] * 21},  # type: ignore[index]
        {"items": 5, "more": 1},
    ],
)
def test_a_capacity_that_makes_no_sense_is_refused(
    wrong: dict[str, Any], client: TestClient
) -> None:
    reply = client.post("/api/ask", json={"tab": "t", "capacity": wrong})
    assert reply.status_code == 422


def test_columns_shown_beside_the_text_take_room_and_come_with_the_question(
    tmp_path: Path,
) -> None:
    table = tmp_path / "t.csv"
    rows = [f"text {n},{'long ' * 6},0.97" for n in range(400)]
    table.write_text("\n".join(["text,more,prob", *rows]) + "\n")
    service = service_on(table, text="text", prob="prob", show=["more"])
    client = client_of(service)
    sizes = set()
    for _ in range(50):
        question = post(client, "/api/ask", tab="t", capacity=SMALL)["question"]
        sizes.add(len(question["items"]))
        assert question["items"][0]["facts"] == [{"name": "more", "value": ("long " * 6).strip()}]
        tell(client, question, kind="yes", wrong=[], capacity=SMALL)
    assert sizes == {1}  # a card takes four lines of the five
    service.close()


def test_a_very_long_value_comes_in_part_and_whole_when_asked_for(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(f"text,more\na,{'x' * 30_000}\nb,short\n")
    service = service_on(table, text="text", show=["more"])
    client = client_of(service)
    shown = {}
    question = post(client, "/api/ask", tab="t")["question"]
    while question is not None:
        shown.update({item["item"]: item for item in question["items"]})
        question = tell(client, question)["question"]
    assert (shown[0]["cut"], shown[1]["cut"]) == (True, False)
    assert len(shown[0]["facts"][0]["value"]) == 20_000
    whole = get(client, "/api/items/0")
    assert whole["facts"][0]["value"] == "x" * 30_000
    assert not whole["cut"]
    service.close()
