"""A PostgreSQL server of one's own for tests: made in a folder, on loopback, gone afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest


class Server:
    """One cluster, durable as the real ones are; not shared with other processes."""

    def __init__(self, folder: Path) -> None:
        self._bin = _binaries()
        self._folder = folder / "cluster"
        self._log = folder / "server.log"
        # The server refuses to run as root; Debian's package has made a user for it.
        self._as = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self._as:
            shutil.chown(folder, "postgres")
        self._run("initdb", "--auth=trust", "--username=askless", "--no-instructions")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self, *settings: str) -> None:
        """Start it, and wait until it answers."""
        given = (f"port={self.port}", "listen_addresses=127.0.0.1", "max_connections=50", *settings)
        options = " ".join(f"-c {setting}" for setting in given)
        options += " -c unix_socket_directories=''"
        self._run("pg_ctl", "--wait", "--timeout=120", f"--log={self._log}", "-o", options, "start")

    def stop(self) -> None:
        """Stop it in good order."""
        self._run("pg_ctl", "--wait", "--mode=fast", "stop")

    def kill(self) -> None:
        """Kill every process of it at once, as when the machine dies."""
        pid = int((self._folder / "postmaster.pid").read_text().splitlines()[0])
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=True
        )
        for each in (pid, *map(int, children.stdout.split())):
            os.kill(each, signal.SIGKILL)
        while not _ended(pid):
            time.sleep(0.01)
        # Of the process that wrote it nothing is left but its number, as after a power loss.
        (self._folder / "postmaster.pid").unlink()

    def url(self, session: str | None = None) -> str:
        """The address of a session; of a new one if it is not named."""
        return f"postgresql://askless@127.0.0.1:{self.port}/postgres#{session or uuid4().hex}"

    def execute(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the server says."""
        import psycopg

        server = self.url("x").partition("#")[0]
        with psycopg.connect(server, autocommit=True) as connection:
            found = connection.execute(statement.encode(), values or None)
            return found.fetchall() if found.description else []

    def _run(self, command: str, *options: str) -> None:
        name = [*self._as, str(self._bin / command), f"--pgdata={self._folder}", *options]
        done = subprocess.run(name, capture_output=True, text=True, cwd="/", check=False)
        if done.returncode:
            log = self._log.read_text() if self._log.exists() else ""
            raise RuntimeError(f"{command}: {done.stdout}{done.stderr}{log}")


@contextmanager
def running() -> Iterator[Server]:
    """A server for as long as the block lasts."""
    # Its own short folder: the name of a socket has at most some hundred bytes.
    with tempfile.TemporaryDirectory(prefix="askless-pg-") as folder:
        server = Server(Path(folder))
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server for all tests of a process."""
    with running() as found:
        yield found


def _ended(pid: int) -> bool:
    """Whether a process is gone, or dead and waiting for somebody to notice."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return done.stdout.strip() == "" or done.stdout.startswith("Z")


def _binaries() -> Path:
    """Where the newest server's commands are; Debian keeps them off the path."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
