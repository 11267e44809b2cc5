"""Files that are only looked at when they are uploaded: the rest is learned as they are read."""

import pytest

from resolver.models import Job, Row
from resolver.services.jobs import import_rows, lifecycle, retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from resolver.sheets.input.layout_detection import LOOK_ROWS
from resolver.sheets.output.csv_and_jsonl import generate_csv
from tests.services.conftest import NOW, make_job
from tests.sheets.result_tables import make_table

pytestmark = pytest.mark.django_db

MORE = LOOK_ROWS + 250
LIST = "doi,t\n" + "10.1000/1,A\n" * MORE


def _read(job: Job) -> Job:
    list(import_rows.read_into_rows(job.id))
    job.refresh_from_db()
    return job


def _lines(job: Job) -> list[str]:
    return b"".join(generate_csv(make_table(job.header, iterate_results(job)))).decode().splitlines()


def test_the_number_of_rows_is_known_once_the_file_is_read(nowhere: DoiProxy) -> None:
    job = make_job(LIST, nowhere)
    assert job.total == LOOK_ROWS
    assert (_read(job).state, job.total, job.layout["complete"]) == ("checking", MORE, True)


def test_a_line_far_down_that_cannot_be_read_fails_the_job_and_the_rows_before_it_stay(nowhere: DoiProxy) -> None:
    job = _read(make_job(LIST + '10.1000/2,"open\n', nowhere))
    assert (job.state, job.total, Row.objects.filter(job=job).count()) == ("failed", MORE, MORE)
    assert job.error.startswith(f"Line {MORE + 2}: A quotation mark")


def test_a_wider_row_far_down_makes_columns_of_all(nowhere: DoiProxy) -> None:
    job = _read(make_job(LIST + "10.1000/2,B,C\n", nowhere))
    assert job.header == ["doi", "t", "column 3"]
    lifecycle.cancel_job(job, now=NOW)
    lines = _lines(job)
    assert lines[1].startswith("10.1000/1,A,,")
    assert lines[-1].startswith("10.1000/2,B,C,")


def test_a_job_cancelled_before_it_was_read_has_all_rows_and_columns_in_its_results(nowhere: DoiProxy) -> None:
    job = make_job(LIST + "10.1000/2,B,C\n", nowhere)
    lifecycle.cancel_job(job, now=NOW)
    lines = _lines(job)
    assert (len(lines), lines[0].startswith("\ufeffdoi,t,column 3,doi_2")) == (MORE + 2, True)
    assert lines[-1].startswith("10.1000/2,B,C,")
    job.refresh_from_db()
    assert (job.total, job.header) == (MORE + 1, ["doi", "t", "column 3"])


def test_a_job_cancelled_before_it_was_read_tells_what_cannot_be_read_and_gives_the_rest(nowhere: DoiProxy) -> None:
    job = make_job(LIST + '10.1000/2,"open\n', nowhere)
    lifecycle.cancel_job(job, now=NOW)
    assert len(_lines(job)) == MORE + 1
    assert "never closed" in job.error


def test_what_cannot_be_read_is_told_again_when_a_list_goes_on_whose_results_were_taken_away(nowhere: DoiProxy) -> None:
    job = make_job(LIST + '10.1000/2,"open\n', nowhere)
    reader = import_rows.read_into_rows(job.pk)
    while Row.objects.filter(job=job).count() < MORE:
        next(reader)
    reader.close()  # before it came to the last line
    lifecycle.cancel_job(job, now=NOW)
    assert len(_lines(job)) == MORE + 1
    retry.retry_job(job, now=NOW, proxy=nowhere)
    job = _read(job)
    assert job.state == "failed"
    assert job.error.startswith(f"Line {MORE + 2}: A quotation mark")


def test_a_cancelled_job_whose_rows_are_all_answered_goes_on_where_its_file_has_more(nowhere: DoiProxy) -> None:
    job = make_job(LIST, nowhere)
    reader = import_rows.read_into_rows(job.id)
    next(reader)
    reader.close()
    lifecycle.cancel_job(job, now=NOW)
    Job.objects.filter(pk=job.pk).update(done=job.total)
    job.refresh_from_db()
    assert retry.count_rows_to_retry(job) == 1
    retry.retry_job(job, now=NOW, proxy=nowhere)
    assert job.state == "queued"


def test_long_rows_are_stored_a_few_at_a_time(nowhere: DoiProxy) -> None:
    job = make_job("doi,t\n" + f"10.1000/1,{'x' * 900_000}\n" * 12, nowhere)
    list(import_rows.read_into_rows(job.id))
    assert [chunk.last_line - chunk.first_line + 1 for chunk in job.chunks.all()] == [5, 5, 2]
