"""Rows sorted by row, outcome, agency and problem, in pages; and the search in all cells, bounded in time."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count

import pytest
from django.db import connection

from resolver.models import Job, Row
from resolver.services.results import row_search
from resolver.services.results.row_order import FILE_ORDER, SORTS, RowOrder, find_edge
from resolver.services.results.row_queries import RowFilter, fetch_rows, find_line_numbers, find_neighbours
from resolver.services.results.row_search import TimedSearch
from resolver.services.results.shown_columns import MOST_SHOWN_COLUMNS, choose_columns, get_shown_columns
from resolver.services.storage.keyset import Edge, read_page
from tests.statement_plans import record_plans

pytestmark = pytest.mark.django_db

LIST = (
    "id,Title,DOI,note\n"
    '1,"Äpfel ""und"" Birnen",10.5555/a,\n'
    "2,Climate Change,10.5555/missing,\n"
    "3,Back\\slash 100%,nothing,x_y\n"
    "4,Birds,10.5555/b.,x\n"
    "5,Bees,10.5555/c,x\n"
    "6,Cats,https://dx.doi.org/10.5555/d,x\n"
)


@pytest.fixture
def job(checked_job: Job) -> Job:
    return checked_job


def names_of(order: RowOrder) -> list[str]:
    return [name.removeprefix("-") for name in order.columns]


def pages(job: Job, wanted: RowFilter, order: RowOrder) -> Iterator[list[int]]:
    edge = None
    while True:
        found = Row.objects.filter(job=job)
        page = read_page(found, order.columns, edge, 2, fetch=partial(fetch_rows, job, wanted))
        yield [row.line for row in page.items]
        if not page.has_next:
            return
        edge = find_edge(job, order, Edge((page.items[-1].line,)))


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("wanted", [RowFilter(), RowFilter(group="needs-work"), RowFilter(q="x")])
def test_the_pages_of_each_order_have_every_row_once(job: Job, sort: str, down: bool, wanted: RowFilter) -> None:
    order = RowOrder(sort, down)
    lines = [line for page in pages(job, wanted, order) for line in page]
    expected = [row.line for row in fetch_rows(job, wanted, Row.objects.filter(job=job).order_by(*order.columns), 99)]
    assert lines == expected
    assert sorted(lines) == sorted(line for page in pages(job, wanted, RowOrder()) for line in page)
    values = {row[-1]: row for row in Row.objects.filter(job=job).values_list(*names_of(order))}
    if sort != "agency":  # whose texts a database sorts by its own rules
        assert [values[line] for line in lines] == sorted((values[line] for line in lines), reverse=down)


@pytest.mark.parametrize("sort", SORTS)
def test_the_neighbours_of_a_row_are_those_of_the_order(job: Job, sort: str) -> None:
    for order in (RowOrder(sort), RowOrder(sort, down=True)):
        lines = [line for page in pages(job, RowFilter(), order) for line in page]
        for before, line, after in zip([None, *lines], lines, [*lines[1:], None], strict=False):
            assert find_neighbours(job, RowFilter(), line, order) == (before, after)


def test_the_page_before_an_edge_ends_there(job: Job) -> None:
    order = RowOrder("outcome")
    first, second, *_ = pages(job, RowFilter(), order)
    edge = find_edge(job, order, Edge((second[0],), backwards=True))
    page = read_page(Row.objects.filter(job=job), order.columns, edge, 2, fetch=partial(fetch_rows, job, RowFilter()))
    assert ([row.line for row in page.items], page.has_next) == (first, True)


def search(job: Job, text: str) -> list[int]:
    return [line for page in pages(job, RowFilter(q=text), RowOrder()) for line in page]


@pytest.mark.parametrize(
    ("text", "lines"),
    [("Climate", [2]), ("cLIMATE", [2]), ('"und"', [1]), ("Äpfel", [1]), ("\\slash", [3]), ("100%", [3]), ("x_y", [3])],
)
def test_all_cells_are_searched_and_nothing_in_a_text_is_a_wildcard(job: Job, text: str, lines: list[int]) -> None:
    assert search(job, text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (",[]", []),
        ('{"', []),
        ('","', []),
        ("[", [7]),
        ("n", [4]),  # not the line break of a cell, which JSON has as \\n
        ("\\", [1, 3]),
        ('"', [2]),
        ("end", [4]),
        ("half", [5]),
        ("12", [6]),
        ("0.75", []),
        ("typed", [6]),
        ("{[}", [7]),
    ],
)
def test_the_texts_of_cells_are_searched_and_not_how_they_are_stored(job: Job, text: str, lines: list[int]) -> None:
    cells: list[list[object]] = [
        ["a\\"], ['say "hi"', "b"], ["a\nb", "\\"], ["\0end"], ["\ud800half"],
        [["12", 0.75, "0.00"], ["typed", None, None]], ["{[}", ",]"],
    ]  # fmt: skip
    Row.objects.filter(job=job).delete()
    Row.objects.bulk_create(Row(job=job, line=line, cells=each) for line, each in enumerate(cells, 1))
    assert search(job, text) == lines


def test_a_search_that_takes_long_stops_and_says_where(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_search, "_FIRST_WINDOW", 2)
    timed, wanted = TimedSearch(seconds=-1), RowFilter(q="Cats")
    found = Row.objects.filter(job=job).order_by("line")
    assert fetch_rows(job, wanted, found, 10, search=timed) == []
    assert timed.stopped_at == (2,)
    patient = TimedSearch()
    assert [row.line for row in fetch_rows(job, wanted, found, 10, search=patient)] == [6]
    assert patient.stopped_at is None


def count_work(task: Callable[[], object], of_plans: str = "buffers") -> int:
    """Return the steps of SQLite, or the pages of 8 kB that PostgreSQL reads, for all statements of the task.
    `of_plans`: another number of the plans of PostgreSQL."""
    connection.ensure_connection()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # it would read a table as small as this one whole
            cursor.execute("ANALYZE resolver_row; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        with record_plans() as recorded:
            task()
        return sum(getattr(plan, of_plans) for plan in recorded.plans.values())
    steps = count()
    connection.connection.set_progress_handler(lambda: next(steps) and 0, 1)
    try:
        task()
    finally:
        connection.connection.set_progress_handler(None, 1)
    return next(steps)


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("sort", SORTS)
def test_many_windows_of_a_search_read_hardly_more_than_one(
    job: Job, sort: str, down: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [Row(job=job, line=line, outcome="resolved", ra=f"{line // 9:03}") for line in range(100, 900)]
    Row.objects.bulk_create(rows)
    found = Row.objects.filter(job=job).order_by(*RowOrder(sort, down).columns)
    work = []
    for size in (1000, 80):
        monkeypatch.setattr(row_search, "_FIRST_WINDOW", size)
        monkeypatch.setattr(row_search, "_LARGEST_WINDOW", size)
        search = TimedSearch(math.inf)
        # The pages of PostgreSQL depend on what other tests have left in the table.
        work.append(count_work(partial(find_line_numbers, job, RowFilter(q="nowhere"), found, 10, search), "rows"))
    assert work[1] < 3 * work[0] + 2 * 800 / 80


@pytest.mark.parametrize("sort", SORTS)
def test_a_page_in_any_order_reads_hardly_more_than_one_in_file_order(job: Job, sort: str) -> None:
    rows = [Row(job=job, line=line, outcome="resolved", ra=f"{line // 9:04}") for line in range(100, 6100)]
    Row.objects.bulk_create(rows)

    def read_page_in(order: RowOrder) -> object:
        edge = find_edge(job, order, Edge((6000,)))
        found = Row.objects.filter(job=job)
        return read_page(found, order.columns, edge, 40, fetch=partial(fetch_rows, job, RowFilter()))

    in_file_order = count_work(partial(read_page_in, FILE_ORDER))
    assert count_work(partial(read_page_in, RowOrder(sort))) < 4 * in_file_order + 6 * 40  # pages of PostgreSQL a row


def test_short_texts_are_shown_unless_a_person_chooses(job: Job) -> None:
    assert get_shown_columns(job) == [1, 3]
    choose_columns(job, [3, 0, 99, -1, 0])
    assert get_shown_columns(Job.objects.get(pk=job.pk)) == [0, 3]
    choose_columns(job, [])
    assert get_shown_columns(Job.objects.get(pk=job.pk)) == []
    choose_columns(job, range(4))
    assert len(get_shown_columns(job)) <= MOST_SHOWN_COLUMNS
