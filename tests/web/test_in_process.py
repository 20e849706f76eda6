"""The app without a server: the same replies, the same bounds, and an end that is told."""

from __future__ import annotations

import json
import queue
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askless.errors import Refused
from askless.web.guard import BODY_BYTES
from askless.web.in_process import InProcess, Reply
from tests.web.services import client_of, get, is_red, key, pictures, service_on, truthfully

WAIT_S = 300


@pytest.fixture
def app(tmp_path: Path) -> Iterator[InProcess]:
    """An app in this process, on pictures."""
    service = service_on(pictures(tmp_path / "pictures", 6))
    made = InProcess(service)
    yield made
    made.close()
    service.close()


def _send(app: InProcess, method: str, address: str, body: Any = None) -> tuple[Reply, Any]:
    replies: queue.Queue[Reply] = queue.Queue()
    sent = body if body is None or isinstance(body, str) else json.dumps(body)
    app.request(method, address, sent, replies.put)
    reply = replies.get(timeout=WAIT_S)
    return reply, json.loads(reply.content) if "json" in reply.media_type else None


def test_everything_is_labelled_as_over_http(app: InProcess) -> None:
    _, reply = _send(app, "POST", "/api/ask", {"tab": "t"})
    while (question := reply["question"]) is not None:
        body = {
            "tab": "t",
            "question_id": question["id"],
            "ticket": question["ticket"],
            "key": key(),
            **truthfully(question, pointing=True),
        }
        status, reply = _send(app, "POST", "/api/tell", body)
        assert status.status == 200
    assert reply["progress"]["settled"] == 6
    assert reply["progress"]["positives"] == sum(map(is_red, range(6)))


def test_a_picture_comes_as_bytes_and_the_session_as_over_http(tmp_path: Path) -> None:
    service = service_on(pictures(tmp_path / "pictures", 4))
    app = InProcess(service)
    over_http = client_of(service)
    reply, _ = _send(app, "GET", "/api/items/2/picture?size=full")
    assert (reply.status, reply.media_type) == (200, "image/png")
    assert reply.content == over_http.get("/api/items/2/picture?size=full").content
    _, session = _send(app, "GET", "/api/session")
    assert {**session, "command": ""} == {**get(over_http, "/api/session"), "command": ""}
    app.close()
    service.close()


@pytest.mark.parametrize(
    ("method", "address", "body", "status"),
    [
        ("GET", "/api/events", None, 404),  # it would never end
        ("GET", "/api/%65vents", None, 404),
        ("GET", "/static/index.html", None, 404),
        ("GET", "/api/../static/index.html", None, 404),
        ("GET", "http://elsewhere/api/session", None, 404),
        ("GET", "/api/items/99/picture", None, 404),
        ("GET", f"/api/{'x' * 5000}", None, 404),
        ("GET", "/api/gallery?q=\udcff", None, 200),
        ("DELETE", "/api/session", None, 405),
        ("POST", "/api/session", "{}", 405),
        ("POST", "/api/ask", "{", 422),
        ("POST", "/api/ask", '{"tab": "t", "more": 1}', 422),
        ("POST", "/api/ask", "x" * (BODY_BYTES + 1), 413),
        ("POST", "/api/ask", "\ud800", 422),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    app: InProcess, method: str, address: str, body: str | None, status: int
) -> None:
    reply, said = _send(app, method, address, body)
    assert reply.status == status
    assert status == 200 or len(said["detail"]) > 20


def test_progress_is_told_and_so_is_the_end(app: InProcess) -> None:
    told: queue.Queue[tuple[str, Any]] = queue.Queue()
    app.follow(lambda name, data: told.put((name, data)))
    name, data = told.get(timeout=WAIT_S)
    assert (name, data["items"]) == ("progress", 6)
    app.close()
    assert told.get(timeout=WAIT_S) == ("ended", {})
    with pytest.raises(Refused, match="has ended here"):
        app.request("GET", "/api/session", None, lambda reply: None)
    app.close()  # twice is once
