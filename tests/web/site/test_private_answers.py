"""What nobody keeps, what no other site loads, and https for good where the address is https."""

from contextlib import closing
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from resolver.models import Job
from tests.web.conftest import Look, newest, run

CLOSED_TO_STRANGERS = ["get", "head", "options", "trace", "post", "put", "patch", "delete"]
NOBODYS = "00000000-0000-0000-0000-000000000000"


def is_private(answer: Any) -> bool:
    return "no-store" in answer["Cache-Control"] and answer["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.fixture
def places(look: Look, upload: Look) -> list[str]:
    look("10.1000/182")
    upload("doi\n10.1000/182\n")
    job = run(Job.objects.get())
    pages = [f"/jobs/{job.pk}{end}" for end in ("", "/rows", "/rows/1", "/share", "/describe", "/delete", "/compare")]
    files = [f"{face}/jobs/{job.pk}/results.{kind}" for face in ("", "/api/v1") for kind in ("csv", "xlsx", "jsonl")]
    rest = [
        f"/api/v1/{path}"
        for path in ("lookups", f"lookups/{newest().pk}", "jobs", f"jobs/{job.pk}", f"jobs/{job.pk}/rows")
    ]
    return [
        "/", "/history", "/jobs", "/jobs/new", "/records", "/help", "/encode", "/accessibility", "/accounts/login/",
        f"/lookups/{newest().pk}", "/history.csv", "/history.jsonl", "/history/delete", "/nothing", "/jobs/new?x=%00",
        *pages, *files, *rest,
    ]  # fmt: skip


def test_pages_and_files_are_kept_by_nobody_and_loaded_by_no_other_site(places: list[str], visitor: Client) -> None:
    answers = {place: visitor.get(place) for place in places}
    assert not [place for place, answer in answers.items() if not is_private(answer)]
    assert {answer["Cross-Origin-Opener-Policy"] for answer in answers.values()} == {"same-origin"}
    assert {answer.status_code for answer in answers.values()} <= {200, 404, 302}


def test_so_are_errors_and_the_pages_of_an_account(visitor: Client) -> None:
    visitor.force_login(User.objects.create_superuser("ada"))
    for path in ("/accounts/password/", "/admin/", "/lookups/x", "/admin/resolver/job/"):
        assert is_private(visitor.get(path)), path
    for refused in (visitor.put("/"), visitor.post("/lookups", headers={"Origin": "https://elsewhere.example"})):
        assert is_private(refused)


@pytest.mark.parametrize(
    "path", ["/api/handles/10.1000/182", "/doiRA/10.1000/182", "/10.1000/182?noredirect", "/10.1000/182"]
)
def test_what_is_answered_in_the_place_of_doi_org_is_for_every_site(visitor: Client, path: str) -> None:
    answer = visitor.get(path)
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer["Cache-Control"].startswith("max-age=")


def test_static_files_may_be_kept(visitor: Client) -> None:
    with closing(visitor.get(staticfiles_storage.url("resolver/site.css"))) as answer:
        assert "no-store" not in answer["Cache-Control"]


@pytest.mark.parametrize("path", ["/", "/api/v1/lookups", "/10.1000/182", "/healthz", "/nothing"])
def test_a_browser_is_told_to_stay_with_https_where_the_public_address_is(settings: Any, path: str) -> None:
    assert "Strict-Transport-Security" not in Client().get(path)
    settings.PUBLIC_HTTPS = True
    assert Client().get(path)["Strict-Transport-Security"] == "max-age=31536000"


@pytest.mark.parametrize("method", CLOSED_TO_STRANGERS)
@pytest.mark.parametrize(
    "path",
    ["lookups", f"lookups/{NOBODYS}", "jobs", f"jobs/{NOBODYS}", f"jobs/{NOBODYS}/rows", f"jobs/{NOBODYS}/results.csv",
     "inspections", "nothing", ""],
)  # fmt: skip
def test_a_closed_portal_tells_a_strangers_program_nothing(settings: Any, method: str, path: str) -> None:
    settings.DOIPORTAL_OPEN = False
    answer = getattr(Client(), method)(f"/api/v1/{path}")
    assert answer.status_code == 401
    if method != "head":
        assert set(answer.json()) == {"type", "title", "status", "detail"}


@pytest.mark.parametrize("method", CLOSED_TO_STRANGERS)
@pytest.mark.parametrize("path", ["/api/handles/10.1000/182", "/ra/10.1000/182", "/10.1000/182", "/abcde"])
def test_nor_does_it_in_the_place_of_doi_org(settings: Any, method: str, path: str) -> None:
    settings.DOIPORTAL_OPEN = False
    answer = getattr(Client(), method)(path)
    assert answer.status_code == 401
    assert "Allow" not in answer
    assert "10.1000" not in answer.text or path in ("/10.1000/182",)


@pytest.mark.parametrize("method", CLOSED_TO_STRANGERS)
def test_a_page_of_a_closed_portal_leads_to_the_login_whether_there_is_something_or_not(
    settings: Any, look: Look, method: str
) -> None:
    look("10.1000/182")
    settings.DOIPORTAL_OPEN = False
    for found in (f"/lookups/{newest().pk}", f"/lookups/{NOBODYS}", "/help", "/history.csv"):
        answer = getattr(Client(), method)(found)
        assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={found}")
