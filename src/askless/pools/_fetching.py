"""Fetch one picture from elsewhere, within bounds, from nobody on the own network.

http and https are spoken here, by the standard library alone, since the address that is connected
to must be the one that was checked: a name is looked up once, each number it has is checked, and
the connection goes to such a number, so that a name which answers otherwise a moment later (DNS
rebinding) gains nothing. Each redirect is an address of its own, to be allowed like the first.
No proxy, cookie or password is used. Buckets (s3, gs) are read through fsspec with what the user
has set up for them: the table says only which of the allowed ones.
Imported by `askless.pools.remote_pictures`; tested in tests/pools/test_fetching.py.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from contextlib import suppress
from typing import Any, Final
from urllib.parse import quote, urljoin

from askless.errors import InvalidInput
from askless.pools._remote_rules import BUCKETS, Address, Remote, is_never, is_public

MOST_BYTES: Final = 2**26
REDIRECTS: Final = 3
PATIENCE_S: Final = 30.0
"""Seconds for one request, from its connection to its last byte."""
_CONNECT_S: Final = 10.0
_CHUNK: Final = 2**16
_NUMBERS: Final = 4
"""So many numbers of one name are tried."""
_MOVED: Final = (301, 302, 303, 307, 308)
_SAFE: Final = "/%:@!$&'()*+,;=~?-._"
_HEADERS: Final = {
    "User-Agent": "askless",
    "Accept": "image/*",
    "Accept-Encoding": "identity",
    "Connection": "close",
}


def fetch(text: str, remote: Remote, patience_s: float = PATIENCE_S) -> bytes:
    """The bytes at an address.

    Parameters
    ----------
    text
        The address.
    remote
        What may be fetched.
    patience_s
        Seconds for each request.

    Raises
    ------
    InvalidInput
        It may not be fetched, or cannot be, or is too large; the sentence says which.
    """
    for _ in range(REDIRECTS + 1):
        address = remote.find(text)
        if address.scheme in BUCKETS:
            return _from_bucket(address, patience_s)
        found = _request(address, patience_s)
        if isinstance(found, bytes):
            return found
        text = _onwards(text, found)
    raise InvalidInput(f"The address leads on more than {REDIRECTS} times.")


def _request(address: Address, patience_s: float) -> bytes | str:
    """What is there, or where it leads."""
    try:
        connected = _connect(address)
    except OSError as error:
        raise _failed(address, error) from error
    ended = threading.Event()
    held = connected.dup()  # TLS takes the other one away

    def end() -> None:
        ended.set()
        with suppress(OSError):
            held.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(patience_s, end)
    timer.daemon = True
    timer.start()
    try:
        found = _talk(address, connected)
    except (OSError, http.client.HTTPException, ValueError) as error:
        if ended.is_set():
            raise _too_slow(address, patience_s) from error
        if isinstance(error, InvalidInput):
            raise
        raise _failed(address, error) from error
    finally:
        timer.cancel()
        connected.close()
        held.close()
    if ended.is_set():  # what has no announced length just looks shorter
        raise _too_slow(address, patience_s)
    return found


def _onwards(text: str, found: str) -> str:
    """Where a redirect leads."""
    try:
        return urljoin(text, found)
    except ValueError:
        raise InvalidInput(f"The address leads on to what is none: {found!r:.120}.") from None


def _talk(address: Address, connected: socket.socket) -> bytes | str:
    connection = http.client.HTTPConnection(address.host, address.port)
    connection.sock = connected
    if address.scheme == "https":
        name = address.host.strip("[]")
        connection.sock = ssl.create_default_context().wrap_socket(connected, server_hostname=name)
    with connection.sock:
        connection.request("GET", quote(address.path, safe=_SAFE), headers=_HEADERS)
        reply = connection.getresponse()
        if reply.status in _MOVED:
            return reply.headers.get("Location", "")
        if reply.status != 200:
            raise InvalidInput(f"{address.host} answers with status {reply.status}.")
        if reply.headers.get("Content-Encoding", "identity") != "identity":
            raise InvalidInput(f"{address.host} sends it in a coding that was not asked for.")
        if (reply.length or 0) > MOST_BYTES:
            raise _too_large()
        content = bytearray()
        while chunk := reply.read1(_CHUNK):
            content += chunk
            if len(content) > MOST_BYTES:
                raise _too_large()
        if reply.length:  # the connection ended before all of it was there
            raise InvalidInput(f"{address.host} sent less than it announced.")
        return bytes(content)


def _connect(address: Address) -> socket.socket:
    """A connection to a number of the host that was checked."""
    name = address.host.strip("[]")
    try:
        found = socket.getaddrinfo(name, address.port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a part of the name that is empty or too long
        raise OSError("that is no name of a host") from error
    numbers = list(dict.fromkeys(str(where[0]) for *_, where in found))
    allowed = [number for number in numbers if _may_connect(number, address)]
    if not allowed:
        number = f"[{numbers[0]}]" if ":" in numbers[0] else numbers[0]
        raise InvalidInput(
            f"{address.host} is on the own network ({number}), and nothing is fetched there. "
            f"If you trust it, name it outright, in numbers: --remote "
            f"{address.scheme}://{number}:{address.port}."
        )
    failure = OSError("nobody answers")
    for number in allowed[:_NUMBERS]:
        try:
            return socket.create_connection((number, address.port), _CONNECT_S)
        except OSError as error:
            failure = error
    raise failure


def _may_connect(number: str, address: Address) -> bool:
    if not address.outright:
        return is_public(number)
    if address.host == "localhost" and number not in ("127.0.0.1", "::1"):
        return False
    return not is_never(number)


def _from_bucket(address: Address, patience_s: float) -> bytes:
    """A picture in a bucket, read in a thread that is left behind if it takes too long."""
    done: list[bytes | InvalidInput] = []

    def work() -> None:
        try:
            done.append(_read_bucket(address))
        except InvalidInput as error:
            done.append(error)
        except Exception as error:  # each filesystem has errors of its own
            done.append(_failed(address, error))

    thread = threading.Thread(target=work, name="askless-bucket", daemon=True)
    thread.start()
    thread.join(patience_s)
    found = done[0] if done else _failed(address, TimeoutError(f"{patience_s:g} seconds"))
    if isinstance(found, InvalidInput):
        raise found
    return found


def _read_bucket(address: Address) -> bytes:
    try:
        import fsspec

        files: Any = fsspec.filesystem(address.scheme)
    except ImportError as error:
        raise InvalidInput(
            f"{address.scheme}:// needs fsspec (pip install 'askless[remote]') and its package for "
            f"that ({error})."
        ) from error
    with files.open(f"{address.host}{address.path}", "rb") as file:
        content = bytes(file.read(MOST_BYTES + 1))
    if len(content) > MOST_BYTES:
        raise _too_large()
    return content


def _too_slow(address: Address, patience_s: float) -> InvalidInput:
    return InvalidInput(f"{address.host} took more than {patience_s:g} seconds to send it.")


def _too_large() -> InvalidInput:
    return InvalidInput(
        f"The picture is larger than {MOST_BYTES:,} bytes; at most that is fetched."
    )


def _failed(address: Address, error: Exception) -> InvalidInput:
    why = getattr(error, "strerror", None) or str(error) or type(error).__name__
    why = "".join(mark if mark.isprintable() else " " for mark in why).strip()  # a server's words
    return InvalidInput(f"It could not be fetched from {address.host}: {why:.200}.")
