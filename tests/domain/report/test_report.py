"""The verdict: one outcome for each input, and no suggestion without evidence."""

from dataclasses import replace

import pytest

from doi_reading import Reading, read
from resolver.domain.handle.answers import (
    Answer,
    MissingHandle,
    NoValues,
    ProxyError,
    Resolution,
    Unreachable,
    WhichRaAnswer,
)
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.report.judge import ProxyAnswers, judge
from resolver.domain.report.outcome import COULD_NOT_ASK, Outcome
from resolver.domain.report.report import Report, Suggestion, is_deleted_doi_page, is_safe_link
from resolver.domain.report.sentences import build_prefix_sentence

NAME = "10.1000/182"
CROSSREF = WhichRaAnswer(NAME, ra="Crossref")
ABSENT = WhichRaAnswer(NAME, status="DOI does not exist")


def record(*urls: str, kind: str = "URL") -> Record:
    values = tuple(HandleValue(number, kind, "string", url) for number, url in enumerate(urls, 1))
    return Record(NAME, values, {"responseCode": 1, "handle": NAME})


def verdict(answer: Answer, agency: WhichRaAnswer | None = None, **more: object) -> Report:
    return judge(read(NAME), ProxyAnswers(Resolution(answer), agency, **more))


def with_candidates(text: str, *names: str) -> Reading:
    return replace(read(text), offers=lambda: [(name, f"why {name}") for name in names])


def codes(report: Report) -> list[str]:
    return [problem.code for problem in report.problems]


@pytest.mark.clause("A2", "A8")
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (record("https://example.org/"), Outcome.RESOLVED),
        (record("<locations/>", kind="10320/loc"), Outcome.RESOLVED),
        (record("<locations/>", kind="10320/LOC"), Outcome.RESOLVED),
        (record("mail@example.org", kind="EMAIL"), Outcome.NO_URL),
        (record("https://x/", kind="URL.pdf"), Outcome.RESOLVED),
        (record("https://x/", kind="0.TYPE/URL"), Outcome.RESOLVED),
        (record("https://x/", kind="URLs"), Outcome.NO_URL),
        (record(), Outcome.NO_URL),
        (record(""), Outcome.NO_URL),
        (NoValues(), Outcome.NO_VALUES),
        (MissingHandle(), Outcome.NOT_FOUND),
        (ProxyError("html"), Outcome.PROXY_ERROR),
        (Unreachable("refused"), Outcome.UNREACHABLE),
    ],
)
def test_each_answer_has_its_outcome(answer: Answer, outcome: Outcome) -> None:
    assert verdict(answer).outcome is outcome


@pytest.mark.clause("B2")
def test_a_report_holds_the_agency_the_urls_in_index_order_and_the_record() -> None:
    values = (
        HandleValue(2, "URL", "string", "https://b.example/"),
        HandleValue(1, "URL", "string", " https://a.example/ "),
    )
    report = verdict(Record(NAME, values, {"responseCode": 1}), CROSSREF)
    assert (report.ra, report.ra_status, report.urls) == (
        "Crossref",
        None,
        ("https://a.example/", "https://b.example/"),
    )
    assert report.record == {"responseCode": 1}


@pytest.mark.parametrize("agency", [None, Unreachable("refused"), ProxyError("html")])
def test_an_agency_that_could_not_be_asked_hides_no_record(agency: object) -> None:
    report = judge(read(NAME), ProxyAnswers(Resolution(record("https://a.example/")), agency))
    assert (report.outcome, report.ra, report.urls) == (Outcome.RESOLVED, None, ("https://a.example/",))


def test_nothing_asked_is_never_not_found() -> None:
    assert judge(read(NAME), ProxyAnswers()).outcome in COULD_NOT_ASK


@pytest.mark.clause("P7")
def test_an_alias_shows_the_record_behind_it_and_says_so() -> None:
    report = judge(read(NAME), ProxyAnswers(Resolution(record("https://a.example/"), alias_of="10.1000/new")))
    assert (report.outcome, report.alias_of, codes(report)) == (Outcome.RESOLVED, "10.1000/new", ["alias"])
    assert "10.1000/new" in report.problems[0].message


@pytest.mark.clause("P7")
@pytest.mark.parametrize("answer", [MissingHandle(), NoValues(), record()])
def test_an_alias_that_leads_nowhere_exists_but_has_no_url(answer: Answer) -> None:
    report = judge(
        with_candidates(NAME, "10.1000/1"),
        ProxyAnswers(Resolution(answer, alias_of="10.1000/new"), exists={"10.1000/1": True}),
    )
    assert (report.outcome, report.suggestion) == (Outcome.NO_URL, None)


@pytest.mark.clause("P7")
def test_an_alias_whose_target_cannot_be_asked_is_not_judged() -> None:
    assert (
        judge(read(NAME), ProxyAnswers(Resolution(Unreachable("x"), alias_of="10.1000/new"))).outcome
        is Outcome.UNREACHABLE
    )


@pytest.mark.clause("P7")
def test_a_loop_of_aliases_is_an_error_of_the_record() -> None:
    report = judge(read(NAME), ProxyAnswers(Resolution(record(), alias_of="10.1000/b", loop=True)))
    assert (report.outcome, codes(report)) == (Outcome.NO_URL, ["alias-loop"])


@pytest.mark.clause("A9")
@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript://https://x",
        "data:text/html,x",
        "//example.org/",
        "www.example.org",
        "file:///etc/passwd",
        "https://a.example/\njavascript:x",
        "java\tscript:alert(1)",
        "https:",
    ],
)
def test_a_url_that_a_browser_should_not_open_is_no_link(url: str) -> None:
    report = verdict(record(url))
    assert not is_safe_link(url)
    assert (report.outcome, report.urls, codes(report)) == (Outcome.RESOLVED, (url,), ["unsafe-url"])


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/",
        "HTTPS://a.example/?b#c",
        "ftp://a.example/b",
        "http://[2001:4860::1]/",
        "https://a.example/%3C;2-U<>",
        "https://a.example/b c",
    ],
)
def test_a_web_address_is_a_link(url: str) -> None:
    assert is_safe_link(url)
    assert codes(verdict(record(url))) == []


LOCATIONS = (
    '<locations><location id="0" href="https://a.example/" country="gb"/><location id="1" href="https://b.example/"/>'
    '<location id="2" href="https://p.example/" http_role="conneg"/></locations>'
)


@pytest.mark.parametrize(
    ("values", "homes"),
    [
        ([("URL", "https://a.example/"), ("URL", "https://b.example/")], "2"),
        ([("URL", "https://a.example/"), ("URL", "https://a.example/")], None),
        ([("URL", "https://a.example/"), ("URL", " ")], None),
        ([("URL", "https://a.example/"), ("10320/loc", LOCATIONS)], "2"),
        ([("URL", "https://c.example/"), ("10320/loc", LOCATIONS)], "3"),
        ([("10320/loc", LOCATIONS)], "2"),
        ([("URL", "https://a.example/"), ("EMAIL", "b@b.example")], None),
        ([("URL", "https://a.example/"), ("10320/loc", "<no xml")], None),
    ],
)
def test_a_record_with_several_addresses_is_told_with_their_number(
    values: list[tuple[str, str]], homes: str | None
) -> None:
    found = tuple(HandleValue(number, kind, "string", text) for number, (kind, text) in enumerate(values, 1))
    report = verdict(Record(NAME, found, {"responseCode": 1, "handle": NAME}))
    told = [one.message.details["count"] for one in report.problems if one.code == "several-homes"]
    assert (report.outcome, told) == (Outcome.RESOLVED, [homes] if homes else [])


@pytest.mark.parametrize(
    ("url", "deleted"),
    [
        ("https://www.crossref.org/_deleted-doi/", True),
        ("http://www.crossref.org/deleted_DOI.html", True),
        ("https://crossref.org/_deleted-doi", True),
        ("https://www.crossref.org/", False),
        ("https://example.org/www.crossref.org/_deleted-doi/", False),
    ],
)
def test_an_agency_s_page_for_deleted_dois_is_known(url: str, deleted: bool) -> None:
    assert is_deleted_doi_page(url) is deleted
    assert codes(verdict(record(url))) == (["deleted"] if deleted else [])


@pytest.mark.clause("R3")
def test_the_agency_of_the_prefix_is_told_only_of_a_name_that_is_not_found() -> None:
    prefix = WhichRaAnswer("10.1000", ra="Public")
    missing = verdict(MissingHandle(), ABSENT, prefix_agency=prefix)
    assert (missing.ra, missing.ra_status, missing.prefix_ra) == (None, "DOI does not exist", "Public")
    assert (
        verdict(MissingHandle(), ABSENT, prefix_agency=WhichRaAnswer("10.1000", status="DOI does not exist")).prefix_ra
        is None
    )
    assert verdict(record("https://a.example/"), CROSSREF, prefix_agency=prefix).prefix_ra is None
    assert verdict(MissingHandle(), ABSENT, prefix_agency=Unreachable("x")).prefix_status is None
    assert verdict(Unreachable("x"), prefix_agency=prefix).prefix_ra is None


def test_the_first_candidate_that_exists_is_the_suggestion() -> None:
    reading = with_candidates(NAME, "10.1000/A", "10.1000/B", "10.1000/C")
    only = {"10.1000/a": False, "10.1000/b": True, "10.1000/c": False}
    report = judge(reading, ProxyAnswers(Resolution(MissingHandle()), exists=only))
    assert report.suggestion == Suggestion("10.1000/B", "why 10.1000/B")
    unchecked = judge(reading, ProxyAnswers(Resolution(MissingHandle()), exists={**only, "10.1000/c": None}))
    assert unchecked.suggestion == Suggestion("10.1000/B", "why 10.1000/B", doubtful=True)
    both = judge(reading, ProxyAnswers(Resolution(MissingHandle()), exists={"10.1000/c": True, "10.1000/b": True}))
    assert both.suggestion == Suggestion("10.1000/B", "why 10.1000/B", doubtful=True)
    assert judge(reading, ProxyAnswers(Resolution(MissingHandle()))).suggestion is None


@pytest.mark.clause("R3")
@pytest.mark.parametrize(
    ("prefix_agency", "suspect"),
    [
        (
            WhichRaAnswer("10.1000", ra="Crossref"),
            "it belongs to Crossref. The error is probably after the slash. Contact Crossref",
        ),
        (WhichRaAnswer("10.1000", status="DOI does not exist"), "The error is probably before the slash"),
        (WhichRaAnswer("10.1000", status="Unknown"), "Either part may be wrong"),
        (Unreachable("x"), "We couldn't check"),
        (None, "We couldn't check"),
    ],
)
def test_what_is_known_of_the_prefix_says_which_part_to_suspect(
    prefix_agency: WhichRaAnswer | Unreachable | None, suspect: str
) -> None:
    report = verdict(MissingHandle(), ABSENT, prefix_agency=prefix_agency)
    sentence = build_prefix_sentence("10.1000", report.prefix_ra, report.prefix_status)
    assert "prefix 10.1000" in sentence
    assert suspect in sentence


def test_nobody_is_to_be_told_where_a_suggestion_shows_the_fault() -> None:
    assert "Contact Crossref" in build_prefix_sentence("10.1000", "Crossref", None)
    assert "Contact" not in build_prefix_sentence("10.1000", "Crossref", None, suggested=True)


def test_the_candidates_that_exist_beside_the_suggestion_are_told() -> None:
    reading = with_candidates(NAME, "10.1000/A", "10.1000/B", "10.1000/C", "10.1000/D")
    report = judge(
        reading,
        ProxyAnswers(Resolution(MissingHandle()), exists={"10.1000/b": True, "10.1000/c": False, "10.1000/d": True}),
    )
    assert [tried.exists for tried in report.candidates] == [None, True, False, True]
    assert report.suggestion == Suggestion("10.1000/B", "why 10.1000/B", doubtful=True)
    assert report.also_registered == ("10.1000/D",)


def test_a_name_that_exists_has_no_candidate_worked_out() -> None:
    reading = read("10.1000/a.")
    assert judge(reading, ProxyAnswers(Resolution(record("https://a.example/")))).candidates == ()
    assert "candidates" not in vars(reading)


@pytest.mark.parametrize(
    "answer", [ProxyError("x"), Unreachable("x"), record("https://a.example/"), record(), NoValues()]
)
def test_a_name_that_exists_or_could_not_be_asked_has_no_suggestion(answer: Answer) -> None:
    reading = with_candidates(NAME, "10.1000/a")
    assert judge(reading, ProxyAnswers(Resolution(answer), exists={"10.1000/a": True})).suggestion is None


def test_an_invalid_input_s_candidate_that_exists_is_the_suggestion() -> None:
    report = judge(with_candidates("no name here", "10.1000/a"), ProxyAnswers(exists={"10.1000/a": True}))
    assert (report.outcome, report.suggestion) == (Outcome.INVALID, Suggestion("10.1000/a", "why 10.1000/a"))


@pytest.mark.clause("S12")
def test_the_doi_behind_a_short_doi_is_the_suggestion() -> None:
    report = judge(read("10/abcde"), ProxyAnswers(Resolution(record("https://a.example/"), alias_of="10.1000/182")))
    assert (report.outcome, report.urls, codes(report)) == (Outcome.INVALID, (), ["short-doi"])
    assert report.suggestion is not None
    assert report.suggestion.doi == "10.1000/182"


@pytest.mark.clause("S12")
@pytest.mark.parametrize(
    "resolution",
    [
        None,
        Resolution(MissingHandle()),
        Resolution(Unreachable("x")),
        Resolution(Unreachable("x"), alias_of="10.1000/182"),
        Resolution(MissingHandle(), alias_of="10.1000/182"),
        Resolution(record("https://a.example/"), alias_of="10/other"),
        Resolution(record("https://a.example/"), alias_of="1721.1/71495"),
        Resolution(record(), alias_of="10.1000/182", loop=True),
    ],
)
def test_a_short_doi_with_no_doi_behind_it_has_no_suggestion(resolution: Resolution | None) -> None:
    report = judge(read("10/abcde"), ProxyAnswers(resolution))
    assert (report.outcome, report.suggestion) == (Outcome.INVALID, None)


@pytest.mark.clause("R3")
@pytest.mark.parametrize(
    ("agency", "resolution", "outcome"),
    [
        (CROSSREF, None, Outcome.REGISTERED),
        (ABSENT, None, Outcome.NOT_FOUND),
        (WhichRaAnswer(NAME, status="Unknown"), Resolution(record("https://a.example/")), Outcome.RESOLVED),
        (WhichRaAnswer(NAME, status="Invalid DOI"), Resolution(MissingHandle()), Outcome.NOT_FOUND),
        (WhichRaAnswer(NAME, status="Unknown"), Resolution(Unreachable("x")), Outcome.UNREACHABLE),
        (Unreachable("x"), None, Outcome.UNREACHABLE),
        (ProxyError("x"), None, Outcome.PROXY_ERROR),
    ],
)
def test_quick_asks_the_agency_and_settles_the_rest_by_the_record(
    agency: WhichRaAnswer | Unreachable | ProxyError, resolution: Resolution | None, outcome: Outcome
) -> None:
    report = judge(read(NAME), ProxyAnswers(resolution, agency), quick=True)
    assert (report.outcome, report.urls) == (outcome, ())


def test_the_problems_of_the_reading_stay() -> None:
    report = judge(read("https://doi.org/10.1000/456#789"), ProxyAnswers(Resolution(record("javascript:x"))))
    assert codes(report) == ["unescaped-hash", "unsafe-url"]
