"""Who is meant by the name of a Registration Agency, and where to tell it of a fault."""

import re
from urllib.parse import urlsplit

import pytest

from resolver.domain.agencies.agency_contacts import CONTACTS, find_contact

SEEN = ("Crossref", "DataCite", "mEDRA", "JaLC", "EIDR", "KISTI", "ISTIC", "Airiti", "CNKI", "OP", "Public")


@pytest.mark.clause("R5")
@pytest.mark.parametrize("name", SEEN)
def test_each_agency_that_was_seen_in_answers_can_be_reached(name: str):
    assert find_contact(name).name == name
    assert find_contact(name).address


def test_each_address_is_a_page_over_https():
    for known in CONTACTS.values():
        parts = urlsplit(known.address)
        assert (parts.scheme, bool(parts.hostname), parts.query) == ("https", True, ""), known


@pytest.mark.clause("R6")
def test_each_agency_has_a_home_page_and_prefixes_of_its_own():
    prefixes = [prefix for known in CONTACTS.values() for prefix in known.examples]
    assert len(prefixes) == len(set(prefixes))
    for known in CONTACTS.values():
        assert known.home.startswith(("https://", "http://")), known
        assert known.examples, known
        assert all(re.fullmatch(r"10\.[0-9]+", prefix) for prefix in known.examples), known
        assert known.title[0].isupper() or known.title == known.name, known
    assert list(CONTACTS) == sorted(CONTACTS)
    assert {known.name for known in CONTACTS.values() if known.seen} == set(SEEN)


@pytest.mark.clause("R5")
def test_an_agency_that_nobody_knows_is_named_and_has_no_address():
    assert (find_contact("New Agency").both, find_contact("New Agency").address) == ("New Agency", "")


@pytest.mark.parametrize(
    ("name", "both"), [("crossref", "Crossref"), ("JaLC", "JaLC (Japan Link Center)"), ("Public", "the DOI Foundation")]
)
def test_an_agency_is_called_by_both_its_names_where_they_differ(name: str, both: str):
    assert find_contact(name).both == both
