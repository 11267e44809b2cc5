"""Lists with expected addresses in REST: members, filters, files, hosts."""

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client

from resolver.models import Row
from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db

LIST = """doi,target,note
10.5555/one,%s,=1
10.5555/two,https://elsewhere.example/2,
10.5555/missing,https://elsewhere.example/3,
10.5555/error-1,https://elsewhere.example/4,
nothing,https://elsewhere.example/5,
"""


@pytest.fixture
def job(upload: Post) -> str:
    plain = upload("doi\n10.5555/one\n").json()["id"]
    run(plain)
    url = Row.objects.get(job=plain).urls[0]
    job = str(upload(LIST % url, expected_column="Target").json()["id"])
    run(job)
    return job


def lines_of(response: Any) -> list[list[str]]:
    assert response.status_code == 200, response.content
    return list(csv.reader(io.StringIO(b"".join(response.streaming_content).decode("utf-8-sig"))))


def test_a_job_says_which_column_has_the_expected_addresses(api: Client, job: str, upload: Post) -> None:
    found = api.get(f"/api/v1/jobs/{job}").json()
    assert found["expected_column"] == "target"
    assert found["counts"]["address"] == {"same": 1, "other-host": 1, "no-address": 1}
    plain = upload("doi,target\n10.5555/one,x\n").json()
    assert plain["expected_column"] is None


def test_rows_have_the_expected_address_and_its_class(api: Client, job: str) -> None:
    rows = api.get(f"/api/v1/jobs/{job}/rows").json()["results"]
    assert [row["address"] for row in rows] == ["same", "other-host", "no-address", "", ""]
    assert [row["expected"][:26] for row in rows[1:]] == ["https://elsewhere.example/"] * 4
    assert api.get(f"/api/v1/jobs/{job}/rows/2").json()["expected"] == "https://elsewhere.example/2"


def test_rows_of_other_lists_expect_nothing(api: Client, upload: Post) -> None:
    job = upload("doi,target\n10.5555/one,https://example.org/\n").json()["id"]
    run(job)
    row = api.get(f"/api/v1/jobs/{job}/rows").json()["results"][0]
    assert (row["expected"], row["address"]) == (None, "")


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("address=same", [1]),
        ("address=elsewhere", [2, 3]),
        ("address=no-address&outcome=not-found", [3]),
        ("address=elsewhere&group=needs-work", [2, 3]),
        ("address=same-page", []),
        ("host=nowhere.example", []),
        ("host=%00", []),
    ],
)
def test_rows_and_files_are_narrowed_by_class_and_host(api: Client, job: str, query: str, lines: list[int]) -> None:
    rows = api.get(f"/api/v1/jobs/{job}/rows?{query}").json()["results"]
    assert [row["line"] for row in rows] == lines
    response: Any = api.get(f"/api/v1/jobs/{job}/results.jsonl?{query}")
    assert [json.loads(line)["line"] for line in b"".join(response.streaming_content).splitlines()] == lines


def test_rows_are_narrowed_by_the_host_of_their_address(api: Client, job: str) -> None:
    host = lines_of(api.get(f"/api/v1/jobs/{job}/hosts.csv"))[1][0]
    rows = api.get(f"/api/v1/jobs/{job}/rows?host={host}").json()["results"]
    assert [row["line"] for row in rows] == [1, 2]
    assert api.get(f"/api/v1/jobs/{job}/rows?host={host.upper()}").json()["results"] == rows


def test_an_unknown_class_is_a_400_problem(api: Client, job: str) -> None:
    assert list(assert_problem(api.get(f"/api/v1/jobs/{job}/rows?address=odd"), 400)["errors"]) == ["address"]


def test_files_have_the_columns_before_those_of_the_correction(api: Client, job: str) -> None:
    header, first, second, *_ = lines_of(api.get(f"/api/v1/jobs/{job}/results.csv?corrected=1"))
    assert header[-5:] == ["incomplete", "expected", "address", "corrected_doi", "correction"]
    assert first[-4] == first[1]
    assert (first[-3], second[-4], second[-3]) == ("same", "https://elsewhere.example/2", "other-host")
    line: Any = api.get(f"/api/v1/jobs/{job}/results.jsonl")
    objects = [json.loads(each) for each in b"".join(line.streaming_content).splitlines()]
    assert [each["address"] for each in objects] == ["same", "other-host", "no-address", "", ""]
    assert objects[1]["expected"] == "https://elsewhere.example/2"


def test_files_of_other_lists_have_no_such_columns(api: Client, upload: Post) -> None:
    job = upload("doi,target\n10.5555/one,https://example.org/\n").json()["id"]
    run(job)
    assert lines_of(api.get(f"/api/v1/jobs/{job}/results.csv"))[0][-1] == "incomplete"


def test_an_unread_row_of_a_stopped_list_has_its_expected_address(api: Client, upload: Post) -> None:
    job = upload(LIST % "https://example.org/", expected_column="target").json()["id"]
    api.post(f"/api/v1/jobs/{job}/cancel")
    lines = lines_of(api.get(f"/api/v1/jobs/{job}/results.csv"))
    assert [line[-2:] for line in lines[1:3]] == [["https://example.org/", ""], ["https://elsewhere.example/2", ""]]


def test_results_that_are_uploaded_again_are_read_in_the_column_that_was_checked(
    api: Client, job: str, upload: Post
) -> None:
    results: Any = api.get(f"/api/v1/jobs/{job}/results.csv")
    again = upload(b"".join(results.streaming_content), expected_column="expected").json()
    assert (again["column"], again["expected_column"]) == ("doi", "expected")


@pytest.mark.parametrize(
    ("text", "name"),
    [("doi,target\n10.5555/a,x\n", "adress"), ("10.5555/a\n10.5555/b\n", "x"), ("doi,b\n10.5555/a,x\n", "doi")],
)
def test_an_unknown_column_is_a_400_problem(upload: Post, text: str, name: str) -> None:
    problem = assert_problem(upload(text, expected_column=name), 400)
    assert list(problem["errors"]) == ["expected_column"]


def test_the_column_may_be_named_in_the_query(api: Client) -> None:
    text = "doi,target\n10.5555/a,https://example.org/\n"
    response = api.post("/api/v1/jobs?expected_column=target", text, content_type="text/csv")
    assert response.json()["expected_column"] == "target"


def test_rows_of_a_host_are_found_without_expected_addresses_too(api: Client, upload: Post) -> None:
    plain = upload("doi\n10.5555/one\n10.1000/182\n10.5555/two\n10.5555/missing\n").json()["id"]
    run(plain)
    job = f"/api/v1/jobs/{plain}"
    (host, rows, *_), _ = lines_of(api.get(f"{job}/hosts.csv"))[1:]
    assert (host.lower(), rows) == (host, "2")
    for written in (host, host.upper()):
        assert [row["line"] for row in api.get(f"{job}/rows?host={written}").json()["results"]] == [1, 3]
    assert api.get(f"{job}/rows?host={host}&outcome=not-found").json()["results"] == []
    first = api.get(f"{job}/rows?host={host}&page_size=1").json()
    assert [row["line"] for row in api.get(first["next"]).json()["results"]] == [3]
    assert [line[0] for line in lines_of(api.get(f"{job}/results.csv?host={host}"))[1:]] == [
        "10.5555/one",
        "10.5555/two",
    ]
    decision = {"decision": "rejected", "expected": 2, "host": host}
    assert api.post(f"{job}/decisions", decision, content_type="application/json").json() == {"changed": 2}


def test_a_host_of_a_quick_check_is_refused_and_not_an_empty_list(api: Client, upload: Post) -> None:
    quick = upload("doi\n10.5555/one\n", quick="1").json()["id"]
    run(quick)
    job = f"/api/v1/jobs/{quick}"
    decision = {"decision": "rejected", "expected": 0, "host": "example.org"}
    for response in (
        api.get(f"{job}/rows?host=example.org"),
        api.get(f"{job}/results.csv?host=example.org"),
        api.post(f"{job}/decisions", decision, content_type="application/json"),
    ):
        assert list(assert_problem(response, 400)["errors"]) == ["host"]


def test_hosts_are_a_file_with_the_most_frequent_first(api: Client, job: str) -> None:
    header, *lines = lines_of(api.get(f"/api/v1/jobs/{job}/hosts.csv"))
    assert header == ["host", "rows", "same", "same-page", "same-host", "other-host"]
    assert [line[1:] for line in lines] == [["2", "1", "0", "0", "1"]]


def test_hosts_of_other_lists_have_no_classes(api: Client, upload: Post) -> None:
    job = upload("doi\n10.5555/one\n10.5555/two\n10.1000/182\n10.5555/missing\n").json()["id"]
    run(job)
    _, first, second = lines_of(api.get(f"/api/v1/jobs/{job}/hosts.csv"))
    assert (first[1:], second[1:]) == (["2", "", "", "", ""], ["1", "", "", "", ""])


def test_hosts_for_which_a_file_has_no_room_are_its_last_line(
    api: Client, upload: Post, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("resolver.services.results.hosts.MOST_HOSTS_IN_FILE", 1)
    plain = upload("doi\n10.5555/one\n10.5555/two\n10.1000/182\n10.5555/missing\n").json()["id"]
    run(plain)
    Row.objects.filter(job=job, line=2).update(host="elsewhere.example")
    for one, others in ((plain, "1"), (job, "1")):
        _, _, last = lines_of(api.get(f"/api/v1/jobs/{one}/hosts.csv"))
        assert last == ["(other hosts)", others, "", "", "", ""]


def test_hosts_wait_for_the_end(api: Client, upload: Post) -> None:
    job = upload("doi\n10.5555/one\n").json()["id"]
    assert_problem(api.get(f"/api/v1/jobs/{job}/hosts.csv"), 409)


def test_hosts_have_an_etag_and_refuse_other_parameters(api: Client, job: str) -> None:
    address = f"/api/v1/jobs/{job}/hosts.csv"
    tag = api.get(address)["ETag"]
    assert api.get(address, headers={"If-None-Match": tag}).status_code == 304
    assert_problem(api.get(f"{address}?delimiter=x"), 400)
    assert_problem(api.get(f"{address}?odd=x"), 400)


def test_many_rows_are_decided_by_class(api: Client, job: str, post: Post) -> None:
    body = {"decision": "rejected", "expected": 2, "address": "elsewhere"}
    assert post(f"jobs/{job}/decisions", body).json() == {"changed": 2}
