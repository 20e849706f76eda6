"""The headers that every reply carries, errors included.

Imported by `askless.web.guard`; tested in tests/web/test_security_access.py and test_behind.py.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from starlette.types import Message, Send

_NO_FRAME: Final = "frame-ancestors 'none'"
CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    f"connect-src 'self'; manifest-src 'self'; base-uri 'none'; {_NO_FRAME}; "
    "form-action 'none'"
)
HEADERS: Final = {
    b"content-security-policy": CSP.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=(), payment=()",
}


def headers_for(frame_ancestors: Collection[str]) -> dict[bytes, bytes]:
    """The headers that every reply carries.

    Parameters
    ----------
    frame_ancestors
        Origins whose pages may show ours in a frame.
    """
    if not frame_ancestors:
        return HEADERS
    allowed = CSP.replace(_NO_FRAME, f"frame-ancestors {' '.join(frame_ancestors)}")
    # The older header cannot name a site, and would forbid all of them.
    kept = {name: value for name, value in HEADERS.items() if name != b"x-frame-options"}
    return kept | {b"content-security-policy": allowed.encode()}


def with_headers(send: Send, headers: Mapping[bytes, bytes]) -> Send:
    """Sends replies with the headers that all of them carry."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = [(n, v) for n, v in message.get("headers", []) if n.lower() not in headers]
            if all(name.lower() != b"cache-control" for name, _ in given):
                given.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*given, *headers.items()]}
        await send(message)

    return send_with_headers
