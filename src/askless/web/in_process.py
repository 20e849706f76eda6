"""The app inside a process: the routes answer here without a server, a port or a cookie.

For whoever is in the process already, as a widget in a notebook is. A thread runs an event loop;
requests are given to the very app that the server has behind its guard (`askless.web.app`), so
nothing is read, checked or answered in a second way. A request is bounded as it is there.
Imported by `askless.labelling`; tested in tests/web/test_in_process.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from fastapi.responses import Response
from starlette.types import Message, Scope

from askless.app.service import LabellingService
from askless.errors import Refused
from askless.web.app import make_api
from askless.web.guard import BODY_BYTES
from askless.web.problems import problem
from askless.web.secret import session_key

_LONGEST: Final = 4_000
"""So many characters an address has at most."""
_PREFIX: Final = "/api/"
_EVENTS: Final = "/api/events"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    Parameters
    ----------
    status
        As in HTTP.
    media_type
        What the content is.
    content
        All of it.
    """

    status: int
    media_type: str
    content: bytes


class InProcess:
    """The app for one service, in a thread of this process.

    Parameters
    ----------
    service
        Where the labelling is done.
    """

    def __init__(self, service: LabellingService) -> None:
        self._stopping = asyncio.Event()
        self._app = make_api(
            service, session_key(service.id), self._stopping, command="askless.widget"
        )
        self._streams: set[asyncio.Task[None]] = set()
        self._closed = False
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._main(ready)), name="askless-in-process", daemon=True
        )
        self._thread.start()
        ready.wait()

    def request(
        self, method: str, address: str, body: str | None, answer: Callable[[Reply], object]
    ) -> None:
        """Have a request answered; returns at once.

        Parameters
        ----------
        method, address, body
            As in HTTP: GET or POST, an address under ``/api/``, and JSON.
        answer
            Called once with the reply, in the thread of the app.

        Raises
        ------
        Refused
            The app has ended.
        """
        self._start(self._answer(method, address, body, answer))

    def follow(self, tell: Callable[[str, Any], object]) -> None:
        """Hear of progress as the page does, until the app ends.

        Parameters
        ----------
        tell
            Called with the name of an event, ``progress`` or ``ended``, and what it says.
        """
        self._start(self._follow(tell))

    def close(self) -> None:
        """End it; those who follow are told."""
        if not self._closed:
            self._closed = True
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()

    # --- in the thread ------------------------------------------------------------------------

    async def _main(self, ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        ready.set()
        await self._stopping.wait()
        while self._streams:
            await asyncio.wait(self._streams)

    def _start(self, work: Any) -> None:
        if self._closed:
            work.close()
            raise Refused("askless has ended here; make another widget to go on.")

        def begin() -> None:
            task = self._loop.create_task(work)
            self._streams.add(task)
            task.add_done_callback(self._streams.discard)

        self._loop.call_soon_threadsafe(begin)

    async def _answer(
        self, method: str, address: str, body: str | None, answer: Callable[[Reply], object]
    ) -> None:
        refusal = _refusal(method, address, body)
        if refusal is not None:
            answer(Reply(refusal.status_code, str(refusal.media_type), bytes(refusal.body)))
            return
        start: Message = {}
        parts: list[bytes] = []

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                parts.append(message.get("body", b""))

        with contextlib.suppress(Exception):  # one that was answered with its problem already
            await self._call(method, address, body, send)
        headers = dict(start.get("headers", ()))
        kind = headers.get(b"content-type", b"").decode("latin-1")
        answer(Reply(start.get("status", 500), kind, b"".join(parts)))

    async def _follow(self, tell: Callable[[str, Any], object]) -> None:
        async def send(message: Message) -> None:
            for event in message.get("body", b"").decode().split("\n\n"):
                name, _, data = event.partition("\ndata: ")
                if data:
                    tell(name.removeprefix("event: "), json.loads(data))

        await self._call("GET", _EVENTS, None, send)

    async def _call(self, method: str, address: str, body: str | None, send: Any) -> None:
        """One request to the app, by the ASGI protocol."""
        sent = False

        async def receive() -> Message:
            nonlocal sent
            if sent:
                await asyncio.Event().wait()  # nobody hangs up
            sent = True
            return {
                "type": "http.request",
                "body": (body or "").encode("utf-8", "replace"),
                "more_body": False,
            }

        await self._app(_scope(method, address), receive, send)


def _refusal(method: str, address: str, body: str | None) -> Response | None:
    """What to answer instead, where the guard of the server would; None to go on."""
    if method not in ("GET", "POST"):
        return problem(405, "This address takes other methods; /api/openapi.json says which.")
    if len(address) > _LONGEST or not address.startswith(_PREFIX) or _path(address) == _EVENTS:
        return problem(404, "There is nothing at this address.")
    if body is not None and len(body.encode("utf-8", "replace")) > BODY_BYTES:
        return problem(413, f"A request holds at most {BODY_BYTES:,} bytes; this one holds more.")
    return None


def _path(address: str) -> str:
    return unquote(address.partition("?")[0])


def _scope(method: str, address: str) -> Scope:
    path, _, query = address.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode("ascii", "replace"),
        "query_string": query.encode("ascii", "replace"),
        "root_path": "",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        "client": None,
        "server": None,
    }
