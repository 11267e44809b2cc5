"""The query parameters of a request: flags, and the filters of rows and lists."""

from collections.abc import Iterable

from rest_framework.request import Request

from doi_reading import CATALOGUE
from resolver.api.errors import list_unknown_names
from resolver.api.problem_types import InvalidInput
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.row_task import RowTask
from resolver.domain.report.triage import RowGroup
from resolver.domain.work.evidence import VERDICTS
from resolver.domain.work.found_works import FOUND_BY
from resolver.models import Job
from resolver.services.results.row_queries import ADDRESSES, CORRECTIONS, RowFilter

DELIMITERS = {"": ",", ",": ",", ";": ";", "\t": "\t", "tab": "\t"}
"""The separators of CSV by what a query says."""


def refuse_unknown_parameters(request: Request, *known: str) -> None:
    """Raise InvalidInput for an unknown query parameter, and for one that comes twice: its sender believes that each is
    obeyed."""
    errors = list_unknown_names(request.query_params, known, "parameter")
    twice = [name for name in known if len(request.query_params.getlist(name)) > 1]
    if errors := errors | {name: ["This parameter was sent more than once. Send it once."] for name in twice}:
        raise InvalidInput(errors=errors)


_YES_OR_NO = {"": False, "0": False, "false": False, "1": True, "true": True}


def parse_flag(request: Request, name: str) -> bool:
    """Return a query parameter that is 1 or 0; False without it. Raises InvalidInput."""
    found = _YES_OR_NO.get(request.query_params.get(name, ""))
    if found is None:
        raise InvalidInput(errors={name: [f"Use {name}=1 for yes. Use 0, or leave it out, for no."]})
    return found


def parse_delimiter(request: Request) -> str:
    """Return the separator of a CSV file; a comma without the parameter. Raises InvalidInput."""
    found = DELIMITERS.get(request.query_params.get("delimiter", ""))
    if found is None:
        raise InvalidInput(errors={"delimiter": ["The delimiter must be a comma, a semicolon or a tab."]})
    return found


def parse_filters(request: Request) -> dict[str, str]:
    """Return `outcome`, `problem` and `ra`. Raises InvalidInput for an unknown word, which would give an empty list."""
    chosen = {name: request.query_params.get(name, "") for name in ("outcome", "problem", "ra")}
    errors = {}
    if chosen["outcome"] and chosen["outcome"] not in set(Outcome):
        errors["outcome"] = [f"There is no outcome with this name. Use one of these: {', '.join(Outcome)}."]
    if chosen["problem"] and chosen["problem"] not in CATALOGUE:
        errors["problem"] = ["There is no problem code with this name. In the portal, /help has a page for each code."]
    if errors:
        raise InvalidInput(errors=errors)
    return chosen


def parse_row_filter(request: Request, job: Job) -> RowFilter:
    """Return the filter of the job's rows: `parse_filters` and all others. Raises InvalidInput."""
    wanted = RowFilter(
        q=request.query_params.get("q", ""),
        duplicates=parse_flag(request, "duplicates"),
        group=parse_word(request, "group", RowGroup),
        correction=parse_word(request, "correction", CORRECTIONS),
        address=parse_word(request, "address", ADDRESSES),
        work=parse_word(request, "work", VERDICTS),
        found_by=parse_word(request, "found_by", FOUND_BY),
        host=request.query_params.get("host", ""),
        task=parse_word(request, "task", RowTask),
        **parse_filters(request),
    )
    refuse_host_of_quick_check(wanted, job)
    return wanted


def refuse_host_of_quick_check(wanted: RowFilter, job: Job) -> None:
    """Raise InvalidInput if a host is wanted of a quick check, which reads no records: an empty list would say that no
    DOI leads there."""
    if wanted.host and job.quick:
        raise InvalidInput(errors={"host": ["A quick check reads no URL values, so this job has no hosts."]})


def parse_word(request: Request, name: str, known: Iterable[str]) -> str:
    """Return a query parameter that is one of these words; "" without it. Raises InvalidInput."""
    word: str = request.query_params.get(name, "")
    if word and word not in set(known):
        raise InvalidInput(errors={name: [f"There is no {name} with this name. Use one of these: {', '.join(known)}."]})
    return word
