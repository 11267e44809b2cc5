"""What a request wants at the end of an address stays at its end (P10)."""

from urllib.parse import urlsplit

import pytest

from resolver.domain.redirect.safe_url import to_location_header
from tests.domain.records import redirect, url

APPENDED = [
    ".evil.example/",
    "@evil.example/",
    ":80@evil.example/",
    "%40evil.example/",
    ":81/",
    "evil",
    "\\@evil.example",
    "\n.evil",
]


@pytest.mark.clause("P10")
@pytest.mark.parametrize("address", ["https://example.org", "HTTPS://example.org:8443", "http://user@example.org"])
@pytest.mark.parametrize("append", APPENDED)
def test_what_is_appended_makes_no_other_host(address: str, append: str) -> None:
    assert urlsplit(to_location_header(address, append)).netloc == urlsplit(address).netloc


@pytest.mark.clause("P10")
def test_half_of_a_surrogate_pair_is_appended_as_a_question_mark_behind_the_host() -> None:
    assert to_location_header("https://example.org/a", "\ud800") == "https://example.org/a?"
    assert to_location_header("https://example.org", "\ud800") == "https://example.org/?"


@pytest.mark.clause("P10")
@pytest.mark.parametrize("append", ["/x", "?x", "#x", ""])
def test_what_begins_a_path_a_query_or_a_fragment_is_appended_as_it_is(append: str) -> None:
    assert to_location_header("https://example.org", append) == "https://example.org" + append


@pytest.mark.clause("P10")
@pytest.mark.parametrize(
    "address", ["https://example.org/", "https://example.org/a", "https://example.org?a", "ftp://e/#a"]
)
def test_where_the_host_has_ended_nothing_is_put_between(address: str) -> None:
    assert to_location_header(address, ".evil.example") == address + ".evil.example"


@pytest.mark.clause("P10")
@pytest.mark.parametrize("append", [".evil.example/", "@evil.example/", ":81/"])
def test_that_a_slash_was_put_between_is_told(append: str) -> None:
    found = redirect("10.1/a", {"10.1/a": url(" https://victim.example ")}, f"urlappend={append}")
    assert found.url == "https://victim.example/" + append
    assert found.why.endswith(" A slash separates the appended text, so that it can't change the host.")
    plain = redirect("10.1/a", {"10.1/a": url("https://victim.example/a")}, f"urlappend={append}")
    assert "slash" not in plain.why
