"""The uploaded file again, with the corrections: which lists have it, and what comes back."""

import pytest
from django.test import Client

from tests.api.conftest import Post, assert_problem, run
from tests.sheets.bibliographic import made_files
from tests.sheets.binary_workbook.made import Sheet, xls, xlsb

pytestmark = pytest.mark.django_db

ROWS = [["doi"], ["10.1000/182."]]


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
    ],
)
def test_the_media_type_is_that_of_the_format(api: Client, upload: Post, name: str, kind: str, media_type: str) -> None:
    job = run(upload(made_files.TEXTS[kind].encode(), name).json()["id"])
    assert api.get(f"/api/v1/jobs/{job.pk}/results.original")["Content-Type"] == media_type
