"""The gallery: filtered, sorted, a page at a time."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from askless.app.label_table import read_table
from askless.app.opening import open_service
from askless.app.service import LabellingService
from askless.app.terms import Terms
from askless.core.question import Question
from askless.seams import Pool
from tests.web.services import (
    client_of,
    get,
    is_red,
    key,
    label_all,
    likely,
    pictures,
    service_on,
    texts,
)


@pytest.fixture
def grouped(tmp_path: Path) -> Any:
    """Two hundred texts, labelled in groups."""
    service = service_on(likely(tmp_path / "t.csv", 200), text="text", prob="prob")
    client = client_of(service)
    label_all(client, pointing=True)
    yield service, client
    service.close()


def test_the_gallery_shows_what_has_the_label_and_was_settled_so(client: TestClient) -> None:
    label_all(client)
    red = get(client, "/api/gallery", label="positive")
    assert [item["item"] for item in red["items"]] == [i for i in range(24) if is_red(i)]
    assert all(item["label"] is True and item["how"] == "alone" for item in red["items"])
    assert get(client, "/api/gallery", label="negative", how="group")["total"] == 0
    assert get(client, "/api/gallery", q="005.PNG")["total"] == 1


def test_the_gallery_is_sorted_by_probability_folder_or_time(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 8)
    for item, picture in enumerate(sorted(source.iterdir())):
        folder = source / ("b" if item % 2 else "a/inside")
        folder.mkdir(parents=True, exist_ok=True)
        picture.rename(folder / picture.name)
    service = service_on(source)
    client = client_of(service)

    def items(**query: Any) -> list[int]:
        return [found["item"] for found in get(client, "/api/gallery", **query)["items"]]

    probs = service.session.probs.values
    by_probability = items(sort="probability")
    assert by_probability == sorted(range(len(probs)), key=lambda item: -probs[item])
    assert items(sort="probability", reverse=True) == by_probability[::-1]
    for item in (5, 2):
        service.session.correct(item, True, "ann")
    service.session.unsure(3, "", "ann")
    assert items(sort="when")[:3] == [3, 2, 5]
    names = [service.pool.ids[item].rpartition("/")[0] for item in items(sort="folder")]
    assert names == sorted(names)
    assert len(set(names)) == 2
    service.close()


def test_the_gallery_is_filtered_by_certainty_definition_and_annotator(
    service: LabellingService, client: TestClient
) -> None:
    session = service.session
    session.correct([0, 1], True, "ann")
    session.define("Any red at all.", "ann")
    session.tell(None, Question((2, 3), (True, True)).no(), key(), "bob")
    session.tell(None, Question((2,), (True,)).yes(), key(), "cid")

    def items(**query: Any) -> list[int]:
        return [found["item"] for found in get(client, "/api/gallery", **query)["items"]]

    assert items(certain="yes") == [0, 1, 2, 3]
    assert items(certain="no") == list(range(4, 24))
    assert items(annotator="cid") == [2, 3]  # 3 follows from what both said
    assert items(annotator="bob") == [3]
    assert items(annotator="nobody") == []
    assert items(definition=1) == [0, 1]
    assert items(definition=2, how="deduced") == [3]
    guessed = items(label="positive", certain="no") + items(label="negative", certain="no")
    assert sorted(guessed) == items(certain="no")
    page = get(client, "/api/gallery")
    assert (page["annotators"], page["definitions"]) == (["ann", "bob", "cid"], 2)


def test_another_page_of_the_same_gallery_reads_nothing_again(
    grouped: tuple[LabellingService, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    service, client = grouped
    read: list[int] = []
    monkeypatch.setattr("askless.web.gallery.read_table", _counted(read, read_table))
    first = get(client, "/api/gallery", sort="probability")
    second = get(client, "/api/gallery", sort="probability", page=2)
    assert len(read) == 1
    shown = [item["item"] for page in (first, second) for item in page["items"]]
    assert len(set(shown)) == 120
    service.session.correct(shown[0], not service.session.state.label(shown[0]), "ann")
    assert get(client, "/api/gallery", sort="when")["items"][0]["item"] == shown[0]
    assert len(read) == 2


def _counted(calls: list[int], function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        calls.append(1)
        return function(*args)

    return call


@pytest.mark.parametrize(
    "query",
    [
        {"sort": "checksum"}, {"label": "open"}, {"certain": "maybe"}, {"how": "unsure"},
        {"definition": -1}, {"definition": 2**31}, {"definition": "1e9"}, {"page": 0},
        {"page": 2**31}, {"q": "x" * 201}, {"annotator": "x" * 201}, {"reverse": "perhaps"},
    ],
)  # fmt: skip
def test_a_query_that_makes_no_sense_is_refused(client: TestClient, query: dict[str, Any]) -> None:
    assert client.get("/api/gallery", params=query).status_code == 422


def test_the_gallery_comes_in_pages(grouped: tuple[LabellingService, TestClient]) -> None:
    _, client = grouped
    first, last = get(client, "/api/gallery"), get(client, "/api/gallery", page=99)
    assert (first["total"], first["pages"], len(first["items"])) == (200, 4, 60)
    assert (last["page"], len(last["items"])) == (4, 20)


def test_nobody_waits_while_the_texts_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = service_on(likely(tmp_path / "t.csv", 3), text="text", prob="prob")
    free: list[bool] = []

    def try_the_lock() -> None:
        free.append(service.lock.acquire(blocking=False))
        if free[-1]:
            service.lock.release()

    def look(pool: Pool, item: int) -> str:
        thread = threading.Thread(target=try_the_lock)
        thread.start()
        thread.join()
        return ""

    monkeypatch.setattr("askless.web.gallery.text_of", look)
    get(client_of(service), "/api/gallery", certain="no", q="nowhere")
    service.close()
    assert free == [True, True, True]


def test_nothing_is_compared_before_there_are_features(client: TestClient) -> None:
    for query in ({"like": 3}, {"like": 3, "sort": "near"}, {"sort": "near"}):
        page = get(client, "/api/gallery", **query)
        assert (page["alike"], page["total"]) == ("none", 0)
    assert client.get("/api/gallery", params={"like": 24}).status_code == 404
    assert client.get("/api/gallery", params={"like": -1}).status_code == 422


def test_items_are_sorted_by_likeness_and_near_duplicates_stand_together(tmp_path: Path) -> None:
    words = ["kind waiter and warm soup", "wrong bill after cold dinner", "long queue for the till"]
    rows = [f"{words[n % 3]} on day {'abcdefghij'[n // 3]}" for n in range(30)]
    rows += ["something quite different, on snow and ice and nothing else at all", "PLEASE  CALL"]
    source = texts(tmp_path / "t.csv", rows)
    service = open_service(source, tmp_path / "s", {"text": "text"}, Terms("praise"), learn=True)
    client = client_of(service)
    # Not at once: features that have just been made may give way to better ones.
    _until(lambda: get(client, "/api/gallery", like=4)["alike"] == "ready")
    page = get(client, "/api/gallery", like=4)
    order = [item["item"] for item in page["items"]]
    assert order[0] == 4
    assert {item % 3 for item in order[:10]} == {1}
    assert order[-1] in (30, 31)
    _until(lambda: get(client, "/api/gallery", sort="near")["alike"] == "ready")
    shown = get(client, "/api/gallery", sort="near")["items"]
    near = [(item["near"], item["item"]) for item in shown]
    assert near == sorted(near)
    assert {30, 31}.isdisjoint(item for _, item in near)
    service.close()


def test_as_in_the_source_is_the_order_of_the_source_now(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    for rows in (["r1,good", "r2,bad"], ["r0,new", "r2,bad", "r1,good", "r3,new"]):
        table.write_text("\n".join(["id,text", *rows, ""]))
        service = service_on(table, text="text")
        page = get(client_of(service), "/api/gallery")
        assert [item["name"] for item in page["items"]] == [row[:2] for row in rows[:3]]
        service.close()


def test_an_item_is_found_by_the_name_of_its_copy_and_names_its_copies(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(
        "id,text\nr1,good\nr2,bad\nr3,good\n" + "".join(f"x{n},bad\n" for n in range(30))
    )
    service = service_on(table, text="text")
    client = client_of(service)
    (found,) = get(client, "/api/gallery", q="R3")["items"]
    assert (found["name"], found["copies"], found["copy_names"]) == ("r1", 1, ["r3"])
    copied = get(client, "/api/items/1")
    assert (copied["copies"], copied["copy_names"]) == (30, [f"x{n}" for n in range(20)])
    service.close()


def _until(true: Callable[[], bool], most_s: float = 600) -> None:
    end_s = time.monotonic() + most_s
    while not true():
        assert time.monotonic() < end_s
        time.sleep(0.05)
