"""Search for the DOI of the work that one lookup describes, when its owner asks for it. Nothing of it is stored in the
history."""

from dataclasses import dataclass
from datetime import datetime

from resolver.domain.report.correction import UNPROVEN
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.report import Report, Suggestion
from resolver.domain.report.searched_work import add_search
from resolver.domain.work.found_works import SearchedWork
from resolver.domain.work.row_work import RowWork
from resolver.domain.work.search_query import build_search_query
from resolver.models import Lookup
from resolver.proxy.limits import Paused
from resolver.proxy.limits.request_deadline import time_limit
from resolver.services.http.request_run import measure_wait
from resolver.services.lookups.inspection import inspect_input
from resolver.services.lookups.look_up import LookupPaused
from resolver.services.lookups.metadata import UNREGISTERED, list_names_of
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.name_answers import NameAnswers
from resolver.services.proxy_answers.name_requests import InteractiveClient, NameRequests
from resolver.services.proxy_answers.reading_judge import ReadingJudge
from resolver.services.proxy_answers.waiting_places import LOOKUP_SECONDS, PROXY_PLACES
from resolver.services.works.search import WantedSearch, search_now

SEARCH_SECONDS = 12.0  # of LOOKUP_SECONDS; the rest is for the DOI proxy


@dataclass(frozen=True, slots=True)
class LookupSearch:
    """What the search for a lookup came to. `searched`: without works of which the DOI proxy says that they aren't
    registered. `registered`: the DOIs of which it says that they are. `suggestion`: the only one that can be suggested
    and leads to a work; of an alias its main DOI."""

    searched: SearchedWork
    registered: frozenset[str]
    suggestion: Suggestion | None = None


def find_work_to_search(lookup: Lookup) -> RowWork | None:
    """Return the work that the person describes, for a search: title and author, or the text if it is a reference. None
    if nothing is described, or if the text has several DOIs: it may describe the work of any."""
    if lookup.others:
        return None
    titled = RowWork(title=lookup.title, authors=(lookup.author,) if lookup.author.strip() else ())
    reference = RowWork(text=lookup.input)
    described = next((work for work in (titled, reference) if build_search_query(work)), None)
    return described or (titled if lookup.title.strip() else None)


def lacks_doi(lookup: Lookup) -> bool:
    """Return whether no registered DOI is known for the text. What couldn't be checked is checked first."""
    return lookup.outcome in UNREGISTERED and not (lookup.suggestion or lookup.incomplete)


def search_for_lookup(lookup: Lookup, work: RowWork, *, caller: str, proxy: DoiProxy, now: datetime) -> LookupSearch:
    """Search for the work, and ask the proxy for the DOIs that were found. `caller`: for whom the search counts.

    Raises LookupPaused while all requests pause for long, or if too many wait. What was found by then is stored.
    """
    judge = ReadingJudge(NameAnswers(proxy.base_url, now))
    requests = NameRequests(InteractiveClient(proxy.client), judge)
    wanted = WantedSearch(work, next(list_names_of(lookup), ""))
    try:
        with time_limit(LOOKUP_SECONDS - measure_wait()), PROXY_PLACES.keep_place():
            (searched,) = search_now([wanted], caller=caller, now=now, longest=SEARCH_SECONDS)
            requests.learn_found([(inspect_input(lookup.input), [found.doi for found in searched.works])])
    except Paused as pause:
        raise LookupPaused(pause) from pause
    answers = judge.answers
    report = add_search(Report(Outcome.INVALID), searched, exists=answers.exists, records=answers.view_resolutions())
    listed = report.searched or searched
    registered = frozenset(found.doi for found in listed.works if answers.exists(found.doi))
    is_proven = UNPROVEN not in {problem.code for problem in report.problems}
    return LookupSearch(listed, registered, report.suggestion if is_proven else None)
