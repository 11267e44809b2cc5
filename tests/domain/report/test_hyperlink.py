"""A cell's hyperlink is evidence about the DOI in its text: it confirms it, replaces it, or differs from it."""

import pytest

from doi_reading import Message, fold, read
from resolver.domain.handle.answers import MissingHandle, Resolution, Unreachable
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.report.correction import find_correction
from resolver.domain.report.judge import ProxyAnswers, judge, judge_other
from resolver.domain.report.report import Report


def resolution(url: str = "https://example.org/") -> Resolution:
    values = (HandleValue(1, "URL", "string", url),) if url else ()
    return Resolution(Record("10.5555/x", values))


FOUND, WITHOUT_ADDRESS = resolution(), resolution("")


def look_at(text: str, link: str, known: dict[str, Resolution]) -> tuple[Report, str, str]:
    """The report, the correction and the corrected DOI, where only the `known` names are registered."""
    reading = read(text, f"https://doi.org/{link}")
    records = {fold(name): record for name, record in known.items()}
    missing = Resolution(MissingHandle())
    answers = ProxyAnswers(
        records.get(fold(str(reading.doi)), missing) if reading.doi else None,
        exists={fold(one.doi): fold(one.doi) in records for one in reading.candidates},
        records=records,
        others=tuple(judge_other(other, records.get(fold(other), missing)) for other in reading.others),
    )
    report = judge(reading, answers)
    suggestion = report.suggestion
    correction = find_correction(
        report.outcome,
        str(reading.doi or ""),
        [one.code for one in report.problems],
        text=reading.input,
        suggestion=suggestion.doi if suggestion else "",
        doubtful=bool(suggestion and suggestion.doubtful),
        alias_of=report.alias_of or "",
    )
    return report, str(correction.correction), correction.doi


def codes(report: Report) -> list[str]:
    return [one.code for one in report.problems]


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("10.5281/zenodo.1630068.", "10.5281/zenodo.1630068"),
        ("https://doi.org/10.1000/182).", "10.1000/182"),
        ("10.1016/j.cell.2011.O2.164", "10.1016/j.cell.2011.02.164"),
        ("10.1000/ab\u200bc", "10.1000/abc"),
        ("10.1002/ece3.101\u2026", "10.1002/ece3.10156"),
        ("10.1002/ece3.101...", "10.1002/ece3.10156"),
        ("10.1000/neuro- 4164", "10.1000/neuro-4164"),
        ("DOI 10.1000/abc.pdf", "10.1000/abc"),
        ("10.1000/182.", "10.1000/182"),
    ],
)
def test_a_hyperlink_with_the_suggested_doi_confirms_it(text: str, link: str) -> None:
    report, correction, doi = look_at(text, link, {link: FOUND})
    assert (correction, doi) == ("suggested", link)
    assert report.suggestion is not None
    assert not report.suggestion.doubtful
    assert "link-differs" not in codes(report)
    assert any("confirmed by the cell's hyperlink" in one.message for one in report.problems)
    assert report.others == ()


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("10.5281/zenodo.2430236", "10.5281/zenodo.2430636"),
        ("10.1061/j.cell.2011.02.164", "10.1016/j.cell.2011.02.164"),
        ("10.1371/journal.pone.014777", "10.1371/journal.pone.0147776"),
        ("10.1371/journal.pone.01477766", "10.1371/journal.pone.0147776"),
        ("10.1007/978-3-031-33336-7", "10.1007/978-3-031-33336-7_12"),
        ("10.1126/sciadv.adl357", "10.1126/sciadv.adl3570"),
    ],
)
def test_a_registered_doi_behind_the_hyperlink_is_the_suggestion_for_a_mistyped_text(text: str, link: str) -> None:
    report, correction, doi = look_at(text, link, {link: FOUND})
    assert (correction, doi) == ("suggested", link)
    assert "link-differs" not in codes(report)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("10.1000/nowhere", "10.1000/182"),
        ("10.1371/journal.pone.0147776", "10.1371/journal.pone.0107811"),
        ("10.1016/j.cell.2011.02.164", "10.1038/nature12373"),
    ],
)
def test_a_hyperlink_to_quite_another_name_suggests_it_but_a_person_must_look(text: str, link: str) -> None:
    report, correction, doi = look_at(text, link, {link: FOUND})
    assert (correction, doi) == ("review", "")
    assert report.suggestion is not None
    assert (report.suggestion.doi, report.suggestion.doubtful) == (link, True)
    assert codes(report) == ["link-suggests"]


def test_two_registered_names_that_differ_are_a_conflict_also_without_an_address() -> None:
    for of_text in (FOUND, WITHOUT_ADDRESS):
        known = {"10.1000/182": of_text, "10.17487/RFC3651": FOUND}
        report, correction, _ = look_at("10.1000/182", "10.17487/RFC3651", known)
        assert (correction, codes(report)) == ("review", ["link-differs"])
        assert [(one.doi, one.outcome) for one in report.others] == [("10.17487/RFC3651", "resolved")]


def test_a_registered_suggestion_of_the_text_and_another_registered_doi_behind_the_hyperlink_are_a_conflict() -> None:
    report, correction, _ = look_at("10.1000/182.", "10.1000/183", {"10.1000/182": FOUND, "10.1000/183": FOUND})
    assert correction == "review"
    assert report.suggestion is not None
    assert report.suggestion.doi == "10.1000/182"
    assert "link-differs" in codes(report)
    assert [one.doi for one in report.others] == ["10.1000/183"]


def test_a_candidate_behind_the_hyperlink_comes_before_another_registered_one() -> None:
    text, whole = "10.60001/neuro- 4164", "10.60001/neuro4164"
    report, *_ = look_at(text, whole, {whole: FOUND, "10.60001/neuro-4164": FOUND})
    assert report.suggestion is not None
    assert report.suggestion.doi == whole


def test_a_hyperlink_that_is_not_registered_says_nothing_about_the_text() -> None:
    report, *correction = look_at("10.1000/182", "10.1000/183", {"10.1000/182": FOUND})
    assert (correction, codes(report), report.others) == (["unchanged", "10.1000/182"], ["broken-link"], ())
    report, *correction = look_at("10.1000/182.", "10.1000/183", {"10.1000/182": FOUND})
    assert correction == ["suggested", "10.1000/182"]


def test_an_alias_and_the_hyperlink_to_its_main_doi_are_one_work() -> None:
    alias = Resolution(FOUND.answer, alias_of="10.1000/183")
    report, *correction = look_at("10.1000/182", "10.1000/183", {"10.1000/182": alias, "10.1000/183": FOUND})
    assert (correction, codes(report)) == (["main-doi", "10.1000/183"], ["alias"])


def test_a_hyperlink_that_could_not_be_checked_stays_a_conflict() -> None:
    unknown = Resolution(Unreachable(Message("no answer")))
    report, correction, _ = look_at("10.1000/182", "10.1000/183", {"10.1000/182": FOUND, "10.1000/183": unknown})
    assert (correction, codes(report)) == ("review", ["link-differs"])
