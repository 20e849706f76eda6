"""The browser is led in by a file, so that no other user of the machine reads the token."""

import stat
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from askless.web import server
from askless.web.redirect_file import RedirectFile
from tests.web.services import pictures, service_on


def test_the_file_is_for_its_owner_alone_and_leads_to_the_link(tmp_path: Path) -> None:
    link = "http://127.0.0.1:8765/?token=abc-_"
    door = RedirectFile(tmp_path, link)
    assert stat.S_IMODE(door.path.stat().st_mode) == 0o600
    assert f'content="0; url={link}"' in door.path.read_text()
    RedirectFile(tmp_path, link).remove()
    door.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_link_planted_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("mine")
    (tmp_path / "open.html").symlink_to(tmp_path / "elsewhere")
    door = RedirectFile(tmp_path, "http://127.0.0.1/?token=x")
    assert not door.path.is_symlink()
    assert (tmp_path / "elsewhere").read_text() == "mine"


def test_the_browser_is_started_without_the_token_and_finds_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = service_on(pictures(tmp_path / "p", 4))
    started: list[str] = []
    printed: list[str] = []
    served: list[server._Server] = []

    class KeepingServer(server._Server):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]
            served.append(self)

    def browser(address: str) -> bool:
        """Reads the file it was started with, and follows it."""
        started.append(address)
        with urllib.request.urlopen(address) as file:
            link = file.read().decode().partition("url=")[2].partition('"')[0]
        assert link != printed[0]
        with urllib.request.urlopen(link) as reply:  # without cookies it gets no further
            reply.read()
        return True

    def visit(address: str) -> bool:
        try:
            return browser(address)
        except urllib.error.HTTPError:
            return True
        finally:
            end = time.monotonic() + 600
            while (service.settings.folder / "open.html").exists() and time.monotonic() < end:
                time.sleep(0.02)
            served[0].should_exit = True

    monkeypatch.setattr(server, "_Server", KeepingServer)
    monkeypatch.setattr("webbrowser.open", visit)
    monkeypatch.setenv("DISPLAY", ":9")
    server.serve(service, announce=printed.append)
    token = printed[0].partition("token=")[2]
    assert started == [(service.settings.folder / "open.html").resolve().as_uri()]
    assert token not in started[0]
    assert not (service.settings.folder / "open.html").exists()
    service.close()
