"""Which redirects of a request for metadata are followed: to known hosts and to the DOI proxy, and nowhere else."""

import pytest

from resolver.domain.agencies.agency_contacts import CONTACTS
from resolver.domain.agencies.metadata_services import AGENCIES_BY_HOST, find_metadata_address

PROXY = "https://proxy.example/doi"


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        (
            "https://api.crossref.org/v1/works/10.1%2Fa/transform",
            "https://api.crossref.org/v1/works/10.1%2Fa/transform",
        ),
        ("http://data.crossref.org/10.1/a", "https://data.crossref.org/10.1/a"),
        ("http://data.medra.org:80/10.1/a?b=c#d", "https://data.medra.org/10.1/a?b=c"),
        ("HTTPS://Data.CrossCite.org:443/10.1%2Fa", "https://data.crosscite.org/10.1%2Fa"),
        ("https://japanlinkcenter.org", "https://japanlinkcenter.org/"),
        ("https://data.datacite.org//10.1/a", "https://data.datacite.org//10.1/a"),
    ],
)
def test_a_known_host_is_asked_over_https(url: str, asked: str):
    found = find_metadata_address(url, PROXY)
    assert found is not None
    assert (found.url, found.foreign) == (asked, True)


def test_the_proxy_itself_is_asked():
    found = find_metadata_address("http://127.0.0.1:8001/metadata/10.1%2Fa", "http://127.0.0.1:8001/")
    assert found is not None
    assert (found.url, found.foreign) == ("http://127.0.0.1:8001/metadata/10.1%2Fa", False)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/10.1/a",
        "http://127.0.0.1:8001/metadata/10.1%2Fa",
        "http://localhost/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://2130706433/",
        "https://api.crossref.org.evil.example/",
        "https://evil-api.crossref.org/",
        "https://api.crossref.org@evil.example/",
        "https://user:word@api.crossref.org/",
        "https://@api.crossref.org/",
        "https://api.crossref.org:8443/",
        "https://api.crossref.org:80/",
        "http://api.crossref.org:443/",
        "https://api.crossref.org%2e.evil.example/",
        "https://api.crossref.org%5C@evil.example/",
        "https://api.crossref.org\\@evil.example/",
        "https://evil.example\\@api.crossref.org/",
        "https://api.crossref.org:99999/",
        "https://api.crossref.org:port/",
        "ftp://api.crossref.org/",
        "file:///etc/passwd",
        "gopher://api.crossref.org/",
        "javascript:alert(1)",
        "//api.crossref.org/",
        "https://proxy.example:8443/",
        "http://proxy.example/",
        "https://user@proxy.example/",
        "https://[/",
        "",
    ],
)
def test_no_other_address_is_followed(url: str):
    assert find_metadata_address(url, PROXY) is None


def test_each_agency_of_the_table_is_a_known_one():
    assert {agency.lower() for agency in AGENCIES_BY_HOST.values()} <= set(CONTACTS)
