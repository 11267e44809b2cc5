"""What was not asked, or could not be read, is never told as an answer."""

import pytest

from doi_reading import FailedReading
from resolver.domain.handle.answers import Resolution, Unasked, WhichRaAnswer
from resolver.domain.report.judge import ProxyAnswers, judge, judge_other
from resolver.domain.report.outcome import Outcome

CROSSREF = WhichRaAnswer("10.1000/b", ra="Crossref")


def test_a_text_over_which_the_portal_stumbled_could_not_be_asked_and_is_not_called_invalid():
    report = judge(FailedReading("10.1000/182"), ProxyAnswers())
    assert (report.outcome, report.problems, report.urls) == (Outcome.PROXY_ERROR, (), ())
    assert report.failure is not None
    assert "this portal" in report.failure


@pytest.mark.parametrize("agency", [None, Unasked("spent")])
def test_another_doi_of_the_text_that_was_not_asked_for_says_so(agency: Unasked | None):
    assert judge_other("10.1000/b", Resolution(Unasked("spent")), agency).outcome == ""
    assert judge_other("10.1000/b", Resolution(Unasked("spent")), CROSSREF).outcome is Outcome.REGISTERED
