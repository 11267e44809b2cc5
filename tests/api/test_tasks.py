"""The tasks of a job, and the rows and files of a task."""

import csv
import io
import json
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db

LIST = (
    "Title;DOI;Note\n"
    "One;10.5555/one;=1+1\n"
    "Two;10.1000/182.;\n"
    'Three;10.5555/missing;a "quoted" note\n'
    "Four;https://doi.org/10.5555/b#y;\n"
    "Five;nothing;\n"
    "Six;10.5555/deleted;\n"
    "Seven;10.5555/error-1;\n"
)
NOT_REGISTERED = "This DOI isn't registered. Please send the right one, or register it."
DELETED = "This DOI is deleted: its link opens no document. Please send the right one, or restore it."
NO_DOI = "This isn't a DOI. Please send the DOI, if the work has one."


@pytest.fixture
def job(upload: Post) -> str:
    job = str(upload(LIST).json()["id"])
    run(job)
    return job


def download(api: Client, job: str, query: str, ending: str = "csv") -> tuple[bytes, str]:
    response: Any = api.get(f"/api/v1/jobs/{job}/results.{ending}?{query}")
    assert response.status_code == 200, response.content
    return b"".join(response.streaming_content), response["Content-Disposition"]


def table(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def tasks_of(api: Client, job: str) -> dict[str, int]:
    return {task["code"]: task["rows"] for task in api.get(f"/api/v1/jobs/{job}").json()["tasks"]}


def test_a_job_has_its_tasks_with_the_addresses_of_their_rows(job: str, api: Client) -> None:
    tasks = api.get(f"/api/v1/jobs/{job}").json()["tasks"]
    assert {task["code"]: task["rows"] for task in tasks} == {
        "corrected": 1, "decide": 2, "back": 3, "unchecked": 1, "ready": 2,
    }  # fmt: skip
    for task in tasks:
        assert task["href"] == f"http://testserver/api/v1/jobs/{job}/rows?task={task['code']}"
        assert len(api.get(task["href"]).json()["results"]) == task["rows"]


def test_they_count_down_as_rows_are_decided(job: str, api: Client) -> None:
    api.patch(f"/api/v1/jobs/{job}/rows/4", {"decision": "rejected"}, content_type="application/json")
    api.patch(f"/api/v1/jobs/{job}/rows/6", {"decision": "accepted"}, content_type="application/json")
    assert tasks_of(api, job) == {"corrected": 2, "decide": 0, "back": 3, "unchecked": 1, "ready": 3}
    assert [line[0] for line in table(download(api, job, "task=back")[0])[1:]] == ["Three", "Four", "Five"]
    assert table(download(api, job, "task=decide")[0])[1:] == []


def test_a_job_tells_its_tasks_without_reading_its_rows(job: str, api: Client) -> None:
    with CaptureQueriesContext(connection) as sent:
        tasks_of(api, job)
    assert not [query["sql"] for query in sent if "resolver_row" in query["sql"]]


def test_while_it_waits_its_rows_are_unchecked(upload: Post, api: Client) -> None:
    job = upload(LIST).json()
    assert {task["code"]: task["rows"] for task in job["tasks"]}["unchecked"] == job["total"]


def test_the_vendor_gets_the_columns_of_the_file_and_three_more(job: str, api: Client) -> None:
    content, name = download(api, job, "task=back")
    assert name == 'attachment; filename="list-for-the-source.csv"'
    assert table(content) == [
        ["Title", "DOI", "Note", "row", "problem", "found"],
        ["Three", "10.5555/missing", 'a "quoted" note', "4", NOT_REGISTERED, ""],
        ["Five", "nothing", "", "6", NO_DOI, ""],
        ["Six", "10.5555/deleted", "", "7", DELETED, "10.5555/deleted"],
    ]
    assert b'Three;10.5555/missing;"a ""quoted"" note";' in download(api, job, "task=back&delimiter=%3B")[0]


def test_the_vendor_gets_no_sheet_with_our_words(job: str, api: Client) -> None:
    content, name = download(api, job, "task=back", "xlsx")
    assert name == 'attachment; filename="list-for-the-source.xlsx"'
    assert ZipFile(io.BytesIO(content)).testzip() is None
    book = openpyxl.load_workbook(io.BytesIO(content))
    assert book.sheetnames == ["Results"]
    rows = list(book["Results"].values)
    assert rows[0] == ("Title", "DOI", "Note", "row", "problem", "found")
    assert rows[1] == ("Three", "10.5555/missing", 'a "quoted" note', 4, NOT_REGISTERED, None)


def test_as_json_lines_too(job: str, api: Client) -> None:
    content, name = download(api, job, "task=back", "jsonl")
    assert name == 'attachment; filename="list-for-the-source.jsonl"'
    assert json.loads(content.splitlines()[2]) == {
        "row": 7,
        "cells": {"Title": "Six", "DOI": "10.5555/deleted", "Note": ""},
        "problem": DELETED,
        "found": "10.5555/deleted",
    }


def test_column_names_that_the_vendor_has_already_are_not_taken(upload: Post, api: Client) -> None:
    job = upload("problem,doi,found\nx,10.5555/missing,y\n").json()["id"]
    run(job)
    header, line = table(download(api, job, "task=back")[0])
    assert header == ["problem", "doi", "found", "row", "problem_2", "found_2"]
    assert line == ["x", "10.5555/missing", "y", "2", NOT_REGISTERED, ""]


def test_the_person_gets_what_is_needed_to_decide(job: str, api: Client) -> None:
    content, name = download(api, job, "task=decide")
    header, first, second = table(content)
    assert name == 'attachment; filename="list-decide.csv"'
    assert header == [
        "Title", "DOI", "Note", "row", "doi", "outcome", "messages", "suggested_doi", "other_dois",
    ]  # fmt: skip
    assert (first[0], first[3], first[4], first[5]) == ("Four", "5", "10.5555/b", "resolved")
    assert first[7:] == ["10.5555/b#y", "10.5555/b"]
    assert "#" in first[6]
    assert second[0] == "Six"


def test_other_tasks_have_the_usual_columns_with_the_corrected_dois(job: str, api: Client) -> None:
    content, name = download(api, job, "task=ready")
    header, *lines = table(content)
    assert name == 'attachment; filename="list-ready.csv"'
    assert header[3:5] == ["row", "doi"]
    assert [(line[0], *line[-2:]) for line in lines] == [
        ("One", "10.5555/one", "unchanged"),
        ("Two", "10.1000/182", "suggested"),
    ]
    assert json.loads(download(api, job, "task=corrected", "jsonl")[0])["corrected_doi"] == "10.1000/182"


def test_a_task_is_narrowed_by_other_filters(job: str, api: Client) -> None:
    content, name = download(api, job, "task=back&outcome=not-found")
    assert [line[0] for line in table(content)] == ["Title", "Three"]
    assert name == 'attachment; filename="list-for-the-source-not-found.csv"'


@pytest.mark.parametrize("code", ["another-work", "odd", "BACK", "back%00", "back%27--", "back&task=back"])
@pytest.mark.parametrize("place", ["rows", "results.csv", "results.xlsx", "results.jsonl"])
def test_an_unknown_code_is_a_400_problem(job: str, api: Client, code: str, place: str) -> None:
    problem = assert_problem(api.get(f"/api/v1/jobs/{job}/{place}?task={code}"), 400)
    assert list(problem["errors"]) == ["task"]
