"""The uploaded file again, with the corrections: which lists have it, and what comes back."""

import gzip
from typing import Any

import pytest
from django.test import Client

from resolver.services.uploads import stored_uploads
from tests.api.conftest import Post, assert_problem, run
from tests.sheets.bibliographic import made_files
from tests.sheets.binary_workbook.made import Sheet, xls, xlsb
from tests.sheets.made_workbooks import ods, ods_cell, ods_row, xlsx

pytestmark = pytest.mark.django_db

ROWS = [["doi"], ["10.1000/182."]]
FILES = {
    "csv": b"id,doi\r\n1,10.1000/182.\r\n2,10.5555/missing-2",
    "tsv": b"id\tdoi\n1\t10.1000/182.\n2\t10.5555/missing-2\n",
    "list": b"10.1000/182.\n10.5555/missing-2\n",
    "xlsx": xlsx('<row r="1"><c r="A1" t="inlineStr"><is><t>10.1000/182.</t></is></c></row>'),
    "ods": ods(ods_row(ods_cell("<text:p>10.1000/182.</text:p>"))),
    "gz": gzip.compress(b"id,doi\n1,10.1000/182.\n2,10.5555/missing-2\n"),
}


def download(api: Client, job: object, query: str = "") -> bytes:
    answer: Any = api.get(f"/api/v1/jobs/{job}/results.original{query}")
    assert answer.status_code == 200, answer.content
    return b"".join(answer.streaming_content)


def send_json_lines(api: Client) -> str:
    answer = api.post("/api/v1/jobs", b'{"doi": "10.1000/182."}\n', content_type="application/x-ndjson")
    return str(answer.json()["id"])


@pytest.mark.parametrize(
    ("file", "name", "reason"),
    [
        (xls(Sheet("One", ROWS)), "list.xls", "Save it as XLSX first."),
        (xlsb(Sheet("One", ROWS)), "list.xlsb", "Save it as XLSX first."),
        (made_files.JSON.encode(), "list.json", "We don't write into this kind of JSON."),
    ],
)
def test_a_format_that_is_not_written_is_refused_with_the_reason(
    api: Client, upload: Post, file: bytes, name: str, reason: str
) -> None:
    job = run(upload(file, name).json()["id"])
    problem = assert_problem(api.get(f"/api/v1/jobs/{job.pk}/results.original"), 409)
    assert problem["type"] == "/problems/no-original-file"
    assert reason in problem["detail"]


def test_json_lines_that_were_read_as_a_table_are_not_written(api: Client) -> None:
    job = run(send_json_lines(api))
    problem = assert_problem(api.get(f"/api/v1/jobs/{job.pk}/results.original"), 409)
    assert problem["type"] == "/problems/no-original-file"
    assert "JSON lines" in problem["detail"]


def test_a_bibliographic_file_has_no_columns_to_add(api: Client, upload: Post) -> None:
    job = run(upload(made_files.RIS.encode(), "list.ris").json()["id"])
    problem = assert_problem(api.get(f"/api/v1/jobs/{job.pk}/results.original?columns=1"), 409)
    assert problem["type"] == "/problems/no-original-file"
    assert "no columns" in problem["detail"]


@pytest.mark.parametrize("query", ["accept=all", "columns=2", "column=1"])
def test_an_unknown_word_or_parameter_is_refused(api: Client, upload: Post, query: str) -> None:
    job = run(upload(made_files.RIS.encode(), "list.ris").json()["id"])
    assert_problem(api.get(f"/api/v1/jobs/{job.pk}/results.original?{query}"), 400)


@pytest.mark.parametrize(
    ("name", "kind", "media_type"),
    [
        ("list.ris", "ris", "application/x-research-info-systems"),
        ("list.json", "csl-json", "application/vnd.citationstyles.csl+json"),
        ("list.mrk", "mrk", "application/octet-stream"),
        ("list.csv", "csv", "text/csv"),
        ("list.tsv", "tsv", "text/tab-separated-values"),
        ("list.txt", "list", "text/plain"),
        ("list.csv.gz", "gz", "application/gzip"),
        ("list.xlsx", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("list.ods", "ods", "application/vnd.oasis.opendocument.spreadsheet"),
        ("list.xlsm", "xlsx", "application/vnd.ms-excel.sheet.macroenabled.12"),
    ],
)
def test_the_media_type_is_that_of_the_format(api: Client, upload: Post, name: str, kind: str, media_type: str) -> None:
    job = run(upload(FILES.get(kind) or made_files.TEXTS[kind].encode(), name).json()["id"])
    stem, _, ending = name.partition(".")
    for query, word in (("", "accepted"), ("?accept=suggested", "corrected")):
        answer = api.get(f"/api/v1/jobs/{job.pk}/results.original{query}")
        assert answer["Content-Type"] == media_type
        assert answer["Content-Disposition"] == f'attachment; filename="{stem}-{word}.{ending}"'


def test_suggestions_and_two_columns_are_written_if_wanted(api: Client, upload: Post) -> None:
    job = run(upload(FILES["csv"], "list.csv").json()["id"])
    assert download(api, job.pk) == FILES["csv"]
    assert download(api, job.pk, "?accept=suggested") == b"id,doi\r\n1,10.1000/182\r\n2,10.5555/missing-2"
    assert download(api, job.pk, "?columns=1") == (
        b"id,doi,corrected_doi,correction\r\n1,10.1000/182.,10.1000/182,suggested\r\n2,10.5555/missing-2,,not-registered"
    )
    tags = {api.get(f"/api/v1/jobs/{job.pk}/results.original?columns={flag}")["ETag"] for flag in (0, 1)}
    assert len(tags) == 2


def test_a_second_person_gets_no_file(api: Client, other: Client, upload: Post) -> None:
    job = run(upload(FILES["csv"], "list.csv").json()["id"])
    assert_problem(other.get(f"/api/v1/jobs/{job.pk}/results.original"), 404)


def test_a_table_whose_file_was_removed_is_gone(api: Client, upload: Post) -> None:
    job = run(upload(FILES["csv"], "list.csv").json()["id"])
    stored_uploads.delete_upload(job.upload)
    for query in ("", "?accept=suggested", "?columns=1"):
        assert_problem(api.get(f"/api/v1/jobs/{job.pk}/results.original{query}"), 410)
