"""Search for the works of rows by their words, and judge what is found."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from resolver.domain.work.found_works import SearchedWork
from resolver.domain.work.row_work import RowWork
from resolver.domain.work.search_query import build_search_query
from resolver.services.http.request_run import measure_wait
from resolver.services.proxy_answers.configured_searches import searches_from_settings
from resolver.services.proxy_answers.waiting_places import LOOKUP_SECONDS
from resolver.services.works.search_run import QuerySearch, run_searches


@dataclass(frozen=True, slots=True)
class WantedSearch:
    """A search for the work of a row. `without`: the DOI of the row, which isn't offered again. `title_alone`: a title
    is searched for with nothing beside it too, because a person chooses among what is found."""

    row: RowWork
    without: str = ""
    title_alone: bool = False


def search_works(
    wanted: Sequence[WantedSearch], *, caller: str, now: datetime, until: float
) -> list[SearchedWork | None]:
    """Search for the works of a list, and return what was found, in order.

    Crossref is searched first, and DataCite where Crossref lists no work that is the same; for data it is the other way
    round. OpenAlex comes last, and only with the operator's key. The operator's own service is searched in place of all
    of them. Stored answers are used, equal queries sent once.

    After `until` (monotonic seconds) nothing is requested but for the first row; a row for which there was no time has
    None, and waits for another turn. No request is cut short. `caller`: for whom the searches count, the sharer of a
    list without an account, else its owner (`job.sharer or job.owner`).

    Requests run in threads, two at a time for each service and four for the operator's own, as their limits allow. Only
    the calling thread uses the database.
    """
    return _search(wanted, caller, now, until, in_turn=True)


def search_now(
    wanted: Sequence[WantedSearch], *, caller: str, now: datetime, longest: float = LOOKUP_SECONDS
) -> list[SearchedWork]:
    """Do what `search_works` does, for a person who waits: in at most `longest` seconds, which the services share, and
    in one attempt each. What wasn't found by then has a failure. Raises TurnedBack."""
    until = time.monotonic() + longest - measure_wait()
    return [found or SearchedWork() for found in _search(wanted, caller, now, until, in_turn=False)]


def list_search_hosts() -> list[str]:
    """Return the hosts to which the words of rows are sent, with these settings; none if SEARCH forbids it."""
    return list(dict.fromkeys(search.host for search in searches_from_settings()))


def estimate_search_seconds(rows: int) -> float:
    """Return about how long it takes to search for so many works, if no other list does: the first service is the
    bottleneck, by its rate, or by the requests in flight there."""
    fastest = (search.count_a_second() for search in searches_from_settings()[:1])
    return rows / next(fastest, 1.0)


def _search(
    wanted: Sequence[WantedSearch], caller: str, now: datetime, until: float, *, in_turn: bool
) -> list[SearchedWork | None]:
    searches = searches_from_settings()
    by_key: dict[str, QuerySearch] = {}
    rows: list[QuerySearch | None] = []
    for one in wanted:
        query = build_search_query(one.row, title_alone=one.title_alone)
        useful = [asked for asked in searches if query and asked.service.takes(query)]
        search = None
        if query and (useful or not searches):
            search = by_key.setdefault(query.key, QuerySearch(query, useful))
            search.add_row(one.row, one.without)
        rows.append(search)
    run_searches(list(by_key.values()), searches, caller=caller, now=now, until=until, in_turn=in_turn)
    return [
        search.build_result(one.row, one.without) if search else SearchedWork(too_little=True)
        for one, search in zip(wanted, rows, strict=True)
    ]
