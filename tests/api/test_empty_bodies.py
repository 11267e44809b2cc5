"""Requests that change something and take no fields: a field is refused everywhere, and nothing is changed."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from resolver.models import Job, Watch
from tests.api.conftest import Post, assert_problem, run
from tests.api.schema_client import DOCUMENT, METHODS

pytestmark = pytest.mark.django_db

WITHOUT_FIELDS = [
    pytest.param(method, path, id=item[method]["operationId"])
    for path, item in DOCUMENT["paths"].items()
    for method in METHODS
    if method in item and method != "get" and "requestBody" not in item[method]
]
WITH_FIELDS = [
    pytest.param(method, path, id=item[method]["operationId"])
    for path, item in DOCUMENT["paths"].items()
    for method in METHODS
    if "application/json" in item.get(method, {}).get("requestBody", {}).get("content", {})
]
URL_ENCODED = "application/x-www-form-urlencoded"
EMPTY_WITH_A_LOGIN = [
    (b"", "application/json"),
    (b"", "text/plain"),
    (b"", URL_ENCODED),
    (b"", "multipart/form-data; boundary=x"),
    (b"{}", "application/json; charset=utf-8"),
    (b"[]", "application/json"),
    (b"null", "application/json"),
    (encode_multipart(BOUNDARY, {}), MULTIPART_CONTENT),
]
EMPTY = [
    *EMPTY_WITH_A_LOGIN,
    (encode_multipart(BOUNDARY, {"csrfmiddlewaretoken": "x"}), MULTIPART_CONTENT),
    (b"csrfmiddlewaretoken=x", URL_ENCODED),
    (b"{}\r\n", URL_ENCODED),  # so curl calls it
    (b"{}", "text/plain;charset=UTF-8"),  # so browsers do
    (b"{}", ""),
    (b" ", "application/json"),
]


def send(client: Client, method: str, path: str, body: bytes, content_type: str = "application/json") -> Any:
    address = path.replace("{id}", str(uuid4())).replace("{line}", "1")
    return client.generic(method.upper(), address, body, content_type)


def send_form(client: Client, method: str, path: str, fields: Mapping[str, Any], charset: str = "") -> Any:
    return send(client, method, path, encode_multipart(BOUNDARY, fields), MULTIPART_CONTENT + charset)


def test_they_are_told_from_the_others() -> None:
    assert {one.id for one in WITHOUT_FIELDS} == {
        "deleteLookup", "deleteJob", "cancelJob", "retryJob", "checkHosts", "deleteWebhook", "deleteWatch", "runWatch",
    }  # fmt: skip


@pytest.mark.parametrize(("method", "path"), WITHOUT_FIELDS)
def test_a_field_is_refused_by_its_name(api: Client, method: str, path: str) -> None:
    told = {"rows": ["There is no field with this name. Send none."]}
    assert assert_problem(send(api, method, path, b'{"rows": [1, 2]}'), 400)["errors"] == told
    assert assert_problem(send(api, method, path, b"rows=1", URL_ENCODED), 400)["errors"] == told
    assert assert_problem(send_form(api, method, path, {"rows": "1"}), 400)["errors"] == told
    file = {"rows": SimpleUploadedFile("rows.csv", b"1")}
    assert assert_problem(send_form(api, method, path, file), 400)["errors"] == told


@pytest.mark.parametrize(("method", "path"), WITHOUT_FIELDS)
def test_an_empty_body_says_nothing_and_is_accepted(api: Client, method: str, path: str) -> None:
    for body, content_type in EMPTY:
        assert_problem(send(api, method, path, body, content_type), 404)


@pytest.mark.parametrize("body", [b"[1]", b'["now"]', b'"now"', b"1"])
@pytest.mark.parametrize(("method", "path"), WITHOUT_FIELDS)
def test_a_body_that_is_no_object_is_refused(api: Client, method: str, path: str, body: bytes) -> None:
    assert list(assert_problem(send(api, method, path, body), 400)["errors"]) == ["body"]


@pytest.mark.parametrize("content_type", ["text/plain", "text/csv", ""])
@pytest.mark.parametrize(("method", "path"), WITHOUT_FIELDS)
def test_a_body_of_another_media_type_is_refused(api: Client, method: str, path: str, content_type: str) -> None:
    assert_problem(send(api, method, path, b'{"a": 1}', content_type), 415)


@pytest.fixture
def browser(user: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    client.get("/")
    return client


@pytest.mark.parametrize(("body", "content_type"), EMPTY_WITH_A_LOGIN)
@pytest.mark.parametrize(("method", "path"), WITHOUT_FIELDS)
def test_so_it_is_with_a_login_whose_token_is_in_the_header(
    browser: Client, method: str, path: str, body: bytes, content_type: str
) -> None:
    token = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    address = path.replace("{id}", str(uuid4()))
    assert_problem(browser.generic(method.upper(), address, body, content_type, headers=token), 404)


@pytest.mark.parametrize(("method", "path"), [one for one in WITHOUT_FIELDS if one.values[0] == "post"])
def test_so_it_is_with_a_login_whose_token_is_in_the_form(browser: Client, method: str, path: str) -> None:
    token = {"csrfmiddlewaretoken": browser.cookies["csrftoken"].value}
    assert_problem(send_form(browser, method, path, token), 404)
    assert_problem(send(browser, method, path, urlencode(token).encode(), URL_ENCODED), 404)
    assert list(assert_problem(send_form(browser, method, path, {**token, "rows": "1"}), 400)["errors"]) == ["rows"]


@pytest.mark.parametrize("charset", ["rot13", "idna", "utf-16", "nonsense"])
def test_a_form_is_read_whatever_charset_it_names(api: Client, charset: str) -> None:
    path = "/api/v1/jobs/{id}/retry"
    errors = assert_problem(send_form(api, "post", path, {"rows": "1"}, f"; charset={charset}"), 400)["errors"]
    assert list(errors) == ["rows"]


def test_a_refused_field_changes_nothing(api: Client, upload: Post, post: Post) -> None:
    job = upload("10.5555/a\n").json()["id"]
    assert_problem(post(f"jobs/{job}/cancel", {"reason": "x"}), 400)
    assert_problem(api.delete(f"/api/v1/jobs/{job}", {"rows": True}, "application/json"), 400)
    assert run(job).state == "finished"
    watch = post("watches", {"job": job}).json()["id"]
    before = Watch.objects.get(pk=watch).next_at
    assert_problem(post(f"watches/{watch}/run", {"depth": "full"}), 400)
    assert Watch.objects.get(pk=watch).next_at == before
    assert Job.objects.count() == 1


@pytest.mark.parametrize(("method", "path"), WITH_FIELDS)
def test_every_request_with_fields_refuses_one_that_it_does_not_have(
    api: Client, user: User, upload: Post, post: Post, method: str, path: str
) -> None:
    job = upload("10.5555/a\n").json()["id"]
    run(job)
    made = post("watches", {"job": job}).json()["id"] if "/watches/" in path else job
    address = path.replace("{id}", made).replace("{line}", "1")
    problem = assert_problem(api.generic(method.upper(), address, b'{"nonsense": 1}', "application/json"), 400)
    assert "nonsense" in problem["errors"]
