"""Fetching from a real server, and from those who would have us fetch elsewhere."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.registry import _registry

from askless.errors import InvalidInput
from askless.pools import _fetching
from askless.pools._fetching import fetch
from askless.pools._remote_rules import Remote
from tests.pools.picture_server import PictureServer, png


@pytest.fixture(scope="module")
def server() -> Iterator[PictureServer]:
    with PictureServer().running() as running:
        yield running


def _named(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Have every name lead to these numbers, one after the other; who was asked about."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def lead(host: str, port: int, *args: Any, **more: Any) -> Any:
        asked.append(host)
        return real(answers[min(len(asked), len(answers)) - 1], port, *args, **more)

    monkeypatch.setattr("askless.pools._fetching.socket.getaddrinfo", lead)
    return asked


def test_an_origin_on_this_machine_that_is_named_outright_is_fetched_from(
    server: PictureServer,
) -> None:
    assert fetch(f"{server.origin}/7.png?size=full", Remote([server.origin])) == png(7)
    by_name = f"http://localhost:{server.port}"
    assert fetch(f"{by_name}/8.png", Remote([by_name])) == png(8)


@pytest.mark.parametrize("number", ["127.0.0.1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254"])
def test_a_name_that_leads_to_the_own_network_is_not_connected_to(
    server: PictureServer, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    _named(monkeypatch, number)
    before = len(server.asked)
    name = f"http://images.example.org:{server.port}"
    with pytest.raises(InvalidInput, match="on the own network"):
        fetch(f"{name}/1.png", Remote([name]))
    assert len(server.asked) == before


def test_a_number_of_the_own_network_is_not_connected_to_by_a_rule_for_everybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "askless.pools._fetching.socket.create_connection", lambda *_: pytest.fail("connected")
    )
    for host in ("127.0.0.1", "[::1]", "192.168.0.1", "169.254.169.254", "2130706433", "localhost"):
        with pytest.raises(InvalidInput):
            fetch(f"http://{host}/1.png", Remote(["http"]))


def test_a_name_is_looked_up_once_and_the_number_that_was_checked_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = _named(monkeypatch, "93.184.215.14", "127.0.0.1")  # rebinding: first public, then here
    connected: list[str] = []

    def connect(where: tuple[str, int], _: float) -> socket.socket:
        connected.append(where[0])
        raise OSError("no network in tests")

    monkeypatch.setattr("askless.pools._fetching.socket.create_connection", connect)
    with pytest.raises(InvalidInput, match="could not be fetched"):
        fetch("http://images.example.org/1.png", Remote(["http"]))
    assert (asked, connected) == (["images.example.org"], ["93.184.215.14"])


@pytest.mark.parametrize(
    "elsewhere",
    ["http://169.254.169.254/latest/meta-data", "file:///etc/passwd", "http://localhost:1/1.png",
     "http://[::1]/1.png", "gopher://127.0.0.1", "//10.0.0.1/1.png", "http://[", "//[::1", "http://a:b"],
)  # fmt: skip
def test_a_redirect_leads_nowhere_that_is_not_allowed_itself(
    server: PictureServer, elsewhere: str
) -> None:
    server.onwards = elsewhere
    with pytest.raises(InvalidInput):
        fetch(f"{server.origin}/onwards", Remote([server.origin]))


def test_a_redirect_to_what_is_allowed_is_followed_a_few_times(server: PictureServer) -> None:
    server.onwards = "/9.png"
    assert fetch(f"{server.origin}/onwards", Remote([server.origin])) == png(9)
    before = len(server.asked)
    with pytest.raises(InvalidInput, match="more than 3 times"):
        fetch(f"{server.origin}/round", Remote([server.origin]))
    assert len(server.asked) == before + 4


@pytest.mark.parametrize(
    ("path", "why"),
    [("/large", "larger than"), ("/endless", "larger than"), ("/cut", "less than it announced"),
     ("/packed", "^127.0.0.1 sends it in a coding"),
     ("/nowhere", "^127.0.0.1 answers with status 404")],
)  # fmt: skip
def test_what_servers_do_wrong_is_a_sentence(server: PictureServer, path: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        fetch(f"{server.origin}{path}", Remote([server.origin]))


@pytest.mark.parametrize("path", ["/slow", "/dripping"])
def test_a_server_that_never_ends_its_reply_is_left(server: PictureServer, path: str) -> None:
    with pytest.raises(InvalidInput, match="more than 1 seconds"):
        fetch(f"{server.origin}{path}", Remote([server.origin]), patience_s=1.0)


def test_a_server_that_is_slow_under_tls_is_left_too() -> None:
    ended = threading.Event()

    def drip() -> None:  # a record of 16 kB that begins a handshake, a byte at a time
        caller = listening.accept()[0]
        with caller, suppress(OSError):
            caller.sendall(b"\x16\x03\x03\x40\x00\x02")
            while not ended.wait(0.05):
                caller.sendall(b"\0")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip)
        thread.start()
        cut = threading.Timer(8, ended.set)  # where nobody leaves, the server does
        cut.start()
        origin = f"https://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(InvalidInput, match="more than 1 seconds"):
            fetch(f"{origin}/1.png", Remote([origin]), patience_s=1.0)
        assert not ended.is_set()
        cut.cancel()
        ended.set()
        thread.join()


def test_what_a_server_says_is_told_without_its_control_characters(server: PictureServer) -> None:
    with pytest.raises(InvalidInput, match=r"owned") as told:
        fetch(f"{server.origin}/words", Remote([server.origin]))
    assert str(told.value).isprintable()


@pytest.mark.parametrize("host", ["a..example", "a" * 64 + ".example"])
def test_a_name_that_no_host_can_have_is_a_sentence(host: str) -> None:
    with pytest.raises(InvalidInput, match="no name of a host"):
        fetch(f"https://{host}/1.png", Remote(["https"]))


def test_nobody_there_is_a_sentence() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(InvalidInput, match=r"could not be fetched from 127\.0\.0\.1"):
            fetch(f"{origin}/1.png", Remote([origin]))


def test_buckets_are_read_through_fsspec(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_registry, "s3", MemoryFileSystem)  # a real filesystem of fsspec's
    MemoryFileSystem().pipe("/bucket/photos/1.png", png(1))
    assert fetch("s3://bucket/photos/1.png", Remote(["s3://bucket"])) == png(1)
    with pytest.raises(InvalidInput, match="could not be fetched from bucket"):
        fetch("s3://bucket/photos/2.png", Remote(["s3://bucket"]))
    with pytest.raises(InvalidInput, match="allow it with --remote s3://other"):
        fetch("s3://other/photos/1.png", Remote(["s3://bucket"]))
    monkeypatch.setattr(_fetching, "MOST_BYTES", 10)
    with pytest.raises(InvalidInput, match="larger than"):
        fetch("s3://bucket/photos/1.png", Remote(["s3://bucket"]))
