"""What strangers send: bounded, refused with a reason, and never a fault of the portal."""

import json
from typing import Any

import pytest
from django.test import Client
from django.test.client import encode_multipart

from resolver.reconcile.queries import BATCH_SIZE

pytestmark = pytest.mark.django_db

DEEP = "[" * 200_000


@pytest.mark.parametrize("field", ["queries", "extend"])
@pytest.mark.parametrize(
    "content",
    [
        "",
        "no JSON",
        "[]",
        '"text"',
        "null",
        "{",
        "NaN",
        '{"q0": []}',
        '{"q0": null}',
        '{"q0": {"query": ["10.5555/plain"]}}',
        '{"q0": {"query": true}}',
        '{"q0": {"query": {"a": 1}}}',
        '{"q0": {"query": "x", "limit": 0}}',
        '{"q0": {"query": "x", "limit": -3}}',
        '{"q0": {"query": "x", "limit": "many"}}',
        '{"q0": {"query": "x", "limit": NaN}}',
        '{"q0": {"query": "x", "limit": true}}',
        '{"q0": {"query": "x", "limit": []}}',
        '{"q0": {"query": "x", "limit": ' + "9" * 5000 + "}}",
        '{"ids": "10.5555/plain", "properties": []}',
        '{"ids": [1], "properties": []}',
        '{"ids": [], "properties": ["ra"]}',
        '{"ids": [], "properties": [{"id": "no-such"}]}',
        '{"ids": [], "properties": [{"id": ["ra"]}]}',
        '{"ids": [], "properties": [{}]}',
        DEEP,
        '{"q0": ' + "[" * 100_000 + "]" * 100_000 + "}",
    ],
)
def test_what_is_no_query_is_refused_with_a_reason(field: str, content: str, post: Any) -> None:
    response = post(field, content)
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
    assert 20 < len(response.json()["detail"]) < 500


def test_a_form_without_a_query_is_refused(client: Client) -> None:
    assert client.post("/reconcile", {"query": "10.5555/plain"}).status_code == 400


FORM = b"queries=%7B%22q0%22%3A+%7B%22query%22%3A+%2210.5555%2Fplain%22%7D%7D"
PARTS = encode_multipart("x", {"queries": '{"q0": {"query": "10.5555/plain"}}'})
KINDS = [
    pytest.param(FORM, "application/x-www-form-urlencoded", id="urlencoded"),
    pytest.param(PARTS, "multipart/form-data; boundary=x", id="multipart"),
]


@pytest.mark.parametrize("charset", ["iso-8859-1", "windows-1252", "utf-16", "rot13", "idna", "no-such", "x" * 5000])
@pytest.mark.parametrize(("body", "media_type"), KINDS)
def test_a_form_in_another_encoding_is_refused_with_its_name(
    client: Client, body: bytes, media_type: str, charset: str
) -> None:
    response = client.generic("POST", "/reconcile", body, f"{media_type}; charset={charset}")
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
    assert "UTF-8" in response.json()["detail"]
    assert f'"{charset[:100]}"' in response.json()["detail"]
    assert response["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", "utf8", "us-ascii"])
@pytest.mark.parametrize(("body", "media_type"), KINDS)
def test_a_form_may_say_that_it_is_utf_8(client: Client, body: bytes, media_type: str, charset: str) -> None:
    response = client.generic("POST", "/reconcile", body, f"{media_type}; charset={charset}")
    assert response.json()["q0"]["result"][0]["id"] == "10.5555/plain"


@pytest.mark.parametrize("over", [1, 1000])
def test_more_than_fifty_are_refused(over: int, post: Any) -> None:
    names = [f"10.5555/{number}" for number in range(BATCH_SIZE + over)]
    queries = {name: {"query": name} for name in names}
    for response in (post("queries", queries), post("extend", {"ids": names, "properties": []})):
        assert response.status_code == 413
        assert "50" in response.json()["detail"]


def test_fifty_are_taken(post: Any) -> None:
    names = [f"10.5555/{number}" for number in range(BATCH_SIZE)]
    assert len(post("queries", {name: {"query": name} for name in names}).json()) == BATCH_SIZE
    assert len(post("extend", {"ids": names, "properties": []}).json()["rows"]) == BATCH_SIZE


def test_texts_that_are_too_long_together_are_refused(post: Any, settings: Any) -> None:
    settings.MAX_INSPECTED = 1000
    assert post("queries", {"a": {"query": "x" * 500}, "b": {"query": "y" * 501}}).status_code == 413
    assert post("queries", {"a": {"query": "x" * 500}, "b": {"query": "y" * 500}}).status_code == 200
    assert post("extend", {"ids": ["x" * 1001], "properties": []}).status_code == 413
    padded = json.dumps({"a": {"query": "x"}}) + " " * (6 * 1000 + 200_000)
    assert post("queries", padded).status_code == 413


def test_a_cell_that_is_too_long_is_read_no_further(reconcile: Any, settings: Any) -> None:
    settings.MAX_CELL = 100
    assert reconcile("10.5555/" + "x" * 100) == [[]]


def test_a_body_of_unknown_length_is_refused(client: Client) -> None:
    response = client.generic("POST", "/reconcile", b"", headers={"Transfer-Encoding": "chunked"})
    assert (response.status_code, response["Content-Type"]) == (411, "application/problem+json")
    assert response["Access-Control-Allow-Origin"] == "*"


def test_a_body_that_is_too_large_is_not_read(client: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    response = client.post("/reconcile", {"queries": "x" * 2000})
    assert (response.status_code, response["Content-Type"]) == (413, "application/problem+json")


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "application/xml", ""])
def test_a_body_that_is_no_form_is_refused(kind: str, client: Client) -> None:
    response = client.generic("POST", "/reconcile", b'{"q0": {"query": "x"}}', kind)
    assert response.status_code == 415


@pytest.mark.parametrize("body", [b"--x\r\n", b"\xff" * 100, b"&".join(b"a=b" for _ in range(2000)), b"queries=%FF"])
def test_a_broken_form_is_refused(body: bytes, client: Client) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data"):
        assert client.generic("POST", "/reconcile", body, kind).status_code == 400


@pytest.mark.parametrize(
    "text",
    [
        "10.5555/\ud800",
        "10.5555/a\0b",
        "10.5555/" + "\u202e" * 50,
        "<script>alert(1)</script> 10.5555/<b>",
        "\ufeff",
        "%" * 999,
    ],
)
def test_texts_of_any_characters_are_answered(text: str, reconcile: Any) -> None:
    (found,) = reconcile(text)
    assert all(one["score"] for one in found)


def test_keys_of_any_characters_come_back(post: Any) -> None:
    keys = ["", "\0", "é\ud800", "__proto__", "q" * 2000]
    assert list(post("queries", {key: {"query": ""} for key in keys}).json()) == keys


@pytest.mark.parametrize("callback", ["alert(1)//", "a b", "x" * 200, "", "function", "a;b", "<script>"])
def test_a_callback_that_is_no_plain_name_is_refused(callback: str, client: Client) -> None:
    response = client.get("/reconcile", {"callback": callback})
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")


def test_jsonp_wraps_the_answer_to_get(client: Client) -> None:
    response = client.get("/reconcile", {"callback": "jQuery.cb_1", "queries": '{"q0": {"query": "\\u2028"}}'})
    assert response["Content-Type"] == "application/javascript"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response.content == b'jQuery.cb_1({"q0": {"result": []}});'


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE"])
def test_other_methods_are_refused(method: str, client: Client) -> None:
    response = client.generic(method, "/reconcile")
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS, POST")
