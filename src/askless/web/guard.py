"""Who may talk to the server, and what every reply carries.

The app listens on this machine's own address and nothing it shows is public, but any web
page the person visits can try to reach it. Against that:

- the ``Host`` must be the one served, so a foreign name that resolves to this machine
  (DNS rebinding) gets nothing;
- the link printed by the command carries a random token; it buys a signed, HttpOnly,
  SameSite=Strict cookie, which the server alone can make (so none can be planted), and every
  other request needs it; a command of the same user may sign a token for one visit;
- what changes anything must be JSON, from the page itself (``Origin``, ``Sec-Fetch-Site``);
- behind a proxy (`askless.web.behind`) only the address that was named is served, the cookie is
  Secure and for its path alone, and only sites that were named may show the page in a frame;
- bodies are small, requests come at a human's pace, guesses at the token hardly at all; whoever
  has no cookie is counted apart, and cannot use up what the person needs.

Every reply, errors included, carries the same strict headers. Whether the app is alive and ready
(`askless.web.health`) anybody may ask, at any name. Plain ASGI, around the whole app.
Tested in tests/web/test_security_access.py, test_behind.py and test_visits.py.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Collection
from ipaddress import ip_address
from typing import Final

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.datastructures import Headers, QueryParams
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from askless.web.behind import Behind
from askless.web.headers import headers_for, with_headers
from askless.web.health import ALIVE, READY
from askless.web.problems import problem
from askless.web.secret import SIGNER

BODY_BYTES: Final = 1_000_000
_COOKIE_S: Final = 30 * 24 * 3600
_UNSAFE: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_SAFE: Final = frozenset({"GET", "HEAD"})
_ONWARDS: Final = (
    '<!doctype html><meta http-equiv="refresh" content="0; url={path}/"><title>askless</title>'
    '<a href="{path}/">Go on</a>'
)
_TOO_MUCH: Final = f"A request holds at most {BODY_BYTES:,} bytes; this one holds more."
_OTHER_SESSION: Final = (
    "This page belongs to another session than the one that is served here now. Start its own "
    "again, and what the page holds is sent."
)
_NO_COOKIE: Final = (
    "This address works only with the link that the command printed. Open that link, or start the "
    "same command again: it opens this page."
)
_NO_COOKIE_PAGE: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<title>askless</title><link rel="stylesheet" href="{path}/static/css/base.css">'
    '<link rel="stylesheet" href="{path}/static/css/frame.css">'
    '<main class="screen"><h1>Open the link that the command printed</h1>'
    f"<p>{_NO_COOKIE}</p>"
    '<p class="muted">So nobody else on this computer can see or change your labels.</p></main>\n'
)
_FOR_ANYBODY: Final = frozenset({"/static/css/base.css", "/static/css/frame.css"})
"""What that page needs to look like one of ours."""
_HEALTH: Final = frozenset({ALIVE, READY})
VISIT_S: Final = 60
"""Seconds for which a token for one visit is good."""


class Bucket:
    """So many at once, and then so many a second.

    Parameters
    ----------
    burst
        How many may come at once.
    per_s
        How many a second may follow.
    clock
        Seconds, never going backwards.
    """

    def __init__(
        self, burst: float, per_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst, self._per_s, self._clock = burst, per_s, clock
        self._left, self._at = burst, clock()

    def take(self) -> bool:
        """Whether there is room for one more."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Stands around the app.

    Parameters
    ----------
    app
        What is guarded.
    token
        What the link carries.
    secret
        Signs cookies; the same after a restart of the server, so that a page survives it.
    hosts
        What a ``Host`` header may say, in small letters, with the port.
    cookie
        Name of the cookie: cookies know no ports, so two servers need two names.
    session
        Whose page may change things: a page left open by another session that was served here
        before says so in a header, and keeps what it holds.
    any_address
        The port at which every numeric address is as good as `hosts`, for a server that listens
        on all of them; None for one that does not.
    behind
        Where people reach the app through a proxy; None where there is none.

    Attributes
    ----------
    requests, anonymous, guesses
        How fast requests may come: with the cookie, without it, and with a wrong token or cookie.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str,
        secret: bytes,
        hosts: Collection[str],
        cookie: str = "askless",
        session: str = "",
        any_address: int | None = None,
        behind: Behind | None = None,
    ) -> None:
        self._app = app
        self._behind = behind
        self._path = "" if behind is None else behind.path
        self._headers = headers_for(() if behind is None else behind.frame_ancestors)
        self._token = token.encode()
        self._cookies = URLSafeTimedSerializer(
            secret, salt=f"askless-cookie:{cookie}", signer_kwargs=SIGNER
        )
        self._visits = visit_signer(secret, cookie)
        self._visited: set[str] = set()
        self._hosts = frozenset(hosts)
        self._cookie = cookie
        self._session = session
        self._any_address = any_address
        self._once: bytes | None = None
        self.requests = Bucket(2000, 200)
        self.anonymous = Bucket(200, 20)
        self.guesses = Bucket(20, 0.5)
        self.opened = False
        """Whether anybody has been let in yet."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        sending = with_headers(send, self._headers)
        path = self._below(scope["path"])
        refusal = self._refusal(scope, path)
        if refusal is not None:
            await refusal(scope, receive, sending)
            return
        self.opened = self.opened or path not in _FOR_ANYBODY | _HEALTH
        if path != scope["path"]:  # the routes are those below the path that the proxy gives us
            scope = {**scope, "root_path": self._path}
        await self._app(scope, _limited(receive), sending)

    def make_token_for_once(self) -> str:
        """Another token, good for one visit; it takes the place of the one made before."""
        made = secrets.token_urlsafe(32)
        self._once = made.encode()
        return made

    @property
    def waits_for_once(self) -> bool:
        """Whether there is such a token that nobody has used yet."""
        return self._once is not None

    def make_cookie(self) -> str:
        """The value of a cookie that opens everything."""
        return str(self._cookies.dumps(secrets.token_urlsafe(16)))

    # --- deciding -----------------------------------------------------------------------------

    def _below(self, path: str) -> str | None:
        """The path without what every address of the app begins with; None if it does not."""
        if path.startswith(f"{self._path}/"):
            return path.removeprefix(self._path)
        return path if path in _HEALTH else None

    def _refusal(self, scope: Scope, path: str | None) -> Response | None:
        """What to answer instead of serving this request; None to serve it."""
        headers = Headers(scope=scope)
        method = scope["method"]
        if path in _HEALTH and method in _SAFE:
            return None
        if len(headers.getlist("host")) > 1:
            return problem(400, "A request names one host; got several.")
        host = headers.get("host", "").lower()
        if not self._serves(host):
            return problem(421, "This server answers to the address in its link only.")
        if path is None:
            return self._elsewhere(scope["path"])
        if method not in _UNSAFE | _SAFE:
            return problem(405, "This address takes other methods; /api/openapi.json says which.")
        sent = QueryParams(scope.get("query_string", b"")).get("token")
        if sent is not None and (method, path) == ("GET", "/"):
            return self._let_in(sent, headers.get("sec-fetch-site", ""))
        if not self._knows(headers.get("cookie", "")):
            if path in _FOR_ANYBODY and method in _SAFE and self.anonymous.take():
                return None
            return self._refuse_anonymous(path, bool(headers.get("cookie")))
        if not self.requests.take():
            return _slower("Requests come faster than any person asks; wait a second.")
        if method in _UNSAFE:
            return self._unsafe(headers, host)
        return None

    def _elsewhere(self, path: str) -> Response:
        """What to answer to a path that is not below ours."""
        if not self.anonymous.take():
            return _slower("Too many requests; wait a minute.")
        if path == self._path:
            return RedirectResponse(f"{self._path}/", 307)
        return problem(
            404, f"This app is served below {self._path}/, and the path must be passed on whole."
        )

    def _refuse_anonymous(self, path: str, has_cookie: bool) -> Response:
        if not (self.guesses if has_cookie else self.anonymous).take():
            return _slower("Too many requests without the right cookie; wait a minute.")
        if path.startswith("/api"):
            return problem(401, _NO_COOKIE)
        return self._page(_NO_COOKIE_PAGE, 401)

    def _page(self, page: str, status: int = 200) -> Response:
        return HTMLResponse(page.replace("{path}", self._path), status)

    def _unsafe(self, headers: Headers, host: str) -> Response | None:
        origin = headers.get("origin")
        ours = [f"http://{host}", f"https://{host}"]
        if self._behind is not None:
            ours = [self._behind.origin]
        if origin is not None and origin.lower() not in ours:
            return problem(403, "Only the page of this server may change anything.")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return problem(403, "Only the page of this server may change anything.")
        if headers.get("askless-session", self._session) != self._session:
            return problem(401, _OTHER_SESSION)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return problem(415, "What is sent here is JSON, Content-Type application/json.")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > BODY_BYTES:
            return problem(413, _TOO_MUCH)
        return None

    def _let_in(self, sent: str, came_from: str) -> Response:
        if not self._admits(sent.encode()):
            if not self.guesses.take():
                return _slower("Too many wrong tokens; wait a minute.")
            return self._page(_NO_COOKIE_PAGE, 401)
        # A browser sends a strict cookie only where its own site leads: of a link in another page
        # a redirect would come without it, a step from here does not.
        elsewhere = came_from in ("cross-site", "same-site")
        home = RedirectResponse(f"{self._path}/", 303)
        reply = self._page(_ONWARDS) if elsewhere else home
        reply.headers["set-cookie"] = self._cookie_header()
        return reply

    def _cookie_header(self) -> str:
        # By hand: Python's own cookies know of partitions from 3.14 on.
        behind = self._behind
        framed = behind is not None and bool(behind.frame_ancestors)
        words = [
            f"{self._cookie}={self.make_cookie()}",
            f"Max-Age={_COOKIE_S}",
            f"Path={self._path}/",
            "HttpOnly",
            "SameSite=None" if framed else "SameSite=Strict",
        ]
        if behind is not None and behind.secure:
            words.append("Secure")
        if framed:
            words.append("Partitioned")
        return "; ".join(words)

    def _admits(self, token: bytes) -> bool:
        if self._once is not None and hmac.compare_digest(token, self._once):
            self._once = None
            return True
        return hmac.compare_digest(token, self._token) or self._is_visit(token)

    def _is_visit(self, token: bytes) -> bool:
        """Whether another command of this user signed it just now, for one visit."""
        try:
            name = str(self._visits.loads(token, max_age=VISIT_S))
        except BadData:
            return False
        if name in self._visited:
            return False
        self._visited.add(name)
        return True

    def _serves(self, host: str) -> bool:
        if host in self._hosts:
            return True
        if self._any_address is None or not host.endswith(f":{self._any_address}"):
            return False
        try:
            ip_address(host.rpartition(":")[0].strip("[]"))
        except ValueError:
            return False
        return True

    def _knows(self, header: str) -> bool:
        # By hand: other servers on this machine set cookies too, and one that is not as the
        # standard library likes it would hide ours.
        values = (pair.strip().partition("=") for pair in header.split(";"))
        value = next((value for name, _, value in values if name == self._cookie), "")
        try:
            self._cookies.loads(value, max_age=_COOKIE_S)
        except BadData:
            return False
        return True


def visit_signer(secret: bytes, cookie: str) -> URLSafeTimedSerializer:
    """Signs tokens for one visit: whoever knows the session's key may come in.

    Parameters
    ----------
    secret, cookie
        Those of the `Guard`.
    """
    return URLSafeTimedSerializer(secret, salt=f"askless-visit:{cookie}", signer_kwargs=SIGNER)


def _limited(receive: Receive) -> Receive:
    """Receives a body that is not too long, whatever its header says."""
    taken = 0

    async def receive_limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > BODY_BYTES:
            raise HTTPException(413, _TOO_MUCH)
        return message

    return receive_limited


def _slower(sentence: str) -> Response:
    reply = problem(429, sentence)
    reply.headers["retry-after"] = "1"
    return reply
