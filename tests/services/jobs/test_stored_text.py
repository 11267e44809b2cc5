"""What a list stores is bounded by its upload: no small file fills the disk."""

import time
from typing import Any

import pytest
from django.db import connection

from resolver.models import Chunk, Row
from resolver.services.health.storage_sizes import measure_database
from resolver.services.jobs import import_rows, retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from tests.services.conftest import NOW, make_job, run
from tests.services.measured_space import measure_without_free_space
from tests.sheets.made_workbooks import strings, xlsx

pytestmark = pytest.mark.django_db(transaction=True)

LONG = 990_000  # characters
ROWS = 598
KEPT = "10.1000/182"


def repeat_one_text(rows: int = ROWS, length: int = LONG) -> bytes:
    """A workbook of some kilobytes whose rows all refer to one long text."""
    head = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
    cells = (
        f'<row r="{row}"><c r="A{row}" t="s"><v>2</v></c><c r="B{row}" t="s"><v>3</v></c></row>'
        for row in range(2, rows + 2)
    )
    shared = strings(*(f"<t>{text}</t>" for text in ("doi", "note", KEPT, "a" * length)))
    return xlsx(head + "".join(cells), xl__sharedStrings=shared)


def test_nine_kilobytes_that_would_be_600_megabytes_are_refused_with_their_row(nowhere: DoiProxy) -> None:
    file, before = repeat_one_text(), measure_database()
    assert len(file) < 10_000
    began = time.monotonic()
    job = make_job(file, nowhere, filename="list.xlsx")
    list(import_rows.read_into_rows(job.pk))
    assert time.monotonic() - began < 60, "seconds on a busy machine; it takes about one"
    job.refresh_from_db()
    assert (job.state, job.total, job.done) == ("failed", 0, 0)
    assert job.error.startswith("Row 22: With this row the list takes more than 20 MB in the database.")
    assert not Row.objects.filter(job=job).exists()
    assert not Chunk.objects.filter(job=job).exists()
    if connection.vendor == "sqlite":
        assert measure_database() - before < 1.5 * import_rows.LEAST_LIST_BYTES
    assert list(iterate_results(job)) == []
    with pytest.raises(retry.NothingToRetry):
        retry.retry_job(job, proxy=nowhere, now=NOW)


def test_many_rows_of_two_bytes_are_refused(nowhere: DoiProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_rows, "LEAST_LIST_BYTES", 1_000_000)
    job = make_job("doi\n" + "1\n" * 4000, nowhere)
    list(import_rows.read_into_rows(job.pk))
    job.refresh_from_db()
    assert (job.state, job.total) == ("failed", 0)
    assert job.error.startswith("Row 2978: With this row the list takes more than 1 MB in the database.")


def test_no_list_of_dois_is_refused_for_its_rows(nowhere: DoiProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_rows, "LEAST_LIST_BYTES", 1000)
    job = make_job("doi\n" + "10.1/a\n" * 4000, nowhere)
    list(import_rows.read_into_rows(job.pk))
    job.refresh_from_db()
    assert (job.state, job.total) == ("checking", 4000)


def test_a_row_takes_what_it_counts(nowhere: DoiProxy) -> None:
    rows, before = 20_000, measure_without_free_space()
    list(import_rows.read_into_rows(make_job("doi\n" + "1\n" * rows, nowhere).pk))
    assert 0.85 * import_rows.ROW_BYTES < (measure_without_free_space() - before) / rows < 1.1 * import_rows.ROW_BYTES


def test_a_list_that_fits_is_stored_as_it_is(proxy: DoiProxy) -> None:
    job = run(make_job(repeat_one_text(rows=15), proxy, filename="list.xlsx"), proxy)
    assert (job.state, job.total, job.done) == ("finished", 15, 15)


def test_a_larger_upload_may_store_more(nowhere: DoiProxy, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_rows, "LEAST_LIST_BYTES", 1000)
    file = repeat_one_text(rows=20, length=10_000)
    for factor, state in ((1000, "checking"), (20, "failed"), (0, "checking")):
        settings.STORED_FACTOR = factor
        job = make_job(file, nowhere, filename="list.xlsx")
        list(import_rows.read_into_rows(job.pk))
        job.refresh_from_db()
        assert job.state == state, factor


def test_a_reader_that_goes_on_counts_what_is_stored(
    nowhere: DoiProxy, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = make_job("doi,note\n" + f"10.1000/1,{'a' * 100}\n" * 10, nowhere)
    reader = import_rows.read_into_rows(job.pk, rows_in_chunk=4)
    next(reader)
    next(reader)
    import_rows.give_file_back(reader)
    assert Row.objects.filter(job=job).count() == 8
    monkeypatch.setattr(
        import_rows, "LEAST_LIST_BYTES", 1000
    )  # more than two rows, less than the eight that are stored
    settings.STORED_FACTOR = 1
    list(import_rows.read_into_rows(job.pk, rows_in_chunk=4))
    job.refresh_from_db()
    assert (job.state, Row.objects.filter(job=job).count()) == ("failed", 0)


def test_rows_that_a_worker_has_checked_meanwhile_are_removed_with_their_counts(
    proxy: DoiProxy, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_rows, "LEAST_LIST_BYTES", 1000)
    settings.STORED_FACTOR = 1
    job = run(make_job(repeat_one_text(rows=20, length=200), proxy, filename="list.xlsx"), proxy, rows_in_chunk=2)
    assert (job.state, job.total, job.done, job.counts["outcome"]) == ("failed", 0, 0, {})
    assert not Row.objects.filter(job=job).exists()
