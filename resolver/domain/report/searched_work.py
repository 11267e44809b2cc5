"""What a search for the work of a row came to, as a part of its report."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from doi_reading import Message, fold
from doi_reading.problems import make_problem
from resolver.domain.handle.answers import Resolution
from resolver.domain.report.correction import FOUND_BY_IDENTIFIER, FOUND_BY_TITLE, OTHER_WORK
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.report import Report, Suggestion, TriedCandidate
from resolver.domain.report.suggestion import examine_suggestion
from resolver.domain.work.found_works import IDENTIFIER, OWN_SERVICE, FoundWork, SearchedWork

FOUND_REASON = Message("found by title and author")
FOUND_BESIDE = Message("in another column of the row")
"""Why a work that was found for a row is suggested."""
UNREADABLE = "unreadable-record"
_WITHOUT_NAME = frozenset({Outcome.NOT_FOUND, Outcome.INVALID})
_NAMES: Mapping[str, Message] = {OWN_SERVICE: Message("The library's own search service")}


def needs_search(report: Report) -> bool:
    """Return whether the work of the row may be searched for: it has no DOI, one that isn't registered and for which
    nothing is suggested, or that of another work. What couldn't be checked is checked first."""
    codes = {problem.code for problem in report.problems}
    if report.suggestion or report.untried or (report.incomplete and report.outcome in _WITHOUT_NAME):
        return False
    return OTHER_WORK in codes or (report.outcome in _WITHOUT_NAME and UNREADABLE not in codes)


def add_search(
    report: Report,
    searched: SearchedWork,
    *,
    exists: Callable[[str], bool | None],
    records: Mapping[str, Resolution],
) -> Report:
    """Return the report with what was found. A found DOI is suggested only if it `exists`, and only a person may accept
    it. `records` are those of found DOIs, by folded name."""
    works = tuple(work for work in searched.works if exists(work.doi) is not False)
    unregistered = tuple(work for work in searched.works if work not in works)
    searched = replace(searched, works=works, unregistered=unregistered)
    if searched.failure or any(exists(work.doi) is None for work in works):
        report = replace(report, incomplete=True)
    if not works:
        return replace(report, searched=searched)
    tried = tuple(
        TriedCandidate(work.doi, work.reason or FOUND_REASON, exists(work.doi), doubtful=True)
        for work in works
        if fold(work.doi) not in {fold(one.doi) for one in report.candidates}
    )
    found = next((work for work in works if work.doi == searched.suggested and exists(work.doi)), None)
    examined = examine_suggestion(_suggest(found), records)
    code = FOUND_BY_IDENTIFIER if works[0].found_by == IDENTIFIER else FOUND_BY_TITLE
    note = make_problem(code, found=", ".join(work.doi for work in works))
    return replace(
        report,
        searched=searched,
        suggestion=examined.suggestion,
        candidates=(*report.candidates, *tried),
        problems=(*report.problems, note, *examined.problems),
        incomplete=report.incomplete or examined.failed,
    )


def describe_search(searched: SearchedWork) -> Message | None:
    """Return why nothing was found, or what couldn't be searched, as a sentence; None if all was searched and something
    found."""
    if searched.works:
        if searched.failure is None:
            return None
        return Message("We couldn't search everywhere: {failure}. Check again later.", failure=searched.failure)
    if searched.too_little:
        return Message(
            "Not searched for: that needs a title of at least four words, and an author, a year or a journal beside it."
        )
    if searched.failure:
        return Message("We couldn't search for the work: {failure}. Check again later.", failure=searched.failure)
    if searched.unregistered:
        listed = searched.unregistered[0]
        return Message(
            "{service} lists this work as {doi}, but that DOI isn't registered.",
            service=_NAMES.get(listed.found_by, listed.found_by),
            doi=listed.doi,
        )
    *others, last = searched.services
    date = searched.asked_at.date().isoformat() if searched.asked_at else ""
    if not others:
        return Message(
            "{service} lists no work with this title and author (asked on {date}). Other agencies can't be searched.",
            service=_NAMES.get(last, last),
            date=date,
        )
    return Message(
        "{services} and {last} list no work with this title and author (asked on {date}). "
        "Other agencies can't be searched.",
        services=", ".join(others),
        last=last,
        date=date,
    )


def _suggest(found: FoundWork | None) -> Suggestion | None:
    return Suggestion(found.doi, found.reason or FOUND_REASON, doubtful=True) if found else None
