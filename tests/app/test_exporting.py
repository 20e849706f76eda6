"""What an export knows of a session."""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from askless.app.exporting import session_context, write_labels
from askless.errors import InvalidInput
from askless.exports import file_exporters
from askless.exports.row import Row, rows_of
from askless.folder import EVENTS
from askless.session.labels import Labelled, labelled
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
    rows, folder = list(rows_of(service.session.labels(), service.pool)), service.settings.folder
    service.close()
    context = session_context(folder)
    assert context.label_names == ("blue", "red")
    assert context.picture(rows[1]) == ((source / "001.png").read_bytes(), ".png")
    assert session_context(folder, label_names=("no", "yes")).label_names == ("no", "yes")


def test_the_app_offers_every_registered_file_and_names_it_by_its_suffix(tmp_path: Path) -> None:
    client = client_of(service_on(pictures(tmp_path / "p", 4)))
    offered = get(client, "/api/export")
    exporters = file_exporters()
    assert [each["name"] for each in offered] == list(exporters)
    for each in offered:
        exporter = exporters[each["name"]]
        assert (each["title"], each["purpose"]) == (exporter.title, exporter.purpose)
        reply = client.post("/api/export", json={"format": each["name"]})
        if each["name"] == "parquet" and reply.status_code == 409:
            continue  # pyarrow is not installed
        assert reply.status_code == 200
        assert reply.headers["content-type"].startswith(exporter.media_type)
        assert f'filename="labels{exporter.suffix}"' in reply.headers["content-disposition"]


@pytest.mark.parametrize("name", ["folders", "tests.exports.test_export:COUNT", "csv\n", ""])
def test_the_app_writes_no_other_format(tmp_path: Path, name: str) -> None:
    client = client_of(service_on(pictures(tmp_path / "p", 4)))
    assert client.post("/api/export", json={"format": name}).status_code == 422


def test_answers_are_taken_while_an_export_is_written_and_are_not_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = service_on(pictures(tmp_path / "p", 24))
    client = client_of(service)
    question = post(client, "/api/ask", tab="t")["question"]
    under_way, answered = threading.Event(), threading.Event()

    def write_slowly(rows: Iterable[Row], path: Path, *_: object) -> None:
        read = []
        for row in rows:
            read.append(row)
            if len(read) == 3:
                under_way.set()
                assert answered.wait(600)
        path.write_text(f"{len(read)} {sum(row.final for row in read)}")

    monkeypatch.setattr("askless.app.service.SLICE", 2)
    monkeypatch.setattr("askless.app.exporting.export", write_slowly)
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
    assert out.read_text() == "24 0"  # as it was when the export began
    assert service.session.state.done
    service.close()


def test_an_export_holds_the_lock_for_some_items_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = service_on(pictures(tmp_path / "p", 24))
    label_all(client_of(service))
    read: list[int] = []

    def counted(history: Any, probs: Any, items: range, state: Any) -> Iterator[Labelled]:
        read.append(len(items))
        return labelled(history, probs, items, state)

    monkeypatch.setattr("askless.app.service.SLICE", 10)
    monkeypatch.setattr("askless.app.exporting.labelled", counted)
    write_labels(service, tmp_path / "labels.csv", "csv")
    assert read == [10, 10, 4]
    rows = list(csv.DictReader((tmp_path / "labels.csv").read_text().splitlines()))
    assert [row["label"] == "true" for row in rows] == [is_red(item) for item in range(24)]
    service.close()


def test_a_session_begun_on_probabilities_alone_says_that_it_has_no_items(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="has no items to write"):
        _ = session_context(tmp_path, tmp_path).kind


def test_labels_can_be_taken_out_of_the_app_when_the_store_is_gone(tmp_path: Path) -> None:
    service = service_on(pictures(tmp_path / "p", 4))
    (service.settings.folder / EVENTS).unlink()
    write_labels(service, tmp_path / "labels.csv", "csv")
    with (tmp_path / "labels.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 4
