"""What may be fetched, as its user says outright: origins, buckets, or a whole scheme.

    https                          any public host over https, at the usual port
    https://images.example.org     that host alone
    http://127.0.0.1:8000          that very address, even though it is this machine's own
    s3://bucket/photos             what lies below that in a bucket

A table may come from a stranger, so an address in it is hostile: one that no rule allows is not
fetched, and a host that a rule allows must still turn out to be a public address when it is
connected to (`askless.pools._fetching`). Only an address written in numbers, or localhost, can be
allowed on the own network, one by one; link-local ones and those where clouds serve credentials
never.
Imported by the pools room alone; tested in tests/pools/test_remote_rules.py.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from askless.errors import InvalidInput

WEB: Final = {"https": 443, "http": 80}
BUCKETS: Final = ("s3", "gs")
_LONGEST: Final = 2000
_HOST: Final = re.compile(r"[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\]")
_ODD: Final = re.compile(r"[\x00-\x20\x7f\\\ud800-\udfff]")
"""Never part of an address; the last are halves of letters, which no bytes stand for."""
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
_NOT_PUBLIC: Final = tuple(
    map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "3fff::/20"))
)
"""Networks that some versions of Python take for public ones."""
_CREDENTIALS: Final = frozenset(
    (
        "169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192",
        "168.63.129.16", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Address:
    """Where a picture is.

    Parameters
    ----------
    scheme, host, port
        Of a bucket, the host is its name and the port 0.
    path
        With its slash at the front, and the query.
    outright
        Whether this very host was allowed by its number, or as localhost.
    """

    scheme: str
    host: str
    port: int
    path: str
    outright: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    scheme: str
    host: str
    port: int
    path: str

    def allows(self, address: Address) -> bool:
        if (self.scheme, self.port) != (address.scheme, address.port):
            return False
        if not self.host:
            return True
        below = address.path == self.path or address.path.startswith(self.path.rstrip("/") + "/")
        return self.host == address.host and below


class Remote:
    """What may be fetched.

    Parameters
    ----------
    rules
        As people write them.

    Raises
    ------
    InvalidInput
        One of them is no rule.
    """

    def __init__(self, rules: Sequence[str]) -> None:
        self._rules = tuple(_rule(rule) for rule in rules)

    def find(self, text: str) -> Address:
        """The address in a text, if it may be fetched.

        Raises
        ------
        InvalidInput
            It is none, or no rule allows it.
        """
        address = read_address(text)
        rule = next((one for one in self._rules if one.allows(address)), None)
        if rule is None:
            raise InvalidInput(
                f"Nothing is fetched from {origin_of(address)}; allow it with --remote "
                f"{origin_of(address)}."
            )
        outright = bool(rule.host) and (address.host == "localhost" or _number(address.host))
        return Address(address.scheme, address.host, address.port, address.path, bool(outright))


def read_address(text: str) -> Address:
    """The parts of an address, each checked.

    Raises
    ------
    InvalidInput
        It is no address of a picture.
    """
    try:
        parts = urlsplit(text)
        port, name = parts.port, (parts.hostname or "").lower()
    except ValueError:
        raise _no_address(text) from None
    host = f"[{name}]" if ":" in name else name
    plain = unquote(parts.path)
    if (
        len(text) > _LONGEST
        or _ODD.search(text)
        or "@" in parts.netloc
        or not _HOST.fullmatch(host)
        or ".." in plain.split("/")
    ):
        raise _no_address(text)
    if parts.scheme in WEB:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return Address(parts.scheme, host, port or WEB[parts.scheme], path)
    if parts.scheme in BUCKETS and port is None and not parts.query and not parts.fragment:
        return Address(parts.scheme, host, 0, parts.path or "/")
    raise _no_address(text)


def origin_of(address: Address) -> str:
    """What a rule for this address would be."""
    usual = address.port == WEB.get(address.scheme, 0)
    return f"{address.scheme}://{address.host}" + ("" if usual else f":{address.port}")


def is_public(number: str) -> bool:
    """Whether an address, in numbers, is one of the public network.

    Examples
    --------
    >>> [is_public(one) for one in ("93.184.215.14", "10.0.0.1", "::ffff:127.0.0.1")]
    [True, False, False]
    """
    ip = ipaddress.ip_address(number.partition("%")[0])
    if str(ip) in _CREDENTIALS or any(ip in network for network in _NOT_PUBLIC):
        return False
    if isinstance(ip, ipaddress.IPv6Address):  # some carry one of version 4 inside
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def is_never(number: str) -> bool:
    """Whether an address is never fetched from, whoever allows it."""
    ip = ipaddress.ip_address(number.partition("%")[0])
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return str(ip) in _CREDENTIALS or ip.is_link_local or bool(mapped and is_never(str(mapped)))


def _rule(text: str) -> _Rule:
    if text in WEB:
        return _Rule(text, "", WEB[text], "/")
    try:
        address = read_address(text)
    except InvalidInput:
        address = None
    if address is None or "?" in text or "#" in text:
        raise InvalidInput(
            "--remote is 'https', an origin such as https://images.example.org, or a bucket such "
            f"as s3://bucket or gs://bucket/photos; got {text!r:.200}."
        )
    if (number := _number(address.host)) and is_never(number):
        raise InvalidInput(
            f"Nothing is ever fetched from {text}: such addresses give away credentials, not "
            "pictures."
        )
    return _Rule(address.scheme, address.host, address.port, address.path)


def _number(host: str) -> str | None:
    """The host if it is an address in numbers."""
    bare = host.strip("[]")
    try:
        ipaddress.ip_address(bare)
    except ValueError:
        return None
    return bare


def _no_address(text: str) -> InvalidInput:
    schemes = ", ".join((*WEB, *BUCKETS))
    return InvalidInput(f"This is no address of a picture ({schemes}): {text!r:.120}.")
