"""A verdict that may tell more when it is asked for again."""

from dataclasses import replace

import pytest

from doi_reading import read
from resolver.domain.handle.answers import Answer, MissingHandle, ProxyError, Resolution, Unreachable, WhichRaAnswer
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.report.judge import ProxyAnswers, judge

NAME = "10.1000/182"
CROSSREF = WhichRaAnswer(NAME, ra="Crossref")
ABSENT = WhichRaAnswer(NAME, status="DOI does not exist")
ODD = WhichRaAnswer(NAME, status="Unknown")
FOUND = Record(NAME, (HandleValue(1, "URL", "string", "https://a.example/"),), {"responseCode": 1, "handle": NAME})


@pytest.mark.parametrize(
    ("answer", "agency", "prefix_agency", "incomplete"),
    [
        (FOUND, Unreachable("x"), None, True),
        (FOUND, ODD, Unreachable("x"), False),
        (MissingHandle(), Unreachable("x"), CROSSREF, False),  # nobody answers for it anyway
        (MissingHandle(), ABSENT, ProxyError("x"), True),
        (MissingHandle(), ABSENT, ODD, False),
        (Unreachable("x"), Unreachable("x"), Unreachable("x"), False),  # nothing is known: its outcome says so
    ],
)
def test_the_agency_of_a_name_or_else_of_its_prefix_belongs_to_it(
    answer: Answer,
    agency: WhichRaAnswer | Unreachable,
    prefix_agency: WhichRaAnswer | Unreachable | ProxyError,
    incomplete: bool,
) -> None:
    report = judge(read(NAME), ProxyAnswers(Resolution(answer), agency, prefix_agency=prefix_agency))
    assert report.incomplete is incomplete


@pytest.mark.parametrize("exists", [True, False, None])
@pytest.mark.parametrize("text", [NAME, "no name here"])
def test_so_does_whether_each_candidate_exists_where_they_have_to_be_tried(text: str, exists: bool | None) -> None:
    reading = replace(read(text), offers=lambda: [("10.1000/a", "why"), ("10.1000/b", "why")])
    report = judge(
        reading, ProxyAnswers(Resolution(MissingHandle()), ABSENT, exists={"10.1000/a": True, "10.1000/b": exists})
    )
    assert report.incomplete is (exists is None)


def test_a_short_doi_whose_name_could_not_be_asked_for_is_incomplete() -> None:
    assert judge(read("10/abcde"), ProxyAnswers(Resolution(Unreachable("x")))).incomplete
    assert not judge(read("10/abcde"), ProxyAnswers(Resolution(MissingHandle()))).incomplete
