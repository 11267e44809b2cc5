"""A person's decisions over REST: one row, or all that match a filter."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.api.conftest import Post, assert_problem, run, store_list
from tests.stored_list import StoredList

pytestmark = pytest.mark.django_db

LIST = (
    "id,doi\n1,10.1000/182\n2,10.1000/182.\n3,10.5555/missing\n4,nothing\n5,10.5555/error-a\n"
    "6,https://doi.org/10.1000/182#x\n7,10.5555/a\u200bb\n8,https://doi.org/10.5555/b#y\n9,10.5555/alias\n"
)


@pytest.fixture(scope="module")
def stored(module_portal: None) -> StoredList:
    return store_list(LIST)


@pytest.fixture
def job(stored: StoredList, api: Client) -> str:
    return str(stored.give_to(api).pk)


def patch(api: Client, job: str, line: int, **body: Any) -> Any:
    return api.patch(f"/api/v1/jobs/{job}/rows/{line}", body, content_type="application/json")


def decide(api: Client, job: str, **body: Any) -> Any:
    return api.post(f"/api/v1/jobs/{job}/decisions", body, content_type="application/json")


def rows(api: Client, job: str, query: str = "") -> list[dict[str, Any]]:
    return list(api.get(f"/api/v1/jobs/{job}/rows?{query}").json()["results"])


@pytest.mark.parametrize(
    ("line", "body", "correction", "doi"),
    [
        (2, {"decision": "accepted"}, "accepted", "10.1000/182"),
        (2, {"decision": "accepted", "doi": "10.1000/182"}, "accepted", "10.1000/182"),
        (6, {"decision": "accepted"}, "accepted", "10.1000/182"),
        (9, {"decision": "accepted"}, "accepted", "10.5555/target"),
        (2, {"decision": "rejected"}, "rejected", None),
        (3, {"decision": "edited", "doi": "https://doi.org/10.5555/mine"}, "edited", "10.5555/mine"),
        (2, {"decision": None}, "suggested", "10.1000/182"),
        (6, {"decision": None, "decided_at": None}, "review", None),
    ],
)
def test_a_row_is_decided_and_returned(
    job: str, api: Client, line: int, body: dict[str, Any], correction: str, doi: str | None
) -> None:
    response = patch(api, job, line, **body)
    assert response.status_code == 200, response.content
    row = response.json()
    assert (row["line"], row["correction"], row["corrected_doi"], row["decision"]) == (
        line, correction, doi, body["decision"],
    )  # fmt: skip
    assert row["decided_by"] is None
    assert (row["decided_at"] is None) is (body["decision"] is None)
    assert rows(api, job)[line - 1] == row == api.get(f"/api/v1/jobs/{job}/rows/{line}").json()


def test_a_program_sees_what_accepting_writes_for_a_row_in_review(job: str, api: Client) -> None:
    for row in rows(api, job, "correction=review"):
        accepted = patch(api, job, row["line"], decision="accepted").json()
        assert accepted["corrected_doi"] == (row["suggestion"] or row["doi"]), row
        assert (accepted["suggestion"], accepted["doubtful"]) == (row["suggestion"], row["doubtful"])
        assert row["doubtful"] is (row["suggestion"] is not None)
    assert [(row["line"], row["suggestion"]) for row in rows(api, job) if row["doubtful"]] == [(8, "10.5555/b#y")]
    written = b"".join(api.get(f"/api/v1/jobs/{job}/results.jsonl").streaming_content).splitlines()
    assert [(each["suggestion"], each["doubtful"]) for each in map(json.loads, written)] == [
        (row["suggestion"], row["doubtful"]) for row in rows(api, job)
    ]
    table = b"".join(api.get(f"/api/v1/jobs/{job}/results.csv").streaming_content).decode()
    assert table.count(",10.5555/b#y,") == 1


def test_a_lookup_shows_the_registered_doi_that_may_be_meant_instead(api: Client) -> None:
    def look_up(text: str) -> dict[str, Any]:
        return dict(api.post("/api/v1/lookups", {"input": text}, content_type="application/json").json())

    assert look_up("https://doi.org/10.5555/b#y")["suggestion"] == {
        "doi": "10.5555/b#y",
        "reason": "with the # and everything after it as part of the name",
        "doubtful": True,
    }
    assert look_up("10.5555/alias and 10.5555/b")["suggestion"]["doi"] == "10.5555/target"
    for text in ("https://doi.org/10.1000/182#x", "10.1000/182", "10.5555/alias", "10.1000/182 and 10.5555/b"):
        assert look_up(text)["suggestion"] is None, text


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["decision"]),
        ({"decision": "odd"}, ["decision"]),
        ({"decision": "review"}, ["decision"]),
        ({"decision": 1}, ["decision"]),
        ({"decision": "edited"}, ["doi"]),
        ({"decision": "edited", "doi": " "}, ["doi"]),
        ({"decision": "edited", "doi": 7}, ["doi"]),
        ({"decision": "edited", "doi": "x" * 20_000}, ["doi"]),
        ({"decision": "edited", "doi": "no doi"}, ["doi"]),
        ({"decision": "edited", "doi": "10.5555/missing"}, ["doi"]),
        ({"decision": "rejected", "doi": "10.1000/182"}, ["doi"]),
        ({"decision": "rejected", "decided_at": "yesterday"}, ["decided_at"]),
        ({"decision": "rejected", "reason": "wrong"}, ["reason"]),
    ],
)
def test_a_wrong_decision_is_a_400_problem_that_names_the_field(
    job: str, api: Client, body: dict[str, Any], fields: list[str]
) -> None:
    before = rows(api, job)
    assert list(assert_problem(patch(api, job, 2, **body), 400)["errors"]) == fields
    assert rows(api, job) == before


def test_a_doi_that_cannot_be_checked_is_a_503_problem(job: str, api: Client) -> None:
    problem = assert_problem(patch(api, job, 2, decision="edited", doi="10.5555/error-b"), 503)
    assert problem["type"] == "/problems/doi-not-checked"
    assert rows(api, job)[1]["decision"] is None


def test_nothing_to_accept_is_a_409_problem(job: str, api: Client) -> None:
    for line in (3, 4, 5):
        assert assert_problem(patch(api, job, line, decision="accepted"), 409)["type"] == "/problems/no-proposal"


def test_the_second_of_two_people_hears_who_decided_and_when(job: str, api: Client) -> None:
    first = patch(api, job, 2, decision="accepted", decided_at=None).json()
    problem = assert_problem(patch(api, job, 2, decision="rejected", decided_at=None), 409)
    assert problem["type"] == "/problems/decided-meanwhile"
    assert "accepted by a session on 20" in problem["detail"]
    changed = patch(api, job, 2, decision="rejected", decided_at=first["decided_at"])
    assert changed.json()["correction"] == "rejected"
    assert_problem(patch(api, job, 7, decision="accepted", doi="10.5555/other"), 409)


def test_the_name_of_the_account_is_kept(user: User, upload: Post) -> None:
    ada = Client()
    ada.force_login(user)
    job = upload(LIST, client=ada).json()["id"]
    run(job)
    assert patch(ada, job, 2, decision="accepted").json()["decided_by"] == "ada"


def test_a_running_list_and_anothers_list_take_no_decisions(upload: Post, job: str, api: Client, other: Client) -> None:
    waiting = upload(LIST + "\n").json()["id"]
    for refused in (decide(api, waiting, decision="rejected", expected=0), patch(api, waiting, 2, decision="rejected")):
        assert assert_problem(refused, 409)["type"].endswith("not-finished")
    for response in (
        patch(other, job, 2, decision="accepted"),
        decide(other, job, decision="rejected", expected=0),
        patch(api, job, 99, decision="accepted"),
        patch(api, job, 10**30, decision="accepted"),
    ):
        assert_problem(response, 404)


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ({"correction": "suggested"}, [2, 7]),
        ({"correction": "review"}, [6, 8]),
        ({"correction": "to-review"}, [2, 6, 7, 8]),
        ({"problem": "unescaped-hash"}, [6, 8]),
        ({"problem": "unescaped-hash", "q": "10.5555"}, [8]),
        ({"outcome": "not-found"}, [2, 3]),
        ({"group": "tidier", "ra": "Crossref"}, [9]),
        ({"correction": "decided"}, []),
        ({"correction": "unchecked"}, [5]),
    ],
)
def test_rows_are_filtered_and_decided_alike(job: str, api: Client, query: dict[str, str], lines: list[int]) -> None:
    found = [row["line"] for row in rows(api, job, "&".join(f"{name}={word}" for name, word in query.items()))]
    assert found == lines
    assert decide(api, job, decision="rejected", expected=len(lines), **query).json() == {"changed": len(lines)}
    assert [row["line"] for row in rows(api, job, "correction=rejected")] == lines
    assert decide(api, job, decision=None, expected=len(lines), correction="decided").json()["changed"] == len(lines)
    assert rows(api, job, "correction=decided") == []


def test_another_number_than_expected_is_a_409_problem(job: str, api: Client) -> None:
    problem = assert_problem(decide(api, job, decision="accepted", correction="suggested", expected=3), 409)
    assert problem["type"] == "/problems/other-number-of-rows"
    assert "2 rows match" in problem["detail"]
    assert rows(api, job, "correction=decided") == []


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["decision", "expected"]),
        ({"decision": "edited", "expected": 1}, ["decision"]),
        ({"decision": "accepted", "expected": -1}, ["expected"]),
        ({"decision": "accepted", "expected": "many"}, ["expected"]),
        ({"decision": "accepted", "expected": 1, "correction": "odd"}, ["correction"]),
        ({"decision": "accepted", "expected": 1, "problem": "odd"}, ["problem"]),
        ({"decision": "accepted", "expected": 1, "line": 1}, ["line"]),
        ({"decision": "accepted", "expected": 1, "q": None}, ["q"]),
    ],
)
def test_a_wrong_filter_is_a_400_problem_that_names_the_field(
    job: str, api: Client, body: dict[str, Any], fields: list[str]
) -> None:
    assert list(assert_problem(decide(api, job, **body), 400)["errors"]) == fields


def test_an_unknown_correction_is_a_400_problem(job: str, api: Client) -> None:
    assert list(assert_problem(api.get(f"/api/v1/jobs/{job}/rows?correction=odd"), 400)["errors"]) == ["correction"]


def test_json_lines_have_the_decisions_as_rest_has_them(job: str, api: Client) -> None:
    row = patch(api, job, 2, decision="accepted").json()
    response: Any = api.get(f"/api/v1/jobs/{job}/results.jsonl?correction=decided")
    line = json.loads(b"".join(response.streaming_content))
    names = ("decision", "decided_by", "decided_at")
    assert [line[name] for name in names] == [row[name] for name in names]


def test_files_are_narrowed_by_correction(job: str, api: Client) -> None:
    response: Any = api.get(f"/api/v1/jobs/{job}/results.csv?corrected=1&correction=review")
    assert 'filename="list-review-corrected.csv"' in response["Content-Disposition"]
    assert len(b"".join(response.streaming_content).splitlines()) == 3
