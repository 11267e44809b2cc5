"""The gateway speaks a reader's language on its pages, and to programs as doi.org does."""

from django.test import Client

from tests.gateway.conftest import ProxyBehind

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de"}


def test_a_page_for_a_name_that_is_not_there_is_in_the_browsers_language(behind: ProxyBehind, program: Client):
    page = program.get("/10.1000/no-such", **GERMAN)
    assert (page.status_code, page["Content-Language"], page["Vary"]) == (404, "de", "Accept, Accept-Language")
    assert '<html lang="de"' in page.content.decode()


def test_no_cookie_chooses_the_language_of_a_page_that_others_may_be_given(behind: ProxyBehind, program: Client):
    program.cookies["language"] = "de"
    page = program.get("/10.1000/no-such", HTTP_ACCEPT_LANGUAGE="en")
    assert (page["Content-Language"], "Cookie" in page["Vary"]) == ("en", False)
    assert 'action="/language"' not in page.content.decode()


def test_redirects_and_data_are_the_same_for_every_language(behind: ProxyBehind, program: Client):
    for address in ("/10.1000/182", "/api/handles/10.1000/182", "/doiRA/10.1000/182"):
        plain, german = program.get(address), program.get(address, **GERMAN)
        assert plain.content == german.content
        for header in ("Vary", "Content-Language", "Location", "Cache-Control"):
            assert plain.get(header) == german.get(header)
        assert "Accept-Language" not in german.get("Vary", "")
        assert "Content-Language" not in german
