"""The requester's address: what the web server says, and nothing that the requester says."""

import pytest
from django.test import RequestFactory

from resolver.services.logins.attempts import get_client_address, get_network


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:DB8:0:0::1", "2001:db8::1"),
        ("", ""),
        ("unix:", ""),
        ("192.0.2.7\nFailed login", ""),
    ],
)
def test_it_is_an_address_in_one_spelling_or_unknown(told: str, address: str):
    assert get_client_address(RequestFactory().get("/", REMOTE_ADDR=told)) == address


def test_no_header_is_believed():
    headers = {"X-Forwarded-For": "198.51.100.1", "X-Real-IP": "198.51.100.1", "Forwarded": "for=198.51.100.1"}
    assert get_client_address(RequestFactory().get("/", headers=headers)) == "127.0.0.1"


def test_who_has_an_ipv6_address_has_its_network():
    assert get_network("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64"
    assert get_network("fe80::1%eth0") == "fe80::/64"
    assert get_network("192.0.2.7") == "192.0.2.7"
