"""Which language a page speaks, and that what programs read speaks one."""

from typing import Any

import pytest
from django.test import Client

from resolver.models import Job
from tests.web.conftest import Look, html_of, run

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-AT,de;q=0.9,en;q=0.5"}


def speaks(page: Any) -> str:
    """The language that the page says it is in."""
    return html_of(page).partition('<html lang="')[2][:2]


@pytest.mark.parametrize(
    ("asked", "spoken"), [("de-AT,de;q=0.9,en;q=0.5", "de"), ("fr,de;q=0.2", "de"), ("en-GB", "en"), ("fr", "en")]
)
def test_a_page_speaks_the_first_of_the_browsers_languages_that_we_have(visitor: Client, asked: str, spoken: str):
    page = visitor.get("/", HTTP_ACCEPT_LANGUAGE=asked)
    assert speaks(page) == spoken == page["Content-Language"]
    assert "Accept-Language" in page["Vary"]


def test_a_language_that_was_chosen_stays_whatever_the_browser_asks_for(visitor: Client):
    chosen = visitor.post("/language", {"language": "en", "next": "/history?q=a%26b"}, **GERMAN)
    assert (chosen.status_code, chosen["Location"]) == (302, "/history?q=a%26b")
    assert speaks(visitor.get("/history", **GERMAN)) == "en"


@pytest.mark.parametrize("hostile", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""])
def test_choosing_a_language_leads_nowhere_outside_of_the_portal(visitor: Client, hostile: str):
    chosen = visitor.post("/language", {"language": "de", "next": hostile}, HTTP_REFERER="https://elsewhere.example/")
    assert chosen["Location"] == "/"


def test_a_language_that_we_have_not_changes_nothing(visitor: Client):
    assert visitor.post("/language", {"language": "../x", "next": "/"}).cookies == {}


def test_the_switch_names_each_language_in_itself_and_marks_the_present_one(visitor: Client):
    page = html_of(visitor.get("/history?q=x", **GERMAN))
    assert '<span lang="de" aria-current="true">Deutsch</span>' in page
    assert '<button class="plain" name="language" value="en" lang="en">English</button>' in page
    assert '<input type="hidden" name="next" value="/history?q=x">' in page


def test_an_address_that_is_too_long_to_be_carried_along_is_carried_without_its_query(visitor: Client):
    page = html_of(visitor.get("/history", {"q": "x" * 1000}))
    assert '<input type="hidden" name="next" value="/history">' in page


@pytest.mark.parametrize(
    ("sent", "back"), [({"HTTP_REFERER": "http://testserver/jobs/new"}, "http://testserver/jobs/new"), ({}, "/")]
)
def test_the_switch_on_the_answer_to_a_form_leads_back_to_the_form(visitor: Client, sent: dict[str, Any], back: str):
    page = html_of(visitor.post("/lookups", {"text": ""}, **sent))
    assert f'<input type="hidden" name="next" value="{back}">' in page
    assert visitor.post("/language", {"language": "de", "next": back})["Location"] == back


def test_a_shut_portal_lets_everybody_choose_a_language(settings: Any):
    settings.DOIPORTAL_OPEN = False
    chosen = Client(enforce_csrf_checks=True).post("/language", {"language": "de", "next": "/accounts/login/"})
    assert chosen["Location"] == "/accounts/login/"


def test_files_of_results_are_the_same_for_every_reader(visitor: Client, upload: Look):
    upload("doi\n10.1000/182.\n10.1000/no such\n", **GERMAN)
    address = f"/jobs/{run(Job.objects.latest('created_at')).pk}/results"
    for kind in ("csv", "jsonl"):
        german = visitor.get(f"{address}.{kind}", **GERMAN)
        rows = german.getvalue()
        assert b"The name ends in" in rows
        assert rows == visitor.get(f"{address}.{kind}").getvalue()
        assert "Content-Language" not in german


def test_the_rest_face_speaks_english_to_everybody(visitor: Client):
    for address in ("/api/v1/lookups", "/api/v1/lookups/none", "/api/v1/jobs?cursor=%"):
        plain, german = visitor.get(address), visitor.get(address, **GERMAN)
        assert plain.content == german.content
        assert "Content-Language" not in german
        assert "Accept-Language" not in german.get("Vary", "")
    missing = visitor.post("/api/v1/inspections", {}, content_type="application/json", **GERMAN)
    assert b"This field is required." in missing.content


def test_a_page_that_stands_for_a_file_speaks_the_readers_language(visitor: Client, upload: Look):
    upload("doi\n10.1000/182\n")
    page = visitor.get(f"/jobs/{Job.objects.latest('created_at').pk}/results.csv", **GERMAN)
    assert page["Content-Type"].startswith("text/html")
    assert speaks(page) == "de"
