"""Results with two columns more: the DOI for the catalogue, and how it came about."""

import csv
import io
import json
from typing import Any

import openpyxl
import pytest
from django.test import Client

from resolver.domain.report.correction import Correction
from resolver.services.jobs import import_rows
from resolver.services.result_files.columns import RESULT_COLUMNS
from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db

LIST = (
    "id,doi\n1,10.1000/182\n2,10.1000/182.\n3,10.5555/missing\n4,nothing\n5,10.5555/error-a\n6,10.5555/novalues\n"
    "7,10/p54k\n8,https://doi.org/10.1000/182#x\n9,10.5555/alias\n"
)
OURS = [column.name for column in RESULT_COLUMNS]
CORRECTED = [
    ["10.1000/182", "unchanged"],
    ["10.1000/182", "suggested"],
    ["", "not-registered"],
    ["", "no-doi"],
    ["", "unchecked"],
    ["10.5555/novalues", "unchanged"],
    ["10.1021/JACS.5C01100", "suggested"],
    ["", "review"],
    ["10.5555/target", "main-doi"],
]


@pytest.fixture
def job(upload: Post) -> str:
    job_id = str(upload(LIST).json()["id"])
    run(job_id)
    return job_id


def body(response: Any) -> bytes:
    assert response.status_code == 200, response.content
    return b"".join(response.streaming_content)


def table(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_each_row_has_its_corrected_doi_and_how_it_came_about(job: str, api: Client) -> None:
    response = api.get(f"/api/v1/jobs/{job}/results.csv?corrected=1")
    assert response.headers["Content-Disposition"] == 'attachment; filename="list-corrected.csv"'
    rows = table(body(response))
    assert rows[0] == ["id", "doi", "row", "doi_2", *OURS[1:], "corrected_doi", "correction"]
    assert [row[-2:] for row in rows[1:]] == CORRECTED
    plain = table(body(api.get(f"/api/v1/jobs/{job}/results.csv")))
    assert [row[:-2] for row in rows] == plain
    assert plain[0][2:] == ["row", "doi_2", *OURS[1:]]


def test_workbook_and_json_lines_say_the_same(job: str, api: Client) -> None:
    book = openpyxl.load_workbook(io.BytesIO(body(api.get(f"/api/v1/jobs/{job}/results.xlsx?corrected=1"))))
    columns = [[cell or "" for cell in cells[-2:]] for cells in book["Results"].iter_rows(values_only=True)]
    assert columns == [["corrected_doi", "correction"], *CORRECTED]
    legend = [cells[:2] for cells in book["Legend"].iter_rows(values_only=True)]
    assert ("column", "corrected_doi") in legend
    assert [value for kind, value in legend if kind == "correction"] == list(Correction)
    book = openpyxl.load_workbook(io.BytesIO(body(api.get(f"/api/v1/jobs/{job}/results.xlsx"))))
    assert "corrected_doi" not in [cells[1] for cells in book["Legend"].iter_rows(values_only=True)]
    lines = [json.loads(line) for line in body(api.get(f"/api/v1/jobs/{job}/results.jsonl?corrected=1")).splitlines()]
    assert [[line["corrected_doi"] or "", line["correction"]] for line in lines] == CORRECTED
    assert "corrected_doi" not in json.loads(body(api.get(f"/api/v1/jobs/{job}/results.jsonl")).splitlines()[0])


def test_the_corrected_file_loads_back(job: str, api: Client, upload: Post) -> None:
    data = body(api.get(f"/api/v1/jobs/{job}/results.csv?corrected=1"))
    again = run(upload(data, column="corrected_doi").json()["id"])
    assert again.counts["outcome"] == {"resolved": 4, "no-values": 1, "invalid": 4}


def test_a_quick_check_corrects_as_well(upload: Post, api: Client) -> None:
    job = upload(LIST, quick="1").json()["id"]
    run(job)
    rows = table(body(api.get(f"/api/v1/jobs/{job}/results.csv?corrected=1")))
    assert [row[-2:] for row in rows[1:]] == [
        *CORRECTED[:4],
        ["10.5555/error-a", "unchanged"],
        *CORRECTED[5:8],
        ["10.5555/alias", "unchanged"],
    ]


def test_a_column_of_that_name_is_kept_beside_ours(upload: Post, api: Client) -> None:
    job = upload("doi,corrected_doi\n10.1000/182,mine\n").json()["id"]
    run(job)
    header, row = table(body(api.get(f"/api/v1/jobs/{job}/results.csv?corrected=1")))
    assert (header[1], row[1]) == ("corrected_doi", "mine")
    assert (header[-2], row[-2]) == ("corrected_doi_2", "10.1000/182")


def test_rows_that_were_never_read_are_there_too(upload: Post, api: Client) -> None:
    job = upload("doi\n" + "10.1000/182\n" * 600).json()["id"]
    next(import_rows.read_into_rows(job, rows_in_chunk=500))
    api.post(f"/api/v1/jobs/{job}/cancel")
    rows = table(body(api.get(f"/api/v1/jobs/{job}/results.csv?corrected=1")))
    assert [len(row) for row in rows] == [15] * 601


@pytest.mark.parametrize("name", ["results.csv", "results.xlsx", "results.jsonl"])
def test_another_word_than_yes_or_no_is_a_400_problem(job: str, api: Client, name: str) -> None:
    problem = assert_problem(api.get(f"/api/v1/jobs/{job}/{name}?corrected=perhaps"), 400)
    assert list(problem["errors"]) == ["corrected"]
