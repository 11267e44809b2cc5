"""The rows of a list with their numbers, and lists in which each DOI of a cell has a row."""

import csv
import io
from itertools import islice
from pathlib import Path

import pytest

from resolver.models import Job, Row
from resolver.services.comparisons import reruns
from resolver.services.comparisons.compare import advance_comparison, get_or_create_comparison, order_runs
from resolver.services.jobs import import_rows, lifecycle
from resolver.services.jobs.list_rows import read_list_rows
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.result_files.columns import list_columns
from resolver.services.results.export import iterate_results
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.output.csv_and_jsonl import generate_csv
from tests.services.conftest import NOW, make_job, run
from tests.sheets.result_tables import as_object, make_table

pytestmark = pytest.mark.django_db(transaction=True)

LIST = "Loans\nid,DOI\na,10.5555/one; 10.5555/missing\n\nb,nothing\nc,10.5555/two and 10.5555/one and 10.5555/x\n"


def stored(job: Job) -> list[tuple[int, int | None, int, str]]:
    return list(Row.objects.filter(job=job).order_by("line").values_list("line", "row", "part", "input"))


def table(job: Job, **columns: bool) -> list[list[str]]:
    data = b"".join(generate_csv(make_table(job.header, iterate_results(job), list_columns(**columns)))).decode(
        "utf-8-sig"
    )
    return list(csv.reader(io.StringIO(data, newline="")))


def test_rows_have_the_numbers_of_the_spreadsheet(proxy: DoiProxy) -> None:
    job = run(make_job(LIST, proxy), proxy)
    assert [row[:3] for row in stored(job)] == [(1, 3, 0), (2, 4, 0), (3, 5, 0), (4, 6, 0)]
    head, *rows = table(job)
    assert head[:5] == ["id", "DOI", "row", "doi", "doi_url"]
    assert [row[2] for row in rows] == ["3", "4", "5", "6"]


def test_rows_of_a_list_stored_before_have_numbers_too(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/one\n10.5555/one\n", proxy), proxy)
    Row.objects.filter(job=job).update(row=None)
    job.layout.pop("first_row")
    rows = list(iterate_results(job))
    assert [row.row for row in rows] == [2, 3]
    assert as_object(rows[1])["messages"].startswith("Row 2 of the list")


def test_each_doi_of_a_cell_has_a_row_if_the_list_is_split(proxy: DoiProxy) -> None:
    job = run(make_job(LIST, proxy, split=True), proxy)
    assert stored(job) == [
        (1, 3, 1, "10.5555/one"), (2, 3, 2, "10.5555/missing"), (3, 4, 1, ""), (4, 5, 1, "nothing"),
        (5, 6, 1, "10.5555/two"), (6, 6, 2, "10.5555/one"), (7, 6, 3, "10.5555/x"),
    ]  # fmt: skip
    assert (job.total, job.state, job.layout["complete"]) == (7, "finished", True)
    head, *rows = table(job, split=True)
    assert head[:5] == ["id", "DOI", "row", "part", "doi"]
    assert [row[0] for row in rows] == ["a", "a", "", "b", "c", "c", "c"]
    assert [row[6] for row in rows[:2]] == ["resolved", "not-found"]
    assert rows[5][head.index("messages")].startswith("Row 3 of the list has the same DOI")


def test_a_killed_reader_of_a_split_list_goes_on_within_a_cell(proxy: DoiProxy) -> None:
    job = make_job(LIST, proxy, split=True)
    reading = import_rows.read_into_rows(job.pk, rows_in_chunk=2)
    list(islice(reading, 3))
    reading.close()
    Job.objects.filter(pk=job.pk).update(reader="", read_until=None)
    run(Job.objects.get(pk=job.pk), proxy)
    assert [row[:3] for row in stored(job)] == [
        (1, 3, 1), (2, 3, 2), (3, 4, 1), (4, 5, 1), (5, 6, 1), (6, 6, 2), (7, 6, 3),
    ]  # fmt: skip


def test_the_rest_of_a_stopped_split_list_is_in_its_file(proxy: DoiProxy) -> None:
    job = make_job(LIST, proxy, split=True)
    next(import_rows.read_into_rows(job.pk, rows_in_chunk=2))
    lifecycle.cancel_job(job, now=NOW)
    rows = list(iterate_results(Job.objects.get(pk=job.pk)))
    assert [(row.line, row.row, row.part) for row in rows][-2:] == [(6, 6, 2), (7, 6, 3)]


def test_a_rerun_is_split_too_and_both_are_compared_row_by_row(proxy: DoiProxy) -> None:
    first = run(make_job(LIST, proxy, split=True), proxy)
    again = run(reruns.create_rerun(first, proxy=proxy, now=NOW), proxy)
    assert stored(again) == stored(first)
    comparison = get_or_create_comparison(*order_runs(first, again), now=NOW)
    advance_comparison(comparison.pk)
    comparison.refresh_from_db()
    assert (comparison.by_line, comparison.counts) == (True, {"unchanged": 7})
    assert not reruns.are_of_one_file(first, run(make_job(LIST, proxy), proxy))


def test_another_doi_that_is_not_registered_is_a_problem_of_its_row(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/one; 10.5555/missing\n10.5555/one; 10.5555/two\n", proxy), proxy)
    assert ["other-not-registered" in row.problem_codes for row in job.rows.order_by("line")] == [True, False]
    assert job.counts["problem"]["other-not-registered"] == 1


@pytest.mark.parametrize(("bounds", "reason"), [({"max_rows": 5}, "5 rows"), ({"max_expanded": 2000}, "Don't split")])
def test_what_splitting_makes_of_a_file_is_bounded(tmp_path: Path, bounds: dict[str, int], reason: str) -> None:
    (tmp_path / "upload").write_text("doi,t\n" + ";".join(f"10.1000/{n}" for n in range(9)) + f",{'x' * 400}\n")
    layout = Layout("csv", "utf-8", ",", True, True, ("doi", "t"), 0, 1, split=True)
    with pytest.raises(UnreadableFile, match=reason):
        list(read_list_rows(tmp_path / "upload", layout, **bounds))  # type: ignore[arg-type]
