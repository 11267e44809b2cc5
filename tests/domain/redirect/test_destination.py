"""Where a record leads in the end: from one DOI to the next, and to a page or nowhere."""

import pytest

from doi_reading import CATALOGUE, Message, Severity, read
from resolver.domain.handle.answers import (
    MAX_HOPS,
    MissingHandle,
    NoValues,
    ProxyError,
    Resolution,
    Unreachable,
    WhichRaAnswer,
)
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.redirect.destination import NOWHERE
from resolver.domain.report.correction import REVIEWED
from resolver.domain.report.judge import ProxyAnswers, judge
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.report import Report
from resolver.domain.report.suggestion import find_fault

NAME = "10.60001/self"
PAGE = "https://journal.example/1"


def record(*urls: str, name: str = NAME, locations: str = "") -> Record:
    values = [HandleValue(number, "URL", "string", url) for number, url in enumerate(urls, 1)]
    return Record(name, (*values, *([HandleValue(1000, "10320/loc", "string", locations)] if locations else [])))


def link(name: str) -> str:
    return f"https://doi.org/{name}"


def report(answer: Record, *, quick: bool = False, **records: Resolution) -> Report:
    """The verdict on NAME. `records` are those of the names 10.60001/<word>."""
    known = {f"10.60001/{word}": found for word, found in records.items()}
    answers = ProxyAnswers(Resolution(answer), WhichRaAnswer(NAME, ra="DataCite"), records=known)
    return judge(read(NAME), answers, quick=quick)


def codes(found: Report) -> list[str]:
    return [one.code for one in found.problems if one.code != "several-homes"]


@pytest.mark.parametrize(
    "url",
    [
        "https://doi.org/10.60001/self",
        "https://www.doi.org/10.60001/self",
        "http://dx.doi.org/10.60001/SELF",
        "https://hdl.handle.net/10.60001/self?noredirect",
        "https://doi.org/api/handles/10.60001/self",
        "https://doi.org/10.60001%2Fself#top",
    ],
)
def test_a_record_that_leads_back_to_the_doi_itself_leads_nowhere(url: str) -> None:
    found = report(record(url))
    assert (found.outcome, codes(found), found.incomplete) == (Outcome.RESOLVED, ["leads-to-itself"], False)
    assert url in found.problems[0].message


def test_a_circle_over_several_dois_leads_nowhere() -> None:
    two = Resolution(record(link("10.60001/three")))
    three = Resolution(record(link(NAME)))
    assert codes(report(record(link("10.60001/two")), two=two, three=three)) == ["leads-to-itself"]
    alias = Resolution(record(PAGE), "10.60001/self", way=(("10.60001/two", record()), (NAME, record(PAGE))))
    assert codes(report(record(link("10.60001/two")), two=alias)) == ["leads-to-itself"]
    loop = Resolution(record(), "10.60001/x", loop=True)
    assert codes(report(record(link("10.60001/two")), two=loop)) == ["leads-to-itself"]


def test_a_chain_that_is_longer_than_one_of_aliases_leads_nowhere() -> None:
    def chain(hops: int) -> list[str]:
        last = {f"n{hops}": Resolution(record(PAGE))}
        return codes(
            report(
                record(link("10.60001/n1")),
                **{f"n{n}": Resolution(record(link(f"10.60001/n{n + 1}"))) for n in range(1, hops)},
                **last,
            )
        )

    assert chain(MAX_HOPS) == []
    assert chain(MAX_HOPS + 1) == ["leads-to-itself"]


def test_a_record_that_leads_to_a_doi_leads_where_that_does() -> None:
    address = record(link("10.60001/other"))
    assert codes(report(address, other=Resolution(record(PAGE)))) == []
    assert codes(report(address, other=Resolution(MissingHandle()))) == ["leads-to-missing"]
    assert codes(report(address, other=Resolution(MissingHandle(), "10.60001/x"))) == ["leads-to-missing"]
    assert codes(report(address, other=Resolution(record("http://localhost/x")))) == ["private-address"]
    assert codes(report(address, other=Resolution(NoValues()))) == ["unusable-address"]
    assert codes(report(address, other=Resolution(record()))) == ["unusable-address"]
    found = report(address, other=Resolution(record(link("10.60001/far"))), far=Resolution(MissingHandle()))
    assert codes(found) == ["leads-to-missing"]
    assert link("10.60001/other") in found.problems[0].message


@pytest.mark.parametrize("failure", [ProxyError(Message("html")), Unreachable(Message("refused"))])
def test_a_doi_that_could_not_be_asked_makes_the_row_incomplete(failure: ProxyError | Unreachable) -> None:
    found = report(record(link("10.60001/other")), other=Resolution(failure))
    assert (codes(found), found.incomplete) == ([], True)
    assert report(record(link("10.60001/other"))).incomplete


def test_a_quick_check_asks_for_no_other_record_and_lacks_none() -> None:
    found = report(record(link("10.60001/other")), quick=True)
    assert (codes(found), found.incomplete) == ([], False)


LOCAL = "http://localhost/x"


@pytest.mark.parametrize(
    ("urls", "expected"),
    [
        ((LOCAL,), ["private-address"]),
        ((LOCAL, PAGE), ["private-address"]),  # readers get the first
        ((PAGE, LOCAL), []),
        (("mailto:a@b.example", LOCAL), ["unsafe-url", "private-address"]),  # the first that a redirect can use
        (("mailto:a@b.example", PAGE), ["unsafe-url"]),
    ],
)
def test_the_address_to_which_readers_are_sent_counts(urls: tuple[str, ...], expected: list[str]) -> None:
    assert codes(report(record(*urls))) == expected


@pytest.mark.parametrize(
    ("places", "urls", "expected"),
    [
        (f'<location href="{PAGE}"/>', (LOCAL,), []),
        (f'<location href="{LOCAL}"/>', (PAGE,), ["private-address"]),
        (f'<location href="{PAGE}"/><location href="{LOCAL}"/>', (), ["private-address"]),  # either may be chosen
        (f'<location href="{LOCAL}" http_role="conneg"/>', (PAGE,), []),
        ('<location href_template="https://doi.org/{hdl}"/>', (), ["leads-to-itself"]),
    ],
)
def test_locations_count_before_url_values(places: str, urls: tuple[str, ...], expected: list[str]) -> None:
    assert codes(report(record(*urls, locations=f"<locations>{places}</locations>"))) == expected


@pytest.mark.parametrize("code", NOWHERE)
def test_a_record_that_leads_nowhere_is_an_error_that_a_person_must_look_at(code: str) -> None:
    assert CATALOGUE[code].severity is Severity.ERROR
    assert code in REVIEWED


def test_a_suggestion_whose_record_leads_nowhere_is_unproven() -> None:
    assert find_fault(NAME, Resolution(record(link(NAME))), {}) == "its record leads nowhere"
    other = {"10.60001/other": Resolution(MissingHandle())}
    assert find_fault(NAME, Resolution(record(link("10.60001/other"))), other) == "its record leads nowhere"
    assert find_fault(NAME, Resolution(record(PAGE)), {}) is None
