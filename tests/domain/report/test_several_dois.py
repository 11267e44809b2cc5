"""The other DOIs of a text: a verdict of their own, and no part in the verdict on the first."""

from dataclasses import replace

from doi_reading import read
from resolver.domain.handle.answers import MissingHandle, ProxyError, Resolution, Unreachable, WhichRaAnswer
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.report.judge import ProxyAnswers, judge, judge_other
from resolver.domain.report.outcome import Outcome

FOUND = Resolution(Record("10.1000/b", (HandleValue(1, "URL", "string", "https://a.example/"),)))
CROSSREF = WhichRaAnswer("10.1000/b", ra="Crossref")
ABSENT = WhichRaAnswer("10.1000/b", status="DOI does not exist")


def test_another_doi_of_the_text_is_judged_like_a_name_of_its_own() -> None:
    assert judge_other("10.1000/b", FOUND, CROSSREF).urls == ("https://a.example/",)
    assert judge_other("10.1000/b", FOUND, CROSSREF, quick=True).urls == ()
    for resolution, agency, outcome in (
        (Resolution(MissingHandle()), ABSENT, Outcome.NOT_FOUND),
        (None, CROSSREF, Outcome.REGISTERED),
        (None, ABSENT, Outcome.NOT_FOUND),
        (None, Unreachable("x"), Outcome.UNREACHABLE),
        (None, None, Outcome.UNREACHABLE),
        (Resolution(ProxyError("x")), CROSSREF, Outcome.PROXY_ERROR),
    ):
        assert judge_other("10.1000/b", resolution, agency).outcome is outcome


def test_another_doi_of_the_text_is_no_suggestion() -> None:
    offers = (("10.1000/B", "another DOI in the text"), ("10.1000/C", "a guess"))
    reading = replace(read("10.1000/a"), offers=lambda: offers)
    other = judge_other("10.1000/b", FOUND)
    report = judge(
        reading,
        ProxyAnswers(Resolution(MissingHandle()), exists={"10.1000/b": True, "10.1000/c": True}, others=(other,)),
    )
    assert report.suggestion is not None
    assert (report.suggestion.doi, report.also_registered) == ("10.1000/C", ())
