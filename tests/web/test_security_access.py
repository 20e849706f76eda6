"""Getting in without the link: hosts, tokens, cookies, other sites."""

import time
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from askless.app.service import LabellingService
from askless.errors import InvalidInput
from askless.web.guard import Bucket, Guard
from askless.web.headers import CSP, HEADERS
from askless.web.server import serve, token_for
from tests.web.services import HOST, TOKEN, client_of, key, pictures, post, service_on

READS = [
    "/api/session", "/api/progress", "/api/events", "/api/curve", "/api/answers", "/api/gallery",
    "/api/review", "/api/summary", "/api/items/0", "/api/items/0/picture", "/api/openapi.json",
    "/", "/static/js/main.js", "/favicon.ico",
]  # fmt: skip
WRITES = {
    "/api/ask": {"tab": "t"},
    "/api/ahead": {"tab": "t", "question_id": 1},
    "/api/unsure": {"tab": "t", "item": 0, "note": "", "key": "12345678"},
    "/api/undo": {"tab": "t", "key": "12345678"},
    "/api/retract": {"answer": 3, "key": "12345678"},
    "/api/revise": {"tab": "t", "items": [0], "what": "positive", "key": "12345678"},
    "/api/definition": {"text": "mine"},
    "/api/names": {"positive": {"many": "mine"}},
    "/api/pin": {"item": 0, "pinned": True},
    "/api/group": {"max_n": 2},
    "/api/reviewed": {"items": [0]},
    "/api/reask": {"count": 2},
    "/api/export": {"format": "csv"},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabellingService]:
    """One for all: attacks leave it as it is."""
    made = service_on(pictures(tmp_path_factory.mktemp("access") / "photos", 8))
    yield made
    made.close()


@pytest.fixture
def stranger(service: LabellingService) -> TestClient:
    return client_of(service, let_in=False)


def _with_cookie(service: LabellingService, value: str) -> Any:
    """What somebody gets who sends this cookie."""
    client = client_of(service, let_in=False)
    return client.get("/api/session", headers={"cookie": f"askless={value}"})


# --- the link and the cookie ----------------------------------------------------------------------


def test_odd_cookies_of_other_servers_do_not_lock_anybody_out(service: LabellingService) -> None:
    mine = client_of(service).cookies["askless"]
    header = f'prefs={{"a": 1}}; bad@name=x; askless={mine}; theme="da rk"'
    stranger = client_of(service, let_in=False)
    assert stranger.get("/api/session", headers={"cookie": header}).status_code == 200


def test_page_of_another_session_changes_nothing_and_may_keep_what_it_holds(
    service: LabellingService,
) -> None:
    client = client_of(service)
    before = service.session.state.n_unsure
    for path, body in WRITES.items():
        reply = client.post(path, json=body, headers={"Askless-Session": "0123456789abcdef"})
        assert reply.status_code == 401, path
    assert service.session.state.n_unsure == before
    own = client.get("/api/session").json()["id"]
    reply = client.post("/api/ask", json={"tab": "own"}, headers={"Askless-Session": own})
    assert reply.status_code == 200


def test_nothing_is_read_without_the_cookie(stranger: TestClient) -> None:
    assert [path for path in READS if stranger.get(path).status_code != 401] == []


@pytest.mark.parametrize("path", WRITES)
def test_nothing_is_changed_without_the_cookie(
    service: LabellingService, stranger: TestClient, path: str
) -> None:
    before = service.session.history.last
    reply = stranger.post(path, json=WRITES[path])
    assert reply.status_code == 401
    assert reply.headers["content-type"] == "application/problem+json"
    assert service.session.history.last == before


def test_the_link_gives_a_cookie_that_scripts_and_other_sites_cannot_use(
    stranger: TestClient,
) -> None:
    reply = stranger.get("/", params={"token": TOKEN}, follow_redirects=False)
    assert reply.status_code == 303
    assert reply.headers["location"] == "/"
    (morsel,) = SimpleCookie(reply.headers["set-cookie"]).values()
    assert morsel["httponly"]
    assert morsel["samesite"].lower() == "strict"
    assert morsel["path"] == "/"
    assert TOKEN not in morsel.value


def test_a_link_clicked_in_another_page_works_too(stranger: TestClient) -> None:
    reply = stranger.get(
        "/",
        params={"token": TOKEN},
        headers={"sec-fetch-site": "cross-site"},
        follow_redirects=False,
    )
    assert reply.status_code == 200
    assert 'content="0; url=/"' in reply.text
    assert TOKEN not in reply.text
    assert stranger.get("/api/session").status_code == 200


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "x", TOKEN.upper()])
def test_another_token_gets_nothing(stranger: TestClient, token: str) -> None:
    reply = stranger.get("/", params={"token": token}, follow_redirects=False)
    assert reply.status_code == 401
    assert "set-cookie" not in reply.headers


def test_the_token_works_nowhere_but_in_the_link(stranger: TestClient) -> None:
    assert stranger.get("/api/session", params={"token": TOKEN}).status_code == 401
    assert stranger.post(f"/?token={TOKEN}", json={}).status_code == 401
    headers = {"authorization": f"Bearer {TOKEN}"}
    assert stranger.get("/api/session", headers=headers).status_code == 401
    stranger.cookies.set("askless", TOKEN)
    assert stranger.get("/api/session").status_code == 401


def test_a_cookie_planted_by_somebody_else_does_not_become_valid(service: LabellingService) -> None:
    client = client_of(service, let_in=False)
    client.cookies.set("askless", "planted.1700000000.value", domain="127.0.0.1")
    reply = client.get("/", params={"token": TOKEN}, follow_redirects=False)
    assert "planted" not in reply.headers["set-cookie"]
    assert _with_cookie(service, "planted.1700000000.value").status_code == 401


def test_a_cookie_of_another_session_opens_nothing(
    service: LabellingService, tmp_path: Path
) -> None:
    other = service_on(pictures(tmp_path / "other"))
    cookie = client_of(other).cookies["askless"]
    assert _with_cookie(service, cookie).status_code == 401
    other.close()


def test_a_changed_cookie_opens_nothing(service: LabellingService) -> None:
    cookie = client_of(service).cookies["askless"]
    nonce, issued, mark = cookie.split(".")
    forged = [
        f"{nonce}.{issued[:-1]}{'A' if issued[-1] != 'A' else 'B'}.{mark}",
        f"{nonce}x.{issued}.{mark}",
        f"{nonce}.{issued}.{mark[:-1]}",
        f"{nonce}.{issued}.",
        "..",
        "",
    ]
    for value in forged:
        assert _with_cookie(service, value).status_code == 401
    assert _with_cookie(service, cookie).status_code == 200


def test_a_cookie_a_month_old_is_out_of_date(
    service: LabellingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        then = time.time() - 31 * 24 * 3600
        patch.setattr("itsdangerous.timed.time.time", lambda: then)
        old = client_of(service).cookies["askless"]
    assert _with_cookie(service, old).status_code == 401


def test_guessing_tokens_is_soon_slowed_down(service: LabellingService) -> None:
    stranger = client_of(service, let_in=False, guesses=Bucket(5, 0, clock=lambda: 0.0))
    statuses = [stranger.get("/", params={"token": str(n)}).status_code for n in range(8)]
    assert statuses == [401] * 5 + [429] * 3


def test_anonymous_requests_cannot_use_up_what_the_person_needs(service: LabellingService) -> None:
    still = {"clock": lambda: 0.0}
    client = client_of(
        service,
        requests=Bucket(3, 0, **still),
        anonymous=Bucket(2, 0, **still),
        guesses=Bucket(1, 0, **still),
    )
    mine = dict(client.cookies)
    client.cookies.clear()
    assert [client.get("/api/session").status_code for _ in range(4)] == [401, 401, 429, 429]
    wrong = {"cookie": "askless=a.1.b"}
    statuses = [client.get("/api/session", headers=wrong).status_code for _ in range(3)]
    assert statuses == [401, 429, 429]
    assert client.get("/", params={"token": "wrong"}).status_code == 429
    client.cookies.update(mine)
    assert [client.get("/api/session").status_code for _ in range(4)] == [200] * 3 + [429]
    reply = client.get("/", params={"token": TOKEN}, follow_redirects=False)
    assert reply.status_code == 303  # the link itself always opens


def test_the_token_that_the_browser_is_sent_is_good_once(service: LabellingService) -> None:
    stranger = client_of(service, let_in=False)
    guard = stranger.app
    assert isinstance(guard, Guard)
    once = guard.make_token_for_once()
    assert guard.waits_for_once
    statuses = [
        stranger.get("/", params={"token": once}, follow_redirects=False).status_code
        for _ in range(2)
    ]
    assert statuses == [303, 401]
    assert not guard.waits_for_once


# --- DNS rebinding --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:80",
     "127.0.0.1:8765.evil.example", "localhost:8765@evil.example", "", "127.0.0.1:8765 ",
     "[::ffff:127.0.0.1]:8765"],
)  # fmt: skip
def test_a_foreign_name_that_leads_here_gets_nothing(client: TestClient, host: str) -> None:
    reply = client.get("/api/session", headers={"host": host})
    assert reply.status_code in (400, 421)
    reply = client.get("/", params={"token": TOKEN}, headers={"host": host}, follow_redirects=False)
    assert "set-cookie" not in reply.headers


def test_forwarded_host_headers_are_not_believed(client: TestClient) -> None:
    for name in ("x-forwarded-host", "forwarded", "x-host"):
        reply = client.get("/api/session", headers={"host": "evil.example", name: HOST})
        assert reply.status_code == 421


# --- other sites ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:9999"},
     {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}],
)  # fmt: skip
def test_another_site_changes_nothing(
    service: LabellingService, client: TestClient, headers: dict[str, str]
) -> None:
    before = (service.session.history.last, service.settings.current)
    for path, body in WRITES.items():
        assert client.post(path, json=body, headers=headers).status_code == 403
    assert (service.session.history.last, service.settings.current) == before


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_form_of_another_site_changes_nothing(
    service: LabellingService, client: TestClient, kind: str
) -> None:
    before = service.session.history.last
    reply = client.post("/api/definition", content='{"text":"x"}', headers={"content-type": kind})
    assert reply.status_code == 415
    assert service.session.history.last == before


def test_the_page_itself_may_change_things(client: TestClient) -> None:
    headers = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    assert client.post("/api/ask", json={"tab": "t"}, headers=headers).status_code == 200


def test_no_other_site_is_told_that_it_may_read(client: TestClient) -> None:
    reply = client.options(
        "/api/session",
        headers={"origin": "http://evil.example", "access-control-request-method": "GET"},
    )
    assert reply.status_code == 405
    reply = client.get("/api/session", headers={"origin": "http://evil.example"})
    assert not [name for name in reply.headers if name.startswith("access-control-")]


def test_reading_changes_nothing(service: LabellingService, client: TestClient) -> None:
    post(client, "/api/ask", tab="t")
    before = (service.session.history.last, service.settings.current)
    for path in READS:
        if path != "/api/events":  # it would not end
            client.get(path)
            client.head(path)
    assert (service.session.history.last, service.settings.current) == before


def test_what_changes_things_cannot_be_got(service: LabellingService, client: TestClient) -> None:
    before = service.session.history.last
    for path in WRITES:
        status = 200 if path == "/api/export" else 405  # there it lists the formats
        assert client.get(path, params={"tab": "t", "key": key()}).status_code == status
    assert service.session.history.last == before


def test_methods_cannot_be_overridden(service: LabellingService, client: TestClient) -> None:
    before = service.session.history.last
    client.get("/api/undo?_method=POST", headers={"x-http-method-override": "POST"})
    assert service.session.history.last == before


# --- headers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/api/session", 200), ("/api/items/0/picture", 200), ("/api/nowhere", 404),
     ("/api/items/99/picture", 404), ("/api/gallery?page=x", 422), ("/static/nowhere.js", 404)],
)  # fmt: skip
def test_every_reply_carries_the_strict_headers(client: TestClient, path: str, status: int) -> None:
    reply = client.get(path)
    assert reply.status_code == status
    for name, value in HEADERS.items():
        assert reply.headers[name.decode()] == value.decode()


def test_refusals_carry_the_strict_headers_too(service: LabellingService) -> None:
    stranger = client_of(service, let_in=False)
    friend = client_of(service)
    replies = [
        stranger.get("/api/session"),
        stranger.get("/", headers={"host": "evil.example"}),
        stranger.get("/", params={"token": "wrong"}),
        friend.post("/api/ask", content="{", headers={"content-type": "application/json"}),
        friend.post("/api/ask", content="{}", headers={"content-type": "text/plain"}),
        friend.post("/api/ask", content=b"x" * 1_100_000),
    ]
    assert [reply.status_code for reply in replies] == [401, 421, 401, 422, 415, 415]
    for reply in replies:
        assert reply.headers["content-security-policy"] == CSP


def test_a_bug_is_a_problem_with_the_strict_headers_and_without_details(
    service: LabellingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askless.web.views.Views.session", lambda _: 1 / 0)
    reply = client_of(service).get("/api/session")
    assert reply.status_code == 500
    assert reply.headers["content-security-policy"] == CSP
    assert "division" not in reply.text
    assert "Traceback" not in reply.text


def test_the_policy_allows_no_inline_script_and_nothing_from_elsewhere() -> None:
    assert "default-src 'none'" in CSP
    for word in ("unsafe", "*", "http:", "https:", "data:"):
        assert word not in CSP


# --- where it is served ---------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_another_address_is_refused_without_a_secret(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.delenv("ASKLESS_SECRET", raising=False)
    with pytest.raises(InvalidInput, match="ASKLESS_SECRET"):
        token_for(host)
    monkeypatch.setenv("ASKLESS_SECRET", "short")
    with pytest.raises(InvalidInput, match="16 characters"):
        token_for(host)


def test_the_app_is_not_served_at_another_address_without_a_secret(
    service: LabellingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASKLESS_SECRET", raising=False)
    with pytest.raises(InvalidInput, match="ASKLESS_SECRET"):
        serve(service, host="0.0.0.0", announce=lambda _: None, browser=False)


def test_loopback_links_carry_a_new_long_token_each_time() -> None:
    tokens = {token_for(host) for host in ("127.0.0.1", "::1", "localhost", "127.0.0.1")}
    assert len(tokens) == 4
    assert all(len(token) >= 40 for token in tokens)
