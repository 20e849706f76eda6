"""The address at which people reach the app when a proxy stands in front of it.

It is said once, with ``--behind``, and nothing a request says can change it: headers that a proxy
adds (``Forwarded``, ``X-Forwarded-Host`` and their kin) are read by nobody, so there is nothing to
forge. The proxy passes on the ``Host`` and the whole path, as docs/deploying.md shows.

Who may show the page in a frame is named in the same way. A page in a frame of another site gets
no SameSite=Strict cookie, so where frames are allowed the cookie is SameSite=None and partitioned:
what is set inside a site's frame is sent inside that site's frames alone. Then foreign requests
are told by their ``Origin`` and ``Sec-Fetch-Site``, which every change needs anyway.
Imported by `askless.web.guard` and `server`; tested in tests/web/test_behind.py.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from askless.errors import InvalidInput

_EXAMPLE: Final = "https://label.example.org/askless"
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_HOST: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?|\[[0-9a-f:.]+\]")
_PATH: Final = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")
_PORTS: Final = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class Behind:
    """Where people reach the app.

    Parameters
    ----------
    scheme, host
        ``https`` and what the browser puts into ``Host``; ``http`` on loopback alone.
    path
        What every address of the app begins with, without a slash at its end.
    frame_ancestors
        Origins whose pages may show the app in a frame.
    """

    scheme: str
    host: str
    path: str = ""
    frame_ancestors: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        """What the page's own requests give as ``Origin``."""
        return f"{self.scheme}://{self.host}"

    @property
    def secure(self) -> bool:
        """Whether browsers come over TLS."""
        return self.scheme == "https"

    @property
    def address(self) -> str:
        """The whole address."""
        return self.origin + self.path

    @classmethod
    def parse(cls, address: str, frame_ancestors: Sequence[str] = ()) -> Behind:
        """The address of a proxy as people write it.

        Raises
        ------
        InvalidInput
            It is none, or speaks plain HTTP to others.

        Examples
        --------
        >>> Behind.parse("https://Label.example.org:443/askless/")
        Behind(scheme='https', host='label.example.org', path='/askless', frame_ancestors=())
        """
        scheme, host, path = _parts("--behind", address)
        framed = tuple(_origin(one) for one in frame_ancestors)
        if framed and scheme != "https":
            raise InvalidInput(
                "A page in a frame needs cookies that travel over https alone; --behind is "
                f"{address}. Give it an https address, or leave --frame-ancestors out."
            )
        return cls(scheme, host, path, framed)


def _origin(given: str) -> str:
    scheme, host, path = _parts("--frame-ancestors", given)
    if path:
        raise InvalidInput(
            f"--frame-ancestors names a site, without a path; got {given!r:.200}. "
            f"Write {scheme}://{host}."
        )
    return f"{scheme}://{host}"


def _parts(option: str, given: str) -> tuple[str, str, str]:
    """Scheme, host and path, each checked letter by letter: they end up in headers."""
    try:
        parts = urlsplit(given)
        port, name = parts.port, (parts.hostname or "").lower()
    except ValueError:  # brackets that do not close, a port that is no number
        parts, port, name = SplitResult("", "", "", "", ""), None, ""
    host = f"[{name}]" if ":" in name else name
    path = parts.path.rstrip("/")
    well = (
        parts.scheme in _PORTS
        and _HOST.fullmatch(host)
        and _PATH.fullmatch(path)
        and not {".", ".."} & set(path.split("/"))
        and "@" not in parts.netloc
        and not any(mark in given for mark in "?#\\ \t\r\n")
    )
    if not well:
        raise InvalidInput(
            f"{option} is an address such as {_EXAMPLE}: a scheme, a host and, if need be, a port "
            f"and a path of plain letters; got {given!r:.200}."
        )
    if parts.scheme == "http" and not is_loopback(name):
        raise InvalidInput(
            f"{option} is an https address, since cookies and labels cross the network; plain http "
            f"is for this machine alone; got {given!r:.200}."
        )
    if port is not None and port != _PORTS[parts.scheme]:
        host = f"{host}:{port}"
    return parts.scheme, host, path


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own, reached by nobody else."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
