"""Who is let in to the gateway, by which methods, and what all its answers have in common."""

from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client

from resolver.gateway.raw_request import LONGEST_TARGET_CHARACTERS
from resolver.models import raw_sql
from resolver.proxy.limits import Paused
from tests.gateway.conftest import ProxyBehind
from tests.gateway.wire import send

DATA = ["/api/handles/10.1000/182", "/doiRA/10.1000/182", "/ra/10.1000/182"]
PAGES = ["/10.1000/182", "/doi:10.1000/182", "/urn:doi:10.1000:182", "/info:doi/10.1000/182"]


@pytest.mark.parametrize("path", DATA + PAGES)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE"])
def test_nothing_can_be_sent_here(method: str, path: str, behind: ProxyBehind) -> None:
    answer = send(path, method)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert behind.asked == []


@pytest.mark.parametrize("path", DATA)
@pytest.mark.parametrize(
    ("headers", "status"), [({"Transfer-Encoding": "chunked"}, 411), ({"Content-Length": "99999999999"}, 413)]
)
def test_a_body_is_refused_with_response_code_2(
    path: str, headers: dict[str, str], status: int, program: Client
) -> None:
    answer = program.generic("POST", path, b"", headers=headers)
    assert (answer.status_code, answer.json()["responseCode"]) == (status, 2)
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.clause("A7")
@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/api/handles/10.1000/nothing", {}, 404),
        ("GET", "/api/handles/10.1000/182", {"Host": "evil.example"}, 400),
        ("GET", "/api/handles/", {}, 500),
        ("GET", "//api/handles/", {}, 500),
        ("GET", "/api/handles/%FF", {}, 500),
        ("POST", "/api/handles/10.1000/182", {}, 405),
        ("GET", f"/api/handles/10.1000/{'a' * LONGEST_TARGET_CHARACTERS}", {}, 414),
        ("POST", "/api/handles/10.1000/182", {"Transfer-Encoding": "chunked"}, 411),
        ("POST", "/api/handles/10.1000/182", {"Content-Length": "99999999999"}, 413),
    ],
)
def test_every_answer_about_a_record_is_a_script_for_who_asks_for_one(
    method: str, path: str, headers: dict[str, str], status: int, behind: ProxyBehind, program: Client
) -> None:
    def ask(callback: str) -> Any:
        raw = f"{path}?callback={callback}"
        return program.generic(
            method, raw, b"", PATH_INFO=unquote_to_bytes(path).decode("latin-1"), RAW_URI=raw, headers=headers
        )

    answer, refused = ask("a.b"), ask("alert(1)")
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/javascript;charset=UTF-8")
    assert answer.content.startswith(b"a.b({")
    assert answer.content.endswith(b"});")
    assert "json" in refused["Content-Type"]
    assert b"alert" not in refused.content


@pytest.mark.clause("A7")
def test_a_closed_and_a_paused_portal_answer_in_a_script_too(
    behind: ProxyBehind, settings: Any, monkeypatch: pytest.MonkeyPatch, program: Client
) -> None:
    def pause(*_: Any, **__: Any) -> None:
        raise Paused(7.0)

    monkeypatch.setattr("resolver.proxy.client.ProxyClient.record", pause)
    paused = program.get("/api/handles/10.1000/182?callback=f")
    assert (paused.status_code, paused.content[:3]) == (500, b"f({")
    assert int(paused["Retry-After"]) >= 1
    settings.DOIPORTAL_OPEN = False
    closed = program.get("/api/handles/10.1000/182?callback=f")
    assert (closed.status_code, closed.content[:3]) == (401, b"f({")


@pytest.mark.clause("A7")
@pytest.mark.parametrize("path", DATA)
def test_scripts_of_any_site_may_read_the_data(path: str, behind: ProxyBehind, program: Client) -> None:
    asked_first = program.options(path)
    assert (asked_first.status_code, asked_first.content) == (204, b"")
    assert asked_first["Access-Control-Allow-Origin"] == "*"
    assert asked_first["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    for target in (path, f"{path}-not-there", "/api/handles/"):
        assert program.get(target)["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "path", [*DATA, *PAGES, "/10.1000/nothing", "/api/handles/10.1000/nothing", "/10.1000/182?noredirect"]
)
def test_head_says_what_get_says_without_the_body(path: str, behind: ProxyBehind, program: Client) -> None:
    got, headed = program.get(path), program.head(path)
    assert (headed.status_code, headed.content) == (got.status_code, b"")
    names = ("Location", "Content-Type", "Content-Length", "Vary", "Expires")
    assert [headed.get(name) for name in names] == [got.get(name) for name in names]


@pytest.mark.parametrize("cookies", ["", "sessionid=abc; csrftoken=def", f"sessionid={'a' * 32}; csrftoken={'b' * 32}"])
@pytest.mark.parametrize("path", [*DATA, *PAGES, "/10.1000/nothing", "/10.1000/182?noredirect", "/10.1000/%FF"])
def test_no_answer_sets_a_cookie_or_varies_by_one(path: str, cookies: str, behind: ProxyBehind) -> None:
    answer = send(path, **({"Cookie": cookies} if cookies else {}))
    assert not answer.cookies
    assert "Cookie" not in answer.get("Vary", "")
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/api/handles/10.1000/", "/doiRA/10.1000/", "/10.1000/"])
@pytest.mark.parametrize("length", [LONGEST_TARGET_CHARACTERS + 1, 100_000])
def test_an_address_of_any_length_is_taken_or_refused(path: str, length: int, behind: ProxyBehind) -> None:
    fitting = send(path + "x" * (LONGEST_TARGET_CHARACTERS - len(path)))
    assert fitting.status_code in (200, 404)
    before = len(behind.server.targets)
    refused = send(path + "x" * (length - len(path)))
    assert refused.status_code == 414
    assert f"longer than the limit of {LONGEST_TARGET_CHARACTERS:,} characters" in refused.content.decode()
    assert send(path + "x?" + "y" * length).status_code == 414
    assert len(behind.server.targets) == before


@pytest.mark.parametrize("path", DATA + PAGES)
def test_a_portal_that_is_not_open_asks_for_the_login_of_its_rest_interface(
    path: str, behind: ProxyBehind, program: Client, settings: Any
) -> None:
    settings.DOIPORTAL_OPEN = False
    refused = program.get(path)
    of_rest = program.get("/api/v1/lookups")
    assert (refused.status_code, refused["WWW-Authenticate"]) == (of_rest.status_code, of_rest["WWW-Authenticate"])
    assert refused.status_code == 401
    assert behind.asked == []
    program.force_login(User.objects.create_user("ada"))
    let_in = program.get(path)
    assert let_in.status_code in (200, 302)
    assert "private" in let_in["Cache-Control"]


@pytest.mark.parametrize("path", PAGES)
def test_a_link_is_no_business_of_scripts(path: str, behind: ProxyBehind, program: Client) -> None:
    for answer in (program.options(path), program.get(path)):
        assert "Access-Control-Allow-Origin" not in answer
    assert program.options(path)["Allow"] == "GET, HEAD, OPTIONS"


def broken(error: Exception) -> Any:
    def select(*_: object) -> object:
        raise error

    return select


@pytest.mark.parametrize("path", DATA)
def test_a_fault_is_told_to_programs_in_their_own_terms(
    path: str, behind: ProxyBehind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_sql, "select_rows", broken(RuntimeError("inner secret")))
    answer = Client(raise_request_exception=False).get(path)
    assert (answer.status_code, answer.json()["responseCode"]) == (500, 2)
    assert "inner secret" not in answer.content.decode()
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.clause("A2")
def test_a_database_that_is_away_is_code_2(behind: ProxyBehind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_sql, "select_rows", broken(OperationalError("server closed the connection")))
    answer = Client(raise_request_exception=False).get("/api/handles/10.1000/182")
    assert (answer.status_code, answer.json()["responseCode"]) == (500, 2)


def test_a_wrong_host_is_told_to_programs_in_their_own_terms(behind: ProxyBehind, program: Client) -> None:
    answer = program.get("/api/handles/10.1000/182", headers={"Host": "elsewhere.example"})
    assert (answer.status_code, answer.json()["responseCode"]) == (400, 2)
