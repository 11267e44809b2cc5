"""Where a webhook or a DOI may not lead this portal: addresses inside the network, however they are written."""

import socket
from typing import Any

import pytest

from resolver.domain.redirect.web_host import HostCode, WebHost, find_web_host
from resolver.proxy import webhook_requests
from resolver.proxy.host_reachability import check_host
from resolver.proxy.public_addresses import ForbiddenAddress, resolve_host
from resolver.proxy.webhook_requests import EventUnanswered, check_url, post_event

FORBIDDEN = """
    127.0.0.1 127.1 127.255.255.254 0.0.0.0 0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1
    192.168.1.254 169.254.169.254 100.64.0.1 100.127.255.255 192.0.0.1 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1
    203.0.113.1 192.88.99.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 2130706433 0x7f000001 0x7f.0.0.1
    0177.0.0.1 017700000001
    3232235521 0xa9fea9fe [::1] [::] [fe80::1] [fec0::1] [fc00::1] [fd12:3456::1] [ff02::1] [::ffff:127.0.0.1]
    [::ffff:10.0.0.1] [::ffff:8.8.8.8] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a00:1] [64:ff9b:1::1] [2002:7f00:1::1]
    [2002:a00:1::1] [2001::1] [2001:db8::1] [100::1] [3fff::1] localhost
""".split()
SHAPES = [
    "http://8.8.8.8/", "ftp://8.8.8.8/", "file:///etc/passwd", "https://user@8.8.8.8/", "https://a:b@8.8.8.8/",
    "https://8.8.8.8:22/", "https://8.8.8.8:25/", "https://8.8.8.8:99999/",
    "//8.8.8.8/", "8.8.8.8", "", "https://",
    "https://8.8.8.8/" + "x" * 2000, "https://8.8.8.8\\@127.0.0.1/", "https://8.8.8.8/\n", "gopher://8.8.8.8/",
    "javascript:alert(1)",
]  # fmt: skip


@pytest.mark.parametrize("host", FORBIDDEN)
def test_an_address_inside_the_network_is_refused(host: str) -> None:
    with pytest.raises(ForbiddenAddress):
        check_url(f"https://{host}/hook", allow_private=False)
    with pytest.raises(ForbiddenAddress):
        post_event(f"https://{host}/hook", b"{}", {}, allow_private=False)
    found = find_web_host(f"https://{host}/article")
    assert found is not None
    assert _check(found) == HostCode.NOT_CONTACTED


def test_the_guard_is_tried_with_thirty_addresses_at_least() -> None:
    assert len(set(FORBIDDEN)) >= 30


@pytest.mark.parametrize("url", SHAPES)
def test_an_address_of_another_shape_is_refused(url: str) -> None:
    with pytest.raises(ForbiddenAddress):
        check_url(url, allow_private=False)
    with pytest.raises(ForbiddenAddress):
        post_event(url, b"{}", {}, allow_private=False)


@pytest.mark.parametrize("host", ["8.8.8.8", "[2606:4700:4700::1111]", "[64:ff9b::808:808]"])
def test_a_public_address_is_accepted(host: str) -> None:
    url = f"https://{host}/hook"
    assert check_url(url, allow_private=False) == url
    assert check_url(f"https://{host}:8443/", allow_private=False) == f"https://{host}:8443/"


def test_a_name_with_one_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")

    def answer(*_: Any, **__: Any) -> list[Any]:
        return [(*kind, (address, 443)) for address in ("8.8.8.8", "192.168.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    with pytest.raises(ForbiddenAddress):
        resolve_host("rebinding.example", 443, allow_private=False)
    assert _check(WebHost("rebinding.example", 443, tls=True)) == HostCode.NOT_CONTACTED


def test_the_connection_goes_to_the_address_that_was_checked_though_the_name_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DNS rebinding: public for the check, private from then on."""
    asked: list[str] = []
    resolve = socket.getaddrinfo

    def rebind(host: str, *arguments: Any, **options: Any) -> list[Any]:
        host = host.removesuffix(".")
        asked.append(host)
        address = "127.0.0.1" if asked.count("rebinding.example") == 1 else "127.0.0.2"
        return resolve(address if host == "rebinding.example" else host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", rebind)
    monkeypatch.setattr("resolver.proxy.public_addresses.is_public", lambda address: str(address) == "127.0.0.1")
    monkeypatch.setattr(webhook_requests, "TIME_LIMIT", webhook_requests.TIME_LIMIT._replace(connect=0.2))
    with pytest.raises(EventUnanswered):
        post_event("https://rebinding.example:1025/", b"{}", {}, allow_private=False)
    assert asked == ["rebinding.example", "127.0.0.1"]
    with pytest.raises(ForbiddenAddress):
        post_event("https://rebinding.example:1025/", b"{}", {}, allow_private=False)
    del asked[:]
    assert _check(WebHost("rebinding.example", 1025, tls=False)) == HostCode.NO_ANSWER
    assert asked == ["rebinding.example", "127.0.0.1"]
    assert _check(WebHost("rebinding.example", 1025, tls=False)) == HostCode.NOT_CONTACTED


def _check(host: WebHost) -> HostCode:
    return check_host(host.name, host.port, host.tls, allow_private=False, timeout=5).code
