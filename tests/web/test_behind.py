"""Behind a proxy: one address, its path, its cookies, and who may frame the page."""

from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from askless.app.service import LabellingService
from askless.cli import main
from askless.errors import InvalidInput
from askless.web.app import make_app
from askless.web.behind import Behind
from askless.web.guard import Bucket
from askless.web.headers import CSP
from askless.web.server import running_link, token_for
from tests.web.served import Served
from tests.web.services import TOKEN, label_all, pictures

PUBLIC = Behind.parse("https://label.example.org/askless")
FRAMED = Behind.parse("https://label.example.org/askless", ["https://portal.example.net"])


def _client(
    service: LabellingService, behind: Behind = PUBLIC, *, let_in: bool = True
) -> TestClient:
    app = make_app(service, token=TOKEN, hosts={behind.host}, behind=behind)
    app.requests = Bucket(1e9, 1e9)
    client = TestClient(app, base_url=behind.address, raise_server_exceptions=False)
    if let_in:
        client.get("/", params={"token": TOKEN}, follow_redirects=False)
    return client


@pytest.mark.parametrize(
    "address",
    ["", "label.example.org", "ftp://label.example.org", "https://", "https://user@label.example.org",
     "https://label.example.org/a?b", "https://label.example.org/#a", "https://label.example.org/../a",
     "https://label.example.org/a b", "https://label.example.org/<a>", "https://label.example.org:x",
     "https://label.example.org;x", "https://[::1", "https://*.example.org", "http://label.example.org",
     "https://label.example.org/a\nset-cookie: b", "http://10.0.0.1/askless",
     f"https://{'a' * 60}_b.example.org"],
)  # fmt: skip
def test_what_is_no_address_for_a_proxy_is_refused_in_a_sentence(address: str) -> None:
    with pytest.raises(InvalidInput, match="--behind is an"):
        Behind.parse(address)


@pytest.mark.parametrize(
    "site", ["*", "'self'", "https:", "https://portal.example.net/page", "http://portal.example.net",
             "https://a.example https://b.example", "https://a.example; script-src *"]
)  # fmt: skip
def test_only_whole_sites_may_be_named_for_frames(site: str) -> None:
    with pytest.raises(InvalidInput, match="--frame-ancestors"):
        Behind.parse("https://label.example.org", [site])


def test_frames_need_https_and_a_proxy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidInput, match="https alone"):
        Behind.parse("http://127.0.0.1:8080", ["https://portal.example.net"])
    source = pictures(tmp_path / "photos", 2)
    assert main(["label", str(source), "--frame-ancestors", "https://portal.example.net"]) != 0
    assert "--behind" in capsys.readouterr().err
    assert not source.with_name("photos.askless").exists()


def test_the_whole_api_works_below_the_path(service: LabellingService) -> None:
    client = _client(service)
    assert label_all(client) > 0
    assert client.get("/").status_code == 200
    assert client.get("/static/js/main.js").status_code == 200
    assert client.get("/api/items/0/picture").headers["content-type"] == "image/png"
    assert client.post("/api/export", json={"format": "csv"}).text.count("\n") == 25
    assert client.get("/api/openapi.json").json()["servers"] == [{"url": "/askless"}]


def test_nothing_leads_to_plain_http(service: LabellingService) -> None:
    client = _client(service)
    for path in ("/api/session/", "/static", "/healthz/"):
        reply = client.get(path, follow_redirects=False)
        assert (reply.status_code, reply.headers.get("location")) == (404, None), path


def test_nothing_is_served_beside_the_path(service: LabellingService) -> None:
    client = _client(service)
    for path in (
        "/",
        "/api/session",
        "/asklessx/",
        "/askless/../api/session",
        "/static/css/base.css",
    ):
        reply = client.get(f"https://label.example.org{path}")
        assert reply.status_code == 404, path
    reply = client.get("https://label.example.org/askless", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (307, "/askless/")


def test_the_cookie_is_secure_and_for_the_path_alone(service: LabellingService) -> None:
    client = _client(service, let_in=False)
    reply = client.get("/", params={"token": TOKEN}, follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/askless/")
    (morsel,) = SimpleCookie(reply.headers["set-cookie"]).values()
    assert morsel["secure"]
    assert morsel["httponly"]
    assert morsel["samesite"] == "Strict"
    assert morsel["path"] == "/askless/"


def test_a_link_clicked_elsewhere_leads_below_the_path(service: LabellingService) -> None:
    client = _client(service, let_in=False)
    other = {"sec-fetch-site": "cross-site"}
    reply = client.get("/", params={"token": TOKEN}, headers=other, follow_redirects=False)
    assert 'content="0; url=/askless/"' in reply.text
    refused = client.get("/", params={"token": "wrong"})
    assert 'href="/askless/static/css/base.css"' in refused.text
    assert client.get("/static/css/base.css").status_code == 200


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8765", "localhost:8765", "evil.example", "label.example.org:8443",
             "label.example.org.evil.example"]
)  # fmt: skip
def test_only_the_address_that_was_named_is_served(service: LabellingService, host: str) -> None:
    client = _client(service)
    assert client.get("/api/session", headers={"host": host}).status_code == 421


def test_headers_of_proxies_change_nothing(service: LabellingService) -> None:
    client = _client(service)
    claims = {
        "x-forwarded-host": "label.example.org", "x-forwarded-proto": "https",
        "x-forwarded-prefix": "/askless", "x-forwarded-for": "127.0.0.1",
        "forwarded": "for=127.0.0.1;host=label.example.org;proto=https",
    }  # fmt: skip
    assert client.get("/api/session", headers={**claims, "host": "evil.example"}).status_code == 421
    away = {
        name: value.replace("label.example.org", "evil.example") for name, value in claims.items()
    }
    reply = client.post(
        "/api/ask", json={"tab": "t"}, headers={**away, "origin": "https://evil.example"}
    )
    assert reply.status_code == 403
    assert client.get("/api/session", headers=away).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://label.example.org", "https://label.example.org:8443", "https://evil.example",
               "https://portal.example.net", "null"]
)  # fmt: skip
@pytest.mark.parametrize("behind", [PUBLIC, FRAMED], ids=["alone", "framed"])
def test_only_the_page_at_that_address_changes_anything(
    service: LabellingService, behind: Behind, origin: str
) -> None:
    client = _client(service, behind)
    before = service.session.history.last
    reply = client.post("/api/ask", json={"tab": "t"}, headers={"origin": origin})
    assert reply.status_code == 403
    assert service.session.history.last == before
    own = {"origin": behind.origin, "sec-fetch-site": "same-origin"}
    assert client.post("/api/ask", json={"tab": "t"}, headers=own).status_code == 200


def test_only_sites_that_were_named_may_frame_the_page(service: LabellingService) -> None:
    reply = _client(service).get("/")
    assert reply.headers["content-security-policy"] == CSP
    assert reply.headers["x-frame-options"] == "DENY"
    for path in ("/", "/api/session", "/api/nowhere"):
        reply = _client(service, FRAMED).get(path)
        policy = reply.headers["content-security-policy"]
        assert policy == CSP.replace("'none'; form", "https://portal.example.net; form")
        assert "x-frame-options" not in reply.headers


def test_a_cookie_for_frames_stays_in_the_frames_of_one_site(service: LabellingService) -> None:
    client = _client(service, FRAMED, let_in=False)
    header = client.get("/", params={"token": TOKEN}, follow_redirects=False).headers["set-cookie"]
    words = header.split("; ")[1:]
    assert {"Secure", "HttpOnly", "SameSite=None", "Partitioned", "Path=/askless/"} <= {*words}


def test_the_link_stays_the_same_where_there_is_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKLESS_SECRET", "a secret of enough letters")
    assert token_for("127.0.0.1", PUBLIC) == "a secret of enough letters"
    assert token_for("127.0.0.1") != "a secret of enough letters"
    monkeypatch.setenv("ASKLESS_SECRET", "short")
    with pytest.raises(InvalidInput, match="16 characters"):
        token_for("127.0.0.1", PUBLIC)
    monkeypatch.delenv("ASKLESS_SECRET")
    assert len(token_for("127.0.0.1", PUBLIC)) >= 40


def test_the_command_prints_the_public_link_and_a_second_start_finds_it(tmp_path: Path) -> None:
    source = pictures(tmp_path / "photos", 4)
    args = ["--no-browser", "--behind", "https://label.example.org/askless"]
    with Served("label", source, *args, cwd=tmp_path) as served:
        assert served.link.startswith("https://label.example.org/askless/?token=")
        folder = source.with_name("photos.askless")
        assert running_link(folder, "127.0.0.1") is None  # it answers to its one address alone
        link = running_link(folder, "127.0.0.1", PUBLIC)
        assert link is not None
        assert link.startswith("https://label.example.org/askless/?token=")
