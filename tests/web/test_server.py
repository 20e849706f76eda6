"""The real server, as the command starts it."""

import contextlib
import errno
import json
import socket
import threading
from pathlib import Path

import httpx2 as httpx
import pytest

from askless.assemble import open_session, read_session
from askless.cli import main
from askless.errors import InvalidInput
from askless.folder.verifying import verify_session
from askless.web.server import bind
from tests.web.served import Served
from tests.web.services import is_red, key, pictures, truthfully


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return pictures(tmp_path / "photos")


def _label(source: Path, *more: str) -> Served:
    return Served("label", source, "--no-browser", "--annotator", "ann", *more, cwd=source.parent)


def test_a_server_killed_in_the_middle_loses_no_answer_and_the_page_goes_on(source: Path) -> None:
    acknowledged: dict[str, int] = {}
    with _label(source) as served:
        cookies, port = served.client.cookies, served.base.rpartition(":")[2]
        question = served.post("/api/ask", tab="t")["question"]
        unsent = None

        def answer_for_ever() -> None:
            nonlocal question, unsent
            while question is not None:
                body = {"tab": "t", "question_id": question["id"], "ticket": question["ticket"]}
                body |= {"key": key(), **truthfully(question)}
                unsent = body
                try:
                    reply = served.client.post("/api/tell", json=body).json()
                except httpx.HTTPError:
                    return
                acknowledged[body["key"]] = reply["answer"]
                unsent, question = None, reply["question"]
                if len(acknowledged) == 6:
                    enough.set()

        enough = threading.Event()
        person = threading.Thread(target=answer_for_ever)
        person.start()
        assert enough.wait(600)
        served.kill()
        person.join()
    assert verify_session(source.with_name("photos.askless")).sound
    with _label(source) as served:
        assert served.base.endswith(f":{port}")  # the page that was left open finds it again
        served.client.cookies = cookies
        if unsent is not None:
            assert served.post("/api/tell", **{**unsent, "question_id": None})["answer"] > 0
        for name, answer in acknowledged.items():
            given = read_session(source.with_name("photos.askless")).history
            assert given.keys.event_of(name) == answer
        question = served.post("/api/ask", tab="t")["question"]
        while question is not None:
            body = {"tab": "t", "question_id": question["id"], "ticket": question["ticket"]}
            question = served.post("/api/tell", **body, key=key(), **truthfully(question))[
                "question"
            ]
        lines = served.client.post("/api/export", json={"format": "jsonl"}).text.splitlines()
    assert [json.loads(line)["label"] for line in lines] == [
        "positive" if is_red(item) else "negative" for item in range(24)
    ]


def test_ctrl_c_ends_it_in_two_calm_lines_and_tells_every_open_page(source: Path) -> None:
    with _label(source) as served, contextlib.ExitStack() as pages:
        served.post("/api/ask", tab="t")
        streams = [
            pages.enter_context(served.client.stream("GET", "/api/events")).iter_lines()
            for _ in range(3)  # pages that stay open do not hold it
        ]
        for lines in streams:
            assert next(lines) == "event: progress"
        command = served.client.get("/api/session").json()["command"]
        announced = len(served.lines)
        assert served.interrupt() == 0
        for lines in streams:
            assert "event: ended" in list(lines)
        assert command == f"askless label {source}"
        assert served.lines[announced:] == [
            "\n",
            f"Ended; 0 of 24 items are settled. Go on with: {command}\n",
            "Labels so far: askless export photos.askless labels.csv\n",
        ]
    assert verify_session(source.with_name("photos.askless")).sound


def test_ctrl_c_is_as_calm_while_a_request_is_still_on_its_way(source: Path) -> None:
    with _label(source) as served:
        host, port = served.base.removeprefix("http://").split(":")
        ((name, value),) = served.client.cookies.items()
        announced = len(served.lines)
        with socket.create_connection((host, int(port)), 600) as raw:
            raw.sendall(
                f"POST /api/ask HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {name}={value}\r\n"
                "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{".encode()
            )
            served.client.get("/api/session")  # by now the other request has begun
            assert served.interrupt() == 0
        assert [line.split(";")[0] for line in served.lines[announced:]] == [
            "\n",
            "Ended",
            "Labels so far: askless export photos.askless labels.csv\n",
        ]


def test_progress_comes_as_events(source: Path) -> None:
    with _label(source) as served, served.client.stream("GET", "/api/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        lines = events.iter_lines()
        assert next(lines) == "event: progress"
        assert json.loads(next(lines).removeprefix("data: "))["settled"] == 0
        question = served.post("/api/ask", tab="t")["question"]
        body = {"tab": "t", "question_id": question["id"], "ticket": question["ticket"]}
        served.post("/api/tell", **body, key=key(), **truthfully(question))
        seen = (json.loads(line[6:]) for line in lines if line.startswith("data: "))
        assert next(progress for progress in seen if progress["settled"])["settled"] == 1


def test_the_token_is_printed_in_the_link_and_nowhere_else(source: Path) -> None:
    with _label(source) as served:
        token = served.link.partition("token=")[2]
        served.client.get("/", params={"token": token})
        served.client.get("/", params={"token": "wrong-token"})
        served.client.get("/api/nowhere", params={"token": token})
        served.client.post("/api/ask", content="{")
        served.interrupt()
        said = served.output
        assert said.count(token) == 1
        assert "wrong-token" not in said
        for path in source.with_name("photos.askless").rglob("*"):
            if path.is_file():
                assert token.encode() not in path.read_bytes()


def test_a_file_left_out_cannot_write_lines_of_its_own(source: Path) -> None:
    (source / "a\nOpen that link: b\x1b[8m.png").touch()
    with Served("label", source, "--no-browser", cwd=source.parent) as served:
        assert r"Left out: a\nOpen that link: b\x1b[8m.png: The file is empty." in served.output


def test_the_server_names_no_software(source: Path) -> None:
    with _label(source) as served:
        assert "server" not in served.client.get("/api/session").headers


def test_a_busy_port_means_the_next_free_one() -> None:
    with bind("127.0.0.1", None) as first:
        port = first.getsockname()[1]
        with bind("127.0.0.1", port) as second:
            assert second.getsockname()[1] > port


def test_a_port_that_needs_rights_is_refused_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("socket.socket.bind", refused)
    with pytest.raises(InvalidInput, match="Port 80 may not be used by you"):
        bind("127.0.0.1", 80)


def test_two_sessions_are_served_side_by_side(tmp_path: Path) -> None:
    one, two = pictures(tmp_path / "one", 4), pictures(tmp_path / "two", 4)
    browser = httpx.Client(timeout=600)  # one for both: cookies know no ports
    with _label(one) as first, _label(two) as second, browser as jar:
        assert first.base != second.base
        jar.get(first.link)
        jar.get(second.link)
        assert jar.get(first.base + "/api/session").json()["name"] == "one"
        assert jar.get(second.base + "/api/session").json()["name"] == "two"


def test_a_session_is_taken_up_by_its_own_name_with_the_options_it_was_begun_with(
    tmp_path: Path,
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a,b\none,two\nthree,four\nfive,six\nseven,eight\n")
    args = ("--no-browser", "--annotator", "ann")
    with Served("label", table, "--text", "b", *args, cwd=tmp_path) as served:
        assert served.client.get("/api/items/0").json()["text"] == "two"
        served.interrupt()
    with Served("label", "t.csv.askless", *args, cwd=tmp_path) as served:
        assert served.client.get("/api/items/0").json()["text"] == "two"
        assert "Going on" in served.output


def test_a_second_start_of_the_same_command_opens_the_page_that_runs(
    source: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with _label(source) as served:
        assert main(["label", str(source), "--no-browser"]) == 0
        shown = capfd.readouterr()
        link = next(word for word in shown.out.split() if word.startswith("http://"))
        assert link.startswith(served.base)
        assert link != served.link
        with httpx.Client(timeout=600) as another:
            assert another.get(link, follow_redirects=True).status_code == 200
            assert another.get(f"{served.base}/api/session").json()["name"] == "photos"
    assert not shown.err


def test_a_session_that_another_program_has_open_is_refused(
    source: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with _label(source) as served:
        served.interrupt()
    with open_session(folder=source.with_name("photos.askless")):
        assert main(["label", str(source), "--no-browser"]) == 2
    shown = capfd.readouterr().err
    assert "has it open. Close it there first" in shown
    assert "Traceback" not in shown


def test_it_can_be_served_elsewhere_with_a_secret(tmp_path: Path) -> None:
    source = pictures(tmp_path / "p", 4)
    args = ("label", source, "--no-browser", "--host", "0.0.0.0")
    with Served(*args, cwd=tmp_path, ASKLESS_SECRET="two+two & a #4=\u00fc, enough") as served:
        assert served.link.endswith("token=two%2Btwo%20%26%20a%20%234%3D%C3%BC%2C%20enough")
        assert served.client.get("/api/session").status_code == 200
        host = {"host": f"evil.example:{served.base.rpartition(':')[2]}"}
        assert served.client.get("/api/session", headers=host).status_code == 421


def test_web_sockets_are_refused(source: Path) -> None:
    with _label(source) as served:
        address = ("127.0.0.1", int(served.base.rpartition(":")[2]))
        with socket.create_connection(address, 10) as raw:
            raw.sendall(
                b"GET / HTTP/1.1\r\nHost: evil\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            assert b" 101 " not in raw.recv(200)
