"""What a browser is told about every document, and the pages of faults that no view answers."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse
from django.template import engines
from django.test import Client, RequestFactory

from doiportal.middleware.security_headers import SecurityHeadersMiddleware
from tests.web.conftest import Look, html_of, newest, text_of

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; "
    "object-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
BROKEN = {500: "Something went wrong", 503: "The portal is temporarily unavailable", 507: "Nothing can be stored"}


@pytest.fixture
def broken(settings: Any) -> Client:
    settings.ROOT_URLCONF = "tests.web.site.broken_urls"
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/", 200), ("/history", 200), ("/jobs/new", 200), ("/records?name=10.1000/182", 200),
        ("/nothing/at/all", 404), ("/jobs/new?q=%00", 200), ("/accounts/login/", 200), ("/admin/login/", 200),
        ("/10.1000/182?noredirect", 200), ("/10.1000/182", 302), ("/10.5555/missing-1", 404), ("/10.5555/loop-1", 500),
        ("/10.5555/two?action=showurls", 200), ("/history/delete", 200),
    ],
)  # fmt: skip
def test_every_document_has_the_whole_policy(visitor: Client, address: str, status: int) -> None:
    response = visitor.get(address)
    assert response.status_code == status
    assert response["Content-Security-Policy"] == POLICY
    assert "camera=()" in response["Permissions-Policy"]


def test_so_have_the_results_of_forms_and_what_is_refused(visitor: Client, look: Look) -> None:
    look("10.1000/182")
    answers = [
        visitor.get(f"/lookups/{newest().pk}"),
        visitor.post("/lookups", {"text": ""}),
        visitor.post("/jobs/new"),
        visitor.get("/jobs/new", headers={"Host": "elsewhere.example"}),
        Client(enforce_csrf_checks=True).post("/lookups", {"text": "x"}),
        visitor.put("/"),
    ]
    assert [answer.status_code for answer in answers] == [200, 422, 422, 400, 403, 405]
    assert {answer["Content-Security-Policy"] for answer in answers} == {POLICY}


def test_so_has_the_admin(visitor: Client) -> None:
    visitor.force_login(User.objects.create_superuser("ada"))
    for address in ("/admin/", "/admin/resolver/job/", "/admin/auth/user/add/"):
        assert visitor.get(address)["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize("status", BROKEN)
def test_a_fault_of_the_portal_has_a_page_in_its_form_with_the_policy(broken: Client, status: int) -> None:
    answer = broken.get(f"/broken/{status}")
    assert answer.status_code == status
    assert answer["Content-Security-Policy"] == POLICY
    assert f"Error: {BROKEN[status]} – doiportal" in html_of(answer)
    assert 'href="/static/resolver/site.css"' in html_of(answer)
    assert "<style" not in html_of(answer)


def test_the_page_of_a_fault_needs_no_list_of_static_files(broken: Client, settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    for loader in engines["django"].engine.template_loaders:  # type: ignore[attr-defined]
        loader.reset()
    answer = broken.get("/")  # its own page cannot be made without
    assert answer.status_code == 500
    assert BROKEN[500] in html_of(answer)


@pytest.mark.parametrize("address", ["/healthz", "/api/v1/lookups", "/api/handles/10.1000/182"])
def test_data_carry_no_policy(visitor: Client, address: str) -> None:
    assert "Content-Security-Policy" not in visitor.get(address)


def test_a_page_for_developers_may_have_its_styles_inside(settings: Any) -> None:
    settings.DEBUG = True
    answer = SecurityHeadersMiddleware(lambda request: HttpResponse("<style>", status=500))(RequestFactory().get("/"))
    assert "Content-Security-Policy" not in answer


def test_an_address_for_forms_says_so_when_it_is_opened(visitor: Client, look: Look) -> None:
    look("10.1000/182")
    answer = visitor.get(f"/lookups/{newest().pk}/delete")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "You can’t open this page directly" in text_of(answer)
    assert visitor.put("/api/v1/lookups").headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("/", "text/html; charset=utf-8"), ("/nothing", "text/html; charset=utf-8"),
        ("/history.csv", "text/csv; charset=utf-8"), ("/healthz", "text/plain; charset=utf-8"),
        ("/api/v1/jobs", "application/json"), ("/api/v1/nothing", "application/problem+json"),
        ("/api/handles/10.1000/182", "application/json;charset=UTF-8"), ("/readyz", "application/json"),
        ("/static/resolver/site.css", 'text/css; charset="utf-8"'),
    ],
)  # fmt: skip
def test_every_answer_names_its_type_and_forbids_another(visitor: Client, address: str, kind: str) -> None:
    address = staticfiles_storage.url(address.removeprefix("/static/")) if "/static/" in address else address
    with closing(visitor.get(address)) as answer:
        assert answer["Content-Type"] == kind
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("address", ["/", "/history", "/healthz", "/api/v1/jobs", "/api/handles/10.1000/182", "/x"])
def test_trace_gives_nothing_back(visitor: Client, address: str) -> None:
    answer = visitor.trace(address, headers={"X-Secret": "of-the-browser"})
    assert answer.status_code in (404, 405)
    assert b"of-the-browser" not in answer.content


@pytest.mark.parametrize(
    "address",
    ["/static/", "/static/resolver/", "/static/../secret_key", "/static/%2e%2e/secret_key", "/uploads/", "/secret_key"],
)
def test_no_address_lists_a_folder_or_leads_out_of_one(visitor: Client, address: str) -> None:
    assert visitor.get(address).status_code == 404
