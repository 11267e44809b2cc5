"""Whether the DOI of a row stands for the work that the row describes, as a part of its report."""

from dataclasses import replace

from doi_reading import Message, Reading
from doi_reading.problems import make_problem
from resolver.domain.report.correction import COMPARE_WORK, OTHER_WORK, is_main_doi
from resolver.domain.report.outcome import EXISTS
from resolver.domain.report.report import Report
from resolver.domain.work.evidence import ComparedWork, WorkVerdict

MOST_SHOWN = 150  # characters of a title in a sentence
_PROBLEMS = {WorkVerdict.DIFFERENT: OTHER_WORK, WorkVerdict.LOOK: COMPARE_WORK}


def find_name_to_compare(reading: Reading, report: Report) -> str:
    """Return the registered DOI name that goes back into a catalogue, if a person agrees: of an alias the main DOI, of
    a name that isn't registered the suggestion. "" for none."""
    if report.outcome in EXISTS:
        alias_of = report.alias_of or ""
        return alias_of if is_main_doi(report.outcome, alias_of) else str(reading.doi)
    return report.suggestion.doi if report.suggestion else ""


def add_comparison(report: Report, work: ComparedWork) -> Report:
    """Return the report with what the comparison says. If it is another work, only a person may accept the DOI."""
    if work.comparison is None:
        return replace(report, work=work, incomplete=True)
    code = _PROBLEMS.get(work.comparison.verdict)
    if code is None:
        return replace(report, work=work)
    registered = next((field.registered for field in work.comparison.fields if field.name == "title"), "")
    title = quote_title(registered)
    problem = make_problem(code, registered=title) if title else make_problem(code)
    suggestion = report.suggestion
    if suggestion and code == OTHER_WORK:
        suggestion = replace(suggestion, doubtful=True)
    return replace(report, work=work, suggestion=suggestion, problems=(*report.problems, problem))


def quote_title(title: str) -> Message | None:
    """Return the title for a sentence, shortened; None for none."""
    shown = title if len(title) <= MOST_SHOWN else f"{title[:MOST_SHOWN].rstrip()}…"
    return Message("“{title}”", title=shown) if shown else None
