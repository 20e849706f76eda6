"""Labelling through the API, from the first question to the exported labels."""

import csv
import errno
import io
import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from askless.app.service import LabellingService
from askless.app.terms import Terms
from askless.errors import NotWritten
from askless.folder.forgetting import forget_content
from tests.web.services import (
    client_of,
    get,
    is_red,
    key,
    label_all,
    likely,
    pictures,
    post,
    service_on,
    tell,
    texts,
)


@pytest.mark.parametrize("pointing", [False, True])
def test_a_whole_pool_is_labelled_and_every_exported_label_is_right(
    client: TestClient, pointing: bool
) -> None:
    label_all(client, pointing=pointing)
    assert get(client, "/api/progress")["open"] == 0
    reply = client.post("/api/export", json={"format": "csv"})
    assert reply.headers["content-disposition"] == 'attachment; filename="labels.csv"'
    rows = list(csv.DictReader(io.StringIO(reply.text)))
    assert [row["id"] for row in rows] == [f"{item:03}.png" for item in range(24)]
    assert [row["label"] == "red" for row in rows] == [is_red(item) for item in range(24)]
    assert all(row["certain"] == "true" for row in rows)


def test_a_window_keeps_its_question_until_it_is_answered(client: TestClient) -> None:
    first = post(client, "/api/ask", tab="t")["question"]
    assert post(client, "/api/ask", tab="t")["question"] == first
    assert tell(client, first)["question"] != first


def test_two_windows_are_not_asked_about_the_same_items(client: TestClient) -> None:
    one = post(client, "/api/ask", tab="one")["question"]
    two = post(client, "/api/ask", tab="two")["question"]
    assert {i["item"] for i in one["items"]}.isdisjoint(i["item"] for i in two["items"])


def test_what_a_closed_window_held_comes_back_to_the_one_that_is_left(client: TestClient) -> None:
    label = post(client, "/api/ask", tab="closed")["question"]["items"]
    asked = []
    question = post(client, "/api/ask", tab="t")["question"]
    while question is not None:
        asked += question["items"]
        question = tell(client, question)["question"]
    assert label[0] not in asked
    assert post(client, "/api/ask", tab="t")["question"] is None
    assert post(client, "/api/ask", tab="t", alone=True)["question"]["items"] == label


def test_the_same_key_twice_is_one_answer_and_the_same_reply(client: TestClient) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    body = {"key": key(), "kind": "yes", "wrong": []}
    first, again = tell(client, question, **body), tell(client, question, **body)
    assert {name: first[name] for name in ("answer", "settled", "question")} == {
        name: again[name] for name in ("answer", "settled", "question")
    }
    assert get(client, "/api/progress")["answers"]["yes"] == 1


def test_a_prepared_question_that_the_page_shows_already_comes_next(client: TestClient) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    ahead = post(client, "/api/ahead", tab="t", question_id=question["id"])
    told = tell(client, question, kind="yes", showing=ahead["yes"]["ticket"])
    assert told["question"]["ticket"] == ahead["yes"]["ticket"]
    assert told["question"]["id"] is not None
    assert ahead["yes"]["id"] is None


def test_a_spare_question_may_be_shown_whatever_was_answered(client: TestClient) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    spare = post(client, "/api/ahead", tab="t", question_id=question["id"])["spare"]
    shown = [item["item"] for one in [question, *spare] for item in one["items"]]
    assert spare
    assert len(shown) == len(set(shown))
    told = tell(client, question, kind="no", showing=spare[-1]["ticket"])
    assert told["question"]["ticket"] == spare[-1]["ticket"]


def test_answers_given_offline_are_taken_in_order_once_each(client: TestClient) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    spare = post(client, "/api/ahead", tab="t", question_id=question["id"])["spare"][:3]
    sent = [(one, key()) for one in [question, *spare]]
    for one, name in [*sent, *sent]:  # the connection broke before the replies: all sent again
        reply = tell(client, one, question_id=None, key=name)
    assert sum(reply["progress"]["answers"].values()) == 4


def test_no_wait_after_two_answers_either(client: TestClient) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    ahead = post(client, "/api/ahead", tab="t", question_id=question["id"])
    second = tell(client, question, kind="yes", showing=ahead["yes"]["ticket"])["question"]
    third = ahead["ahead"]["yes"]["no"]
    told = tell(client, second, kind="no", showing=third["ticket"])
    assert told["question"]["ticket"] == third["ticket"]


def test_undo_asks_the_same_again(client: TestClient) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    tell(client, question)
    undone = post(client, "/api/undo", tab="t", key=key())
    assert undone["undone"]
    assert undone["question"]["items"] == question["items"]
    assert undone["progress"]["settled"] == 0


def test_undo_leaves_what_another_window_said(client: TestClient) -> None:
    mine = post(client, "/api/ask", tab="mine")["question"]
    other = post(client, "/api/ask", tab="other")["question"]
    tell(client, mine, tab="mine")
    tell(client, other, tab="other")
    undone = post(client, "/api/undo", tab="mine", key=key())
    assert undone["undone"]
    assert undone["question"]["items"] == mine["items"]
    assert undone["progress"]["settled"] == 1
    again = post(client, "/api/undo", tab="mine", key=key())
    assert not again["undone"]
    assert again["question"] == undone["question"]
    assert again["progress"]["settled"] == 1


def test_undo_takes_back_what_this_window_set_aside_or_corrected(client: TestClient) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    item = question["items"][0]["item"]
    post(client, "/api/unsure", tab="t", item=item, note="", key=key())
    assert post(client, "/api/undo", tab="t", key=key())["progress"]["unsure"] == 0
    tell(client, post(client, "/api/ask", tab="t")["question"])
    settled = get(client, "/api/gallery")["items"][0]
    right = settled["label"]
    other = "negative" if right else "positive"
    post(client, "/api/revise", tab="t", items=[settled["item"]], what=other, key=key())
    assert get(client, "/api/gallery")["items"][0]["label"] is not right
    assert not post(client, "/api/undo", tab="other", key=key())["undone"]
    assert post(client, "/api/undo", tab="t", key=key())["undone"]
    assert get(client, "/api/gallery")["items"][0]["label"] is right


def test_undo_of_nothing_says_so_also_when_it_is_sent_again(client: TestClient) -> None:
    lost = key()
    assert not post(client, "/api/undo", tab="t", key=lost)["undone"]
    told = tell(client, post(client, "/api/ask", tab="t")["question"])
    again = post(client, "/api/undo", tab="t", key=lost)
    assert not again["undone"]
    assert again["progress"]["settled"] == told["progress"]["settled"]


def test_undo_says_that_it_undid_also_when_it_is_sent_again(client: TestClient) -> None:
    for _ in range(2):
        tell(client, post(client, "/api/ask", tab="t")["question"])
    lost = key()
    undone = post(client, "/api/undo", tab="t", key=lost)
    assert undone["undone"]
    assert post(client, "/api/undo", tab="t", key=lost) == undone


def test_an_unsure_item_leaves_and_the_rest_of_its_question_stays(tmp_path: Path) -> None:
    service = service_on(likely(tmp_path / "t.csv"), text="text", prob="prob")
    client = client_of(service)
    question = post(client, "/api/ask", tab="t")["question"]
    while len(question["items"]) < 3:
        question = tell(client, question)["question"]
    out = question["items"][1]["item"]
    after = post(client, "/api/unsure", tab="t", item=out, note="blurred", key=key())
    kept = [item for item in question["items"] if item["item"] != out]
    assert after["question"]["items"] == kept
    assert after["progress"]["unsure"] == 1
    gallery = get(client, "/api/gallery", label="unsure")
    assert [(i["item"], i["note"]) for i in gallery["items"]] == [(out, "blurred")]
    service.close()


def test_what_was_set_aside_in_another_window_or_another_day_can_be_asked_again(
    tmp_path: Path,
) -> None:
    source = pictures(tmp_path / "p")
    service = service_on(source)
    client = client_of(service)
    post(client, "/api/unsure", tab="gone", item=5, note="", key=key())
    service.close()
    service = service_on(source)
    client = client_of(service)
    again = key()
    body = {"tab": "t", "items": [5], "what": "ask_again"}
    step = post(client, "/api/revise", **body, key=again)
    assert get(client, "/api/progress")["unsure"] == 0
    assert post(client, "/api/revise", **body, key=again) == step  # the same request
    refused = client.post("/api/revise", json={**body, "key": key()})
    assert (refused.status_code, "open" in refused.json()["detail"]) == (409, True)
    label_all(client)
    assert service.session.state.label(5) is False
    service.close()


def test_a_restart_goes_on_with_what_was_answered(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p")
    service = service_on(source)
    client = client_of(service)
    for _ in range(5):
        tell(client, post(client, "/api/ask", tab="t")["question"])
    before = get(client, "/api/progress")
    cookies = dict(client.cookies)
    service.close()
    service = service_on(source)
    client = client_of(service, let_in=False)
    client.cookies.update(cookies)
    after = get(client, "/api/progress")
    assert after["settled"] == before["settled"]
    assert after["answers"] == before["answers"]
    assert get(client, "/api/session")["definition_version"] == 1
    label_all(client)
    service.close()


def test_labels_that_the_source_brings_are_not_asked(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text,label\ngood,yes\nbad,no\nfine,\npoor,\n")
    service = service_on(table, label="label", true="yes")
    client = client_of(service)
    progress = get(client, "/api/progress")
    assert (progress["settled"], progress["positives"], progress["negatives"]) == (2, 1, 1)
    assert sum(progress["answers"].values()) == 0
    assert [one["given"] for one in get(client, "/api/answers")] == [True, True]
    asked = set()
    question = post(client, "/api/ask", tab="t")["question"]
    while question is not None:
        asked |= {item["text"] for item in question["items"]}
        question = tell(client, question, kind="yes", wrong=[])["question"]
    assert asked == {"fine", "poor"}
    progress = get(client, "/api/progress")
    assert (progress["answers"]["yes"], progress["labels_per_answer"]) == (2, 1)
    assert get(client, "/api/curve")["labels"][-1] == 2
    assert get(client, "/api/gallery", how="given")["total"] == 2
    assert [one["given"] for one in get(client, "/api/answers")] == [False, False, True, True]
    service.close()


def test_texts_are_sent_as_they_are(tmp_path: Path) -> None:
    words = '<script>alert("1")</script>\n=cmd|calc'
    service = service_on(texts(tmp_path / "t.csv", [words, "plain", "third", "fourth"]))
    client = client_of(service)
    assert get(client, "/api/session")["kind"] == "texts"
    assert get(client, "/api/items/0")["text"] == words
    service.close()


def test_a_long_text_is_shortened_in_questions_and_whole_by_itself(tmp_path: Path) -> None:
    service = service_on(texts(tmp_path / "t.csv", ["x" * 10_000, "y", "z", "w"]))
    client = client_of(service)
    page = get(client, "/api/gallery", certain="no")
    assert len(page["items"][0]["text"]) == 4_000
    assert len(get(client, "/api/items/0")["text"]) == 10_000
    service.close()


def test_every_format_can_be_downloaded(client: TestClient) -> None:
    label_all(client)
    lines = client.post("/api/export", json={"format": "jsonl"}).text.splitlines()
    labels = [json.loads(line)["label"] for line in lines]
    assert labels == ["red" if is_red(item) else "blue" for item in range(24)]
    pytest.importorskip("pyarrow")
    table = client.post("/api/export", json={"format": "parquet"}).content
    assert table.startswith(b"PAR1")


def test_the_first_items_are_drawn_and_stay_marked(
    service: LabellingService, client: TestClient
) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    assert question["drawn"]
    assert len(question["items"]) == 1
    ahead = post(client, "/api/ahead", tab="t", question_id=question["id"])
    assert ahead["yes"]["drawn"]  # what the page shows next says so at once
    assert ahead["ahead"]["yes"]["no"]["drawn"]
    label_all(client)
    drawn = {i.item for i in service.session.labels() if i.in_test_sample}
    assert get(client, "/api/summary")["test_split"] == len(drawn) == 6


@pytest.mark.parametrize("reopen", [False, True])
def test_an_answer_that_could_not_be_stored_is_not_said_to_be_and_can_be_sent_again(
    service: LabellingService, client: TestClient, monkeypatch: pytest.MonkeyPatch, reopen: bool
) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    body = {"tab": "t", "question_id": question["id"], "ticket": question["ticket"]}
    body |= {"key": key(), "kind": "yes", "wrong": []}

    def full(self: object, events: object) -> None:
        raise NotWritten("There is no room on the disk; make some.", reopen=reopen)

    with monkeypatch.context() as patch:
        patch.setattr("askless.stores.sqlite.SqliteStore.append", full)
        reply = client.post("/api/tell", json=body)
    assert reply.status_code == 503
    assert reply.json()["detail"] == "There is no room on the disk; make some."
    assert get(client, "/api/progress")["settled"] == 0
    assert post(client, "/api/tell", **body)["settled"] == 1
    label_all(client)
    assert [i.label for i in service.session.labels()][question["items"][0]["item"]]


def test_a_refusal_says_whether_the_same_may_be_sent_again(
    client: TestClient,
) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    body = {"tab": "t", "question_id": None, "ticket": question["ticket"], "kind": "yes"}
    other = {"Askless-Session": "0123456789abcdef"}
    forged = {**body, "ticket": "x" + question["ticket"]}
    later = client.post("/api/tell", json={**body, "key": key()}, headers=other)
    never = client.post("/api/tell", json={**forged, "key": key()})
    unknown = client.post("/api/tell", json=body)
    assert [(reply.status_code, reply.json()["again"]) for reply in (later, never, unknown)] == [
        (401, True),
        (409, False),
        (422, False),
    ]


def test_an_answer_to_what_somebody_else_was_asked_is_refused_by_name(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p")
    service = service_on(source)
    question = post(client_of(service), "/api/ask", tab="t")["question"]
    service.close()
    service = service_on(source, terms=Terms(annotator="bob"))
    body = {"tab": "t", "ticket": question["ticket"], "kind": "yes", "key": key()}
    reply = client_of(service).post("/api/tell", json=body)
    assert reply.status_code == 409
    assert "put to 'ann'; here answers 'bob'" in reply.json()["detail"]
    assert "--annotator ann" in reply.json()["detail"]
    service.close()


def test_what_a_page_holds_is_taken_after_the_session_has_forgotten(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p")
    service = service_on(source)
    client = client_of(service)
    question, before = post(client, "/api/ask", tab="t")["question"], service.id
    cookies = dict(client.cookies)
    service.close()
    forget_content(service.settings.folder)
    service = service_on(source)
    assert service.id == before
    client = client_of(service, let_in=False)
    client.cookies.update(cookies)
    assert tell(client, question, question_id=None)["settled"] == 1
    service.close()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/names", {"positive": {"many": "crimson"}, "negative": None}),
        ("/api/pin", {"item": 1, "pinned": True}),
        ("/api/reviewed", {"items": [1, 2]}),
        ("/api/group", {"max_n": 3}),
        ("/api/definition", {"text": "Another meaning."}),
    ],
)
def test_a_full_disk_is_told_in_a_sentence_and_the_same_request_is_taken_once_there_is_room(
    path: str,
    body: dict[str, Any],
    service: LabellingService,
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    post(client, "/api/reviewed", items=[5])
    before, definitions = service.settings.current, list(service.session.history.definitions)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("askless.app.settings.write_whole", full)
        reply = client.post(path, json=body)
    assert reply.status_code == 507
    assert reply.headers["content-type"] == "application/problem+json"
    assert "No space left on device. Make room and try again" in reply.json()["detail"]
    assert reply.json()["again"] is True
    assert service.settings.current == before
    assert list(service.session.history.definitions) == definitions
    post(client, path, **body)
    assert service.settings.current != before
