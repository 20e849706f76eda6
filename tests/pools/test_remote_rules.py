"""What may be fetched, and what never."""

import pytest

from askless.errors import InvalidInput
from askless.pools._remote_rules import Remote, is_never, is_public


@pytest.mark.parametrize(
    "number",
    ["127.0.0.1", "127.8.9.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
     "0.0.0.0", "100.64.0.1", "100.100.100.200", "192.0.0.192", "224.0.0.1",
     "255.255.255.255", "240.0.0.1",
     "198.18.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fd00:ec2::254", "fc00::1", "ff02::1",
     "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
     "2002:7f00:1::", "::127.0.0.1", "2001:db8::1", "fec0::1", "192.0.0.8", "168.63.129.16"],
)  # fmt: skip
def test_no_address_of_the_own_network_is_public(number: str) -> None:
    assert not is_public(number)


@pytest.mark.parametrize(
    "number", ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "::ffff:8.8.8.8"]
)
def test_addresses_of_others_are_public(number: str) -> None:
    assert is_public(number)


@pytest.mark.parametrize(
    "rule",
    ["http://169.254.169.254", "http://[fe80::1]", "http://[fd00:ec2::254]", "http://100.100.100.200",
     "http://168.63.129.16", "http://[fd20:ce::254]",
     "http://[::ffff:169.254.169.254]"],
)  # fmt: skip
def test_where_clouds_serve_credentials_cannot_be_allowed(rule: str) -> None:
    with pytest.raises(InvalidInput, match="credentials"):
        Remote([rule])
    assert is_never(rule.partition("//")[2].strip("[]"))


@pytest.mark.parametrize(
    "rule",
    ["", "ftp", "file:///etc", "images.example.org", "https://", "https://*", "https://a.example/?b",
     "https://user:word@a.example", "s3", "s3://", "https://a b.example", "simplecache::s3://b"],
)  # fmt: skip
def test_what_is_no_rule_is_refused(rule: str) -> None:
    with pytest.raises(InvalidInput, match="--remote is"):
        Remote([rule])


def test_only_what_a_rule_names_is_allowed() -> None:
    remote = Remote(
        ["https://images.example.org/cats", "s3://bucket/photos", "http://127.0.0.1:8000"]
    )
    for good in (
        "https://images.example.org/cats/1.png", "https://IMAGES.example.org/cats",
        "s3://bucket/photos/1.png", "http://127.0.0.1:8000/1.png",
    ):  # fmt: skip
        remote.find(good)
    for bad in (
        "https://images.example.org/dogs/1.png", "https://images.example.org/cats2/1.png",
        "https://images.example.org/cats/../dogs", "https://images.example.org/cats/%2e%2e/dogs",
        "http://images.example.org/cats/1.png", "https://images.example.org:8443/cats/1.png",
        "https://images.example.org.evil.example/cats/1.png", "https://evil.example@images.example.org/cats/1",
        "s3://other/photos/1.png", "s3://bucket/1.png", "gs://bucket/photos/1.png",
        "http://127.0.0.1:8001/1.png", "http://127.0.0.2:8000/1.png", "http://localhost:8000/1.png",
        "file:///etc/passwd", "ftp://images.example.org/cats/1.png", "https://images.example.org\\@evil/",
        "https://images.example.org/cats/\r\nHost: evil", "://", "https://[::1/cats",
        "https://images.example.org/cats/\ud800.png",
    ):  # fmt: skip
        with pytest.raises(InvalidInput):
            remote.find(bad)


def test_a_whole_scheme_is_any_host_at_the_usual_port() -> None:
    remote = Remote(["https"])
    assert not remote.find("https://anywhere.example/1.png").outright
    assert not remote.find("https://127.0.0.1/1.png").outright  # so it will not be connected to
    for bad in ("http://anywhere.example/1.png", "https://anywhere.example:22/1.png"):
        with pytest.raises(InvalidInput, match="allow it with --remote"):
            remote.find(bad)
