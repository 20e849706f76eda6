"""What somebody without the token gets, and a token that another command signs for one visit."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from askless.app.service import LabellingService
from askless.web.guard import VISIT_S, visit_signer
from askless.web.secret import session_key
from tests.web.services import client_of, pictures, service_on


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LabellingService]:
    made = service_on(pictures(tmp_path / "photos", 8))
    yield made
    made.close()


@pytest.fixture
def stranger(service: LabellingService) -> TestClient:
    return client_of(service, let_in=False)


def test_the_address_without_the_token_is_a_page_that_says_what_to_do(
    stranger: TestClient,
) -> None:
    reply = stranger.get("/")
    assert reply.headers["content-type"].startswith("text/html")
    assert "<h1>Open the link that the command printed</h1>" in reply.text
    sheets = re.findall(r'href="([^"]+)"', reply.text)
    assert sheets
    assert [stranger.get(sheet).status_code for sheet in sheets] == [200] * len(sheets)


def test_a_token_for_one_visit_is_signed_by_the_key_of_the_session_and_used_once(
    service: LabellingService, stranger: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    key_ = session_key(service.id)
    own = visit_signer(key_, "askless")
    sent = [
        own.dumps("once"),
        own.dumps("once"),
        visit_signer(b"another key", "askless").dumps("twice"),
        visit_signer(key_, "askless-1").dumps("twice"),  # of another port
    ]
    long_ago = time.time() - 2 * VISIT_S
    monkeypatch.setattr(time, "time", lambda: long_ago)
    sent.append(own.dumps("too old"))
    monkeypatch.undo()
    statuses = [
        stranger.get("/", params={"token": token}, follow_redirects=False).status_code
        for token in sent
    ]
    assert statuses == [303, 401, 401, 401, 401]
