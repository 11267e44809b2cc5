"""Whose address counts as the requester's: nobody's word but a trusted server's."""

from ipaddress import ip_network

import pytest
from django.core.exceptions import ImproperlyConfigured

from doiportal.env import env_networks
from doiportal.server.requester import find_requester

TRUSTED = [ip_network("172.16.0.0/12"), ip_network("fd00::/8")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("172.18.0.5", "198.51.100.1", "198.51.100.1"),
        ("172.18.0.5", "10.9.9.9, 198.51.100.1", "198.51.100.1"),
        ("172.18.0.5", "198.51.100.1, 172.18.0.7", "198.51.100.1"),
        ("172.18.0.5", "198.51.100.1, evil, 172.18.0.7", "172.18.0.7"),
        ("172.18.0.5", "6.6.6.6,198.51.100.1", "198.51.100.1"),
        ("172.18.0.5", "", "172.18.0.5"),
        ("172.18.0.5", "unknown", "172.18.0.5"),
        ("::ffff:172.18.0.5", "2001:db8::7", "2001:db8::7"),
        ("fd00::5", "198.51.100.1", "198.51.100.1"),
        ("::ffff:203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("", "198.51.100.1", ""),
    ],
)
def test_the_last_address_that_no_trusted_server_has_is_the_requesters(peer: str, forwarded: str, address: str) -> None:
    assert find_requester(peer, forwarded, "", TRUSTED).address == address


@pytest.mark.parametrize(
    ("peer", "scheme"), [("172.18.0.5", "https"), ("127.0.0.1", "https"), ("::1", "https"), ("203.0.113.9", "http")]
)
def test_a_trusted_server_or_one_on_this_machine_says_that_the_client_came_by_https(peer: str, scheme: str) -> None:
    assert find_requester(peer, "", "https", TRUSTED).scheme == scheme
    assert find_requester(peer, "", "", TRUSTED).scheme == "http"


def test_trusted_proxies_are_addresses_or_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUSTED_PROXIES", "192.0.2.1, 2001:db8::/32")
    assert env_networks("TRUSTED_PROXIES") == [ip_network("192.0.2.1/32"), ip_network("2001:db8::/32")]
    monkeypatch.setenv("TRUSTED_PROXIES", "the front")
    with pytest.raises(ImproperlyConfigured, match="TRUSTED_PROXIES must hold addresses or networks"):
        env_networks("TRUSTED_PROXIES")
