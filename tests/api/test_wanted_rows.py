"""Rows and files of a job, narrowed by the query."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db

LIST = "doi\n10.5555/one\n10.5555/missing\n10.5555/ONE\nnothing\n10.5555/error-1\n"


@pytest.fixture
def job(upload: Post) -> str:
    job = str(upload(LIST).json()["id"])
    run(job)
    return job


@pytest.mark.parametrize(
    ("query", "lines", "name"),
    [
        ("group=needs-work", [2, 4], "needs-work"),
        ("group=could-not-ask", [5], "could-not-ask"),
        ("group=fine&duplicates=1", [3], "fine-repeated"),
        ("outcome=not-found", [2], "not-found"),
        ("problem=no-doi", [4], "no-doi"),
        ("ra=Crossref&q=one", [1, 3], "crossref-found"),
    ],
)
def test_rows_and_files_are_narrowed_alike(job: str, api: Client, query: str, lines: list[int], name: str) -> None:
    rows = api.get(f"/api/v1/jobs/{job}/rows?{query}").json()["results"]
    assert [row["line"] for row in rows] == lines
    response: Any = api.get(f"/api/v1/jobs/{job}/results.jsonl?{query}")
    assert [json.loads(line)["line"] for line in b"".join(response.streaming_content).splitlines()] == lines
    assert response["Content-Disposition"] == f'attachment; filename="list-{name}.jsonl"'


@pytest.mark.parametrize(
    "query",
    ["group=odd", "outcome=odd", "problem=odd", "duplicates=odd", "outcome=resolved&outcome=not-found", "q=a&q=b"],
)
@pytest.mark.parametrize("place", ["rows", "results.csv"])
def test_a_word_that_is_none_of_ours_is_a_400_problem(job: str, api: Client, query: str, place: str) -> None:
    problem = assert_problem(api.get(f"/api/v1/jobs/{job}/{place}?{query}"), 400)
    assert list(problem["errors"]) == [query.split("=")[0]]


def test_a_file_of_some_rows_waits_for_the_end_too(upload: Post, api: Client) -> None:
    job = upload(LIST).json()["id"]
    assert_problem(api.get(f"/api/v1/jobs/{job}/results.csv?group=fine"), 409)
