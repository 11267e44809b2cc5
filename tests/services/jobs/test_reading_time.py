"""A worker spends a bounded time on reading one file: then its list fails with the reason, and the worker is free."""

import time

import pytest

from resolver.models import Job, Row
from resolver.services.jobs import import_rows, list_rows
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from tests.services.conftest import make_job
from tests.sheets.made_workbooks import xlsx

pytestmark = pytest.mark.django_db(transaction=True)  # a lease is renewed by another thread

FIRST = "@article{a, doi={10.1000/1}}\n"
# Definitions are no rows: the reader looks for the next entry and gives nothing back for long.
ENDLESS = FIRST + "@string{a}" * 300_000


@pytest.fixture
def _little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_rows, "OTHER_FILE_SECONDS", 0.2)


@pytest.mark.usefixtures("_little_time")
def test_a_file_that_takes_too_long_fails_its_list(nowhere: DoiProxy) -> None:
    job = make_job(ENDLESS, nowhere)
    began = time.thread_time()
    list(import_rows.read_into_rows(job.id))
    assert time.thread_time() - began < 1
    job.refresh_from_db()
    assert job.state == "failed"
    assert "longer than 0 seconds to read" in job.error
    assert Row.objects.filter(job=job).count() == 1


def test_a_file_of_definitions_without_an_entry_fails_its_list_soon(
    nowhere: DoiProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_rows, "IDLE_SECONDS_FOR_RECORDS", 0.2)
    job = make_job(ENDLESS, nowhere)
    began = time.thread_time()
    list(import_rows.read_into_rows(job.id))
    assert time.thread_time() - began < 3, "seconds on a busy machine"
    job.refresh_from_db()
    assert (job.state, job.total) == ("failed", 1)
    assert job.error.startswith("There is too much after record 1 that belongs to no record")


def test_a_sheet_of_empty_rows_fails_its_list_soon(nowhere: DoiProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_rows, "IDLE_SECONDS", 0.2)
    rows = [f'<row><c t="inlineStr"><is><t>{text}</t></is></c></row>' for text in ("doi", *["10.1000/1"] * 5)]
    job = make_job(xlsx("".join(rows) + "<row><c/><c/></row>" * 400_000), nowhere, filename="list.xlsx")
    began = time.thread_time()
    list(import_rows.read_into_rows(job.id))
    assert time.thread_time() - began < 3, "seconds on a busy machine"
    job.refresh_from_db()
    assert (job.state, job.total) == ("failed", 5)
    assert "After 5 rows with text come too many empty rows" in job.error


def test_records_without_a_doi_and_rows_that_were_read_before_are_progress(
    nowhere: DoiProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_rows, "IDLE_SECONDS_FOR_RECORDS", 0.3)
    monkeypatch.setattr(list_rows, "IDLE_SECONDS", 0.3)
    records = make_job(FIRST + "@article{b, title={without}}\n" * 60_000 + FIRST, nowhere)
    rows = make_job("doi\n" + "10.1000/1\n" * 200_000, nowhere)
    began = time.thread_time()
    for job in (records, rows):
        reader = import_rows.read_into_rows(job.id, rows_in_chunk=1)
        next(reader)
        import_rows.give_file_back(reader)
        Row.objects.filter(job=job).update(line=190_000 if job == rows else 1)
        list(import_rows.read_into_rows(job.id))
    assert time.thread_time() - began > 1, "more than the patience for each"
    assert {*Job.objects.values_list("state", flat=True)} == {"checking"}


@pytest.mark.usefixtures("_little_time")
def test_the_time_between_two_readings_does_not_count(nowhere: DoiProxy) -> None:
    job = make_job("doi\n" + "10.1000/1\n" * 30, nowhere)
    for _ in import_rows.read_into_rows(job.id, rows_in_chunk=10):
        began = time.thread_time()
        while time.thread_time() - began < 0.3:
            pass
    assert Job.objects.get(pk=job.pk).state == "checking"
