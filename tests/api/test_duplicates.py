"""Rows with the same name by REST."""

import pytest
from django.test import Client

from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db

LIST = "doi\n10.5555/one\n10.5555/two\n10.5555/ONE\nnothing\nnothing\n"


def test_a_job_counts_them_and_a_row_names_the_first(upload: Post, api: Client) -> None:
    job = upload(LIST).json()
    assert job["duplicates"] == 0
    run(job["id"])
    assert api.get(f"/api/v1/jobs/{job['id']}").json()["duplicates"] == 1
    rows = api.get(f"/api/v1/jobs/{job['id']}/rows").json()["results"]
    assert [row["same_as"] for row in rows] == [None, None, 1, None, None]
    assert rows[2]["messages"] == "Row 2 of the list has the same DOI name."


def test_rows_are_narrowed_to_them(upload: Post, api: Client) -> None:
    job = upload(LIST).json()["id"]
    run(job)

    def lines(query: str) -> list[int]:
        return [row["line"] for row in api.get(f"/api/v1/jobs/{job}/rows?{query}").json()["results"]]

    assert lines("duplicates=1") == lines("duplicates=true") == [3]
    assert lines("duplicates=0") == lines("duplicates=") == [1, 2, 3, 4, 5]
    problem = assert_problem(api.get(f"/api/v1/jobs/{job}/rows?duplicates=perhaps"), 400)
    assert list(problem["errors"]) == ["duplicates"]
