"""Where a DOI leads, compared with the expected address: a table of pairs, and what holds for any texts."""

import csv
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from resolver.domain.redirect.web_host import LONGEST_HOST, find_host
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.target import (
    Target,
    compare_target,
    complete_target,
    find_target,
)
from tests.doi_reading.strategies import PROPERTY

PAIRS = Path(__file__).with_name("target_pairs.tsv")
EXPECTED = "https://example.org/a"

_PIECES = """
    http:// https:// ftp:// // / \\ ? & = # #! #/ ; : @ % %2F %2f %7E %41 %zz www. www.www. example.org EXAMPLE.org.
    bücher xn--bcher-kva xn-- . .. [::1] [ ] :443 :80 :99999 : ;jsessionid=1 utm_source=x
    ref=1 ref=2 ℀ 。 ß ſ \ud800 \x00 a b
    doi.org 10.1000/456
""".split()
ADDRESSES = st.one_of(
    st.text(max_size=30),
    st.lists(st.sampled_from([*_PIECES, " ", "\n"]), max_size=12).map("".join),
    st.lists(st.sampled_from(_PIECES), max_size=8).map(lambda pieces: "https://example.org" + "".join(pieces)),
)


def read_pairs() -> list[tuple[str, str, str]]:
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    pairs = [tuple(cell.encode("latin-1", "backslashreplace").decode("unicode_escape") for cell in row) for row in rows]
    return [(expected, found, told) for expected, found, told in pairs]


@pytest.mark.parametrize(("expected", "found", "told"), read_pairs())
def test_each_pair_of_addresses_has_its_class(expected: str, found: str, told: str) -> None:
    assert compare_target(expected, [found]) == told


def test_the_best_of_several_addresses_counts() -> None:
    urls = ["https://other.example/", "http://example.org/a", "https://example.org/b"]
    assert compare_target(EXPECTED, urls) is Target.SAME_PAGE
    assert compare_target(EXPECTED, [*urls, EXPECTED]) is Target.SAME


@pytest.mark.parametrize("urls", [[], [""]])
def test_a_record_without_an_address_leads_nowhere(urls: list[str]) -> None:
    assert compare_target(EXPECTED, urls) is Target.NO_ADDRESS


@pytest.mark.parametrize("outcome", ["", Outcome.UNREACHABLE, Outcome.PROXY_ERROR, Outcome.REGISTERED, Outcome.INVALID])
def test_a_row_whose_record_is_unknown_has_no_class(outcome: str) -> None:
    assert find_target(EXPECTED, outcome, []) == ""


@pytest.mark.parametrize("outcome", [Outcome.NOT_FOUND, Outcome.NO_URL, Outcome.NO_VALUES])
def test_a_name_that_leads_nowhere_has_no_address(outcome: str) -> None:
    assert find_target(EXPECTED, outcome, []) is Target.NO_ADDRESS
    assert find_target("unknown", outcome, []) == ""


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://WWW.Example.org:8443/a", "www.example.org"),
        ("https://bücher.example", "xn--bcher-kva.example"),
        ("example.org/a", ""),
        ("//example.org/a", ""),
        ("ftp://example.org/a", ""),
        ("https://℀.example/", ""),
        (f"https://{'a' * 300}/", ""),
        ("javascript:alert(1)", ""),
    ],
)
def test_a_host_is_in_lower_case_ascii(url: str, host: str) -> None:
    assert find_host(url) == host


def test_an_address_is_completed_with_its_scheme() -> None:
    assert complete_target(" example.org/a ") == "https://example.org/a"
    assert complete_target("//example.org/a") == "https://example.org/a"
    assert complete_target("HTTP://example.org") == "HTTP://example.org"
    assert complete_target("10.1000/456") == ""


@PROPERTY
@given(ADDRESSES, ADDRESSES)
@example("https://" + "ü" * 30_000, "https://" + "." * 30_000)
@example("https://example.org/" + ";sid=" * 6_000, "https://example.org/?" + "&" * 30_000)
def test_any_two_texts_compare_alike_in_both_directions(one: str, other: str) -> None:
    one, other = complete_target(one) or one, complete_target(other) or other
    forth, back = compare_target(one, [other]), compare_target(other, [one])
    if forth and back:
        assert forth == back
    assert len(find_host(one)) <= LONGEST_HOST


@PROPERTY
@given(ADDRESSES)
def test_any_readable_address_is_the_same_as_itself(text: str) -> None:
    whole = complete_target(text)
    assert compare_target(text, [whole]) in (Target.SAME, Target.NO_ADDRESS, "")
    assert complete_target(whole) == whole
