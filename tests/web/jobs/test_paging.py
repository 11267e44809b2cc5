"""Pages of rows, on the web and by the API: under each filter every row that fits is on exactly one page, in order."""

import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from doi_reading import CATALOGUE
from resolver.domain.handle.proxy_json import MAX_AGENCY_CHARACTERS
from resolver.models import Job, Row
from resolver.services.results import facets
from resolver.services.results.row_queries import RowFilter, build_filter_queries, find_line_numbers
from resolver.web.jobs import rows
from tests.stored_list import StoredList, session_of
from tests.web.conftest import edge_of_page, send_file

ROWS = 120
FILTERS = {
    "": lambda line: True,
    "outcome=resolved": lambda line: line % 3 > 0,
    "outcome=not-found": lambda line: line % 3 == 0 and line != ROWS,
    "outcome=no-values": lambda line: line == ROWS,
    "outcome=proxy-error": lambda line: False,
    "problem=unescaped-hash": lambda line: line % 4 == 0,
    "problem=old-resolver": lambda line: line % 4 == 0 or line % 10 == 0,
    "problem=no-doi": lambda line: False,
    "ra=Crossref": lambda line: line % 3 == 1,
    "ra=JaLC": lambda line: line % 3 == 2,
    "ra=Cross": lambda line: False,
    "group=fine": lambda line: line % 3 > 0 and line % 4 > 0 and line % 10 > 0,
    "group=tidier": lambda line: line % 3 > 0 and line % 4 > 0 and line % 10 == 0,
    "group=needs-work": lambda line: line % 3 == 0 or line % 4 == 0,
    "group=could-not-ask": lambda line: False,
    "group=needs-work&outcome=no-values": lambda line: line == ROWS,
    "group=needs-work&problem=unescaped-hash": lambda line: line % 4 == 0,
    "group=needs-work&outcome=resolved&ra=JaLC": lambda line: line % 12 == 8,
    "group=fine&problem=old-resolver": lambda line: False,
    "group=tidier&outcome=resolved&ra=JaLC": lambda line: line % 3 == 2 and line % 4 > 0 and line % 10 == 0,
    "duplicates=1": lambda line: line % 7 == 0,
    "q=NAME-1": lambda line: str(line).startswith("1"),
    "q=Given+2": lambda line: str(line).startswith("2"),
    "q=%25": lambda line: False,
    "outcome=resolved&problem=old-resolver": lambda line: line % 3 > 0 and (line % 4 == 0 or line % 10 == 0),
    "outcome=not-found&ra=Crossref": lambda line: False,
    "outcome=resolved&ra=JaLC&problem=unescaped-hash&duplicates=1&q=name": lambda line: line % 84 in (56,),
}


def row(job: Job, line: int) -> Row:
    both = ("unescaped-hash", "old-resolver") if line % 4 == 0 else ()
    return Row(
        job=job,
        line=line,
        input=f"Given {line}",
        key=f"10.5555/name-{line}",
        outcome="no-values" if line == ROWS else "resolved" if line % 3 else "not-found",
        ra=("", "Crossref", "JaLC")[line % 3],
        problem_codes=both or (("old-resolver",) if line % 10 == 0 else ()),
        needs_review=bool(both) and line % 3 > 0,
        tidier=not both and line % 10 == 0 and line % 3 > 0,
        same_as=1 if line % 7 == 0 else None,
    )


@pytest.fixture(scope="module")
def stored_list(module_portal: Path) -> StoredList:
    visitor = Client()
    send_file(visitor, "doi\n10.5555/one\n")
    job = Job.objects.latest("created_at")
    neighbour = Job.objects.create(owner=job.owner, created_at=job.created_at, filename="x", proxy="p")
    Row.objects.bulk_create(row(each, line) for each in (neighbour, job) for line in range(1, ROWS + 1))
    return StoredList(job.pk, session_of(visitor))


@pytest.fixture
def job(stored_list: StoredList, visitor: Client) -> Job:
    return stored_list.give_to(visitor)


Pages = list[list[int]]


def on_the_web(visitor: Client, job: Job, query: str, *, backwards: bool, down: bool = False) -> Pages:
    step = "before" if backwards else "after"
    pages: Pages = []
    edge: int | None = ROWS + 1 if backwards != down else 0
    while edge is not None:
        page = visitor.get(f"/jobs/{job.pk}/rows?{query}&{step}={edge}").context["page"]
        pages.append([row.line for row in page.items])
        edge = edge_of_page(page, step)
    return pages[::-1] if backwards else pages


def by_the_api(visitor: Client, job: Job, query: str, *, backwards: bool) -> Pages:
    pages: Pages = []
    address = f"/api/v1/jobs/{job.pk}/rows?{urlencode(parse_qsl(query))}&page_size=16"
    while address:
        page = visitor.get(address).json()
        pages.append([row["line"] for row in page["results"]])
        address = page["next"]
        last = page
    if not backwards:
        return pages
    address, pages = last["previous"], pages[-1:]
    while address:
        page = visitor.get(address).json()
        pages.insert(0, [row["line"] for row in page["results"]])
        address = page["previous"]
    return pages


@pytest.mark.slow
@pytest.mark.parametrize("walk", [on_the_web, by_the_api])
@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
def test_every_row_that_fits_is_on_one_page_in_order_under_each_filter(
    job: Job, visitor: Client, walk: Callable[..., Pages], backwards: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rows, "ROWS_ON_PAGE", 16)
    for query, fits in FILTERS.items():
        pages = walk(visitor, job, query, backwards=backwards)
        wanted = list(filter(fits, range(1, ROWS + 1)))
        assert list(chain.from_iterable(pages)) == wanted, query
        assert len(pages) == max(1, -(-len(wanted) // 16)), query


@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
def test_with_the_last_row_first_it_is_so_too(
    job: Job, visitor: Client, backwards: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rows, "ROWS_ON_PAGE", 16)
    for query in ("order=down", "order=down&group=needs-work", "order=down&ra=JaLC&q=name"):
        fits = FILTERS[query.removeprefix("order=down").removeprefix("&").replace("ra=JaLC&q=name", "ra=JaLC")]
        pages = on_the_web(visitor, job, query, backwards=backwards, down=True)
        assert list(chain.from_iterable(pages)) == list(filter(fits, range(ROWS, 0, -1))), query


@pytest.mark.parametrize("query", FILTERS)
def test_a_page_of_rows_costs_six_queries_at_one_row_and_at_many(job: Job, visitor: Client, query: str):
    """The session, the job, the lines that fit, their rows; on the page the columns to show and, under a filter, what
    facets count; the end of the first window of a search. Not the rows where no line fits, nor the lines where no
    outcome does."""

    def queries() -> list[int]:
        counted = []
        for address in (f"/jobs/{job.pk}/rows?{query}", f"/api/v1/jobs/{job.pk}/rows?{query}"):
            with CaptureQueriesContext(connection) as captured:
                assert visitor.get(address).status_code == 200
            counted.append(len(captured))
        return counted

    fits = list(filter(FILTERS[query], range(1, ROWS + 1)))
    windows = int("q=" in query)
    counted = [(6 if query else 5) + windows, 4 + windows] if fits else [5 + windows, 3 + windows]
    assert queries() == counted
    Row.objects.filter(job=job).exclude(line=fits[0] if fits else 1).delete()
    assert queries() == counted


def test_no_page_counts_the_rows_of_a_long_list(job: Job, visitor: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(facets, "MAX_ROWS_TO_COUNT", 0)
    addresses = ["/jobs", f"/jobs/{job.pk}", f"/jobs/{job.pk}/rows?outcome=resolved"]
    for address in (*addresses, *(f"/api/v1{address}" for address in addresses)):
        with CaptureQueriesContext(connection) as captured:
            assert visitor.get(address).status_code == 200
        of_rows = [query["sql"] for query in captured if "resolver_row" in query["sql"]]
        assert not [sql for sql in of_rows if "COUNT(" in sql.upper()]
        assert len(of_rows) == (0 if "rows" not in address else 2 if "api" in address else 3)


def test_the_longest_agency_with_every_problem_fits_into_the_indexes(job: Job):
    agency = "".join(
        chr(0x1F300 + number) for number in range(MAX_AGENCY_CHARACTERS)
    )  # four bytes each, and no two the same
    codes = tuple(CATALOGUE)
    Row.objects.filter(job=job, line=1).update(ra=agency, problem_codes=codes, outcome="proxy-error")
    assert Row.objects.get(job=job, ra=agency).problem_codes == codes


def test_the_filters_are_answered_from_indexes_alone(job: Job):
    if connection.vendor == "postgresql":  # it would read a table as small as this one whole
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE resolver_row; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
    job.layout = {**job.layout, "expected": 0}  # a list without expected addresses has no hosts in an index
    for wanted, index in (
        (RowFilter(outcome="no-values"), r"row_outcome( on| \(job_id=\? AND outcome=\? AND line>\?\))"),
        (RowFilter(ra="none"), r"row_agency( on| \(job_id=\? AND ra=\? AND line>\?\))"),
        (RowFilter(problem="no-doi"), r"(row_problems|row_by_problem)( on| \(job_id=\? AND line>\?\))"),
        (RowFilter(group="fine"), r"row_outcome( on| \(job_id=\? AND outcome=\? AND line>\?\))"),
        (RowFilter(group="tidier"), r"row_tidier( on| \(job_id=\? AND line>\?\))"),
        (RowFilter(group="needs-work"), r"row_needs_review( on| \(job_id=\? AND line>\?\))"),
        (RowFilter(correction="review"), r"row_correction( on| \(job_id=\? AND correction=\? AND line>\?\))"),
        (RowFilter(address="same"), r"row_address( on| \(job_id=\? AND address=\? AND line>\?\))"),
        (RowFilter(host="a.example"), r"row_host( on| \(job_id=\? AND host=\? AND line>\?\))"),
    ):
        found = build_filter_queries(job, wanted, Row.objects.filter(job=job).order_by("line"))[-1]
        plan = found.filter(line__gt=1).values("line")[:100].explain()
        assert re.search(rf"(COVERING INDEX|Index Only Scan using) {index}", plan), plan


def test_of_several_outcomes_no_more_than_a_page_of_each_is_read_in_the_order_of_lines(job: Job):
    on_postgresql = connection.vendor == "postgresql"
    found = Row.objects.filter(job=job, line__gt=1).order_by("line")
    with CaptureQueriesContext(connection) as captured:
        find_line_numbers(job, RowFilter(group="needs-work"), found, 10)
    [query] = captured.captured_queries
    with connection.cursor() as cursor:
        if on_postgresql:  # it would read a table as small as this one whole
            cursor.execute("ANALYZE resolver_row; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(("EXPLAIN " if on_postgresql else "EXPLAIN QUERY PLAN ") + query["sql"])
        plan = str(cursor.fetchall())
    if on_postgresql:
        assert plan.count("Limit") == 1 + 5, plan
        assert "->  Sort" not in plan, plan
    else:
        assert "MERGE (UNION ALL)" in plan, plan
        assert plan.count("COVERING INDEX row_outcome") == 4, plan
        assert plan.count("COVERING INDEX row_needs_review") == 1, plan
        assert "TEMP B-TREE" not in plan, plan
