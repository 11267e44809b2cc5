"""Whatever goes wrong, the answer has one shape (RFC 9457)."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client

from resolver.api.lookups import Inspections
from tests.api.conftest import Post, assert_problem

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("method", ["get", "post", "put", "delete", "options", "patch"])
@pytest.mark.parametrize("path", ["nothing", "lookups/", "lookups/1", "jobs/x/rows", "a\nb", "%00", "inspections/"])
def test_an_address_that_is_none_is_a_404_problem(api: Client, method: str, path: str) -> None:
    assert_problem(getattr(api, method)(f"/api/v1/{path}"), 404)


def test_the_address_of_the_api_without_a_slash_is_a_404_problem(api: Client) -> None:
    assert_problem(api.get("/api/v1"), 404)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("get", "inspections", "POST, OPTIONS"),
        ("put", "lookups", "GET, POST, HEAD, OPTIONS"),
        ("patch", f"lookups/{uuid.UUID(int=0)}", "GET, DELETE, HEAD, OPTIONS"),
        ("delete", "jobs", "GET, POST, HEAD, OPTIONS"),
        ("get", f"jobs/{uuid.UUID(int=0)}/cancel", "POST, OPTIONS"),
        ("post", f"jobs/{uuid.UUID(int=0)}/results.csv", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_wrong_method_is_a_405_problem_that_names_the_right_ones(
    api: Client, method: str, path: str, allowed: str
) -> None:
    response = getattr(api, method)(f"/api/v1/{path}")
    assert_problem(response, 405)
    assert set(response.headers["Allow"].split(", ")) == set(allowed.split(", "))


@pytest.mark.parametrize("path", ["inspections", "lookups", "jobs"])
@pytest.mark.parametrize(
    "sent", ["text/html", "image/svg+xml", "application/x-www-form-urlencoded", "*/*", "application/*"]
)
def test_another_content_type_is_a_415_problem(api: Client, path: str, sent: str) -> None:
    assert_problem(api.post(f"/api/v1/{path}", b"input=10.1000/182", content_type=sent), 415)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"\xff\xfe",
        b'{"input": "10.1000/1", "inputs": ["a"]}\xc3',
        b'{"inputs": [NaN]}',
        b"[" * 100_000,
        b"9" * 10_000,
        b'{"inputs": ["a]}',
    ],
    ids=["cut", "empty", "no-utf8", "cut-character", "nan", "deep", "long-number", "open-string"],
)
@pytest.mark.parametrize("path", ["inspections", "lookups"])
def test_a_body_that_is_not_json_is_a_400_problem(post: Post, path: str, body: bytes) -> None:
    assert_problem(post(path, body), 400)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1" * 5_000])
def test_a_number_that_is_not_read_is_named_without_advice_about_python(api: Client, number: str) -> None:
    answer = api.post("/api/v1/inspections", f'{{"inputs": [{number}]}}', "application/json")
    detail = assert_problem(answer, 400)["detail"]
    assert "number" in detail
    assert "sys." not in detail


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "inputs"),
        ({"inputs": None}, "inputs"),
        ({"inputs": "10.1000/182"}, "inputs"),
        ({"inputs": {"0": "10.1000/182"}}, "inputs"),
        ({"inputs": ["10.1000/182", 7]}, "inputs"),
        ({"inputs": [None]}, "inputs"),
        ({"inputs": [["10.1000/182"]]}, "inputs"),
        ({"inputs": ["x"] * 1001}, "inputs"),
        (["10.1000/182"], "body"),
        ("10.1000/182", "body"),
        (None, "body"),
    ],
)
def test_an_inspection_of_what_is_no_list_of_texts_names_the_field(post: Post, body: Any, field: str) -> None:
    import json

    problem = assert_problem(post("inspections", json.dumps(body)), 400)
    assert list(problem["errors"]) == [field]


@pytest.mark.parametrize("body", [{}, {"input": None}, {"input": 5}, {"input": ["10.1000/182"]}, {"input": True}])
def test_a_lookup_of_what_is_no_text_names_the_field(post: Post, body: Any) -> None:
    assert list(assert_problem(post("lookups", body), 400)["errors"]) == ["input"]


@pytest.mark.clause("S7")
def test_a_text_beyond_the_bound_is_a_clear_error_and_never_cut(post: Post, settings: Any) -> None:
    settings.MAX_CELL = 20
    inspected = post("inspections", {"inputs": ["10.1000/182", "10.1000/" + "x" * 13]}).json()["results"]
    assert [one["doi"] for one in inspected] == ["10.1000/182", None]
    assert [one["code"] for one in inspected[1]["problems"]] == ["too-long"]
    assert "21 characters" in assert_problem(post("lookups", {"input": "x" * 21}), 400)["errors"]["input"][0]
    at_the_bound = post("inspections", {"inputs": ["10.1000/" + "x" * 12]}).json()["results"][0]
    assert at_the_bound["doi"] == "10.1000/" + "x" * 12


def test_a_body_larger_than_the_bound_is_a_413_problem(post: Post, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    assert_problem(post("inspections", {"inputs": ["x" * 1000]}), 413)


def test_a_file_larger_than_the_bound_is_a_413_problem(upload: Post, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 100
    for lines in (20, 200_000):  # the first is found while it is stored, the second by its announced length
        assert list(assert_problem(upload("10.1000/182\n" * lines), 413)["errors"]) == ["file"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "jobs"),
        ("POST", "lookups"),
        ("POST", "inspections"),
        ("PATCH", "jobs/7b0e0c1c-3a7a-4a3f-9d5e-0d8f3b2f7a10"),
    ],
)
def test_a_body_of_unknown_length_is_a_411_problem(api: Client, method: str, path: str) -> None:
    """The web server hands on none, so a view would find nothing to do, and say that it is done."""
    response = api.generic(method, f"/api/v1/{path}", b"", headers={"Transfer-Encoding": "chunked"})
    assert_problem(response, 411)
    both = api.generic(method, f"/api/v1/{path}", b"{}", headers={"Transfer-Encoding": "identity"})
    assert_problem(both, 411)


BEYOND = "9" * 30  # more than a column of the database, a time or a double holds


@pytest.mark.parametrize("number", [BEYOND, "9223372036854775808", f"-{BEYOND}"])
def test_a_number_that_nothing_here_can_hold_is_refused(api: Client, post: Post, upload: Post, number: str) -> None:
    job = upload("10.1000/182\n").json()["id"]
    assert_problem(api.get(f"/api/v1/jobs/{job}/rows?page_size={number}"), 400)
    assert_problem(api.get(f"/api/v1/jobs/{job}/rows/{number}"), 404)
    assert_problem(api.get(f"/api/v1/jobs/{job}/wait?seconds={number}"), 400)
    assert_problem(post("lookups", {"input": "10.1000/182", "checked_within": int(number)}), 400)
    assert_problem(api.post(f"/api/v1/jobs?header_row={number}", b"doi\n10.1000/182\n", "text/csv"), 400)


@pytest.mark.parametrize(
    "query", ["outcome=nonsense", "problem=nonsense", "outcome=RESOLVED", "page_size=0", "page_size=-1", "page_size=x"]
)
def test_a_query_that_cannot_be_meant_is_a_400_problem(api: Client, query: str) -> None:
    problem = assert_problem(api.get(f"/api/v1/lookups?{query}"), 400)
    assert list(problem["errors"]) == [query.partition("=")[0]]


@pytest.mark.parametrize("path", ["lookups", "jobs"])
@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "é",
        "W10=",
        "bnVsbA==",
        "W2ZhbHNlLCAxLCAyXQ==",
        "W2ZhbHNlLCAiMjAyNi0wMS0wMSIsICJ4Il0=",
        "W1tbW1tbW1tb",
        "%00",
    ],
)
def test_a_forged_cursor_is_a_400_problem(api: Client, path: str, cursor: str) -> None:
    assert list(assert_problem(api.get(f"/api/v1/{path}?cursor={cursor}"), 400)["errors"]) == ["cursor"]


def test_without_a_login_a_closed_portal_answers_401(api: Client, post: Post, upload: Post, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    answers = [api.get("/api/v1/lookups"), api.get("/api/v1/jobs"), post("inspections", {"inputs": []}),
               post("lookups", {"input": "10.1000/182"}), upload("10.1000/182"),
               api.get(f"/api/v1/jobs/{uuid.UUID(int=4)}/results.csv"), api.get("/api/v1/nothing")]  # fmt: skip
    for response in answers:
        assert_problem(response, 401)
        assert response.headers["WWW-Authenticate"]


def test_a_login_opens_a_closed_portal(user: User, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    client = Client()
    client.force_login(user)
    assert client.get("/api/v1/lookups").status_code == 200


def test_csrf_is_asked_of_logged_in_sessions_only(user: User, post: Post, upload: Post) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    assert_problem(post("inspections", {"inputs": []}, client=client), 403)
    assert_problem(upload("10.1000/182", client=client), 403)
    client.get("/accounts/login/")
    client.cookies["csrftoken"] = "a" * 32
    header = {"X-CSRFToken": "a" * 32}
    assert post("inspections", {"inputs": []}, client=client, headers=header).status_code == 200
    assert upload("10.1000/182", client=client, headers=header).status_code == 202


def test_a_fault_of_ours_is_a_500_problem_that_tells_nothing_from_inside(
    post: Post, api: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(Inspections, "post", fail)
    api.raise_request_exception = False
    response = post("inspections", {"inputs": []})
    assert_problem(response, 500)
    assert b"secret" not in response.content
    assert "ZeroDivisionError: secret" in caplog.text


def test_a_database_that_is_away_is_a_503_problem_and_the_log_has_where_it_was_missed(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise OperationalError("server closed the connection")

    monkeypatch.setattr(Inspections, "post", fail)
    assert_problem(post("inspections", {"inputs": []}), 503)
    assert "Traceback" in caplog.text


@pytest.mark.parametrize("path", ["/api/v1/lookups", "/api/v1/nothing"])
def test_a_fault_outside_the_views_has_the_same_shape(api: Client, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_problem(api.get(path, headers={"Host": "evil.example"}), 400)

    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(SessionMiddleware, "process_response", fail)
    api.raise_request_exception = False
    assert_problem(api.get(path), 500)


def test_a_multipart_body_that_is_broken_is_a_400_problem(api: Client) -> None:
    for content_type in ("multipart/form-data", "multipart/form-data; boundary=x"):
        assert_problem(api.post("/api/v1/jobs", b"--y\r\n", content_type=content_type), 400)


@pytest.mark.parametrize("form", [{}, {"file": "10.1000/182"}, {"list": SimpleUploadedFile("a.csv", b"10.1000/182")}])
def test_a_job_without_a_file_names_the_field(api: Client, form: Any) -> None:
    assert list(assert_problem(api.post("/api/v1/jobs", form), 400)["errors"]) == ["file"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"doi\n", "only a header row"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"PK\x03\x04 broken", ""),
        (b"a,b\n1,x\n", "No column seems to contain DOIs"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(
    upload: Post, api: Client, data: bytes, says: str
) -> None:
    problem = assert_problem(upload(data), 400)
    assert says in problem["detail"]
    assert list(problem["errors"]) == ["file"]
    assert api.get("/api/v1/jobs").json()["results"] == []


def test_quick_that_is_no_truth_value_names_the_field(upload: Post) -> None:
    assert list(assert_problem(upload("10.1000/182", quick="perhaps"), 400)["errors"]) == ["quick"]


def test_json_comes_whatever_a_client_accepts(api: Client) -> None:
    for accept in ("text/html", "application/xml", "image/png;q=0", "nonsense", "application/json"):
        response = api.get("/api/v1/lookups", headers={"Accept": accept})
        assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")
        assert_problem(api.get("/api/v1/nothing", headers={"Accept": accept}), 404)
