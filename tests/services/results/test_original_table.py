"""The uploaded table with the accepted DOIs in its cells, and every other byte as it was."""

import csv
import gzip
import io

import pytest

from resolver.models import Job
from resolver.services.jobs import lifecycle, retry
from resolver.services.jobs.import_rows import read_into_rows
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results import accepted_rows
from resolver.services.results.export import JobChanged
from resolver.services.results.no_original_file import NoOriginalFile
from resolver.services.results.original_file import build_left_out_download, iterate_original
from resolver.services.results.row_queries import RowFilter
from resolver.services.reviews.bulk_decisions import decide_rows
from resolver.services.reviews.decisions import Decider, decide_row
from resolver.services.turns.check import check_chunk
from resolver.services.uploads.stored_uploads import get_upload_path
from tests.services.conftest import NOW, make_job, run

pytestmark = pytest.mark.django_db(transaction=True)
ADA = Decider("ada", NOW)

# A title row, a quoted cell with a line break, cells in another encoding, and line ends of Windows.
TABLE = (
    "Holdings of spring;;\r\n"
    "id;DOI;note\r\n"
    '1;10.1000/182.;"caf\xe9;\r\nterrace"\r\n'
    "2;doi:10.1000/182;\r\n"
    "3;10.5555/alias-1;\r\n"
    "4;10.5555/missing-4;\r\n"
    "\r\n"
    '5;"https://doi.org/10.1000/182.";last'
).encode("cp1252")
SUGGESTED = TABLE.replace(b"10.1000/182.", b"10.1000/182").replace(b"doi:10.1000/182", b"10.1000/182")


@pytest.fixture
def job(proxy: DoiProxy) -> Job:
    return run(make_job(TABLE, proxy), proxy)


def write(job: Job, accept: str = "accepted", *, columns: bool = False) -> bytes:
    return b"".join(iterate_original(job, accept, columns=columns))


def test_without_a_decision_the_bytes_are_those_of_the_upload(job: Job) -> None:
    assert write(job) == TABLE


def test_suggestions_and_cleaned_dois_are_written_and_nothing_else(job: Job) -> None:
    assert write(job, "suggested") == SUGGESTED


def test_a_decision_is_written_in_its_cell_alone(job: Job) -> None:
    decide_row(job, 1, "accepted", by=ADA)
    assert write(job) == TABLE.replace(b";10.1000/182.", b";10.1000/182")


def test_the_doi_behind_an_alias_is_written_where_a_person_decided_so(job: Job) -> None:
    alias = job.rows.get(correction="main-doi")
    decide_row(job, alias.line, "accepted", by=ADA)
    assert write(job, "suggested") == SUGGESTED.replace(b"10.5555/alias-1", alias.alias_of.encode())


def test_two_columns_stand_after_the_last_cell_of_each_row(job: Job) -> None:
    table = list(csv.reader(io.StringIO(write(job, columns=True).decode("cp1252"), newline=""), delimiter=";"))
    assert table[1] == ["id", "DOI", "note", "corrected_doi", "correction"]
    assert [row[-2:] for row in table[2:]] == [
        ["10.1000/182", "suggested"],
        ["10.1000/182", "cleaned"],
        [job.rows.get(correction="main-doi").alias_of, "main-doi"],
        ["", "not-registered"],
        ["", "no-doi"],
        ["10.1000/182", "suggested"],
    ]


def test_a_name_of_a_column_that_is_taken_gets_a_number(proxy: DoiProxy) -> None:
    job = run(make_job("doi,corrected_doi,x\n10.1000/182,,a\n10.5555/two,,b\n", proxy, column="doi"), proxy)
    assert write(job, columns=True) == (
        b"doi,corrected_doi,x,corrected_doi_2,correction\n"
        b"10.1000/182,,a,10.1000/182,unchanged\n10.5555/two,,b,10.5555/two,unchanged\n"
    )


SPLIT = "id,DOI\n1,10.1000/182. | 10.5555/two; 10.5555/three\n2,10.5555/missing-2\n"


def test_of_a_split_cell_only_the_accepted_dois_change(proxy: DoiProxy) -> None:
    job = run(make_job(SPLIT, proxy, split=True), proxy)
    assert job.total == 4
    assert write(job).decode() == SPLIT
    assert write(job, "suggested").decode() == SPLIT.replace("10.1000/182. |", "10.1000/182 |")


def test_the_columns_have_all_dois_of_a_split_cell(proxy: DoiProxy) -> None:
    job = run(make_job(SPLIT, proxy, split=True), proxy)
    first, second = write(job, columns=True).decode().splitlines()[1:]
    assert first.endswith(",10.1000/182; 10.5555/two; 10.5555/three,suggested; unchanged; unchanged")
    assert second == "2,10.5555/missing-2,,not-registered"


def test_a_doi_without_a_corrected_one_keeps_its_place_in_the_columns(proxy: DoiProxy) -> None:
    job = run(make_job("id,DOI\n1,10.5555/missing-2; 10.5555/three\n", proxy, split=True), proxy)
    assert write(job, columns=True).decode().endswith(",; 10.5555/three,not-registered; unchanged\n")


def test_a_compressed_table_comes_back_compressed(proxy: DoiProxy) -> None:
    packed = gzip.compress(TABLE, compresslevel=1)
    job = run(make_job(packed, proxy, filename="list.csv.gz"), proxy)
    assert write(job) == packed
    assert gzip.decompress(write(job, "suggested")) == SUGGESTED


def test_a_compressed_table_into_which_nothing_fits_is_the_uploaded_one(proxy: DoiProxy) -> None:
    packed = gzip.compress(UNFIT.encode(), compresslevel=1)
    job = run(make_job(packed, proxy, filename="list.csv.gz"), proxy)
    decide_rows(job, RowFilter(correction="review"), "accepted", expected=1, by=ADA)
    assert write(job) == packed


UNFIT = "DOI\n10.1000/182 and also 10.1000/456\n10.1000/456\n"


def test_a_name_that_a_cell_can_not_hold_is_listed_with_its_row_and_reason(proxy: DoiProxy) -> None:
    job = run(make_job(UNFIT, proxy), proxy)
    decide_rows(job, RowFilter(correction="review"), "accepted", expected=1, by=ADA)
    assert write(job).decode() == UNFIT
    header, line = b"".join(build_left_out_download(job, "accepted", ",")).decode("utf-8-sig").splitlines()
    assert header == "row,record,field,value,doi,reason"
    assert line.startswith("2,,DOI,10.1000/182 and also 10.1000/456,10.1000/182,")
    assert len(line.rpartition(",")[2]) > 10


def test_of_a_cancelled_list_the_rows_that_were_checked_are_written(proxy: DoiProxy) -> None:
    text = "id,DOI\n" + "".join(f"{n},10.5555/v\u200bendor-{n}\n" for n in range(40)) + "40,10.1000/182,wider\n"
    job = make_job(text, proxy)
    chunks = read_into_rows(job.pk, rows_in_chunk=10)
    check_chunk(next(chunks), proxy=proxy)
    chunks.close()
    lifecycle.cancel_job(job, now=NOW)
    job.refresh_from_db()
    changed = text
    for number in range(10):
        changed = changed.replace(f"v\u200bendor-{number}\n", f"vendor-{number}\n")
    assert write(job, "suggested").decode() == changed
    header, *rows = write(job, columns=True).decode().splitlines()
    assert header == "id,DOI,,corrected_doi,correction"
    assert rows[3] == "3,10.5555/v\u200bendor-3,,10.5555/vendor-3,suggested"
    assert rows[-2:] == ["39,10.5555/v\u200bendor-39,,,unchecked", "40,10.1000/182,wider,,unchecked"]


def test_of_a_list_that_could_not_be_read_to_its_end_the_rows_before_are_written(proxy: DoiProxy) -> None:
    beyond_the_look = f"10.1000/182.,{'x' * 90_000}\n" * 110
    text = f'DOI,note\n{beyond_the_look}10.1000/182.,"never closed\n'
    job = run(make_job(text, proxy), proxy)
    assert (job.state, job.total) == ("failed", 110)
    assert write(job, "suggested").decode() == text.replace("182.", "182", 110)


@pytest.mark.parametrize("columns", [False, True])
def test_the_file_breaks_off_when_its_list_is_retried_meanwhile(
    nowhere: DoiProxy, proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch, columns: bool
) -> None:
    rows = "".join(f"{'x' * 9000},10.5555/v\u200bendor-{n}\n" for n in range(400))
    job = run(make_job(f"id,DOI\n{rows}0,10.5555/error-1\n", proxy), proxy)
    monkeypatch.setattr(accepted_rows, "BATCH_ROWS", 20)
    blocks = iterate_original(job, "suggested", columns=columns)
    begun = [next(blocks), next(blocks)]
    retry.retry_job(Job.objects.get(pk=job.pk), proxy=nowhere, now=NOW)
    with pytest.raises(JobChanged):
        begun.extend(blocks)


def test_a_compressed_file_that_was_cut_is_refused_before_the_first_byte(proxy: DoiProxy) -> None:
    packed = gzip.compress(TABLE * 300)
    job = run(make_job(packed, proxy), proxy)
    decide_row(job, 1, "accepted", by=ADA)
    get_upload_path(job.upload).write_bytes(packed[: len(packed) * 2 // 3])
    with pytest.raises(NoOriginalFile, match="damaged"):
        iterate_original(job, "accepted")
