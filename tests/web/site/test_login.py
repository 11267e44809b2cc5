"""Logging in, the shut door, the pages about the portal, and the pages of errors."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.web.conftest import html_of, text_of

NOBODYS = "00000000-0000-0000-0000-000000000000"
PAGES = ["/", "/history", "/history/delete", "/jobs", "/jobs/new", "/records", "/help", "/encode"]


@pytest.mark.parametrize("address", PAGES)
def test_a_shut_portal_sends_everybody_to_the_login(visitor: Client, settings: Any, address: str):
    settings.DOIPORTAL_OPEN = False
    response = visitor.get(address)
    assert response.status_code == 302
    assert response["Location"] == f"/accounts/login/?next={address}"


def test_a_shut_portal_takes_no_lookup_and_no_file(visitor: Client, settings: Any):
    settings.DOIPORTAL_OPEN = False
    assert visitor.post("/lookups", {"text": "10.1000/182"}).status_code == 302
    assert visitor.post("/jobs/new").status_code == 302


def test_the_login_stays_open(visitor: Client, settings: Any):
    settings.DOIPORTAL_OPEN = False
    assert visitor.get("/accounts/login/").status_code == 200


def test_a_shut_portal_shows_the_link_to_the_api_to_people_who_are_logged_in(visitor: Client, settings: Any):
    link = '<a href="/api/v1/docs">'
    assert link in html_of(visitor.get("/accounts/login/"))
    settings.DOIPORTAL_OPEN = False
    assert link not in html_of(visitor.get("/accounts/login/"))
    visitor.force_login(User.objects.create_user("ada"))
    assert link in html_of(visitor.get("/"))


def test_the_rest_face_answers_for_itself(visitor: Client, settings: Any):
    settings.DOIPORTAL_OPEN = False
    assert visitor.get("/api/v1/lookups").status_code == 401


def test_with_a_login_the_shut_portal_opens(visitor: Client, settings: Any):
    settings.DOIPORTAL_OPEN = False
    User.objects.create_user("ada", password="a long enough word")
    page = visitor.post(
        "/accounts/login/?next=/history",
        {"username": "ada", "password": "a long enough word", "next": "/history"},
        follow=True,
    )
    assert page.redirect_chain == [("/history", 302)]
    assert "ada Account Log out" in text_of(page)
    assert visitor.post("/accounts/logout/").status_code == 302
    assert visitor.get("/history").status_code == 302


def test_a_wrong_password_gets_a_clear_error(visitor: Client):
    page = visitor.post("/accounts/login/", {"username": "ada", "password": "\x00" * 9})
    assert page.status_code == 200
    assert 'id="errors-title"' in html_of(page)


@pytest.mark.parametrize("name", ["ada", "nobody"])
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Wrong username or password. Check upper and lower case."),
        ("de", "Benutzername oder Passwort ist falsch. Prüfen Sie Groß- und Kleinschreibung."),
    ],
)
def test_a_wrong_name_and_a_wrong_password_get_the_same_text(visitor: Client, name: str, language: str, words: str):
    User.objects.create_user("ada", password="a long enough word")
    form = {"username": name, "password": "wrong"}
    assert words in text_of(visitor.post("/accounts/login/", form, HTTP_ACCEPT_LANGUAGE=language))


def test_a_login_leads_to_no_other_site(visitor: Client):
    User.objects.create_user("ada", password="a long enough word")
    form = {"username": "ada", "password": "a long enough word", "next": "https://elsewhere.example/"}
    assert visitor.post("/accounts/login/", form)["Location"] == "/"


@pytest.mark.parametrize(
    "address",
    ["/nothing", "/lookups/x", f"/lookups/{NOBODYS}", f"/jobs/{NOBODYS}", f"/jobs/{NOBODYS}/rows/1", "/%00", "/%ff"],
)  # fmt: skip
def test_an_address_where_nothing_is_says_so(visitor: Client, address: str):
    response = visitor.get(address)
    assert response.status_code == 404
    assert "Page not found" in text_of(response)


def test_a_reloaded_form_leads_home(visitor: Client):
    assert visitor.get("/lookups")["Location"] == "/"


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
@pytest.mark.parametrize("address", [*PAGES, "/lookups"])
def test_other_methods_are_refused(visitor: Client, method: str, address: str):
    assert getattr(visitor, method)(address).status_code == 405
