"""A session folder with a hostile thing under one of its names, and what may come of it."""

from __future__ import annotations

import io
import os
import shutil
import stat
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from askless.app.opening import open_service
from askless.cli import main
from askless.errors import AsklessError
from tests.web.services import client_of, label_all, pictures, service_on

SIDE_FILES = ("-wal", "-shm", "-journal", "-head", "-new")
FILES = (
    "events.sqlite",
    *(f"events.sqlite{suffix}" for suffix in SIDE_FILES),
    "items.jsonl",
    "probs.npy",
    "preparing.log",
    "open.html",
    "app.json",
)
FOLDERS = ("training", "thumbnails", "cache", "forgetting")
BELOW = (
    "training/checkpoint-00000001.npz",
    "training/request.npz",
    "training/trainer.log",
    "thumbnails/left.tile",
    "cache/left.npy",
    "forgetting/whole",
    "forgetting/events.sqlite",
)
COMMANDS = ("status", "verify", "export", "label", "forget")


def make_session(folder: Path) -> Path:
    """A small finished session beside its pictures; returns its folder."""
    service = service_on(pictures(folder / "photos", 6))
    client = client_of(service)
    label_all(client)
    assert client.get("/api/items/0/picture", params={"size": "tile"}).status_code == 200
    service.close()
    return folder / "photos.askless"


def put_outside(path: Path, outside: Path) -> Path:
    """Move what is at `path` out of the session, or make something there."""
    outside.mkdir(exist_ok=True)
    victim = outside / "victim"
    if path.is_dir():
        shutil.move(path, victim)
    elif path.exists():
        shutil.move(path, victim)
        victim.chmod(0o644)
    else:
        victim.write_bytes(b"theirs")
        victim.chmod(0o644)
    return victim


def _link(path: Path, outside: Path) -> None:
    path.symlink_to(put_outside(path, outside))


def _link_to_a_folder(path: Path, outside: Path) -> None:
    put_outside(path, outside)
    path.symlink_to(outside)


def _dangling(path: Path, outside: Path) -> None:
    put_outside(path, outside)
    path.symlink_to(outside / "nothing")


def _hard_link(path: Path, outside: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)  # there are no hard links to folders
    path.hardlink_to(put_outside(path, outside))


def _fifo(path: Path, outside: Path) -> None:
    put_outside(path, outside)
    os.mkfifo(path)


def _folder(path: Path, outside: Path) -> None:
    put_outside(path, outside)
    path.mkdir()


def _device(path: Path, outside: Path) -> None:
    put_outside(path, outside)
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root can make a device")


PLANTS: dict[str, Callable[[Path, Path], None]] = {
    "a link to a file": _link,
    "a link to a folder": _link_to_a_folder,
    "a link to nothing": _dangling,
    "a hard link": _hard_link,
    "a fifo": _fifo,
    "a folder": _folder,
    "a device": _device,
}


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Mode and content of everything in a folder."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in [folder, *folder.rglob("*")]
    }


def run(command: str, session: Path, out: Path) -> str:
    """The sentence a command ends with; empty if all is well. What is no sentence escapes."""
    if command == "label":
        return _label(session)
    arguments = {
        "export": [str(session), str(out), "--overwrite"],
        "forget": [str(session), "--yes"],
    }.get(command, [str(session)])
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(io.StringIO()) as shown:
        status = main([command, *arguments])
    assert "Traceback" not in said.getvalue()
    # `verify` prints what it finds wrong.
    return said.getvalue() or (shown.getvalue() if status else "")


def _label(session: Path) -> str:
    """What ``askless label`` does, with a request for everything that is in the folder."""
    source = session.with_name(session.name.removesuffix(".askless"))
    try:
        service = open_service(source, session, learn=False)
    except AsklessError as error:
        return str(error)
    try:
        client = client_of(service)
        replies = [
            client.get("/api/items/0/picture", params={"size": "tile"}),
            client.get("/api/progress"),
            *(client.get(f"/api/{path}") for path in ("session", "curve", "answers", "gallery")),
            *(client.get(f"/api/{path}") for path in ("review", "summary", "items/0")),
            client.post("/api/ask", json={"tab": "t"}),
            client.post(
                "/api/names", json={"positive": {"many": "red"}, "negative": {"many": "green"}}
            ),
            client.post("/api/export", json={"format": "csv"}),
        ]
    finally:
        service.close()
    for reply in replies:
        assert reply.status_code != 500, reply.text
        assert b"theirs" not in reply.content
    failed = [reply for reply in replies if reply.status_code >= 400]
    return " ".join(reply.json()["detail"] for reply in failed)
