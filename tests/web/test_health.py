"""Alive and ready: said to anybody, and nothing else is."""

import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from askless.app.service import LabellingService
from askless.web.app import make_app
from askless.web.behind import Behind
from askless.web.health import Readiness
from tests.web.services import HOST, TOKEN, client_of, pictures, service_on


@pytest.mark.parametrize(("path", "word"), [("/healthz", "alive"), ("/readyz", "ready")])
@pytest.mark.parametrize("host", [HOST, "10.1.2.3:8765", "anything"])
def test_anybody_may_ask_and_is_told_one_word(
    service: LabellingService, path: str, word: str, host: str
) -> None:
    stranger = client_of(service, let_in=False)
    reply = stranger.get(path, headers={"host": host})
    assert (reply.status_code, reply.json()) == (200, {"status": word})
    assert "set-cookie" not in reply.headers
    assert reply.headers["cache-control"] == "no-store"
    assert not stranger.app.opened  # type: ignore[attr-defined] # nobody has opened the page yet
    assert stranger.post(path, json={}).status_code in (401, 421)


def test_both_are_there_with_the_path_of_a_proxy_and_without(service: LabellingService) -> None:
    behind = Behind.parse("https://label.example.org/askless")
    app = make_app(service, token=TOKEN, hosts={behind.host}, behind=behind)
    client = TestClient(app, base_url="http://10.1.2.3:8765")
    for path in ("/healthz", "/readyz", "/askless/healthz", "/askless/readyz"):
        assert client.get(path).status_code == 200, path


def test_it_is_not_ready_while_the_session_is_away_and_says_no_more(tmp_path: Path) -> None:
    service = service_on(pictures(tmp_path / "photos", 4))
    folder = service.settings.folder
    client = client_of(service, let_in=False)
    shutil.move(folder, tmp_path / "away")
    reply = client.get("/readyz")
    assert (reply.status_code, reply.json()) == (503, {"status": "not ready"})
    assert client.get("/healthz").status_code == 200
    shutil.move(tmp_path / "away", folder)
    service.close()


def test_a_full_disk_is_not_ready(
    service: LabellingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("askless.web.health.os.fsync", full)
    assert not Readiness(service.settings.folder).check()


def test_the_disk_is_asked_once_a_second_and_nothing_is_left_there(
    service: LabellingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, asked = [0.0], list[Path]()

    def takes_bytes(folder: Path) -> bool:
        asked.append(folder)
        return True

    monkeypatch.setattr("askless.web.health._takes_bytes", takes_bytes)
    ready = Readiness(service.settings.folder, clock=lambda: now[0])
    assert [ready.check() for _ in range(5)] == [True] * 5
    assert len(asked) == 1
    now[0] = 1.5
    ready.check()
    assert len(asked) == 2
    monkeypatch.undo()
    before = sorted(path.name for path in service.settings.folder.iterdir())
    assert Readiness(service.settings.folder).check()
    assert sorted(path.name for path in service.settings.folder.iterdir()) == before
