"""Bibliographic lists counted in references: how many there are, and how many need work."""

import pytest

from resolver.domain.report.outcome import COULD_NOT_ASK
from resolver.models import Chunk, Job, Row
from resolver.services.jobs import import_rows
from resolver.services.jobs.retry import recheck_rows, retry_job
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.facets import count_facets, count_repeated
from resolver.services.results.row_queries import RowFilter, fetch_rows
from resolver.services.turns.check import check_chunk
from tests.services.conftest import NOW, make_job, run, undone, work_off

pytestmark = pytest.mark.django_db

GOOD, OTHER, ABSENT = "10.1000/182", "10.17487/RFC3651", "10.5555/missing"
LINK, PAGE = f"https://doi.org/{GOOD}", f"https://www.sciencedirect.com/science/article/doi/{GOOD}"


def write(*references: str) -> str:
    """A file of RIS: the texts of a reference are separated by a blank, the first is its DOI, others are its links."""
    made = []
    for number, texts in enumerate(references):
        doi, *links = texts.split()
        lines = ["TY  - JOUR", f"ID  - r{number}", f"DO  - {doi}", *(f"UR  - {link}" for link in links), "ER  - "]
        made.append("\n".join(lines))
    return "\n".join(made)


def check(text: str, proxy: DoiProxy, **options: int) -> Job:
    return run(make_job(text, proxy, filename="list.ris"), proxy, **options)


def count_by_rows(job: Job) -> tuple[int, int]:
    """The counts by another way: row by row, in memory."""
    rows = list(Row.objects.filter(job=job))
    needs = {
        row.reference
        for row in rows
        if row.needs_review or row.tidier or row.outcome in ("not-found", "invalid", "no-url", "no-values")
    }
    return len({row.reference for row in rows}), len(needs)


def count(job: Job) -> tuple[int, int]:
    job.refresh_from_db()
    return job.references, job.references_in_need


@pytest.mark.parametrize(
    ("references", "need"),
    [
        ([GOOD], 0),
        ([f"{GOOD} {LINK}"], 0),
        ([f"{GOOD} {PAGE}", OTHER], 0),
        ([f"{GOOD} {PAGE} {LINK} {PAGE}"], 0),
        ([f"doi:{GOOD}"], 0),  # plain enough to need nothing
        ([f"{GOOD} http://dx.doi.org/{GOOD}"], 1),
        ([f"http://dx.doi.org/{GOOD} http://dx.doi.org/{GOOD}"], 1),
        ([ABSENT, f"{ABSENT} {LINK}", GOOD], 2),
        (["10.5555/nourl", "10.5555/novalues", "10.5555/unsafe", "10.5555/deleted"], 4),
        (["nothing", GOOD], 1),
        ([f"{GOOD}. {LINK}", f"{OTHER} {LINK}"], 1),
        (["10.5555/error"], 0),  # it couldn't be checked: nothing is known
    ],
)
def test_references_are_counted_and_those_that_need_something(
    proxy: DoiProxy, references: list[str], need: int
) -> None:
    job = check(write(*references), proxy)
    assert count(job) == (len(references), need)


MIXED = write(
    f"{GOOD} {LINK} {PAGE}",
    f"http://dx.doi.org/{GOOD} {PAGE}",
    f"{ABSENT} {LINK} http://dx.doi.org/{GOOD}",
    OTHER,
    f"{OTHER} http://www.doi.org/{OTHER}",
    "nothing",
    f"10.5555/nourl {PAGE} {PAGE} 10.5555/missing-2",
)


@pytest.mark.parametrize("rows_in_chunk", [1, 2, 3, 4, 5, 7, 11, 1000])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_reference_that_is_checked_in_parts_is_counted_once(
    proxy: DoiProxy, rows_in_chunk: int, backwards: bool
) -> None:
    job = make_job(MIXED, proxy, filename="list.ris")
    chunks = list(import_rows.read_into_rows(job.pk, rows_in_chunk=rows_in_chunk))
    for chunk_id in reversed(chunks) if backwards else chunks:
        check_chunk(chunk_id, proxy=proxy)
    assert count(job) == count_by_rows(job) == (7, 5)


def test_references_are_known_while_the_list_is_checked(proxy: DoiProxy) -> None:
    job = make_job(MIXED, proxy, filename="list.ris")
    seen = []
    for chunk_id in import_rows.read_into_rows(job.pk, rows_in_chunk=5):
        check_chunk(chunk_id, proxy=proxy)
        seen.append(count(job))
    assert seen == [(2, 1), (5, 2), (7, 5), (7, 5)]


def test_a_retry_counts_each_reference_again(proxy: DoiProxy, nowhere: DoiProxy) -> None:
    job = check(MIXED, nowhere)
    assert count(job) == (7, 1)  # only the text without a DOI needs no answer
    assert Row.objects.filter(job=job, outcome__in=COULD_NOT_ASK).exists()
    retry_job(job, proxy=proxy, now=NOW)
    assert count(work_off(job, proxy)) == (7, 5)


@pytest.mark.parametrize("lines", [[1], [4], [4, 5], [6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [12, 13]])
def test_rows_that_are_checked_again_count_once(proxy: DoiProxy, lines: list[int]) -> None:
    job = check(MIXED, proxy)
    recheck_rows(job, lines, proxy=proxy, now=NOW)
    assert count(job) == count_by_rows(job)
    for chunk_id in undone(job):
        check_chunk(chunk_id, proxy=proxy)
    assert count(job) == (7, 5)


@pytest.mark.parametrize("text", [f"doi\n{GOOD}\n{ABSENT}\n", f"{GOOD}\n", f"title,doi\nA,http://dx.doi.org/{GOOD}\n"])
def test_a_table_has_no_references(proxy: DoiProxy, text: str) -> None:
    job = run(make_job(text, proxy), proxy)
    assert count(job) == (0, 0)
    assert set(Row.objects.filter(job=job).values_list("reference", flat=True)) == {None}


@pytest.mark.parametrize(
    ("references", "repeated"),
    [
        ([f"{GOOD} {LINK}"], []),
        ([f"{GOOD} {LINK} {PAGE} {GOOD}"], []),
        ([f"{GOOD} {LINK}", f"{OTHER} https://doi.org/{OTHER}"], []),
        ([GOOD, GOOD], [2]),
        ([f"{GOOD} {LINK}", GOOD], [3]),
        ([GOOD, f"{OTHER} {LINK}"], [3]),
        ([GOOD, OTHER, GOOD, OTHER], [3, 4]),
        ([f"{GOOD} {LINK}", f"{GOOD} {LINK}"], [3, 4]),
        (["nothing", "nothing"], []),
        ([f"{ABSENT} {ABSENT}", f"{OTHER} {ABSENT}"], [4]),
        ([f"{LINK} {PAGE}", f"http://dx.doi.org/{GOOD}"], [3]),
    ],
)
@pytest.mark.parametrize("rows_in_chunk", [1, 1000])
def test_a_row_repeats_a_doi_only_of_another_reference(
    proxy: DoiProxy, references: list[str], repeated: list[int], rows_in_chunk: int
) -> None:
    job = make_job(write(*references), proxy, filename="list.ris")
    for chunk_id in reversed(list(import_rows.read_into_rows(job.pk, rows_in_chunk=rows_in_chunk))):
        check_chunk(chunk_id, proxy=proxy)
    job.refresh_from_db()
    wanted = RowFilter(duplicates=True)
    rows = fetch_rows(job, wanted, Row.objects.filter(job=job).order_by("line"), 100)
    assert [row.line for row in rows] == repeated
    assert count_repeated(job) == count_facets(job, wanted).fit == len(repeated)


def test_references_that_are_read_on_after_a_pause_are_counted_once(proxy: DoiProxy) -> None:
    job = make_job(MIXED, proxy, filename="list.ris")
    reading = import_rows.read_into_rows(job.pk, rows_in_chunk=2)
    next(reading)
    import_rows.give_file_back(reading)
    assert len(list(import_rows.read_into_rows(job.pk, rows_in_chunk=3))) > 1
    for chunk in Chunk.objects.filter(job=job).order_by("number"):
        check_chunk(chunk.pk, proxy=proxy)
    assert count(job) == (7, 5)
