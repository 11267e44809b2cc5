"""What a list of retractions says about the works of a report."""

from doi_reading import Message, fold
from doi_reading.problems import make_problem
from resolver.domain.report.correction import find_correction, find_proposal
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.report import OtherDoi, Report, Suggestion
from resolver.domain.report.work_events import MOST_STORED, add_events, list_works_of_report
from resolver.domain.work.events import EventKind, WorkEvent

DOI = "10.5555/A"
R, E, C = EventKind.RETRACTION, EventKind.CONCERN, EventKind.CORRECTION


def event(doi: str, kind: EventKind = R, date: str = "2021-03-04", **more: object) -> WorkEvent:
    return WorkEvent(doi, kind, date, source="Retraction Watch", listed_on="2026-11-01", **more)  # type: ignore[arg-type]


def add(report: Report, *events: WorkEvent) -> Report:
    found: dict[str, list[WorkEvent]] = {}
    for each in events:
        found.setdefault(fold(each.doi), []).append(each)
    return add_events(report, list_works_of_report(report, DOI), found)


def codes(report: Report) -> list[str]:
    return [problem.code for problem in report.problems]


def test_the_sentence_says_when_and_by_which_list_and_that_the_doi_is_right() -> None:
    report = add(
        Report(Outcome.RESOLVED),
        event("10.5555/a", reasons=("Error in Data",), notice="10.5555/n#1"),
        event(DOI, E, ""),
    )
    [problem] = report.problems
    assert (problem.code, problem.severity) == ("retracted", "error")
    assert problem.message == (
        "This work was retracted on 2021-03-04, as listed by Retraction Watch on 2026-11-01. The DOI itself is right. "
        "Listed: Retraction, 2021-03-04 (reasons: Error in Data, notice: https://doi.org/10.5555/n%231); "
        "Expression of concern, an unknown date."
    )
    assert [one.kind for one in report.events] == [R, E]


def test_without_an_event_nothing_is_said() -> None:
    report = Report(Outcome.RESOLVED)
    assert add(report) is report
    assert add(report, event("10.5555/other")) is report


def test_the_main_doi_and_the_alias_are_one_work() -> None:
    report = add(Report(Outcome.RESOLVED, alias_of="10.5555/main"), event("10.5555/MAIN"), event(DOI, C, "2022-01-01"))
    assert codes(report) == ["retracted"]
    assert len(report.events) == 2


def test_the_suggestion_and_its_alias_are_named() -> None:
    suggestion = Suggestion("10.5555/b", Message("a reason"), alias="10.5555/alias")
    report = add(Report(Outcome.NOT_FOUND, suggestion=suggestion), event("10.5555/alias"), event(DOI))
    [problem] = report.problems
    assert problem.message.startswith("The work of the suggested DOI 10.5555/b was retracted on 2021-03-04")
    assert "is right" not in problem.message
    assert len(report.events) == 1  # nothing is said of the DOI that isn't registered


def test_other_dois_of_the_text_are_named_if_they_are_registered() -> None:
    others = (
        OtherDoi("10.5555/b", Outcome.RESOLVED),
        OtherDoi("10.5555/c", Outcome.NOT_FOUND),
        OtherDoi("10.5555/d", ""),
    )
    report = add(Report(Outcome.RESOLVED, others=others), *(event(f"10.5555/{name}") for name in "bcd"))
    assert report.problems[0].message.startswith("The work of 10.5555/b was retracted")
    assert len(report.events) == 1


def test_works_with_different_events_have_a_problem_each_and_equal_ones_share_it() -> None:
    others = tuple(OtherDoi(f"10.5555/{name}", Outcome.RESOLVED) for name in "bc")
    report = add(
        Report(Outcome.RESOLVED, others=others),
        event(DOI, C),
        event("10.5555/b"),
        event("10.5555/c", date="2019-01-01"),
    )
    assert codes(report) == ["corrected-later", "retracted"]
    assert "10.5555/c: Retraction, 2019-01-01" in report.problems[1].message


def test_a_text_that_may_mean_another_doi_is_not_called_right() -> None:
    report = add(Report(Outcome.RESOLVED, problems=(make_problem("unescaped-hash"),)), event(DOI))
    assert "Whether the DOI is the right one is another question." in report.problems[1].message


def test_sentences_and_stored_events_are_bounded() -> None:
    many = [event(DOI, C, f"{1000 + number}-01-01", reasons=("a long reason",) * 20) for number in range(1000)]
    report = add(Report(Outcome.RESOLVED), *many)
    assert len(report.problems[0].message) < 2000
    assert "15 more events" in report.problems[0].message
    others = tuple(OtherDoi(f"10.5555/{number}", Outcome.RESOLVED) for number in range(1000))
    report = add(Report(Outcome.RESOLVED, others=others), *(event(other.doi) for other in others))
    assert len(report.events) == MOST_STORED
    assert len(report.problems[0].message) < 2000


def test_a_person_decides_about_a_retracted_work_and_then_it_needs_nothing_more() -> None:
    def correct(**more: str) -> tuple[str, str]:
        return tuple(map(str, find_correction("resolved", DOI, ["retracted"], text=DOI, **more)))  # type: ignore[arg-type,return-value]

    assert correct() == ("review", "")
    assert find_proposal(DOI) == DOI
    assert correct(decision="accepted", decided_doi=DOI) == ("accepted", DOI)
    assert (
        str(find_correction("not-found", DOI, ["retracted"], text=DOI, suggestion="10.5555/b").correction) == "review"
    )
    for code in ("concern", "corrected-later", "reinstated"):
        assert find_correction("resolved", DOI, [code], text=DOI) == ("unchanged", DOI)
