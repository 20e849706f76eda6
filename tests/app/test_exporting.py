"""What an export knows of a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from askless.app.exporting import session_context
from askless.exports import file_exporters
from askless.exports.row import rows_of
from tests.web.services import client_of, get, pictures, service_on


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
        if each["name"] == "parquet" and reply.status_code == 400:
            continue  # pyarrow is not installed
        assert reply.status_code == 200
        assert reply.headers["content-type"].startswith(exporter.media_type)
        assert f'filename="labels{exporter.suffix}"' in reply.headers["content-disposition"]


@pytest.mark.parametrize("name", ["folders", "tests.exports.test_export:COUNT", "csv\n", ""])
def test_the_app_writes_no_other_format(tmp_path: Path, name: str) -> None:
    client = client_of(service_on(pictures(tmp_path / "p", 4)))
    assert client.post("/api/export", json={"format": name}).status_code == 422
