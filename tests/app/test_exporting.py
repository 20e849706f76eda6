"""What an export knows of a session."""

from __future__ import annotations

import csv
import json
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from askless.app.exporting import open_items, session_contents, write_labels
from askless.assemble import read_session
from askless.core.question import Question
from askless.errors import InvalidInput
from askless.exports import EXPORTERS
from askless.exports.label_arrays import LabelArrays
from askless.folder.files import EVENTS
from askless.history.labels import Labelled, labelled
from tests.web.services import (
    client_of,
    get,
    is_red,
    label_all,
    pictures,
    post,
    service_on,
    tell,
)


def test_an_export_knows_what_the_labels_are_called_and_what_the_items_are(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 4)
    service = service_on(source)
    folder = service.settings.folder
    service.close()
    contents = session_contents(read_session(folder))
    assert contents.label_names == ("blue", "red")
    rows = list(contents.rows())
    assert contents.picture(rows[1]) == ((source / "001.png").read_bytes(), ".png")
    renamed = session_contents(read_session(folder), label_names=("no", "yes"))
    assert renamed.label_names == ("no", "yes")


def test_the_app_offers_every_format_that_works_and_names_the_file(tmp_path: Path) -> None:
    client = client_of(service_on(pictures(tmp_path / "p", 4)))
    told = get(client, "/api/export")
    offered = [each for each in told if not each["needs"]]
    works = [name for name in EXPORTERS.names() if getattr(EXPORTERS.find(name), "works", True)]
    several = ["folders", "huggingface"]
    tools = [name for name in works if getattr(EXPORTERS.find(name), "tool", False)]
    tables = [name for name in works if name not in ("full", *several, *tools)]
    assert [each["name"] for each in offered] == [*tables, *several, "full", *tools]
    missing = {each["name"]: each["needs"] for each in told if each["needs"]}
    assert {*missing} == {*EXPORTERS.names()}.difference(works)
    assert {"xlsx": "openpyxl", "parquet": "pyarrow", **missing}.items() >= missing.items()
    for each in offered:
        reply = client.post("/api/export", json={"format": each["name"]})
        assert reply.status_code == 200
        assert f'filename="{each["file"]}"' in reply.headers["content-disposition"]
    kinds = {each["name"]: each["file"] for each in offered}
    assert (kinds["csv"], kinds["folders"], kinds["full"]) == (
        "labels.csv", "labels-folders.zip", "labels.full.csv",
    )  # fmt: skip


def test_texts_are_not_offered_as_folders_of_pictures(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("text\na\nb\n")
    client = client_of(service_on(tmp_path / "t.csv"))
    names = {each["name"] for each in get(client, "/api/export")}
    assert not {"folders", "coco", "cvat"} & names
    assert "huggingface" in names


@pytest.mark.parametrize("name", ["tests.exports.test_export:COUNT", "csv\n", "docx", ""])
def test_the_app_writes_no_other_format(tmp_path: Path, name: str) -> None:
    client = client_of(service_on(pictures(tmp_path / "p", 4)))
    assert client.post("/api/export", json={"format": name}).status_code == 422


def test_guesses_are_counted_before_they_are_taken_home(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("text,p\na,0.98\nb,0.9\nc,0.01\nd,0.5\na,0.98\n")
    service = service_on(path, text="text", prob="p")
    client = client_of(service)
    assert get(client, "/api/export/guesses", above=0.95) == {
        "rows": 3, "expected_wrong": pytest.approx(0.05),
    }  # fmt: skip
    assert client.get("/api/export/guesses", params={"above": 0.4}).status_code == 422
    body = {"format": "csv", "guess_above": 0.95, "probability": False}
    table = list(csv.DictReader(client.post("/api/export", json=body).text.splitlines()))
    assert [row["guess"] for row in table] == ["red", "", "blue", "", "red"]
    assert {row["label"] + row["probability"] for row in table} == {""}
    service.session.tell(None, Question((0, 1), (True, True)).no(), "one is wrong", "ann")
    service.session.unsure(2)
    body = {"format": "jsonl", "guess_above": 0.8}
    lines = client.post("/api/export", json=body).text.splitlines()
    guessed = [row for row in map(json.loads, lines) if row["guess"]]
    assert get(client, "/api/export/guesses", above=0.8)["rows"] == len(guessed) == 3
    service.close()


def test_answers_are_taken_while_an_export_is_written_and_are_not_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = service_on(pictures(tmp_path / "p", 24))
    client = client_of(service)
    question = post(client, "/api/ask", tab="t")["question"]
    under_way, answered = threading.Event(), threading.Event()

    def read_slowly(labels: Iterable[Labelled], n: int) -> LabelArrays:
        read = []
        for entry in labels:
            read.append(entry)
            if len(read) == 3:
                under_way.set()
                assert answered.wait(600)
        return LabelArrays(read, n)

    monkeypatch.setattr("askless.app.service.SLICE", 2)
    monkeypatch.setattr("askless.app.exporting.LabelArrays", read_slowly)
    out = tmp_path / "labels.csv"
    exporting = threading.Thread(target=write_labels, args=(service, out, "csv"))
    exporting.start()
    assert under_way.wait(600)
    told = tell(client, question)  # it is acknowledged while the export waits
    assert told["progress"]["settled"] == 1
    while told["question"] is not None:
        told = tell(client, told["question"])
    assert exporting.is_alive()
    answered.set()
    exporting.join()
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [row["certain"] for row in rows] == ["false"] * 24  # as it was when the export began
    assert service.session.state.done
    service.close()


def test_an_export_holds_the_lock_for_some_items_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = service_on(pictures(tmp_path / "p", 24))
    label_all(client_of(service))
    read: list[int] = []

    def counted(
        history: Any, probs: Any, items: range, state: Any, accepted: Any
    ) -> Iterator[Labelled]:
        read.append(len(items))
        return labelled(history, probs, items, state, accepted)

    monkeypatch.setattr("askless.app.service.SLICE", 10)
    monkeypatch.setattr("askless.app.exporting.labelled", counted)
    write_labels(service, tmp_path / "labels.csv", "csv")
    assert read == [10, 10, 4]
    rows = list(csv.DictReader((tmp_path / "labels.csv").read_text().splitlines()))
    assert [row["label"] == "red" for row in rows] == [is_red(item) for item in range(24)]
    service.close()


def test_a_session_begun_on_probabilities_alone_says_that_it_has_no_items(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="has no items to write"):
        open_items(tmp_path, tmp_path)


def test_labels_can_be_taken_out_of_the_app_when_the_store_is_gone(tmp_path: Path) -> None:
    service = service_on(pictures(tmp_path / "p", 4))
    (service.settings.folder / EVENTS).unlink()
    write_labels(service, tmp_path / "labels.csv", "csv")
    with (tmp_path / "labels.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 4
