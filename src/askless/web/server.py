"""Serving an app on this machine: a free port, a link, the browser, and a clean end.

Tested in tests/web/test_server.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import http.client
import logging
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

import uvicorn

from askless.app.service import LabellingService
from askless.app.settings import read_settings
from askless.errors import InvalidInput
from askless.folder.reading import session_id
from askless.web.app import make_app
from askless.web.behind import Behind, is_loopback
from askless.web.guard import Guard, visit_signer
from askless.web.redirect_file import RedirectFile
from askless.web.secret import session_key

PORT: Final = 8765
SECRET: Final = "ASKLESS_SECRET"
_TRIES: Final = 50
_LEAST_SECRET: Final = 16
_REDIRECT_S: Final = 60.0
"""A browser that has not come by then is not coming."""
_PROBE_S: Final = 5.0
_MOMENT_S: Final = 5.0


def bind(host: str, port: int | None, preferred: int | None = None) -> socket.socket:
    """A socket on `host`, at the port asked for or the next free one.

    Parameters
    ----------
    host
        The address.
    port
        The port asked for; None for the usual one.
    preferred
        Where the app was served before: tried first if no port was asked for.
    """
    first = PORT if port is None else port
    candidates = [*range(first, min(first + _TRIES, 65_536))]
    if preferred and port is None:
        candidates.insert(0, preferred)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in candidates:
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, candidate))
            made.listen(128)
        except OSError as error:
            made.close()
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                raise InvalidInput(
                    f"The app is served at an address of this machine; {host} is none "
                    f"({error.strerror or error}). Leave --host out to serve it to this machine "
                    "alone, or name 0.0.0.0 for all its addresses."
                ) from error
            if error.errno == errno.EACCES:
                raise InvalidInput(
                    f"Port {candidate} may not be used by you ({error.strerror}); name one from "
                    "1024 on with --port."
                ) from error
            continue
        return made
    raise InvalidInput(
        f"The app needs a free port; none is free from {first} on. Name another with --port."
    )


def token_for(host: str, behind: Behind | None = None) -> str:
    """What the link carries: random, or the secret that another address than loopback needs.

    Behind a proxy the secret is used wherever there is one, so that the link stays the same.

    Raises
    ------
    InvalidInput
        The address is not loopback and there is no secret, or one that is too short.
    """
    secret = os.environ.get(SECRET, "")
    if is_loopback(host) and (behind is None or not secret):
        return secrets.token_urlsafe(32)
    bind(host, 0).close()  # a secret does not help where there is no such address
    if len(secret) < _LEAST_SECRET:
        raise InvalidInput(
            f"The app is served to this machine alone; to serve it at {host}, where others can "
            f"reach it, set {SECRET} to a secret of {_LEAST_SECRET} characters or more."
        )
    return secret


def serve(
    service: LabellingService,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    announce: Callable[[str], None],
    browser: bool = True,
    patience_s: float | None = None,
    command: str = "askless label",
    stop: threading.Event | None = None,
    behind: Behind | None = None,
) -> bool:
    """Serve the app until it is ended by Ctrl-C or a signal; whether anybody opened the page.

    Parameters
    ----------
    service
        Where the labelling is done; closed at the end.
    host, port
        Where.
    announce
        Called with the link once it works.
    browser
        Whether to open it, if there is a display.
    patience_s
        End by itself if nobody has opened the page after so many seconds; None to wait for ever.
    command
        How askless is started with this session; the page tells it when the server has ended.
    stop
        Ends it when it is set; for a server in a thread, which no signal reaches.
    behind
        Where people reach it through a proxy, the only address it then answers to.
    """
    token = token_for(host, behind)
    stopping = asyncio.Event()
    listening = bind(host, port, service.settings.current.port)
    number = int(listening.getsockname()[1])
    service.settings.change(port=number)
    base = _base(host, number) if behind is None else behind.address
    everywhere = host in ("0.0.0.0", "::") and behind is None
    app = make_app(
        service,
        token=token,
        hosts=_hosts(host, number) if behind is None else {behind.host},
        cookie=_cookie(number),
        any_address=number if everywhere else None,
        behind=behind,
        stopping=stopping,
        command=command,
    )
    config = uvicorn.Config(
        app,
        access_log=False,  # a log of requests would hold the token
        log_level="warning",
        server_header=False,
        date_header=False,
        proxy_headers=False,  # or whoever connects from this machine could say who they are
        timeout_graceful_shutdown=2,
        ws="none",
        limit_concurrency=200,
    )
    with contextlib.ExitStack() as ending:
        ending.enter_context(contextlib.closing(listening))

        def ready() -> RedirectFile | None:
            announce(f"{base}/?token={quote(token, safe='')}")  # a secret may hold anything
            if not browser or not has_display():
                return None
            with contextlib.suppress(OSError):  # a full disk: then by hand
                redirect = RedirectFile(
                    service.settings.folder, f"{base}/?token={app.make_token_for_once()}"
                )
                ending.callback(redirect.remove)
                redirect.open()
                return redirect
            return None

        _Server(config, ready, app, stopping, patience_s, stop).run(sockets=[listening])
    return app.opened


class _Server(uvicorn.Server):
    """Says when it is ready, ends when nobody comes, and tells open pages that it ends."""

    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], RedirectFile | None],
        guard: Guard,
        stopping: asyncio.Event,
        patience_s: float | None,
        stop: threading.Event | None,
    ) -> None:
        super().__init__(config)
        self._stop = stop
        self._stopping = stopping
        self._ready = ready
        self._guard = guard
        self._patience_s = patience_s
        self._since = 0.0
        self._redirect: RedirectFile | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._since = time.monotonic()
        self._redirect = self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._stopping.set()  # or open streams would be cut off, each with a traceback
        # What is still at work after the grace period is cut off; that is no news to anybody.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        if self._stop is not None and self._stop.is_set():
            return True
        waited = time.monotonic() - self._since
        used = not self._guard.waits_for_once
        if self._redirect is not None and (used or waited > _REDIRECT_S):
            self._redirect.remove()
            self._redirect = None
        if self._patience_s is not None and not self._guard.opened and waited > self._patience_s:
            return True
        return await super().on_tick(counter)


def running_link(folder: Path, host: str, behind: Behind | None = None) -> str | None:
    """A link, good for one visit, to the app that serves this session now; None if none does.

    It is asked at the port it was last served at, and believed only if it knows the key of the
    session: a 303 that a signed token has bought.

    Parameters
    ----------
    folder
        The session's.
    host, behind
        Where it is served, and where people reach it.
    """
    port = read_settings(folder).port
    if port is None:
        return None
    signer = visit_signer(session_key(session_id(folder)), _cookie(port))

    def link(base: str) -> str:
        return f"{base}/?token={signer.dumps(secrets.token_urlsafe(16))}"

    base = _base(host, port)
    asked = http.client.HTTPConnection(urlsplit(base).netloc, timeout=_PROBE_S)
    try:
        if behind is None:
            asked.request("GET", link(""))
        else:
            asked.request("GET", link(behind.path), headers={"Host": behind.host})
        if asked.getresponse().status != 303:
            return None
    except (OSError, http.client.HTTPException):
        return None
    finally:
        asked.close()
    return link(base if behind is None else behind.address)


def open_in_browser(folder: Path, link: str) -> None:
    """Have a browser open a link for one visit, if there is a display; takes a moment."""
    if not has_display():
        return
    with contextlib.suppress(OSError):
        redirect = RedirectFile(folder, link)
        redirect.open()
        time.sleep(_MOMENT_S)  # it reads the file
        redirect.remove()


def has_display() -> bool:
    """Whether a browser could show itself."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _base(host: str, port: int) -> str:
    shown = "127.0.0.1" if host in ("0.0.0.0", "::", "localhost") else host
    return f"http://{_named(shown)}:{port}"


def _cookie(port: int) -> str:
    """Cookies know no ports, so two servers need two names."""
    return f"askless-{port}"


def _hosts(host: str, port: int) -> set[str]:
    names = {"127.0.0.1", "localhost", "[::1]"} if is_loopback(host) else {_named(host)}
    if host in ("0.0.0.0", "::"):
        names = {"127.0.0.1", "localhost", "[::1]", socket.gethostname().lower()}
    return {f"{name}:{port}" for name in names} | ({*names} if port == 80 else set())


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host.lower()
