"""The widget without a notebook: its messages, its labels, and whatever else may come."""

from __future__ import annotations

import json
import queue
import sys
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import askless
from askless.errors import InvalidInput, NotInstalled
from askless.labelling.cell import Widget

TEXTS = [f"{'lovely' if n % 2 else 'awful'} thing {n}" for n in range(12)]
WAIT_S = 300


class _Cell:
    """What a notebook would do: send messages, hear replies."""

    def __init__(self, widget: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
        self.widget = widget
        self.heard: queue.Queue[tuple[Any, list[bytes]]] = queue.Queue()
        monkeypatch.setattr(
            widget, "send", lambda said, buffers=(): self.heard.put((said, list(buffers)))
        )

    def send(self, message: Any) -> None:
        self.widget._handle_custom_msg(message, [])

    def call(self, path: str, **body: Any) -> Any:
        method = "POST" if body else "GET"
        sent = json.dumps(body) if body else None
        self.send({"id": "a-1", "method": method, "address": f"/api/{path}", "body": sent})
        said, (content,) = self.heard.get(timeout=WAIT_S)
        assert (said["id"], said["status"]) == ("a-1", 200), content
        return json.loads(content)


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Cell]:
    """A cell on a few texts."""
    df = pd.DataFrame({"review": TEXTS}, index=[f"row {n}" for n in range(12)])
    widget = askless.widget(df, text="review", positive="praise", negative="complaint")
    yield _Cell(widget, monkeypatch)
    widget.close()


def test_answers_in_the_cell_are_labels_in_the_next_one(cell: _Cell) -> None:
    reply = cell.call("ask", tab="t")
    for number in range(100):
        question = reply["question"]
        if question is None:
            break
        wrong = [one["item"] for one in question["items"] if one["item"] % 2 != question["guess"]]
        kind = "yes" if not wrong else "no" if len(question["items"]) == 1 else "pointed"
        reply = cell.call(
            "tell", tab="t", question_id=question["id"], ticket=question["ticket"], kind=kind,
            wrong=wrong if kind == "pointed" else [], key=f"key-{number:05}",
        )  # fmt: skip
    labels = cell.widget.labels()
    assert list(labels.index) == [f"row {n}" for n in range(12)]
    assert list(labels["label"]) == ["complaint", "praise"] * 6
    assert labels["certain"].all()
    assert cell.widget.progress.settled == 12


@pytest.mark.parametrize(
    "message",
    [
        None, [], "x", 7, {}, {"id": 3}, {"id": ""}, {"id": "x" * 1000, "method": "GET"},
        {"follow": "yes"}, {"id": None, "method": "GET", "address": "/api/session"},
    ],
)  # fmt: skip
def test_what_is_no_request_is_not_answered(cell: _Cell, message: Any) -> None:
    cell.send(message)
    assert cell.call("session")["kind"] == "texts"  # the next reply is to this


@pytest.mark.parametrize(
    "rest",
    [{}, {"method": 1, "address": "/api/session"}, {"method": "GET", "address": None},
     {"method": "POST", "address": "/api/ask", "body": {"tab": "t"}}],
)  # fmt: skip
def test_a_request_that_lacks_something_is_refused_in_a_sentence(
    cell: _Cell, rest: dict[str, Any]
) -> None:
    cell.send({"id": "b", **rest})
    said, (content,) = cell.heard.get(timeout=WAIT_S)
    assert said == {"id": "b", "status": 400, "type": "application/problem+json"}
    assert "a method, an address" in json.loads(content)["detail"]


def test_a_cell_is_told_of_progress_and_of_the_end(cell: _Cell) -> None:
    cell.send({"follow": True})
    cell.send({"follow": True})  # shown in two places, told once
    said, _ = cell.heard.get(timeout=WAIT_S)
    assert (said["event"], said["data"]["items"]) == ("progress", 12)
    cell.widget.labelling.close()
    assert cell.heard.get(timeout=WAIT_S)[0] == {"event": "ended", "data": {}}
    cell.send({"id": "c", "method": "GET", "address": "/api/session", "body": None})
    said, (content,) = cell.heard.get(timeout=WAIT_S)
    assert said["status"] == 503
    assert "has ended here" in json.loads(content)["detail"]
    assert len(cell.widget.labels()) == 12


def test_one_labelling_may_have_a_cell_a_page_and_a_loop() -> None:
    with askless.label(TEXTS, positive="praise") as labelling:
        widget = labelling.widget(height=500)
        link = labelling.serve(port=0)
        assert widget.height == 500
        assert link.startswith("http://127.0.0.1")
        assert labelling.ask() is not None
        labelling.tell(yes=True)
        assert widget.progress.settled == labelling.progress.settled > 0
        widget.close()
        assert labelling.ask() is not None  # it was not the widget's own


def test_its_repr_is_short_and_a_height_that_is_none_is_refused() -> None:
    with askless.label(TEXTS, positive="praise") as labelling:
        widget = labelling.widget()
        assert repr(widget).startswith("<Widget of Labelling of 12 texts")
        assert len(repr(widget)) < 200
        with pytest.raises(InvalidInput, match="height is a whole number"):
            labelling.widget(height=10)


def test_without_anywidget_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(NotInstalled, match=r"askless\[notebook\]"):
        askless.widget(TEXTS)
