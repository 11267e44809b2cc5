"""The addresses of a record that has no URL values: those of its locations."""

import pytest

from resolver.domain.handle.record import Record
from resolver.domain.report.outcome import Outcome
from tests.domain.report.test_report import NAME, record, verdict

LOCATIONS = (
    '<locations><location href="https://example.org/a b"/><location href="javascript:alert(1)"/>'
    '<location href="https://example.org/a%20b"/><location href_template="https://example.org/?doi={hdl}"/>'
    '<location href="https://example.org/json" http_role="conneg"/></locations>'
)


@pytest.mark.clause("L1", "L6")
def test_a_record_with_locations_alone_leads_to_their_safe_addresses_for_readers_each_once():
    report = verdict(record(LOCATIONS, kind="10320/loc"))
    assert report.outcome is Outcome.RESOLVED
    assert report.urls == ("https://example.org/a%20b", "https://example.org/?doi=10.1000%2F182")
    assert [one.code for one in report.problems] == ["several-homes"]


@pytest.mark.clause("P2")
def test_a_url_value_stands_before_the_locations_of_its_record():
    values = (*record("https://example.org/").values, *record(LOCATIONS, kind="10320/loc").values)
    assert verdict(Record(NAME, values)).urls == ("https://example.org/",)


def test_of_many_locations_the_first_twenty_are_told():
    many = "".join(f'<location href="https://example.org/{n}"/>' for n in range(250))
    urls = verdict(record(f"<locations>{many}</locations>", kind="10320/loc")).urls
    assert urls == tuple(f"https://example.org/{n}" for n in range(20))
