"""A verdict that may tell more when it is asked for again."""

from dataclasses import replace

import pytest

from resolver.domain.handle.record import (
    Agency,
    Answer,
    HandleValue,
    Missing,
    ProxyError,
    Record,
    Resolution,
    Unreachable,
)
from resolver.domain.parsing.parse import read
from resolver.domain.report.report import judge

NAME = "10.1000/182"
CROSSREF = Agency(NAME, ra="Crossref")
ABSENT = Agency(NAME, status="DOI does not exist")
ODD = Agency(NAME, status="Unknown")
FOUND = Record(NAME, (HandleValue(1, "URL", "string", "https://a/"),), {"responseCode": 1, "handle": NAME})


@pytest.mark.parametrize(
    ("answer", "agency", "prefix_agency", "incomplete"),
    [
        (FOUND, Unreachable("x"), None, True),
        (FOUND, ODD, Unreachable("x"), False),
        (Missing(), Unreachable("x"), CROSSREF, False),  # nobody answers for it anyway
        (Missing(), ABSENT, ProxyError("x"), True),
        (Missing(), ABSENT, ODD, False),
        (Unreachable("x"), Unreachable("x"), Unreachable("x"), False),  # nothing is known: its outcome says so
    ],
)
def test_the_agency_of_a_name_or_else_of_its_prefix_belongs_to_it(
    answer: Answer, agency: Agency | Unreachable, prefix_agency: Agency | Unreachable | ProxyError, incomplete: bool
) -> None:
    report = judge(read(NAME), Resolution(answer), agency, prefix_agency=prefix_agency)
    assert report.incomplete is incomplete


@pytest.mark.parametrize("exists", [True, False, None])
@pytest.mark.parametrize("text", [NAME, "no name here"])
def test_so_does_whether_each_candidate_exists_where_they_have_to_be_tried(text: str, exists: bool | None) -> None:
    reading = replace(read(text), offers=lambda: [("10.1000/a", "why"), ("10.1000/b", "why")])
    report = judge(reading, Resolution(Missing()), ABSENT, exists={"10.1000/a": True, "10.1000/b": exists})
    assert report.incomplete is (exists is None)


def test_a_short_doi_whose_name_could_not_be_asked_for_is_incomplete() -> None:
    assert judge(read("10/abcde"), Resolution(Unreachable("x"))).incomplete
    assert not judge(read("10/abcde"), Resolution(Missing())).incomplete
