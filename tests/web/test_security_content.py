"""What hostile items and hostile requests can do: nothing."""

import csv
import io
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from PIL import Image
from starlette.testclient import TestClient

from askless.app.opening import open_service
from askless.app.service import LabellingService
from askless.app.terms import Terms
from askless.errors import InvalidInput
from askless.web.guard import BODY_BYTES, Bucket
from askless.web.secret import session_key
from askless.web.tickets import Tickets
from tests.web.services import (
    client_of,
    get,
    key,
    label_all,
    pictures,
    post,
    service_on,
    tell,
    texts,
)

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HTML = b"<html><script>alert(1)</script></html>"


# --- paths ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/..%5capp.py",
     "/static//etc/passwd", "/static/%2fetc%2fpasswd", "/static/js/../../guard.py",
     "/static/....//....//etc/passwd", "/static/%00", "/api/items/..%2f..%2fetc%2fpasswd/picture",
     "/api/items/0/../../secret", "/api/items/0%00/picture", "/api/items/-1/picture",
     "/api/items/1e3/picture", "/api/items/99999999999999999999/picture"],
)  # fmt: skip
def test_no_path_leads_out(client: TestClient, path: str) -> None:
    reply = client.get(path)
    assert reply.status_code in (400, 404, 422)
    assert b"root:" not in reply.content
    assert b"import" not in reply.content


def test_items_are_named_by_number_alone(client: TestClient) -> None:
    for name in ("000.png", "photos/000.png", "/etc/passwd", "http://127.0.0.1:1/x"):
        assert client.get(f"/api/items/{name}/picture").status_code in (404, 422)


def test_a_table_cannot_fetch_from_the_network_or_from_elsewhere_on_disk(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    Image.new("RGB", (8, 8), "red").save(secret)
    inside = tmp_path / "in"
    inside.mkdir()
    Image.new("RGB", (8, 8), "blue").save(inside / "fine.png")
    table = inside / "t.csv"
    rows = ["image", "fine.png", "../secret.png", str(secret), "http://127.0.0.1:1/x.png",
            "file:///etc/passwd"]  # fmt: skip
    table.write_text("\n".join(rows) + "\n")
    service = service_on(table, image="image")
    assert list(service.pool.ids) == ["fine.png"]
    assert len(get(client_of(service), "/api/session")["unreadable"]) == 4
    service.close()


# --- originals ------------------------------------------------------------------------------------


def test_svg_and_html_in_the_folder_are_never_served(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "p", 6)
    (folder / "evil.svg").write_bytes(SVG)
    (folder / "evil.png").write_bytes(SVG)
    (folder / "evil.jpg").write_bytes(HTML)
    (folder / "evil.html").write_bytes(HTML)
    service = service_on(folder)
    client = client_of(service)
    assert len(service.pool) == 6
    names = {left["id"] for left in get(client, "/api/session")["unreadable"]}
    assert names >= {"evil.png", "evil.jpg", "evil.svg"}
    for item in range(8):
        reply = client.get(f"/api/items/{item}/picture", params={"size": "full"})
        assert reply.status_code == (200 if item < 6 else 404)
        assert b"script" not in reply.content
    service.close()


def test_what_hides_behind_a_picture_is_not_served(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "p", 4)
    file = folder / "000.png"
    file.write_bytes(file.read_bytes() + HTML)
    service = service_on(folder)
    client = client_of(service)
    for size in ("tile", "full"):
        reply = client.get("/api/items/0/picture", params={"size": size})
        assert reply.headers["content-type"] in ("image/png", "image/webp")
        assert b"alert" not in reply.content
    service.close()


def test_a_file_exchanged_for_another_is_not_served(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "p", 4)
    service = service_on(folder)
    client = client_of(service)
    (folder / "000.png").write_bytes(SVG)
    reply = client.get("/api/items/0/picture")
    assert reply.status_code == 422
    assert reply.headers["content-type"] == "application/problem+json"
    assert "changed" in reply.json()["detail"]
    service.close()


def test_a_large_picture_is_served_small(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    Image.new("RGB", (5000, 4000), "green").save(folder / "large.png")
    service = service_on(folder)
    client = client_of(service)
    for size, side in (("tile", 320), ("full", 2048)):
        data = client.get("/api/items/0/picture", params={"size": size}).content
        assert max(Image.open(io.BytesIO(data)).size) <= side
    service.close()


# --- names and texts ------------------------------------------------------------------------------


def test_a_script_in_a_file_name_stays_text_in_json(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "p", 4)
    name = '"><img src=x onerror=alert(1)>.png'
    (folder / "003.png").rename(folder / name)
    service = service_on(folder)
    client = client_of(service)
    reply = client.get("/api/gallery", params={"certain": "no"})
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert name in [item["name"] for item in reply.json()["items"]]
    service.close()


def test_a_script_in_a_note_name_or_definition_stays_text(client: TestClient) -> None:
    evil = "<script>alert(1)</script>"
    post(client, "/api/names", positive={"many": evil}, negative={"many": evil + "no"})
    post(client, "/api/definition", text=evil)
    post(client, "/api/unsure", tab="t", item=3, note=evil, key=key())
    for path in ("/api/session", "/api/summary", "/api/gallery?label=unsure"):
        reply = client.get(path)
        assert reply.headers["content-type"] == "application/json"
        assert evil in reply.json().__repr__()


def test_a_formula_in_a_name_or_note_does_not_run_in_a_spreadsheet(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "p", 5)
    (folder / "000.png").rename(folder / "=cmd|' !A0.png")
    (folder / "001.png").rename(folder / "\uff1d1+1.png")  # as wide as a Chinese character
    (folder / "003.png").rename(folder / "\n=1+1.png")
    service = service_on(folder)
    client = client_of(service)
    post(client, "/api/unsure", tab="t", item=2, note='=HYPERLINK("http://evil")', key=key())
    label_all(client)
    reply = client.post("/api/export", json={"format": "csv"})
    text = reply.text
    assert unquote(reply.headers["Askless-Notes"]).startswith("3 cells begin like a formula")
    assert "Askless-Notes" not in client.post("/api/export", json={"format": "jsonl"}).headers
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert not [cell for cell in cells if cell.startswith(tuple("=+@\uff1d\t\r\n"))]
    assert "'=cmd|' !A0.png" in cells
    service.close()


def test_the_file_name_of_a_download_is_ours(client: TestClient) -> None:
    reply = client.post("/api/export", json={"format": "../../evil"})
    assert reply.status_code == 422


# --- other people's questions ---------------------------------------------------------------------


def test_a_question_nobody_put_cannot_be_answered(
    service: LabellingService, client: TestClient
) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    body: dict[str, Any] = {
        "tab": "t",
        "kind": "yes",
        "wrong": [],
        "key": key(),
        "question_id": None,
    }
    other = Tickets(b"another secret of 32 bytes ......").sign(
        service.session.history.asked[question["id"]].question, "ann"
    )
    payload, mark = question["ticket"].split(".")
    for ticket in (other, payload, f"{payload}.", f".{mark}", f"{payload}x.{mark}", "é.é", "a.b.c"):
        reply = client.post("/api/tell", json={**body, "ticket": ticket})
        assert reply.status_code == 409
    assert service.session.state.n_settled == 0


def test_a_ticket_of_somebody_else_is_refused(
    service: LabellingService, client: TestClient
) -> None:
    asked = service.session.ask("bob", "b")
    assert asked is not None
    stolen = Tickets(session_key(service.id)).sign(asked.question, "bob")
    body = {"tab": "t", "kind": "yes", "wrong": [], "key": key(), "ticket": stolen}
    assert client.post("/api/tell", json={**body, "question_id": asked.id}).status_code == 409
    assert client.post("/api/tell", json={**body, "question_id": None}).status_code == 409


def test_an_id_of_somebody_elses_question_is_refused(
    service: LabellingService, client: TestClient
) -> None:
    asked = service.session.ask("bob", "b")
    assert asked is not None
    mine = post(client, "/api/ask", tab="t")["question"]
    body = {"tab": "t", "kind": "yes", "wrong": [], "key": key(), "ticket": mine["ticket"]}
    assert client.post("/api/tell", json={**body, "question_id": asked.id}).status_code == 409
    reply = client.post("/api/ahead", json={"tab": "t", "question_id": asked.id})
    assert reply.status_code == 409


def test_wrong_items_must_be_those_of_the_question(client: TestClient) -> None:
    question = post(client, "/api/ask", tab="t")["question"]
    mine = question["items"][0]["item"]
    body: dict[str, Any]
    for wrong in ([mine + 1], [mine, mine], []):
        body = {"tab": "t", "kind": "pointed", "wrong": wrong, "key": key()}
        body |= {"ticket": question["ticket"], "question_id": question["id"]}
        assert client.post("/api/tell", json=body).status_code == 422


@pytest.mark.parametrize("item", [24, 2**31 - 1])
def test_items_that_are_not_there_are_refused(client: TestClient, item: int) -> None:
    for path, more in (
        ("/api/unsure", {"tab": "t", "note": "", "key": key()}),
        ("/api/pin", {"pinned": True}),
    ):
        assert client.post(path, json={"item": item, **more}).status_code == 409
    assert client.post("/api/reviewed", json={"items": [item]}).status_code == 409
    for what in ("positive", "unsure", "ask_again"):
        body = {"tab": "t", "items": [0, item], "what": what, "key": key()}
        assert client.post("/api/revise", json=body).status_code == 409
    assert client.get(f"/api/items/{item}").status_code == 404


# --- too much -------------------------------------------------------------------------------------


def test_a_body_that_is_too_long_is_refused_whatever_its_header_says(client: TestClient) -> None:
    json_type = {"content-type": "application/json"}
    large = b'{"text":"' + b"x" * BODY_BYTES + b'"}'
    assert client.post("/api/definition", content=large, headers=json_type).status_code == 413

    def pieces() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * 100_000

    reply = client.post("/api/definition", content=pieces(), headers=json_type)
    assert reply.status_code == 413


def test_deeply_nested_json_is_refused(client: TestClient) -> None:
    json_type = {"content-type": "application/json"}
    body = b'{"text":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    assert client.post("/api/definition", content=body, headers=json_type).status_code in (400, 422)


def test_a_flood_of_requests_is_slowed_down(service: LabellingService) -> None:
    client = client_of(service, requests=Bucket(10, 0, clock=lambda: 0.0))
    statuses = [client.get("/api/session").status_code for _ in range(12)]
    assert statuses == [200] * 10 + [429] * 2
    assert client.get("/api/session").headers["retry-after"] == "1"


def test_fields_nobody_knows_are_refused(client: TestClient) -> None:
    reply = client.post("/api/ask", json={"tab": "t", "annotator": "somebody else"})
    assert reply.status_code == 422
    assert reply.headers["content-type"] == "application/problem+json"


# --- what is left behind --------------------------------------------------------------------------


def test_secrets_are_not_logged(
    service: LabellingService, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client = client_of(service)
    tell(client, post(client, "/api/ask", tab="t")["question"])
    client.get("/", params={"token": "a-wrong-token-somebody-tried"})
    ours = [r.getMessage() for r in caplog.records if not r.name.startswith("http")]
    assert not [line for line in ours if "token" in line or client.cookies["askless"] in line]


@pytest.mark.parametrize("features", [{"os:mkdir": {"path": "run"}}, {"sentences": {"model": "."}}])
def test_a_session_from_somebody_else_cannot_name_code_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, features: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    source = texts(tmp_path / "t.csv", ["a", "b", "c", "d"])
    service = service_on(source)
    service.settings.change(features=features)
    service.close()
    with pytest.raises(InvalidInput, match=rf"learns from {next(iter(features))}.*name it again"):
        open_service(source, service.settings.folder, learn=True)
    assert not Path("run").exists()
    again = open_service(
        source, service.settings.folder, {}, Terms(features={"words": {}}), learn=False
    )
    again.close()


def test_nothing_that_is_kept_is_a_pickle(tmp_path: Path) -> None:
    service = service_on(texts(tmp_path / "t.csv", ["a", "b", "c", "d"]))
    label_all(client_of(service))
    service.close()
    for path in service.settings.folder.rglob("*"):
        if path.is_file():
            head = path.read_bytes()[:2]
            assert not head.startswith(b"\x80"), path
