"""Bibliographic files: what the jobs and rows of one say, and the file that comes back."""

import csv
import gzip
import io
import json
from typing import Any

import pytest
from django.test import Client

from resolver.models import Job
from resolver.services.uploads import stored_uploads
from tests.api.conftest import Post, assert_problem, run
from tests.sheets.bibliographic import made_files

pytestmark = pytest.mark.django_db

RIS = b"""TY  - JOUR\r
TI  - An article\r
AU  - Doe, Jane\r
PY  - 2001\r
DO  - 10.1000/182.\r
UR  - http://dx.doi.org/10/p54k\r
ER  - \r
TY  - JOUR\r
DO  - 10.5555/missing\r
UR  - https://www.sciencedirect.com/science/article/doi/10.1000/182.\r
ER  - \r
"""
DAMAGED = b'[{"DOI": oops}, {"id": "b", "DOI": "10.1000/182"}]'


@pytest.fixture
def job(upload: Post) -> str:
    job_id = str(upload(RIS, "list.ris").json()["id"])
    run(job_id)
    return job_id


def body(response: Any) -> bytes:
    assert response.status_code == 200, response.content
    return b"".join(response.streaming_content)


def original(api: Client, job: str, query: str = "") -> bytes:
    return body(api.get(f"/api/v1/jobs/{job}/results.original{query}"))


def decide(api: Client, job: str, line: int, **wanted: str) -> None:
    response = api.patch(f"/api/v1/jobs/{job}/rows/{line}", wanted, content_type="application/json")
    assert response.status_code == 200, response.content


def test_a_job_says_of_which_kind_its_file_is(api: Client, job: str, upload: Post) -> None:
    assert api.get(f"/api/v1/jobs/{job}").json()["kind"] == "ris"
    assert upload("doi\n10.1000/182\n").json()["kind"] == "table"


def test_a_job_counts_the_references_of_its_file_and_those_that_need_something(
    api: Client, job: str, upload: Post
) -> None:
    assert api.get(f"/api/v1/jobs/{job}").json()["references"] == {"total": 2, "need": 2}
    table = run(upload("doi\n10.1000/182\n").json()["id"])
    assert api.get(f"/api/v1/jobs/{table.pk}").json()["references"] is None


def test_another_field_of_the_same_reference_is_no_duplicate(api: Client, upload: Post) -> None:
    entry = b"@book{%s, doi = {10.1000/182}, url = {https://doi.org/10.1000/182}}\n"
    job = str(run(upload(entry % b"a" + entry % b"b", "list.bib").json()["id"]).pk)
    found = api.get(f"/api/v1/jobs/{job}/rows?duplicates=1").json()["results"]
    assert [row["line"] for row in found] == [3, 4]
    rows = api.get(f"/api/v1/jobs/{job}/rows").json()["results"]
    assert ["same DOI" in row["messages"] for row in rows] == [False, False, True, True]
    lines = body(api.get(f"/api/v1/jobs/{job}/results.jsonl")).splitlines()
    assert ["same DOI" in json.loads(line)["messages"] for line in lines] == [False, False, True, True]


def test_rows_say_in_which_record_and_field_their_text_stands(api: Client, job: str) -> None:
    rows = api.get(f"/api/v1/jobs/{job}/rows").json()["results"]
    assert [(row["record"], row["field"], row["writable"]) for row in rows] == [
        ("1", "DO", True),
        ("1", "UR", True),
        ("2", "DO", True),
        ("2", "UR", False),
    ]
    assert [bool(row["reason"]) for row in rows] == [False, False, False, True]
    assert rows[0]["input"] == "10.1000/182."
    assert api.get(f"/api/v1/jobs/{job}/rows/4").json()["field"] == "UR"


def test_rows_of_a_table_have_no_record(api: Client, upload: Post) -> None:
    table = run(upload("doi\n10.1000/182\n").json()["id"])
    [row] = api.get(f"/api/v1/jobs/{table.pk}/rows").json()["results"]
    assert [row[name] for name in ("record", "field", "writable", "reason")] == [None] * 4


def test_result_files_begin_with_the_record_and_the_field(api: Client, job: str) -> None:
    text = body(api.get(f"/api/v1/jobs/{job}/results.csv")).decode("utf-8-sig")
    header, first, *_ = csv.reader(io.StringIO(text, newline=""))
    assert header[:8] == ["record", "field", "value", "title", "author", "year", "writable", "reason"]
    assert first[:8] == ["1", "DO", "10.1000/182.", "An article", "Doe, Jane", "2001", "yes", ""]
    line = json.loads(body(api.get(f"/api/v1/jobs/{job}/results.jsonl")).splitlines()[0])
    assert list(line)[:2] == ["record", "field"]
    assert (line["record"], line["field"], line["writable"], line["reason"]) == ("1", "DO", True, None)


def test_with_nothing_decided_the_file_is_the_uploaded_one(api: Client, job: str) -> None:
    response = api.get(f"/api/v1/jobs/{job}/results.original")
    assert response.headers["Content-Disposition"] == 'attachment; filename="list-accepted.ris"'
    assert body(response) == RIS


def test_suggestions_that_are_not_doubtful_are_written_if_wanted(api: Client, job: str) -> None:
    expected = RIS.replace(b"DO  - 10.1000/182.", b"DO  - 10.1000/182").replace(
        b"http://dx.doi.org/10/p54k", b"https://doi.org/10.1021/JACS.5C01100"
    )
    assert original(api, job, "?accept=suggested") == expected


CLEANED = (
    "https://doi.org/https://doi.org/10.1000/182",
    "https://doi-org.ezproxy.lib.example.edu/10.1000/182",
    "10.1000%2F182",
    "https://doi.org/10.1000/182?utm_source=newsletter",
    "doi: 10.1000/182",
    "\u00a010.1000/182\u00a0",
    "http://dx.doi.org/10.1000/182",
)
AS_THEY_ARE = ("10.1000/182", "https://doi.org/10.1000/182", "10.5555/missing")


def test_a_registered_doi_that_is_not_written_plainly_is_cleaned_where_the_field_can_be_changed(
    api: Client, upload: Post
) -> None:
    link = "url = {https://www.sciencedirect.com/science/article/doi/10.1000/182}"
    entries = [f"@article{{a{number}, doi = {{{text}}}, {link}}}" for number, text in enumerate(CLEANED + AS_THEY_ARE)]
    file = "\n".join(entries)
    done = run(upload(file.encode(), "thesis.bib").json()["id"])
    found = {row.input: row.correction for row in done.rows.all()}
    assert [found[text] for text in CLEANED] == ["cleaned"] * len(CLEANED)
    assert [found[text] for text in AS_THEY_ARE] == ["unchanged", "unchanged", "not-registered"]
    expected = file
    for text in CLEANED:
        expected = expected.replace(f"doi = {{{text}}}", "doi = {10.1000/182}")
    assert original(api, str(done.pk), "?accept=suggested").decode() == expected
    assert original(api, str(done.pk)).decode() == file
    assert [row["correction"] for row in api.get(f"/api/v1/jobs/{done.pk}/rows?correction=cleaned").json()["results"]]


def test_only_what_was_decided_is_written(api: Client, job: str) -> None:
    decide(api, job, 1, decision="accepted")
    decide(api, job, 2, decision="rejected")
    decide(api, job, 4, decision="accepted")
    expected = RIS.replace(b"DO  - 10.1000/182.", b"DO  - 10.1000/182")
    assert original(api, job) == original(api, job, "?accept=suggested") == expected


def test_a_compressed_file_comes_back_compressed(api: Client, upload: Post) -> None:
    packed = gzip.compress(RIS)
    job = str(run(upload(packed, "list.ris.gz").json()["id"]).pk)
    assert original(api, job) == packed
    decide(api, job, 1, decision="accepted")
    response = api.get(f"/api/v1/jobs/{job}/results.original")
    assert response.headers["Content-Disposition"] == 'attachment; filename="list-accepted.ris.gz"'
    assert gzip.decompress(body(response)) == RIS.replace(b"DO  - 10.1000/182.", b"DO  - 10.1000/182")


def test_a_compressed_file_into_which_nothing_fits_is_the_uploaded_one(api: Client, upload: Post) -> None:
    packed = gzip.compress(b"@book{doe2001, doi = 10.1000/182. }\n", compresslevel=1)
    job = str(run(upload(packed, "list.bib.gz").json()["id"]).pk)
    decide(api, job, 1, decision="accepted")
    assert original(api, job) == packed


def test_without_the_uploaded_file_the_answer_says_so(api: Client, job: str) -> None:
    stored_uploads.delete_upload(Job.objects.get().upload)
    assert_problem(api.get(f"/api/v1/jobs/{job}/results.original"), 410)


def test_texts_that_a_database_can_not_hold_are_rows_all_the_same(api: Client, upload: Post) -> None:
    data = rb'[{"type": "book", "id": "\u0000\ud800", "title": "\u0000", "DOI": "10.1000/182\u0000"}]'
    job = run(upload(data, "list.json").json()["id"])
    assert (job.state, job.total) == ("finished", 1)
    assert original(api, str(job.pk)) == data


def test_a_damaged_record_is_a_row_of_its_own_and_stays(api: Client, upload: Post) -> None:
    job = run(upload(DAMAGED, "list.json").json()["id"])
    broken, whole = api.get(f"/api/v1/jobs/{job.pk}/rows").json()["results"]
    assert (broken["problems"], broken["doi"], broken["field"], broken["writable"]) == (
        ["unreadable-record"],
        None,
        None,
        False,
    )
    assert broken["reason"].startswith("Byte 1:")
    assert (whole["record"], whole["field"], whole["outcome"]) == ("b", "DOI", "resolved")
    assert original(api, str(job.pk)) == DAMAGED


@pytest.mark.parametrize("kind", [*(kind for kind in made_files.TEXTS if kind != "json"), "marc"])
def test_each_format_is_checked_and_comes_back_as_it_was(api: Client, upload: Post, kind: str) -> None:
    data = made_files.MARC if kind == "marc" else made_files.TEXTS[kind].encode()
    job = run(upload(data, "list").json()["id"])
    assert api.get(f"/api/v1/jobs/{job.pk}").json()["kind"] == kind
    assert (job.state, job.done) == ("finished", job.total)
    assert original(api, str(job.pk)) == data


@pytest.mark.parametrize("data", [b"TY  - JOUR\r\nTI  - \xe9\xe9\r\nER  - \r\n", b"TY  - JOUR\n", b'[{"DOI": ""}]'])
def test_a_file_without_a_doi_is_refused_as_a_table_without_one_is(upload: Post, data: bytes) -> None:
    problem = assert_problem(upload(data, "list"), 400)
    assert "1 record, without a DOI in the fields that are read" in problem["detail"]
    assert not Job.objects.exists()


def test_the_file_has_an_etag_that_a_decision_changes(api: Client, job: str) -> None:
    address = f"/api/v1/jobs/{job}/results.original"
    first = api.get(address)
    whole = body(first)
    assert api.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    assert api.get(f"{address}?accept=suggested")["ETag"] != first["ETag"]
    decide(api, job, 1, decision="accepted")
    again = api.get(address, headers={"If-None-Match": first["ETag"]})
    assert body(again) != whole


def test_the_file_is_there_when_the_job_has_ended(api: Client, upload: Post) -> None:
    job = upload(RIS, "list.ris").json()["id"]
    assert_problem(api.get(f"/api/v1/jobs/{job}/results.original"), 409)


@pytest.mark.parametrize("option", ["encoding", "delimiter", "header_row"])
def test_settings_of_tables_are_refused(upload: Post, option: str) -> None:
    value = {"encoding": "utf-8", "delimiter": ",", "header_row": "1"}[option]
    assert option in assert_problem(upload(RIS, "list.ris", **{option: value}), 400)["errors"]


def test_a_column_of_a_bibliographic_file_is_refused(upload: Post) -> None:
    assert "RIS" in str(upload(RIS, "list.ris", column="doi").json())
